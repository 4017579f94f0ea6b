#include "engine/text/bpe.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <limits>

namespace engine::text {

/// Merges one piece after another; keeps its buffers between them.
class BpeTokenizer::Merger
{
public:
    explicit Merger(const BpeTokenizer& tokenizer)
        : m_tokenizer(tokenizer)
    {
    }

    void run(std::string_view piece, std::vector<TokenId>& out)
    {
        makeSymbols(piece);
        for (std::int32_t i = 0; i + 1 < static_cast<std::int32_t>(m_symbols.size()); ++i) {
            tryPair(i, i + 1);
        }
        while (!m_pairs.empty()) {
            std::pop_heap(m_pairs.begin(), m_pairs.end(), Worse());
            const Pair pair = m_pairs.back();
            m_pairs.pop_back();
            merge(pair);
        }
        for (std::int32_t i = 0; i >= 0; i = m_symbols[index(i)].next) {
            emit(piece, m_symbols[index(i)], out);
        }
    }

private:
    struct Symbol
    {
        SymbolId id;
        std::uint32_t begin;
        std::uint32_t length; ///< 0: joined into its left neighbour
        std::int32_t previous;
        std::int32_t next;
    };
    struct Pair
    {
        std::int32_t rank;
        std::int32_t left;
        SymbolId leftId;
        SymbolId rightId;
        SymbolId result;
    };
    struct Worse
    {
        bool operator()(const Pair& a, const Pair& b) const
        {
            return a.rank > b.rank || (a.rank == b.rank && a.left > b.left);
        }
    };

    static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

    void makeSymbols(std::string_view piece)
    {
        m_symbols.clear();
        const bool raw = m_tokenizer.rawText();
        for (std::size_t at = 0; at < piece.size();) {
            const std::size_t length =
                raw ? std::min(claimedLength(piece[at]), piece.size() - at) : 1;
            const SymbolId id = raw
                ? m_tokenizer.m_merges.symbol(piece.substr(at, length))
                : m_tokenizer.m_byteSymbols[static_cast<unsigned char>(piece[at])];
            const auto self = static_cast<std::int32_t>(m_symbols.size());
            m_symbols.push_back({ id, static_cast<std::uint32_t>(at),
                                  static_cast<std::uint32_t>(length), self - 1, self + 1 });
            at += length;
        }
        m_symbols.back().next = -1;
    }

    void tryPair(std::int32_t left, std::int32_t right)
    {
        if (left < 0 || right < 0) {
            return;
        }
        const SymbolId a = m_symbols[index(left)].id;
        const SymbolId b = m_symbols[index(right)].id;
        const MergeTable::Merge merge = m_tokenizer.m_merges.find(a, b);
        if (merge.rank >= 0) {
            m_pairs.push_back({ merge.rank, left, a, b, merge.result });
            std::push_heap(m_pairs.begin(), m_pairs.end(), Worse());
        }
    }

    void merge(const Pair& pair)
    {
        Symbol& left = m_symbols[index(pair.left)];
        // A symbol that has grown or is gone has another number, which shows an outdated pair.
        if (left.length == 0 || left.id != pair.leftId || left.next < 0) {
            return;
        }
        Symbol& right = m_symbols[index(left.next)];
        if (right.id != pair.rightId) {
            return;
        }
        left.id = pair.result;
        left.length += right.length;
        right.length = 0;
        left.next = right.next;
        if (right.next >= 0) {
            m_symbols[index(right.next)].previous = pair.left;
        }
        tryPair(left.previous, pair.left);
        tryPair(pair.left, left.next);
    }

    void emit(std::string_view piece, const Symbol& symbol, std::vector<TokenId>& out) const
    {
        if (symbol.id != kNoSymbol && m_tokenizer.vocabulary().valid(symbol.id)) {
            out.push_back(symbol.id);
            return;
        }
        const auto emitByte = [&](char c) {
            const TokenId token = m_tokenizer.m_fallback[static_cast<unsigned char>(c)];
            if (token != kNoToken) {
                out.push_back(token);
            }
        };
        for (const char c : piece.substr(symbol.begin, symbol.length)) {
            if (m_tokenizer.rawText()) {
                emitByte(c);
                continue;
            }
            for (const char letter : byteAlphabet(static_cast<unsigned char>(c))) {
                emitByte(letter);
            }
        }
    }

    const BpeTokenizer& m_tokenizer;
    std::vector<Symbol> m_symbols;
    std::vector<Pair> m_pairs;
};

BpeTokenizer::BpeTokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits,
                           PreTokenizer preTokenizer, MergeTable merges)
    : Tokenizer(std::move(vocabulary), std::move(traits))
    , m_preTokenizer(std::move(preTokenizer))
    , m_merges(std::move(merges))
{
    for (unsigned byte = 0; byte < m_byteSymbols.size(); ++byte) {
        const auto value = static_cast<unsigned char>(byte);
        const char raw = static_cast<char>(byte);
        m_byteSymbols[byte] = m_merges.symbol(byteAlphabet(value));
        m_fallback[byte] = (rawText() ? m_vocabulary->find(nameOfByte(value))
                                      : m_vocabulary->find(std::string_view(&raw, 1)))
                               .value_or(kNoToken);
    }
}

Result<std::shared_ptr<const Tokenizer>> BpeTokenizer::create(LoadedVocabulary loaded,
                                                              const gguf::GgufFile& file,
                                                              std::vector<gguf::Problem>& warnings)
{
    constexpr std::string_view kMergesKey = "tokenizer.ggml.merges";
    auto preTokenizer = PreTokenizer::create(*loaded.traits.rules);
    if (!preTokenizer) {
        return tl::unexpected(std::move(preTokenizer.error()));
    }
    MergeTable merges(*loaded.vocabulary);
    if (const gguf::Value* list = file.find(kMergesKey)) {
        if (const std::uint64_t useless = merges.read(*list); useless > 0) {
            warnings.push_back(
                { gguf::Severity::Warning,
                  Error { ErrorCode::MergesWithoutSpace,
                          { std::to_string(useless) },
                          Where { file.path(), list->span().offset, std::string(kMergesKey) } } });
        }
    }
    return std::shared_ptr<const Tokenizer>(
        new BpeTokenizer(std::move(loaded.vocabulary), std::move(loaded.traits),
                         std::move(*preTokenizer), std::move(merges)));
}

std::optional<TokenId> BpeTokenizer::wholeToken(std::string_view piece, std::string& buffer) const
{
    using Rules = PreTokenizerRules;
    const Rules& rules = *traits().rules;
    const bool newlines =
        rules.has(Rules::NewlineRuns) && piece.find_first_not_of('\n') == std::string_view::npos;
    if (!newlines && !rules.has(Rules::WholeWords)) {
        return std::nullopt;
    }
    if (rules.has(Rules::RawText)) {
        return m_vocabulary->find(piece);
    }
    buffer.clear();
    for (const char c : piece) {
        buffer += byteAlphabet(static_cast<unsigned char>(c));
    }
    return m_vocabulary->find(buffer);
}

void BpeTokenizer::encodeText(std::string_view text, bool, std::vector<TokenId>& out) const
{
    std::string escaped;
    if (traits().escapesSpaces) {
        appendEscaped(escaped, text);
        text = escaped;
    }
    std::string mended;
    text = mendUtf8(text, mended);
    Merger merger(*this);
    std::string buffer;
    // Offsets within a piece are 32 bits; a longer piece is cut, far above what a model can read.
    constexpr std::size_t kMaxPiece = std::numeric_limits<std::int32_t>::max() / 4;
    for (std::size_t length : m_preTokenizer.split(text)) {
        for (; length > 0; length -= std::min(length, kMaxPiece)) {
            const std::string_view piece = text.substr(0, std::min(length, kMaxPiece));
            if (const auto whole = wholeToken(piece, buffer)) {
                out.push_back(*whole);
            } else {
                merger.run(piece, out);
            }
            text.remove_prefix(piece.size());
        }
    }
}

std::string BpeTokenizer::pieceText(TokenId id) const
{
    const std::string_view text = m_vocabulary->text(id);
    if (traits().escapesSpaces) {
        return unescapeSpaces(text);
    }
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        const auto character = decodeCharacter(text, at);
        const std::size_t length = character ? character->length : 1;
        const auto byte = character ? byteOfAlphabet(character->codePoint) : std::nullopt;
        if (byte) {
            out += static_cast<char>(*byte);
        } else {
            // Some files hold added tokens as normal ones in plain text: they stand for themselves.
            out += text.substr(at, length);
        }
        at += length;
    }
    return out;
}

} // namespace engine::text
