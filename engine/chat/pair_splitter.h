// Reasoning between an opening and a closing mark.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/reasoning_splitter.h"

#include <initializer_list>

namespace engine::chat {

/// An opening mark counts before any text of the answer; later it is text, unless it is a control
/// token: answers may speak of marks. A closing mark without an opening counts once, in an answer
/// without reasoning so far, at the beginning of a line.
class PairSplitter : public ReasoningSplitter
{
public:
    PairSplitter(ReasoningMarks marks, std::string_view promptEnd);

    [[nodiscard]] SplitText push(std::string_view text) override;
    [[nodiscard]] bool isMark(std::string_view token) const override;
    [[nodiscard]] SplitText pushMark(std::string_view token) override;
    [[nodiscard]] SplitText finish() override;
    [[nodiscard]] bool isReasoning() const override { return m_inside; }

private:
    /// What stands at a place of the waiting text.
    enum class Found { Text, Open, Close, Label, Unfinished };

    bool step(SplitText& out);
    bool stepStart(SplitText& out);
    bool stepReasoning(SplitText& out);
    bool stepAnswer(SplitText& out);
    bool turnAtLoneClose(SplitText& out);
    [[nodiscard]] Found foundAt(std::size_t at, std::size_t& length) const;
    void open();
    void close();
    void turn(SplitText& out);
    /// The first `count` bytes are answer.
    void giveAnswer(std::size_t count, SplitText& out);

    ReasoningMarks m_marks;
    std::string m_waiting;
    bool m_inside = false;
    bool m_begun = false; ///< text of the part that is written now was there
    bool m_marked = false; ///< a mark was there
    bool m_reasoned = false; ///< text of reasoning was there
    bool m_answered = false; ///< text of an answer was there
    bool m_lineBlank = true; ///< the last line of the answer so far has no words
    bool m_ended = false; ///< nothing more comes: a begun mark is none
};

} // namespace engine::chat
