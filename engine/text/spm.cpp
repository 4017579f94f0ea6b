#include "engine/text/spm.h"

#include "engine/text/unicode.h"

#include <algorithm>
#include <limits>

namespace engine::text {

/// Symbols in a linked list, and a heap of the neighbours that may be joined.
class SpmTokenizer::Merger
{
public:
    Merger(const SpmTokenizer& tokenizer, std::string_view text)
        : m_tokenizer(tokenizer)
        , m_vocabulary(tokenizer.vocabulary())
        , m_text(text)
    {
    }

    void run(std::vector<TokenId>& out)
    {
        makeSymbols();
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
            emit(m_symbols[index(i)], out);
        }
    }

private:
    struct Symbol
    {
        std::uint32_t begin;
        std::uint32_t length; ///< 0: joined into its left neighbour
        std::int32_t previous;
        std::int32_t next;
        TokenId token; ///< set once it is known from a merge
    };
    struct Pair
    {
        float score;
        std::int32_t left;
        std::int32_t right;
        std::uint32_t length;
        TokenId token;
    };
    struct Worse
    {
        bool operator()(const Pair& a, const Pair& b) const
        {
            return a.score < b.score || (a.score == b.score && a.left > b.left);
        }
    };

    static std::size_t index(std::int32_t i) { return static_cast<std::size_t>(i); }

    void makeSymbols()
    {
        m_symbols.reserve(m_text.size());
        for (std::size_t at = 0; at < m_text.size();) {
            const std::size_t length = std::min(claimedLength(m_text[at]), m_text.size() - at);
            const auto self = static_cast<std::int32_t>(m_symbols.size());
            m_symbols.push_back({ static_cast<std::uint32_t>(at),
                                  static_cast<std::uint32_t>(length), self - 1, self + 1,
                                  kNoToken });
            at += length;
        }
        m_symbols.back().next = -1;
    }

    void tryPair(std::int32_t left, std::int32_t right)
    {
        if (left < 0 || right < 0) {
            return;
        }
        const Symbol& a = m_symbols[index(left)];
        const std::uint32_t length = a.length + m_symbols[index(right)].length;
        if (length > m_tokenizer.m_longest) {
            return;
        }
        if (const auto token = m_vocabulary.find(m_text.substr(a.begin, length))) {
            m_pairs.push_back({ m_vocabulary.score(*token), left, right, length, *token });
            std::push_heap(m_pairs.begin(), m_pairs.end(), Worse());
        }
    }

    void merge(const Pair& pair)
    {
        Symbol& left = m_symbols[index(pair.left)];
        Symbol& right = m_symbols[index(pair.right)];
        // Symbols only grow, so an outdated pair shows in its length.
        if (left.length == 0 || right.length == 0 || left.length + right.length != pair.length) {
            return;
        }
        left.length = pair.length;
        left.token = pair.token;
        right.length = 0;
        left.next = right.next;
        if (right.next >= 0) {
            m_symbols[index(right.next)].previous = pair.left;
        }
        tryPair(left.previous, pair.left);
        tryPair(pair.left, left.next);
    }

    void emit(const Symbol& symbol, std::vector<TokenId>& out) const
    {
        const std::string_view text = m_text.substr(symbol.begin, symbol.length);
        const TokenId token =
            symbol.token != kNoToken ? symbol.token : m_vocabulary.find(text).value_or(kNoToken);
        if (token != kNoToken) {
            out.push_back(token);
            return;
        }
        for (const char c : text) {
            const TokenId byte = m_tokenizer.m_bytes[static_cast<unsigned char>(c)];
            if (byte != kNoToken) {
                out.push_back(byte);
            }
        }
    }

    const SpmTokenizer& m_tokenizer;
    const Vocabulary& m_vocabulary;
    std::string_view m_text;
    std::vector<Symbol> m_symbols;
    std::vector<Pair> m_pairs;
};

SpmTokenizer::SpmTokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits)
    : Tokenizer(std::move(vocabulary), std::move(traits))
{
    for (unsigned byte = 0; byte < m_bytes.size(); ++byte) {
        auto id = m_vocabulary->find(nameOfByte(static_cast<unsigned char>(byte)));
        if (!id) {
            const char raw = static_cast<char>(byte);
            id = m_vocabulary->find(std::string_view(&raw, 1));
        }
        m_missingBytes += !id;
        m_bytes[byte] = id.value_or(m_vocabulary->unknown());
    }
    for (TokenId id = 0; id < m_vocabulary->size(); ++id) {
        m_longest = std::max(m_longest, m_vocabulary->text(id).size());
    }
}

std::shared_ptr<const Tokenizer> SpmTokenizer::create(LoadedVocabulary loaded,
                                                      std::vector<gguf::Problem>& warnings)
{
    std::shared_ptr<const SpmTokenizer> tokenizer(
        new SpmTokenizer(std::move(loaded.vocabulary), std::move(loaded.traits)));
    if (tokenizer->m_missingBytes > 0) {
        warnings.push_back({ gguf::Severity::Warning,
                             Error { ErrorCode::ByteTokensMissing,
                                     { std::to_string(tokenizer->m_missingBytes) },
                                     Where { {}, std::nullopt, "tokenizer.ggml.tokens" } } });
    }
    return tokenizer;
}

void SpmTokenizer::encodeText(std::string_view text, bool first, std::vector<TokenId>& out) const
{
    // Offsets are 32 bits; a longer text (3 bytes for an escaped space) is cut, far above what a
    // model can read.
    constexpr std::size_t kMaxPart = std::numeric_limits<std::int32_t>::max() / 4;
    for (std::size_t begin = 0; begin < text.size(); begin += kMaxPart) {
        const std::string_view part = text.substr(begin, kMaxPart);
        std::string escaped;
        escaped.reserve(part.size() + part.size() / 4 + 8);
        if (first && begin == 0 && traits().addSpacePrefix) {
            appendEscaped(escaped, " ");
        }
        appendEscaped(escaped, part);
        Merger(*this, escaped).run(out);
    }
}

std::string SpmTokenizer::pieceText(TokenId id) const
{
    return unescapeSpaces(m_vocabulary->text(id));
}

} // namespace engine::text
