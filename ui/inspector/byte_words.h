// Bytes as numbers, and as code that one can paste.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

#include <cstddef>
#include <span>

/// One way to read the bytes at a place; a text is empty where the file has too few of them.
struct ByteReading
{
    QString name; ///< "u16", "f32", …
    QString little;
    QString big; ///< empty where there is no such order
};

/// All integer and float types, and the character.
[[nodiscard]] QList<ByteReading> readings(std::span<const std::byte> bytes);

enum class ByteForm { Hex, CArray, Python, Text };

/// "47 47 55 46", "static const unsigned char bytes[] = { 0x47, … };", "b'GGUF\x03'".
[[nodiscard]] QString written(std::span<const std::byte> bytes, ByteForm form);
