// Reasoning and answer as messages of different channels (harmony).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/reasoning_splitter.h"

namespace engine::chat {

/// A message is a header, which may name a channel, and a body. The answer is what the channel
/// "final" holds, and "commentary" that is not addressed to a tool; everything else is reasoning.
/// The answer ends with its first final message.
class ChannelSplitter : public ReasoningSplitter
{
public:
    ChannelSplitter(bool tokensOnly, std::string_view promptEnd);

    [[nodiscard]] SplitText push(std::string_view text) override;
    [[nodiscard]] bool isMark(std::string_view token) const override;
    [[nodiscard]] SplitText pushMark(std::string_view token) override;
    [[nodiscard]] SplitText finish() override;
    [[nodiscard]] bool isReasoning() const override;
    [[nodiscard]] bool endsOnlyMessage(std::string_view token) const override;
    [[nodiscard]] bool endsAnswer(std::string_view token) const override;
    [[nodiscard]] bool isDone() const override { return m_done; }

private:
    enum class Body { None, Reasoning, Preamble, Final };

    void scan(SplitText& out);
    void give(std::string_view text, SplitText& out);
    void apply(std::string_view mark);
    void beginBody();

    bool m_tokensOnly;
    std::string m_waiting;
    std::string m_header; ///< with the mark of the channel in it; while `m_body` is None
    std::size_t m_headerOfPrompt = 0; ///< how much of it the prompt has written
    Body m_body = Body::None;
    bool m_fresh = false; ///< the body has no text yet
    bool m_anyBody = false;
    bool m_reasoned = false;
    bool m_answered = false;
    bool m_done = false;
    bool m_ended = false;
};

} // namespace engine::chat
