// Splits an answer into reasoning and answer while it is written.
#include "engine/chat/reasoning_splitter.h"

#include "engine/chat/channel_splitter.h"
#include "engine/chat/pair_splitter.h"

#include <algorithm>

namespace engine::chat {

std::unique_ptr<ReasoningSplitter> makeReasoningSplitter(const ReasoningMarks& marks,
                                                         std::string_view promptEnd)
{
    if (marks.form == ReasoningMarks::Form::Channels) {
        return std::make_unique<ChannelSplitter>(marks.tokensOnly, promptEnd);
    }
    return std::make_unique<PairSplitter>(marks, promptEnd);
}

namespace detail {

std::size_t begunMark(std::string_view text, std::string_view mark)
{
    if (mark.empty()) {
        return 0;
    }
    for (std::size_t n = std::min(mark.size() - 1, text.size()); n > 0; --n) {
        if (text.substr(text.size() - n) == mark.substr(0, n)) {
            return n;
        }
    }
    return 0;
}

} // namespace detail

} // namespace engine::chat
