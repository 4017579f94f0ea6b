// Files that are no language model to talk to: what they are, by what they say of themselves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"

#include <optional>

namespace engine::model {

/// An error that says what the file is and what to do instead: EmbeddingModel, RerankingModel,
/// MediaProjector, DiffusionLanguageModel, EncoderDecoderModel, PictureModel, SpeechModel,
/// AdapterFile, ControlVectorFile, ImportanceMatrixFile. Nothing for a language model, and for what
/// nobody knows.
[[nodiscard]] std::optional<Error> foreignKind(const gguf::GgufFile& file);

} // namespace engine::model
