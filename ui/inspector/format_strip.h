// Pictures of the format: which fields follow each other, how many bytes each takes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/quant/block_layout.h"

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QVariantList>

namespace format_strip {

/// One field of a picture.
struct Part
{
    QString name; ///< "magic", "qs"
    quint64 at = 0; ///< bytes from the start of the picture
    quint64 size = 0; ///< bytes
    QString kind; ///< a word by which a view colours it; see FieldColors.qml for those of blocks
};
using Parts = QList<Part>;

/// A word for each kind of a block's fields, by which a view colours it.
[[nodiscard]] QString kindKey(engine::quant::FieldKind kind);

/// The sections of a file; what it has none of is left out.
[[nodiscard]] Parts file(const engine::gguf::GgufFile& file);
/// Magic, version and the two counts.
[[nodiscard]] Parts header(const engine::gguf::Header& header);
/// Key, type and value with their lengths, as this entry has them.
[[nodiscard]] Parts entry(const engine::gguf::MetadataEntry& entry);
/// Name, dimensions, type and offset, as this tensor has them.
[[nodiscard]] Parts directoryEntry(const engine::gguf::TensorInfo& tensor);
/// A block of a tensor type, from the description beside its codec; empty for types without one and
/// for plain numbers.
[[nodiscard]] Parts block(std::uint32_t typeNumber);

/// For a view: maps of name, size ("4 bytes", at its place in a sentence), at, kind and share (of
/// all bytes).
[[nodiscard]] QVariantList listed(const Parts& parts);

} // namespace format_strip
