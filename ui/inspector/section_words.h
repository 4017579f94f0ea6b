// What the sections of a GGUF file are for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "ui/inspector/words.h"

namespace section_words {

/// "Header", "Tensor directory", …
[[nodiscard]] QString title(engine::gguf::Section::Kind kind);
[[nodiscard]] Words about(engine::gguf::Section::Kind kind);
/// The file as a whole.
[[nodiscard]] Words aboutTheFile();

} // namespace section_words
