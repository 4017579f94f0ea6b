// What a comparison of two files says of single entries and tensors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/eval/data_diff.h"
#include "ui/inspector/compared_files.h"

#include <QtCore/QString>

namespace diff_words {

/// One character beside the word: "=", "≠", "−" (only in A) or "+" (only in B).
[[nodiscard]] QString symbol(engine::gguf::DiffState state);
/// "same", "type differs", "only in A", …
[[nodiscard]] QString state(const engine::gguf::MetadataDiff& diff);
[[nodiscard]] QString state(const engine::gguf::TensorDiff& diff,
                            const engine::eval::DataDiff& data);
/// Of arrays: "1,200 of 49,152 elements differ, the first at 7: “a” / “b”"; of long texts where
/// they begin to differ; empty for others.
[[nodiscard]] QString note(const ComparedFiles& files, const engine::gguf::MetadataDiff& diff);
/// What is known of the weights, in a sentence.
[[nodiscard]] QString weights(const ComparedFiles& files, const engine::gguf::TensorDiff& diff,
                              const engine::eval::DataDiff& data);
/// "+1.2 MB", "−3.4 kB"; "=" for none.
[[nodiscard]] QString sizeDifference(qint64 bytes);
/// A value on one line, as much as fits; for arrays its first elements.
[[nodiscard]] QString shortValue(const engine::gguf::Value& value);
/// A value with all its lines, cut only where it would take too long to show.
[[nodiscard]] QString wholeValue(const engine::gguf::Value& value);

} // namespace diff_words
