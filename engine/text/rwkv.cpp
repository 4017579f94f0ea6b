#include "engine/text/rwkv.h"

#include "engine/text/unicode.h"

namespace engine::text {

namespace {

TokenTrie bytesOf(const Vocabulary& vocabulary)
{
    std::vector<std::string> texts;
    texts.reserve(static_cast<std::size_t>(vocabulary.size()));
    std::vector<TokenTrie::Entry> entries;
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
        entries.push_back({ texts.emplace_back(unescapeBytes(vocabulary.text(id))), id });
    }
    return TokenTrie(std::move(entries));
}

} // namespace

RwkvTokenizer::RwkvTokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits)
    : Tokenizer(std::move(vocabulary), std::move(traits))
    , m_tokens(bytesOf(*m_vocabulary))
{
}

std::shared_ptr<const Tokenizer> RwkvTokenizer::create(LoadedVocabulary loaded)
{
    return std::shared_ptr<const Tokenizer>(
        new RwkvTokenizer(std::move(loaded.vocabulary), std::move(loaded.traits)));
}

void RwkvTokenizer::encodeText(std::string_view text, bool, std::vector<TokenId>& out) const
{
    while (!text.empty()) {
        const TokenTrie::Match match = m_tokens.longest(text);
        const TokenId token = match.length > 0 ? match.token : m_vocabulary->unknown();
        if (token != kNoToken) {
            out.push_back(token);
        }
        text.remove_prefix(match.length > 0 ? match.length : 1);
    }
}

std::string RwkvTokenizer::pieceText(TokenId id) const
{
    return unescapeBytes(m_vocabulary->text(id));
}

} // namespace engine::text
