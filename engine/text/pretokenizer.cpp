#define PCRE2_CODE_UNIT_WIDTH 8

#include "engine/text/pretokenizer.h"

#include "engine/text/unicode.h"

#include <pcre2.h>

#include <string>

namespace engine::text {

namespace {

// Far above what any row needs on sound text, low enough that a text made to hurt ends in about a
// second.
constexpr std::uint32_t kMatchLimit = 20'000'000;
constexpr std::uint32_t kHeapLimitKib = 256 * 1024;
constexpr std::size_t kGroup = 3;

template <auto Free>
struct Deleter
{
    template <typename T>
    void operator()(T* object) const
    {
        Free(object);
    }
};

using Code = std::unique_ptr<pcre2_code, Deleter<pcre2_code_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Deleter<pcre2_match_data_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Deleter<pcre2_match_context_free>>;

/// PCRE2 takes no surrogates, the tokenizers of published models do: to every rule they are what a
/// private-use character is.
std::string_view withoutSurrogates(std::string_view text, std::string& storage)
{
    std::size_t at = text.find('\xED');
    while (at != std::string_view::npos && static_cast<unsigned char>(text[at + 1]) < 0xA0) {
        at = text.find('\xED', at + 1);
    }
    if (at == std::string_view::npos) {
        return text;
    }
    storage = text;
    for (; at + 2 < storage.size(); ++at) {
        if (storage[at] == '\xED' && static_cast<unsigned char>(storage[at + 1]) >= 0xA0) {
            storage[at] = '\xEE';
            storage[at + 1] = '\x80';
        }
    }
    return storage;
}

/// Cuts pieces at ascending positions.
class Cutter
{
public:
    explicit Cutter(std::vector<std::size_t>& out)
        : m_out(out)
    {
    }

    void cut(std::size_t position)
    {
        if (position > m_last) {
            m_out.push_back(position - m_last);
            m_last = position;
        }
    }

private:
    std::vector<std::size_t>& m_out;
    std::size_t m_last = 0;
};

void cutRun(SplitStep::Kind kind, std::string_view text, std::size_t begin, std::size_t end,
            Cutter& cutter)
{
    std::size_t characters = 0;
    for (std::size_t at = begin; at < end; at += claimedLength(text[at])) {
        ++characters;
    }
    std::size_t left = characters;
    for (std::size_t at = begin; at < end; at += claimedLength(text[at]), --left) {
        const bool lead = at == begin && kind == SplitStep::Kind::GroupedDigits;
        if (left % kGroup == 0 && !lead) {
            cutter.cut(at);
        }
    }
    if (kind != SplitStep::Kind::GroupedInside) {
        cutter.cut(end);
    }
}

} // namespace

struct PreTokenizer::Impl
{
    struct Step
    {
        SplitStep::Kind kind;
        Code code;
    };
    std::vector<Step> steps;

    static void splitPiece(const Step& step, std::string_view piece, pcre2_match_data* data,
                           pcre2_match_context* context, std::vector<std::size_t>& out);
};

void PreTokenizer::Impl::splitPiece(const Step& step, std::string_view piece,
                                    pcre2_match_data* data, pcre2_match_context* context,
                                    std::vector<std::size_t>& out)
{
    Cutter cutter(out);
    const auto* subject = reinterpret_cast<PCRE2_SPTR8>(piece.data());
    std::size_t from = 0;
    // A piece of one character is as small as it gets.
    while (piece.size() > claimedLength(piece.front()) && from < piece.size()) {
        // The text was mended once; checking it again at each match would be quadratic.
        const int found = pcre2_match(step.code.get(), subject, piece.size(), from,
                                      PCRE2_NO_UTF_CHECK | PCRE2_NOTEMPTY, data, context);
        if (found < 0) {
            break;
        }
        const std::size_t* span = pcre2_get_ovector_pointer(data);
        if (step.kind == SplitStep::Kind::Pieces) {
            cutter.cut(span[0]);
            cutter.cut(span[1]);
        } else {
            cutRun(step.kind, piece, span[0], span[1], cutter);
        }
        from = span[1];
    }
    cutter.cut(piece.size());
}

Result<PreTokenizer> PreTokenizer::create(const PreTokenizerRules& rules)
{
    auto impl = std::make_shared<Impl>();
    for (const SplitStep& step : rules.steps) {
        int error = 0;
        std::size_t offset = 0;
        Code code(pcre2_compile(reinterpret_cast<PCRE2_SPTR8>(step.pattern.data()),
                                step.pattern.size(),
                                PCRE2_UTF | PCRE2_UCP | PCRE2_NO_UTF_CHECK | PCRE2_DOLLAR_ENDONLY,
                                &error, &offset, nullptr));
        if (!code) {
            return failure(ErrorCode::PreTokenizerBroken,
                           { std::string(rules.name), std::to_string(offset) });
        }
        // Where executable memory is forbidden this fails and matching is interpreted: slower, the
        // same pieces.
        pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);
        impl->steps.push_back({ step.kind, std::move(code) });
    }
    return PreTokenizer(std::move(impl));
}

std::vector<std::size_t> PreTokenizer::split(std::string_view text) const
{
    std::vector<std::size_t> pieces;
    if (text.empty()) {
        return pieces;
    }
    std::string storage;
    const std::string_view subject = withoutSurrogates(text, storage);
    const MatchData data(pcre2_match_data_create(1, nullptr));
    const MatchContext context(pcre2_match_context_create(nullptr));
    pieces.push_back(text.size());
    if (!data || !context) {
        return pieces;
    }
    pcre2_set_match_limit(context.get(), kMatchLimit);
    pcre2_set_heap_limit(context.get(), kHeapLimitKib);
    std::vector<std::size_t> next;
    for (const Impl::Step& step : m_impl->steps) {
        next.clear();
        next.reserve(pieces.size());
        std::size_t begin = 0;
        for (const std::size_t length : pieces) {
            Impl::splitPiece(step, subject.substr(begin, length), data.get(), context.get(), next);
            begin += length;
        }
        pieces.swap(next);
    }
    return pieces;
}

} // namespace engine::text
