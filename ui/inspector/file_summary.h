// What the window says of a file as a whole, in the form QML takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <QtCore/QString>
#include <QtCore/QVariantList>

namespace file_summary {

/// "GGUF 3 · llama · 272 tensors · 134.5 M weights · 5.85 bits per weight · 98.4 MB".
[[nodiscard]] QString facts(const engine::gguf::GgufFile& file);
/// Maps of name, value, note, offset and size.
[[nodiscard]] QVariantList headerFields(const engine::gguf::GgufFile& file);
/// Of tensor types, most bytes first: maps of name, tensors, size and share.
[[nodiscard]] QVariantList totals(const engine::gguf::GgufFile& file);
/// Kinds of sections and types of tensors that occur: maps of name, part ("header", "metadata",
/// "directory", "padding", "unowned"; empty for a tensor type) and type (its number; -1 for none).
[[nodiscard]] QVariantList legend(const engine::gguf::GgufFile& file);
/// What opening did and how long it took: maps of title, detail, time, offset, size and live (it
/// goes on: what is in memory now belongs to it).
[[nodiscard]] QVariantList stages(const engine::gguf::GgufFile& file);

} // namespace file_summary
