// Which marks a model sets around its reasoning.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/vocabulary.h"

#include <string>
#include <string_view>

namespace engine::chat {

/// How reasoning is told from the answer that follows it. As made: what many fine-tuned models do
/// though nothing in their file says so.
struct ReasoningMarks
{
    enum class Form {
        Pair, ///< reasoning stands between `open` and `close`
        Channels ///< messages with a channel each (gpt-oss' harmony form); `open`, … are not used
    };

    Form form = Form::Pair;
    std::string open = "<think>";
    std::string close = "</think>";
    std::string label = {}; ///< what may stand first behind `open`; no part of the reasoning
    std::string answerOpen = {}; ///< what may stand around the answer; no part of it
    std::string answerClose = {};
    /// The template knows them: an answer may also hold `close` alone, and all before it is
    /// reasoning then.
    bool certain = false;
    /// They are control tokens: the same spelled as ordinary text is text.
    bool tokensOnly = false;
};

/// The marks of a model, found in the text of its template (may be empty), then among the special
/// tokens of its vocabulary.
[[nodiscard]] ReasoningMarks reasoningMarks(std::string_view templateSource,
                                            const text::Vocabulary& vocabulary);

/// The marks of the harmony form.
namespace channel {
constexpr std::string_view kStart = "<|start|>";
constexpr std::string_view kChannel = "<|channel|>";
constexpr std::string_view kMessage = "<|message|>";
constexpr std::string_view kEnd = "<|end|>";
} // namespace channel

} // namespace engine::chat
