// What a file does not say about its special tokens, told by their well-known texts, as the
// reference does.
#include "engine/text/vocabulary_loader.h"

#include <algorithm>
#include <array>

namespace engine::text {

namespace {

using Texts = std::span<const std::string_view>;

constexpr std::array<std::string_view, 11> kTurnEnds {
    "<|eot_id|>",         "<|im_end|>", "<|end|>", "<end_of_turn>", "<|endoftext|>",
    "<|end_of_text|>",    "<EOT>",      "_<EOT>",  "[EOT]",         "<｜end▁of▁sentence｜>",
    "<end_of_utterance>",
};
constexpr std::array<std::string_view, 1> kMessageEnds { "<|eom_id|>" };
constexpr std::array<std::string_view, 8> kFimPrefixes {
    "<|fim_prefix|>", "<fim-prefix>", "<fim_prefix>",    "<｜fim▁begin｜>",
    "<PRE>",          "▁<PRE>",       "<|code_prefix|>", "<|prefix|>",
};
constexpr std::array<std::string_view, 8> kFimSuffixes {
    "<|fim_suffix|>", "<fim-suffix>", "<fim_suffix>",    "<｜fim▁hole｜>",
    "<SUF>",          "▁<SUF>",       "<|code_suffix|>", "<|suffix|>",
};
constexpr std::array<std::string_view, 8> kFimMiddles {
    "<|fim_middle|>", "<fim-middle>", "<fim_middle>",    "<｜fim▁end｜>",
    "<MID>",          "▁<MID>",       "<|code_middle|>", "<|middle|>",
};
constexpr std::array<std::string_view, 5> kFimPads {
    "<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]",
};
constexpr std::array<std::string_view, 5> kFimRepositories {
    "<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>",
};
constexpr std::array<std::string_view, 1> kFimSeparators { "<|file_sep|>" };
constexpr std::array<std::string_view, 22> kEnds {
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "</s>",
    "<|eom_id|>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<|end_of_text|>",
    "<end_of_utterance>",
    "<eos>",
    "<turn|>",
    "<|tool_response>",
    "<｜end▁of▁sentence｜>",
    "[e~[",
};
constexpr std::array<std::string_view, 4> kShown {
    "<|channel|>",
    "<|message|>",
    "<|start|>",
    "<|constrain|>",
};

bool containsAny(std::string_view text, std::initializer_list<std::string_view> parts)
{
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
        return text.find(part) != std::string_view::npos;
    });
}

} // namespace

TokenId VocabularyLoader::firstOf(Texts texts)
{
    TokenId first = kNoToken;
    for (const std::string_view text : texts) {
        const auto id = m_data.texts.find(text);
        if (id && (first == kNoToken || *id < first)) {
            first = *id;
        }
    }
    return first;
}

void VocabularyLoader::makeControl(TokenId id)
{
    m_data.kinds[static_cast<std::size_t>(id)] = TokenKind::Control;
    m_data.trusted[static_cast<std::size_t>(id)] = true;
}

void VocabularyLoader::findEndTokens()
{
    struct Role
    {
        TokenId& id;
        Texts texts;
    };
    const std::array<Role, 8> roles { {
        { m_eot, kTurnEnds },
        { m_eom, kMessageEnds },
        { m_fimPrefix, kFimPrefixes },
        { m_fimSuffix, kFimSuffixes },
        { m_fimMiddle, kFimMiddles },
        { m_fimPad, kFimPads },
        { m_fimRepository, kFimRepositories },
        { m_fimSeparator, kFimSeparators },
    } };
    for (const Role& role : roles) {
        if (role.id == kNoToken && (role.id = firstOf(role.texts)) != kNoToken) {
            makeControl(role.id);
        }
    }
    std::vector<TokenId> ends {
        m_fimPad, m_fimRepository, m_fimSeparator, m_data.eos, m_eot, m_eom
    };
    for (const std::string_view text : kEnds) {
        if (const auto id = m_data.texts.find(text)) {
            ends.push_back(*id);
            makeControl(*id);
        }
    }
    showChannels();
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::erase(ends, kNoToken);
    dropFalseEnds(ends);
    m_data.endTokens = std::move(ends);
}

void VocabularyLoader::showChannels()
{
    // gpt-oss: the reader has to see them to tell thought from answer. They stay out of reach of
    // typed text.
    for (const std::string_view text : kShown) {
        if (const auto id = m_data.texts.find(text)) {
            m_data.kinds[static_cast<std::size_t>(*id)] = TokenKind::UserDefined;
            m_data.trusted[static_cast<std::size_t>(*id)] = true;
        }
    }
}

void VocabularyLoader::dropFalseEnds(std::vector<TokenId>& ends)
{
    const auto has = [&](std::string_view text) {
        const auto id = m_data.texts.find(text);
        return id && std::binary_search(ends.begin(), ends.end(), *id);
    };
    const auto drop = [&](std::string_view text, TokenKind kind) {
        const TokenId id = *m_data.texts.find(text);
        std::erase(ends, id);
        m_data.kinds[static_cast<std::size_t>(id)] = kind;
    };
    // gpt-oss and Solar Open end a message, not the answer, with <|end|>.
    const bool calls = has("<|call|>") || has("<|calls|>");
    if (calls && (has("<|return|>") || has("<|flush|>")) && has("<|end|>")) {
        drop("<|end|>", TokenKind::UserDefined);
    }
    // Gemma 4 has </s> as an ordinary HTML tag.
    if (has("<|tool_response>") && has("</s>")) {
        m_data.trusted[static_cast<std::size_t>(*m_data.texts.find("</s>"))] = false;
        drop("</s>", TokenKind::Normal);
    }
}

void VocabularyLoader::findSwallowingTokens()
{
    std::string name = textOf("general.name");
    for (char& c : name) {
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    const std::string pre = m_options.pre.value_or(textOf("tokenizer.ggml.pre"));
    if (containsAny(pre, { "jina-v2-de", "jina-v2-es", "jina-v2-code" })) {
        if (const auto mask = m_data.texts.find("<mask>")) {
            m_traits.swallowBefore.push_back(*mask);
        }
    } else if (containsAny(name, { "phi-3", "phi3" })) {
        for (TokenId id = 0; id < m_vocabulary->size(); ++id) {
            const std::string_view text = m_data.texts.text(id);
            const TokenKind kind = m_data.kinds[static_cast<std::size_t>(id)];
            const bool special = kind == TokenKind::Control || kind == TokenKind::UserDefined
                || kind == TokenKind::Unknown;
            if (special && text != "<unk>" && text != "<s>" && text != "<|endoftext|>") {
                m_traits.swallowAfter.push_back(id);
            }
        }
    } else if (containsAny(name, { "modern-bert" })) {
        if (const auto mask = m_data.texts.find("[MASK]")) {
            m_traits.swallowBefore.push_back(*mask);
        }
    }
}

} // namespace engine::text
