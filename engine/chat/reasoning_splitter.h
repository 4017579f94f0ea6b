// Splits an answer into reasoning and answer while it is written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/reasoning_marks.h"

#include <memory>
#include <string>
#include <string_view>

namespace engine::chat {

/// New text of both, in this order: what `turned` says, then reasoning, then answer.
struct SplitText
{
    /// All that was given as answer so far was reasoning (its end was marked, its beginning not).
    bool turned = false;
    std::string reasoning;
    std::string answer;
};

/// The same text gives the same parts, however it is cut into pieces. White space next to a mark
/// belongs to neither part. Used by one thread.
class ReasoningSplitter
{
public:
    virtual ~ReasoningSplitter() = default;
    ReasoningSplitter(const ReasoningSplitter&) = delete;
    ReasoningSplitter& operator=(const ReasoningSplitter&) = delete;

    /// Ordinary text. What may become a mark waits for the next call.
    [[nodiscard]] virtual SplitText push(std::string_view text) = 0;
    /// True for the name of a special token that `pushMark` takes.
    [[nodiscard]] virtual bool isMark(std::string_view token) const = 0;
    /// A special token for which `isMark` holds.
    [[nodiscard]] virtual SplitText pushMark(std::string_view token) = 0;
    /// The answer ended: what waited was text.
    [[nodiscard]] virtual SplitText finish() = 0;
    /// What comes next is reasoning, as far as is known.
    [[nodiscard]] virtual bool isReasoning() const = 0;

    /// True for a token that ends a message but not the answer, though vocabularies know it as an
    /// end.
    [[nodiscard]] virtual bool endsOnlyMessage(std::string_view) const { return false; }
    /// True for a token that ends the answer here, though vocabularies don't know it as an end.
    [[nodiscard]] virtual bool endsAnswer(std::string_view) const { return false; }
    /// The text itself said that nothing follows.
    [[nodiscard]] virtual bool isDone() const { return false; }

protected:
    ReasoningSplitter() = default;
};

/// `promptEnd`: the last text of the prompt with its control tokens by name. The template may have
/// opened the reasoning there, or have opened and closed it.
[[nodiscard]] std::unique_ptr<ReasoningSplitter> makeReasoningSplitter(const ReasoningMarks& marks,
                                                                       std::string_view promptEnd);

namespace detail {
/// The length of the longest end of `text` that begins `mark` without being all of it.
[[nodiscard]] std::size_t begunMark(std::string_view text, std::string_view mark);
} // namespace detail

} // namespace engine::chat
