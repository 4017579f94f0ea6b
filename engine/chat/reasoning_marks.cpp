// Which marks a model sets around its reasoning. The marks are those of the models' published
// templates; the harmony form is described in OpenAI's "harmony response format".
#include "engine/chat/reasoning_marks.h"

#include <array>

namespace engine::chat {

namespace {

using text::TokenKind;
using text::Vocabulary;

struct Family
{
    std::string_view open;
    std::string_view close;
    std::string_view label = {};
    std::string_view answerOpen = {};
    std::string_view answerClose = {};
};

// The first one that a template mentions is the model's. What is spelled in words comes first: such
// a template may speak of others besides.
constexpr std::array kFamilies {
    // Apriel 1.5
    Family {
        "Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]", {}, {}, "[END FINAL RESPONSE]" },
    // Granite 3.2
    Family { "Here is my thought process:", "Here is my response:" },
    // DeepSeek-R1, Qwen3, QwQ, SmolLM3, GLM-4.x, Nemotron and most others; Granite 3.3 marks the
    // answer too
    Family { "<think>", "</think>", {}, "<response>", "</response>" },
    // Magistral, Ministral
    Family { "[THINK]", "[/THINK]" },
    // Command A, R7B
    Family { "<|START_THINKING|>", "<|END_THINKING|>" },
    // Seed-OSS
    Family { "<seed:think>", "</seed:think>" },
    // Kimi-VL
    Family { "◁think▷", "◁/think▷" },
    // Apertus
    Family { "<|inner_prefix|>", "<|inner_suffix|>" },
    // Gemma 4
    Family { "<|channel>", "<channel|>", "thought\n" },
    // MiniCPM3
    Family { "<|thought_start|>", "<|thought_end|>" },
    // EXAONE Deep
    Family { "<thought>", "</thought>" },
    // Apriel's tools and many fine-tuned models
    Family { "<thinking>", "</thinking>" },
    Family { "<reasoning>", "</reasoning>" },
    Family { "<reflection>", "</reflection>" },
};

bool mentions(std::string_view text, std::string_view part)
{
    return text.find(part) != std::string_view::npos;
}

/// A token of its own, not one that happens to spell it out of ordinary text.
bool isSpecial(const Vocabulary& vocabulary, std::string_view text)
{
    const auto id = vocabulary.find(text);
    return id && vocabulary.kind(*id) != TokenKind::Normal;
}

bool isControl(const Vocabulary& vocabulary, std::string_view text)
{
    const auto id = vocabulary.find(text);
    return id && vocabulary.needsTrust(*id);
}

ReasoningMarks marksOf(const Family& family, const Vocabulary& vocabulary)
{
    ReasoningMarks marks;
    marks.open = family.open;
    marks.close = family.close;
    marks.label = family.label;
    marks.tokensOnly = isControl(vocabulary, family.open) && isControl(vocabulary, family.close);
    return marks;
}

bool hasChannels(std::string_view source, const Vocabulary& vocabulary)
{
    if (mentions(source, channel::kChannel)) {
        return mentions(source, channel::kMessage);
    }
    // A template that writes only questions and answers in that form; the model still thinks.
    return mentions(source, channel::kStart) && isSpecial(vocabulary, channel::kStart)
        && isSpecial(vocabulary, channel::kChannel) && isSpecial(vocabulary, channel::kMessage);
}

} // namespace

ReasoningMarks reasoningMarks(std::string_view templateSource, const Vocabulary& vocabulary)
{
    if (hasChannels(templateSource, vocabulary)) {
        ReasoningMarks marks;
        marks.form = ReasoningMarks::Form::Channels;
        marks.certain = true;
        marks.tokensOnly =
            isControl(vocabulary, channel::kChannel) && isControl(vocabulary, channel::kMessage);
        return marks;
    }
    for (const Family& family : kFamilies) {
        if (mentions(templateSource, family.open) || mentions(templateSource, family.close)) {
            ReasoningMarks marks = marksOf(family, vocabulary);
            marks.certain = true;
            if (mentions(templateSource, family.answerClose)) {
                marks.answerOpen = family.answerOpen;
                marks.answerClose = family.answerClose;
            }
            return marks;
        }
    }
    for (const Family& family : kFamilies) {
        if (isSpecial(vocabulary, family.open) && isSpecial(vocabulary, family.close)) {
            return marksOf(family, vocabulary);
        }
    }
    return {};
}

} // namespace engine::chat
