#include "app/services/context_fit.h"

#include <algorithm>
#include <string>
#include <utility>

namespace app {

namespace {

using engine::ErrorCode;
using engine::Result;
using engine::chat::Message;
using engine::chat::Role;

constexpr std::size_t kLongestReserve = 1024;

// Where a prompt may begin: at the questions from `leftOut` on, at the last one in any case.
std::vector<std::size_t> startsOf(std::span<const Message> messages, std::size_t leftOut)
{
    std::vector<std::size_t> starts;
    std::size_t last = 0;
    for (std::size_t at = 0; at < messages.size(); ++at) {
        if (messages[at].role == Role::User) {
            last = at;
            if (at >= leftOut) {
                starts.push_back(at);
            }
        }
    }
    if (starts.empty()) {
        starts.push_back(last);
    }
    return starts;
}

} // namespace

std::size_t answerReserve(std::size_t contextLength, int maxTokens)
{
    const std::size_t reserve = std::min(contextLength / 4, kLongestReserve);
    return maxTokens < 0 ? reserve : std::min(reserve, static_cast<std::size_t>(maxTokens));
}

Result<FittedPrompt> fitPrompt(std::span<const Message> messages, std::size_t leftOut,
                               std::size_t contextLength, int maxTokens, const RenderPrompt& render,
                               const std::stop_token& stop)
{
    const std::size_t system = !messages.empty() && messages.front().role == Role::System ? 1 : 0;
    const auto rest = messages.subspan(system);
    const auto starts = startsOf(rest, leftOut);
    const auto rendered = [&](std::size_t start) -> Result<FittedPrompt> {
        if (stop.stop_requested()) {
            return engine::failure(ErrorCode::Cancelled);
        }
        std::vector<Message> kept(messages.begin(),
                                  messages.begin() + static_cast<std::ptrdiff_t>(system));
        kept.insert(kept.end(), rest.begin() + static_cast<std::ptrdiff_t>(start), rest.end());
        auto tokens = render(kept);
        if (!tokens) {
            return tl::make_unexpected(tokens.error());
        }
        return FittedPrompt { std::move(*tokens), start };
    };
    auto whole = rendered(starts.front());
    const std::size_t room = contextLength - answerReserve(contextLength, maxTokens);
    const auto stoppedForLength = [&](const Result<FittedPrompt>& prompt, std::size_t which) {
        return !prompt && prompt.error().code == ErrorCode::TemplateLimit
            && which + 1 < starts.size();
    };
    if (whole ? whole->tokens.size() <= room : !stoppedForLength(whole, 0)) {
        return whole;
    }
    // The first start whose prompt takes half of the context at most; the last one where none does.
    std::size_t low = 1;
    std::size_t high = starts.size();
    FittedPrompt best = whole ? std::move(*whole) : FittedPrompt {};
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        auto prompt = rendered(starts[middle]);
        if (!prompt && !stoppedForLength(prompt, middle)) {
            return prompt;
        }
        const bool fits = prompt && prompt->tokens.size() <= contextLength / 2;
        if (fits || middle + 1 == starts.size()) {
            best = std::move(*prompt);
        }
        if (fits) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    if (best.tokens.size() >= contextLength) {
        return engine::failure(
            ErrorCode::PromptTooLong,
            { std::to_string(best.tokens.size()), std::to_string(contextLength) });
    }
    return best;
}

} // namespace app
