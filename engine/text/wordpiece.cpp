#include "engine/text/wordpiece.h"

#include "engine/text/unicode.h"
#include "engine/text/word_characters.h"

namespace engine::text {

namespace {

constexpr std::string_view kWordStart = "\xE2\x96\x81";

std::vector<TokenTrie::Entry> allTexts(const Vocabulary& vocabulary)
{
    std::vector<TokenTrie::Entry> entries;
    entries.reserve(static_cast<std::size_t>(vocabulary.size()));
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
        entries.push_back({ vocabulary.text(id), id });
    }
    return entries;
}

} // namespace

WordPieceTokenizer::WordPieceTokenizer(std::shared_ptr<const Vocabulary> vocabulary,
                                       TokenizerTraits traits)
    : Tokenizer(std::move(vocabulary), std::move(traits))
    , m_tokens(allTexts(*m_vocabulary))
{
}

std::shared_ptr<const Tokenizer> WordPieceTokenizer::create(LoadedVocabulary loaded)
{
    return std::shared_ptr<const Tokenizer>(
        new WordPieceTokenizer(std::move(loaded.vocabulary), std::move(loaded.traits)));
}

void WordPieceTokenizer::encodeText(std::string_view text, bool, std::vector<TokenId>& out) const
{
    std::string word(kWordStart);
    const auto finish = [&] {
        if (word.size() > kWordStart.size()) {
            encodeWord(word, out);
            word.resize(kWordStart.size());
        }
    };
    for (std::size_t at = 0; at < text.size();) {
        const auto character = decodeCharacter(text, at);
        at += character ? character->length : 1;
        if (!character) {
            continue; // a broken byte stands for no character, and those are ignored
        }
        char32_t letter = character->codePoint;
        letter = traits().stripsAccents ? unaccented(letter) : letter;
        const WordCharacter kind = wordCharacter(letter);
        letter = traits().lowersCase ? lowerLetter(letter) : letter;
        switch (kind) {
        case WordCharacter::Space:
            finish();
            break;
        case WordCharacter::Ignored:
            break;
        case WordCharacter::Alone:
            finish();
            appendCharacter(word, letter);
            finish();
            break;
        case WordCharacter::Mark:
            if (!traits().stripsAccents) {
                appendCharacter(word, letter);
            }
            break;
        case WordCharacter::Letter:
            appendCharacter(word, letter);
            break;
        }
    }
    finish();
}

void WordPieceTokenizer::encodeWord(std::string_view word, std::vector<TokenId>& out) const
{
    const std::size_t before = out.size();
    while (!word.empty()) {
        const TokenTrie::Match match = m_tokens.longest(word);
        if (match.length == 0) {
            out.resize(before);
            if (m_vocabulary->unknown() != kNoToken) {
                out.push_back(m_vocabulary->unknown());
            }
            return;
        }
        out.push_back(match.token);
        word.remove_prefix(match.length);
    }
}

std::string WordPieceTokenizer::pieceText(TokenId id) const
{
    return unescapeSpaces(m_vocabulary->text(id));
}

} // namespace engine::text
