#include "engine/text/unigram.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <limits>

namespace engine::text {

namespace {

constexpr std::string_view kCharsmapKey = "tokenizer.ggml.precompiled_charsmap";
constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";
// How much worse than the worst token an unknown character is.
constexpr double kUnknownPenalty = 10;

using Entries = std::vector<TokenTrie::Entry>;

Entries entriesOf(const Vocabulary& vocabulary, std::initializer_list<TokenKind> kinds)
{
    Entries entries;
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
        if (std::find(kinds.begin(), kinds.end(), vocabulary.kind(id)) != kinds.end()) {
            entries.push_back({ vocabulary.text(id), id });
        }
    }
    return entries;
}

double lowestScore(const Vocabulary& vocabulary)
{
    float lowest = std::numeric_limits<float>::max();
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
        if (vocabulary.kind(id) == TokenKind::Normal) {
            lowest = std::min(lowest, vocabulary.score(id));
        }
    }
    return lowest;
}

} // namespace

UnigramTokenizer::UnigramTokenizer(std::shared_ptr<const Vocabulary> vocabulary,
                                   TokenizerTraits traits, Charsmap charsmap)
    : Tokenizer(std::move(vocabulary), std::move(traits))
    , m_charsmap(std::move(charsmap))
    , m_tokens(entriesOf(*m_vocabulary,
                         { TokenKind::Normal, TokenKind::UserDefined, TokenKind::Unused }))
    , m_userDefined(entriesOf(*m_vocabulary, { TokenKind::UserDefined }))
    , m_unknownScore(lowestScore(*m_vocabulary) - kUnknownPenalty)
{
}

Result<std::shared_ptr<const Tokenizer>> UnigramTokenizer::create(LoadedVocabulary loaded,
                                                                  const gguf::GgufFile& file)
{
    Charsmap charsmap;
    if (const gguf::Value* value = file.find(kCharsmapKey)) {
        const Where where { file.path(), value->span().offset, std::string(kCharsmapKey) };
        const auto type = value->elementType();
        if (value->type() != gguf::ValueType::Array
            || (type != gguf::ValueType::I8 && type != gguf::ValueType::U8)) {
            return failure(ErrorCode::VocabularyKeyType,
                           { std::string(kCharsmapKey), "array of u8",
                             std::string(gguf::valueTypeName(type)) },
                           where);
        }
        auto read = Charsmap::read(*value);
        if (!read) {
            read.error().where = where;
            return tl::unexpected(std::move(read.error()));
        }
        charsmap = std::move(*read);
    }
    return std::shared_ptr<const Tokenizer>(new UnigramTokenizer(
        std::move(loaded.vocabulary), std::move(loaded.traits), std::move(charsmap)));
}

std::string_view UnigramTokenizer::takeNormalized(std::string_view& text) const
{
    std::string_view front;
    if (const auto own = m_userDefined.longest(text); own.length > 0) {
        front = text.substr(0, own.length);
        text.remove_prefix(own.length);
    } else if (const auto replaced = m_charsmap.longest(text); replaced.length > 0) {
        front = replaced.text;
        text.remove_prefix(replaced.length);
    } else if (const auto character = decodeCharacter(text, 0)) {
        front = text.substr(0, character->length);
        text.remove_prefix(character->length);
    } else {
        front = kReplacementCharacter;
        text.remove_prefix(1);
    }
    return front;
}

std::string UnigramTokenizer::normalized(std::string_view text) const
{
    std::string out;
    out.reserve(text.size() + text.size() / 2 + 8);
    bool inWord = false;
    bool hasPrefix = false;
    while (!text.empty()) {
        for (const char c : takeNormalized(text)) {
            if (c == ' ') {
                inWord = false;
                if (!traits().mergesSpaces) {
                    appendEscaped(out, " ");
                }
                continue;
            }
            if (!inWord) {
                inWord = true;
                // Merged spaces come back as one in front of each word, the first one's too.
                if (traits().mergesSpaces || (traits().addSpacePrefix && !hasPrefix)) {
                    appendEscaped(out, " ");
                    hasPrefix = true;
                }
            }
            out += c;
        }
    }
    return out;
}

void UnigramTokenizer::extend(std::string_view text, std::size_t begin,
                              std::vector<Step>& steps) const
{
    const std::size_t character = std::min(claimedLength(text[begin]), text.size() - begin);
    const double reached = steps[begin].score;
    const auto offer = [&](std::size_t end, double score, TokenId token) {
        if (score > steps[end].score) {
            steps[end] = { score, token, static_cast<std::uint32_t>(begin) };
        }
    };
    bool known = false;
    TokenTrie::Node node = m_tokens.start(text[begin]);
    for (std::size_t end = begin + 1; node != TokenTrie::kNone; ++end) {
        if (const TokenId token = m_tokens.token(node); token != kNoToken) {
            known = known || end - begin == character;
            const bool own = m_vocabulary->kind(token) == TokenKind::UserDefined;
            offer(end, reached + (own ? 0.0 : m_vocabulary->score(token)), token);
        }
        node = end < text.size() ? m_tokens.next(node, text[end]) : TokenTrie::kNone;
    }
    if (!known) {
        offer(begin + character, reached + m_unknownScore, m_vocabulary->unknown());
    }
}

void UnigramTokenizer::encodePart(std::string_view text, std::vector<TokenId>& out) const
{
    std::vector<Step> steps(
        text.size() + 1, Step { -std::numeric_limits<double>::max(), m_vocabulary->unknown(), 0 });
    steps.front().score = 0;
    for (std::size_t begin = 0; begin < text.size();) {
        extend(text, begin, steps);
        begin += std::min(claimedLength(text[begin]), text.size() - begin);
    }
    const auto before = static_cast<std::ptrdiff_t>(out.size());
    bool afterUnknown = false;
    for (std::size_t end = text.size(); end > 0; end = steps[end].begin) {
        const TokenId token = steps[end].token;
        const bool isUnknown = token == m_vocabulary->unknown();
        if (token != kNoToken && !(isUnknown && afterUnknown)) {
            out.push_back(token);
        }
        afterUnknown = isUnknown; // neighbours without a token are one unknown
    }
    std::reverse(out.begin() + before, out.end());
}

void UnigramTokenizer::encodeText(std::string_view text, bool, std::vector<TokenId>& out) const
{
    const std::string all = normalized(text);
    // Offsets are 32 bits; a longer text is cut, far above what a model can read.
    constexpr std::size_t kMaxPart = std::numeric_limits<std::int32_t>::max() / 4;
    for (std::size_t begin = 0; begin < all.size(); begin += kMaxPart) {
        encodePart(std::string_view(all).substr(begin, kMaxPart), out);
    }
}

std::string UnigramTokenizer::pieceText(TokenId id) const
{
    return unescapeSpaces(m_vocabulary->text(id));
}

} // namespace engine::text
