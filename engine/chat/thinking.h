// Whether a model can be told to think before it answers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/chat_template.h"

#include <optional>

namespace engine::chat {

/// What the template does when it is told nothing; nothing where being told makes no difference
/// (see RenderOptions::thinking). Found by rendering a short conversation.
[[nodiscard]] std::optional<bool> thinksByDefault(const ChatTemplate& chatTemplate,
                                                  const text::Vocabulary& vocabulary);

} // namespace engine::chat
