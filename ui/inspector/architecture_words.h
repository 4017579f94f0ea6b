// The picture of an architecture in words: titles, summaries, what is wrong with a tensor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/model/architecture_outline.h"

#include <QtCore/QString>

namespace architecture_words {

/// "llama · 30 blocks · 272 tensors · all that it needs is there".
[[nodiscard]] QString summary(const engine::model::Outline& outline);
/// Why nothing, or less, can be said; empty where all is known.
[[nodiscard]] QString caveat(const engine::model::Outline& outline);
/// "Input", "Block 3", "Block 3 (enc)".
[[nodiscard]] QString title(const engine::model::OutlineSection& section);
/// "Blocks 3 – 29: the same". `first` and `last` belong to it.
[[nodiscard]] QString foldTitle(const engine::model::OutlineSection& first,
                                const engine::model::OutlineSection& last);
/// "9 tensors, 2.2 MB", and what is odd about them.
[[nodiscard]] QString note(const engine::gguf::GgufFile& file,
                           const engine::model::OutlineSection& section);
/// Empty where the title of the section says all.
[[nodiscard]] QString part(engine::model::Part part);
/// For a cell, in a word or two: the type, or what is wrong.
[[nodiscard]] QString shortState(const engine::gguf::GgufFile& file,
                                 const engine::model::OutlinedTensor& tensor);
/// Everything: full name, what is wrong, shape, type, size.
[[nodiscard]] QString sentence(const engine::gguf::GgufFile& file,
                               const engine::model::OutlinedTensor& tensor);

} // namespace architecture_words
