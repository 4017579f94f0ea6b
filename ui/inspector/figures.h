// Numbers of files in words: sizes, offsets, shapes, types.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <QtCore/QString>

namespace figures {

/// In SI units: "95.3 MB".
[[nodiscard]] QString size(quint64 bytes);
/// With separators: "1,234".
[[nodiscard]] QString count(quint64 number);
/// Exact: "1,234 bytes".
[[nodiscard]] QString bytes(quint64 number);
/// "1 tensor", "1,234 tensors".
[[nodiscard]] QString tensors(quint64 number);
/// "1 weight", "1,234 weights".
[[nodiscard]] QString weights(quint64 number);
/// Large numbers short: "134.5 M".
[[nodiscard]] QString shortCount(quint64 number);
/// Grouped by four digits, at least eight: "0x05DD_6A40".
[[nodiscard]] QString offset(quint64 offset);
/// Where a byte lies: "0x05DD_6A40"; in a set of files "part 2 · 0x0000_0800", counted from the
/// beginning of that part, or that it lies between two parts.
[[nodiscard]] QString place(const engine::gguf::GgufFile& file, quint64 offset);
/// The same where there is little room: "2:0x0000_0800"; "–" for what lies in no part.
[[nodiscard]] QString address(const engine::gguf::GgufFile& file, quint64 offset);
/// Bytes of the file; of a set those of all its parts together.
[[nodiscard]] quint64 sizeOf(const engine::gguf::GgufFile& file);
/// "12.3 %"; small shares above nothing keep a digit that says so.
[[nodiscard]] QString share(quint64 part, quint64 whole);
/// "1.8 ms", "12 µs".
[[nodiscard]] QString duration(quint64 nanoseconds);
/// "576 × 1,536"; "1" without dimensions.
[[nodiscard]] QString shape(const engine::gguf::TensorInfo& tensor);
/// "Q4_K"; for a number that ggml does not know its former or foreign name, or "type 43".
[[nodiscard]] QString type(const engine::gguf::TensorInfo& tensor);
/// "string", "u32", "string[49,152]".
[[nodiscard]] QString type(const engine::gguf::Value& value);
/// "5.50"; empty for an unknown type.
[[nodiscard]] QString bits(const engine::gguf::TensorInfo& tensor);
/// Text out of a file, on one line: see engine::gguf::printable.
[[nodiscard]] QString printable(std::string_view text, std::size_t most = 256);
/// "blk.12.attn_q.weight" → 12; -1 outside the layers.
[[nodiscard]] int layer(std::string_view name);

} // namespace figures
