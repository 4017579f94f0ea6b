#include "app/services/conversation.h"

#include "engine/chat/reasoning_marks.h"

namespace app {

using engine::ErrorCode;
using engine::text::TokenId;

namespace {

engine::Result<engine::chat::ChatTemplate> templateFor(const engine::model::Model& model,
                                                       PromptFormat format)
{
    return format == PromptFormat::Plain ? engine::chat::ChatTemplate::plain()
                                         : model.chatTemplate();
}

// Templates write a message once; some trim or join it on the way there.
constexpr std::uint64_t kTextPerInput = 2;

// A long text is no fault of the template's.
engine::chat::RenderOptions withRoomFor(std::span<const engine::chat::Message> messages,
                                        engine::chat::RenderOptions options)
{
    for (const auto& message : messages) {
        options.limits.outputBytes +=
            kTextPerInput * (message.content.size() + message.reasoning.size());
    }
    return options;
}

} // namespace

engine::Result<std::vector<TokenId>>
conversationPrompt(const engine::model::Model& model,
                   std::span<const engine::chat::Message> messages,
                   const engine::chat::RenderOptions& options, PromptFormat format)
{
    const auto& tokenizer = model.tokenizer();
    const auto chatTemplate = templateFor(model, format);
    auto parts = chatTemplate ? chatTemplate->renderMessages(messages, tokenizer.vocabulary(),
                                                             withRoomFor(messages, options))
                              : engine::Result<std::vector<engine::chat::PromptPart>>(
                                  tl::make_unexpected(chatTemplate.error()));
    auto prompt = parts ? encodePrompt(tokenizer, *parts)
                        : engine::Result<std::vector<TokenId>>(tl::make_unexpected(parts.error()));
    if (!prompt && prompt.error().where.file.empty()) {
        prompt.error().where.file = model.file().path();
    }
    return prompt;
}

engine::Result<std::vector<TokenId>> encodePrompt(const engine::text::Tokenizer& tokenizer,
                                                  std::span<const engine::chat::PromptPart> parts)
{
    std::vector<engine::text::Segment> segments;
    segments.reserve(parts.size());
    for (const auto& part : parts) {
        segments.push_back({ part.text, part.trusted });
    }
    // The tokenizer is not asked for special tokens: it would close the prompt with EOS for the
    // vocabularies that want one after every text, and the answer has to follow right here.
    auto ids = tokenizer.encodeSegments(segments, false);
    if (ids.empty()) {
        return engine::failure(ErrorCode::PromptEmpty);
    }
    const auto& vocabulary = tokenizer.vocabulary();
    const TokenId bos = vocabulary.bos();
    if (vocabulary.addsBos() && vocabulary.valid(bos) && ids.front() != bos) {
        ids.insert(ids.begin(), bos);
    }
    return ids;
}

engine::session::GenerateOptions conversationOptions(const engine::model::Model& model,
                                                     engine::session::GenerateOptions options,
                                                     PromptFormat format)
{
    if (const auto chatTemplate = templateFor(model, format)) {
        for (auto& text : chatTemplate->stopTexts()) {
            options.stopTexts.push_back(std::move(text));
        }
    }
    // A model that learned to think does so in any form of prompt.
    const auto& own = model.chatTemplate();
    options.reasoning = engine::chat::reasoningMarks(own ? own->source() : std::string_view(),
                                                     model.tokenizer().vocabulary());
    return options;
}

} // namespace app
