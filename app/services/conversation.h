// A conversation becomes the token ids of a prompt. No Qt: shared by the window and vitrine-cli.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/ask_request.h"
#include "engine/base/result.h"
#include "engine/chat/chat_template.h"
#include "engine/chat/message.h"
#include "engine/model/model.h"
#include "engine/session/generate.h"
#include "engine/text/tokenizer.h"

#include <span>
#include <vector>

namespace app {

/// The prompt that asks for the next answer: the template is rendered, its own text may contain
/// control tokens, text out of `messages` never can. BOS stands first exactly once where the
/// vocabulary wants one; EOS is never added. Thread-safe. Errors: PromptEmpty,
/// and those of the chat template.
[[nodiscard]] engine::Result<std::vector<engine::text::TokenId>> conversationPrompt(
    const engine::model::Model& model, std::span<const engine::chat::Message> messages,
    const engine::chat::RenderOptions& options = {}, PromptFormat format = PromptFormat::Model);

/// The second half of it, for a prompt that is rendered already.
[[nodiscard]] engine::Result<std::vector<engine::text::TokenId>>
encodePrompt(const engine::text::Tokenizer& tokenizer,
             std::span<const engine::chat::PromptPart> parts);

/// `options` for an answer in a conversation: also ended by the template's own stop texts, and with
/// the marks by which the model's reasoning is told from its answer.
[[nodiscard]] engine::session::GenerateOptions
conversationOptions(const engine::model::Model& model, engine::session::GenerateOptions options,
                    PromptFormat format = PromptFormat::Model);

} // namespace app
