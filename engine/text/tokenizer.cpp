#include "engine/text/tokenizer.h"

#include "engine/text/bpe.h"
#include "engine/text/clean_text.h"
#include "engine/text/rwkv.h"
#include "engine/text/special_tokens.h"
#include "engine/text/spm.h"
#include "engine/text/unicode.h"
#include "engine/text/unigram.h"
#include "engine/text/vocabulary_loader.h"
#include "engine/text/wordpiece.h"

namespace engine::text {

namespace {

Result<std::shared_ptr<const Tokenizer>> makeTokenizer(LoadedVocabulary loaded,
                                                       const gguf::GgufFile& file,
                                                       std::vector<gguf::Problem>& warnings)
{
    switch (loaded.vocabulary->model()) {
    case VocabularyModel::Spm:
        return SpmTokenizer::create(std::move(loaded), warnings);
    case VocabularyModel::WordPiece:
        return WordPieceTokenizer::create(std::move(loaded));
    case VocabularyModel::Unigram:
        return UnigramTokenizer::create(std::move(loaded), file);
    case VocabularyModel::Rwkv:
        return RwkvTokenizer::create(std::move(loaded));
    case VocabularyModel::Bpe:
        break;
    }
    return BpeTokenizer::create(std::move(loaded), file, warnings);
}

} // namespace

Tokenizer::Tokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits)
    : m_vocabulary(std::move(vocabulary))
    , m_traits(std::make_unique<const TokenizerTraits>(std::move(traits)))
    , m_special(std::make_unique<const SpecialTokens>(*m_vocabulary, *m_traits))
{
}

Tokenizer::~Tokenizer() = default;

Result<LoadedTokenizer> Tokenizer::load(std::shared_ptr<const gguf::GgufFile> file,
                                        const TokenizerOptions& options)
{
    auto loaded = VocabularyLoader(file, options).load();
    if (!loaded) {
        return tl::unexpected(std::move(loaded.error()));
    }
    LoadedTokenizer result { nullptr, std::move(loaded->warnings) };
    auto tokenizer = makeTokenizer(std::move(*loaded), *file, result.warnings);
    if (!tokenizer) {
        return tl::unexpected(std::move(tokenizer.error()));
    }
    result.tokenizer = std::move(*tokenizer);
    return result;
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, const EncodeOptions& options) const
{
    const TrustedRange whole { 0, text.size() };
    const std::span ranges(&whole, options.parseSpecial ? 1 : 0);
    return encodeFragments(text, m_special->split(text, ranges, Guard::ByKind), options.addSpecial);
}

std::vector<TokenId> Tokenizer::encodeSegments(std::span<const Segment> segments,
                                               bool addSpecial) const
{
    std::string text;
    std::vector<TrustedRange> ranges;
    for (const Segment& segment : segments) {
        if (segment.trusted && !segment.text.empty()) {
            ranges.push_back({ text.size(), text.size() + segment.text.size() });
        }
        text += segment.text;
    }
    return encodeFragments(text, m_special->split(text, ranges, Guard::Strict), addSpecial);
}

std::vector<TokenId> Tokenizer::encodeFragments(std::string_view text,
                                                std::span<const Fragment> fragments,
                                                bool addSpecial) const
{
    std::vector<TokenId> ids;
    // A sentence stands between CLS and SEP, whatever the flags say.
    const bool isSentence = m_vocabulary->model() == VocabularyModel::WordPiece;
    const auto close = [&](TokenId id) {
        if (addSpecial && id != kNoToken) {
            ids.push_back(id);
        }
    };
    if (isSentence || m_vocabulary->addsBos()) {
        close(m_vocabulary->bos());
    }
    bool first = true;
    for (const Fragment& fragment : fragments) {
        if (fragment.token != kNoToken) {
            ids.push_back(fragment.token);
        } else if (fragment.end > fragment.begin) {
            encodeText(text.substr(fragment.begin, fragment.end - fragment.begin), first, ids);
        }
        first = fragment.token != kNoToken;
    }
    if (isSentence) {
        close(m_vocabulary->separator());
    } else if (m_vocabulary->addsEos()) {
        close(m_vocabulary->eos());
    }
    return ids;
}

std::string Tokenizer::piece(TokenId id) const
{
    const std::string_view text = m_vocabulary->text(id);
    switch (m_vocabulary->kind(id)) {
    case TokenKind::Control:
    case TokenKind::UserDefined:
    case TokenKind::Unknown:
        return std::string(text);
    case TokenKind::Byte:
        if (const auto byte = byteOfName(text)) {
            return std::string(1, static_cast<char>(*byte));
        }
        return std::string(text);
    case TokenKind::Normal:
        return pieceText(id);
    case TokenKind::Undefined:
    case TokenKind::Unused:
        break;
    }
    return {};
}

std::string Tokenizer::detokenize(std::span<const TokenId> ids, DetokenizeMode mode) const
{
    std::string out;
    bool dropsSpace = mode == DetokenizeMode::Clean && m_traits->addSpacePrefix;
    if (mode == DetokenizeMode::Clean) {
        if (m_vocabulary->addsBos() && !ids.empty() && ids.front() == m_vocabulary->bos()) {
            ids = ids.subspan(1);
            dropsSpace = false;
        }
        if (m_vocabulary->addsEos() && !ids.empty() && ids.back() == m_vocabulary->eos()) {
            ids = ids.first(ids.size() - 1);
        }
    }
    for (const TokenId id : ids) {
        const TokenKind kind = m_vocabulary->kind(id);
        const bool hidden = kind == TokenKind::Control || kind == TokenKind::Unknown;
        std::string text = hidden && mode != DetokenizeMode::Text ? std::string() : piece(id);
        if (dropsSpace && text.starts_with(' ')) {
            text.erase(0, 1);
        }
        dropsSpace = false; // only the very first token carries the prefix
        out += text;
    }
    return mode == DetokenizeMode::Clean && m_traits->cleanSpaces ? cleanSpaces(out) : out;
}

} // namespace engine::text
