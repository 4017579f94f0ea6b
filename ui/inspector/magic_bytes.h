// The four bytes that a GGUF file begins with beside those that are there, in the form QML takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QByteArray>
#include <QtCore/QString>
#include <QtCore/QVariantList>

namespace magic_bytes {

/// The cells of "GGUF": maps of hex and text (empty where the file has no such byte), wanted (the
/// letter) and right.
[[nodiscard]] QVariantList cells(const QByteArray& first);
/// Bytes in lines of 16 as hex and text: maps of offset, hex and text.
[[nodiscard]] QVariantList lines(const QByteArray& first);

} // namespace magic_bytes
