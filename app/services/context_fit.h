// Makes a conversation fit into the context: the oldest turns are left out. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/chat/message.h"
#include "engine/text/vocabulary.h"

#include <cstddef>
#include <functional>
#include <span>
#include <stop_token>
#include <vector>

namespace app {

struct FittedPrompt
{
    std::vector<engine::text::TokenId> tokens;
    /// So many messages behind the system message are not in it.
    std::size_t leftOut = 0;
};

/// Renders and tokenizes messages.
using RenderPrompt = std::function<engine::Result<std::vector<engine::text::TokenId>>(
    std::span<const engine::chat::Message>)>;

/// How many tokens of a context are kept free for the answer.
[[nodiscard]] std::size_t answerReserve(std::size_t contextLength, int maxTokens);

/// Leaves turns out from the front until the prompt and a reserve for the answer fit. Once
/// something has to go, it goes down to half of the context, so that the next questions find their
/// prefix in the cache. The system message (if the first is one) and the last question always stay,
/// `leftOut` only grows, and the first message that is kept is a question. Renders about
/// log2(turns) times. Errors: PromptTooLong when even that is longer than the context, Cancelled,
/// and those of `render`; but a template that is stopped for writing too much gets less to write.
[[nodiscard]] engine::Result<FittedPrompt>
fitPrompt(std::span<const engine::chat::Message> messages, std::size_t leftOut,
          std::size_t contextLength, int maxTokens, const RenderPrompt& render,
          const std::stop_token& stop = {});

} // namespace app
