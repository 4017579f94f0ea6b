#include "engine/chat/chat_template.h"

#include "engine/chat/jinja/failure.h"
#include "engine/chat/jinja/interpreter.h"
#include "engine/chat/jinja/parser.h"

#include <array>
#include <new>
#include <utility>

namespace engine::chat {

namespace {

using jinja::Origin;
using jinja::Value;

/// For models that know ChatML's tokens but bring no template.
constexpr std::string_view kChatMl = R"({%- for message in messages %}
{{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>' + '\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\n' }}
{%- endif %})";

/// For models without any: a dialogue as it stands in plain texts, which base models continue. A
/// system message leads it; every turn is a line "User: …" or "Assistant: …".
constexpr std::string_view kPlain = R"({%- for message in messages %}
{%- if message.role == 'system' %}
{{- message.content + '\n\n' }}
{%- elif message.role == 'user' %}
{{- 'User: ' + message.content + '\n' }}
{%- else %}
{{- 'Assistant: ' + message.content + '\n' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}
{{- 'Assistant:' }}
{%- endif %})";

/// What templates read to know whether the model should think (most of them the first one).
constexpr std::array kThinkingVariables { "enable_thinking", "thinking" };

std::string_view nameOf(Role role)
{
    switch (role) {
    case Role::System:
        return "system";
    case Role::User:
        return "user";
    case Role::Assistant:
        return "assistant";
    }
    return "user";
}

Value toValue(const Message& message)
{
    std::vector<std::pair<std::string, Value>> members {
        { "role", Value::string(std::string(nameOf(message.role))) },
        { "content", Value::string(message.content, Origin::Input) },
    };
    if (!message.reasoning.empty()) {
        members.emplace_back("reasoning_content", Value::string(message.reasoning, Origin::Input));
    }
    return Value::object(std::move(members));
}

std::vector<PromptPart> toParts(const jinja::MarkedText& text)
{
    std::vector<PromptPart> out;
    std::size_t at = 0;
    const auto add = [&](std::size_t end, bool trusted) {
        if (end > at) {
            out.push_back({ text.bytes().substr(at, end - at), trusted });
            at = end;
        }
    };
    for (const auto& range : text.inputRanges()) {
        add(range.begin, true);
        add(range.end, false);
    }
    add(text.size(), true);
    return out;
}

/// Runs what may throw inside this room.
template <typename T, typename Body>
Result<T> guarded(Body body)
{
    try {
        return body();
    } catch (const jinja::Failure& gaveUp) {
        return tl::unexpected<Error>(jinja::toError(gaveUp));
    } catch (const std::bad_alloc&) {
        return failure(ErrorCode::OutOfMemory, { "the chat template" });
    }
}

} // namespace

struct ChatTemplate::Impl
{
    std::string source;
    TemplateOrigin origin = TemplateOrigin::Model;
    jinja::Template parsed;
};

Result<ChatTemplate> ChatTemplate::parseAs(std::string_view source, TemplateOrigin origin)
{
    return guarded<ChatTemplate>([&]() -> Result<ChatTemplate> {
        auto impl = std::make_shared<Impl>();
        impl->source = source;
        impl->origin = origin;
        impl->parsed = jinja::parseTemplate(source);
        ChatTemplate out;
        out.m_impl = std::move(impl);
        return out;
    });
}

Result<ChatTemplate> ChatTemplate::parse(std::string_view source)
{
    return parseAs(source, TemplateOrigin::Model);
}

Result<ChatTemplate> ChatTemplate::forVocabulary(const text::Vocabulary& vocabulary,
                                                 TemplateUse use)
{
    const auto& stored = vocabulary.chatTemplates();
    if (const auto own = use == TemplateUse::Tools ? stored.forTools() : stored.own) {
        return parseAs(*own, TemplateOrigin::Model);
    }
    const bool knowsChatMl = vocabulary.find("<|im_start|>") && vocabulary.find("<|im_end|>");
    return knowsChatMl ? parseAs(kChatMl, TemplateOrigin::ChatMl) : plain();
}

Result<ChatTemplate> ChatTemplate::plain()
{
    return parseAs(kPlain, TemplateOrigin::Plain);
}

std::vector<std::string> ChatTemplate::stopTexts() const
{
    return origin() == TemplateOrigin::Plain ? std::vector<std::string> { "\nUser:" }
                                             : std::vector<std::string> {};
}

TemplateOrigin ChatTemplate::origin() const
{
    return m_impl->origin;
}

const std::string& ChatTemplate::source() const
{
    return m_impl->source;
}

Result<std::vector<PromptPart>> ChatTemplate::render(const Value& variables,
                                                     const RenderOptions& options) const
{
    return guarded<std::vector<PromptPart>>([&]() -> Result<std::vector<PromptPart>> {
        jinja::Limits limits;
        limits.steps = options.limits.steps;
        limits.textBytes = options.limits.outputBytes;
        limits.depth = options.limits.depth;
        return toParts(jinja::renderTemplate(m_impl->parsed, variables, limits, options.now));
    });
}

Result<std::vector<PromptPart>> ChatTemplate::renderMessages(std::span<const Message> messages,
                                                             const text::Vocabulary& vocabulary,
                                                             const RenderOptions& options) const
{
    std::vector<Value> list;
    list.reserve(messages.size());
    for (const Message& message : messages) {
        list.push_back(toValue(message));
    }
    const auto textOf = [&](text::TokenId id) {
        return Value::string(vocabulary.valid(id) ? std::string(vocabulary.text(id))
                                                  : std::string());
    };
    std::vector<std::pair<std::string, Value>> variables {
        { "messages", Value::list(std::move(list)) },
        { "tools", Value::none() },
        { "documents", Value::none() },
        { "add_generation_prompt", Value::boolean(true) },
        { "bos_token", textOf(vocabulary.bos()) },
        { "eos_token", textOf(vocabulary.eos()) },
    };
    if (options.thinking) {
        for (const char* name : kThinkingVariables) {
            variables.emplace_back(name, Value::boolean(*options.thinking));
        }
        if (!*options.thinking) {
            variables.emplace_back("thinking_budget", Value::integer(0)); // Seed-OSS
        }
    }
    return render(Value::object(std::move(variables)), options);
}

std::string joined(std::span<const PromptPart> parts)
{
    std::string out;
    for (const PromptPart& part : parts) {
        out += part.text;
    }
    return out;
}

} // namespace engine::chat
