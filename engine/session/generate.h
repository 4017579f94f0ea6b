// The generation loop: prefill, sample, decode, until something ends it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/reasoning_marks.h"
#include "engine/session/sampler.h"
#include "engine/session/session.h"

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace engine::session {

enum class FinishReason { End, Length, Stop, Context, Cancelled };
/// "end", "length", "stop", "context", "cancelled"
[[nodiscard]] std::string_view finishReasonName(FinishReason reason);

struct GenerateOptions
{
    SamplerOptions sampler;
    int maxTokens = -1; ///< -1: until the context is full
    /// An answer ends before any of these. In reasoning, where that is told apart, they mean
    /// nothing.
    std::vector<std::string> stopTexts;
    bool ignoreEnd = false; ///< go on past end-of-generation tokens
    /// Nothing is done (FinishReason::Length) where more prompt tokens than this are not in the
    /// cache; -1: any number.
    int maxPrefill = -1;
    /// Tells reasoning from answer, which is all there is without.
    std::optional<chat::ReasoningMarks> reasoning = {};
};

struct Timings
{
    std::size_t prefillTokens = 0; ///< evaluated, without those re-used from the cache
    std::size_t reusedTokens = 0;
    double prefillMs = 0;
    std::size_t decodeTokens = 0;
    double decodeMs = 0;
    double firstTokenMs = 0; ///< from the call to the first token
    double reasoningMs = 0; ///< from the first token of reasoning to the last one
};

struct Generated
{
    std::vector<TokenId> ids; ///< the new ones only, without the end token
    std::string text; ///< whole UTF-8, without stop texts
    std::string reasoning; ///< what stood between the marks; without text: it was never finished
    FinishReason finish = FinishReason::End;
    Timings timings;
};

struct GenerateCallbacks
{
    PrefillProgress onPrefill;
    /// New text in whole UTF-8 characters (may be empty while a character or a possible stop text
    /// is unfinished), and the number of answer tokens so far.
    std::function<void(std::string_view text, std::size_t tokens)> onText;
    /// In place of onText for a token of reasoning.
    std::function<void(std::string_view text, std::size_t tokens)> onReasoning = {};
    /// All that was given to onText so far was reasoning.
    std::function<void()> onTurned = {};
};

/// Runs to the end on the calling thread. A stop request is a finish reason, not an error. Control
/// tokens that a model writes are not part of the text.
[[nodiscard]] Result<Generated> generate(Session& session, std::span<const TokenId> prompt,
                                         const GenerateOptions& options, std::stop_token stop = {},
                                         const GenerateCallbacks& callbacks = {});

} // namespace engine::session
