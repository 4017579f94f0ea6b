// Whether a model can be told to think before it answers.
#include "engine/chat/thinking.h"

#include <array>

namespace engine::chat {

std::optional<bool> thinksByDefault(const ChatTemplate& chatTemplate,
                                    const text::Vocabulary& vocabulary)
{
    if (chatTemplate.source().find("thinking") == std::string::npos) {
        return std::nullopt;
    }
    const auto rendered = [&](std::optional<bool> thinking) -> std::optional<std::string> {
        const std::array<Message, 1> question { Message { Role::User, "?" } };
        RenderOptions options;
        options.now = [] { return std::chrono::system_clock::time_point(); };
        options.thinking = thinking;
        const auto parts = chatTemplate.renderMessages(question, vocabulary, options);
        return parts ? std::optional(joined(*parts)) : std::nullopt;
    };
    const auto on = rendered(true);
    const auto off = rendered(false);
    if (!on || !off || *on == *off) {
        return std::nullopt;
    }
    return rendered(std::nullopt) != off;
}

} // namespace engine::chat
