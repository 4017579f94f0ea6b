#include "ui/inspector/template_trial.h"

#include "engine/chat/chat_template.h"
#include "engine/text/special_tokens.h"
#include "engine/text/vocabulary_loader.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace {

using engine::chat::ChatTemplate;
using engine::chat::Message;
using engine::chat::PromptPart;
using engine::chat::Role;
using Without = TemplateTrial::Without;
using Parts = engine::Result<std::vector<PromptPart>>;

// A conversation of four lines needs a thousandth of this; a loop without end is over at once.
constexpr engine::chat::RenderLimits kLimits { .steps = 500'000,
                                               .outputBytes = 256u << 10,
                                               .depth = 200 };

/// What both sides say; not translated, since templates are tried as their makers wrote them.
const std::vector<Message>& conversation()
{
    static const std::vector<Message> kMessages {
        { Role::System, "You answer in one sentence." },
        { Role::User, "What is a token?" },
        { Role::Assistant, "A piece of text that the model reads as one." },
        { Role::User, "And how many are there?" },
    };
    return kMessages;
}

struct Attempt
{
    Without without;
    std::size_t first; ///< of the conversation
};

constexpr auto kAttempts = std::to_array<Attempt>({
    { Without::Nothing, 0 },
    { Without::System, 1 },
    { Without::EarlierTurns, 3 },
});

bool holds(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// Only what the template wrote can be a control token, as in the chat.
std::vector<TemplateTrial::Range> specialTokens(const engine::text::LoadedVocabulary& loaded,
                                                std::string_view text,
                                                std::span<const PromptPart> parts)
{
    using namespace engine::text;
    std::vector<TrustedRange> trusted;
    std::size_t at = 0;
    for (const PromptPart& part : parts) {
        if (part.trusted) {
            trusted.push_back({ at, at + part.text.size() });
        }
        at += part.text.size();
    }
    const SpecialTokens tokens(*loaded.vocabulary, loaded.traits);
    std::vector<TemplateTrial::Range> ranges;
    for (const Fragment& fragment : tokens.split(text, trusted, Guard::ByKind)) {
        if (fragment.token != kNoToken) {
            ranges.push_back({ fragment.begin, fragment.end });
        }
    }
    return ranges;
}

} // namespace

TemplateTrial tryTemplate(const std::shared_ptr<const engine::gguf::GgufFile>& file,
                          std::string_view source)
{
    TemplateTrial trial;
    const auto parsed = ChatTemplate::parse(source);
    if (!parsed) {
        trial.error = parsed.error();
        return trial;
    }
    const auto loaded = engine::text::VocabularyLoader(file, {}).load();
    trial.knowsTokens = loaded.has_value();
    const engine::text::Vocabulary none;
    const auto& vocabulary = loaded ? *loaded->vocabulary : none;
    for (const Attempt& attempt : kAttempts) {
        const auto messages = std::span(conversation()).subspan(attempt.first);
        const Parts parts = parsed->renderMessages(messages, vocabulary, { .limits = kLimits });
        if (parts) {
            trial.text = engine::chat::joined(*parts);
            trial.without = attempt.without;
            trial.dropsSystem = attempt.without == Without::Nothing
                && !holds(trial.text, conversation().front().content);
            if (loaded) {
                trial.specialTokens = specialTokens(*loaded, trial.text, *parts);
            }
            return trial;
        }
        if (!trial.error) {
            trial.error = parts.error();
        }
        if (trial.error->code == engine::ErrorCode::TemplateLimit) {
            break; // less to say makes no loop shorter
        }
    }
    return trial;
}
