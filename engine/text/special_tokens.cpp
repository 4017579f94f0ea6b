#include "engine/text/special_tokens.h"

#include <queue>

#include <algorithm>

namespace engine::text {

namespace {

bool isSpace(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

} // namespace

/// One split. The longest matches anywhere take their place first, as if each token, longest first,
/// were searched in the whole text; a match that finds its end taken tries again with a shorter
/// token.
class SpecialTokens::Splitter
{
public:
    Splitter(const SpecialTokens& tokens, std::string_view text,
             std::span<const TrustedRange> ranges, Guard guard)
        : m_tokens(tokens)
        , m_text(text)
        , m_ranges(ranges)
        , m_guard(guard)
    {
    }

    std::vector<Fragment> run()
    {
        findCandidates();
        if (m_candidates.empty()) {
            return { Fragment { kNoToken, 0, m_text.size() } };
        }
        m_taken.assign(m_text.size(), false);
        while (!m_candidates.empty()) {
            const Match match = m_candidates.top();
            m_candidates.pop();
            place(match);
        }
        return fragments();
    }

private:
    struct Later
    {
        bool operator()(const Match& a, const Match& b) const
        {
            if (a.length != b.length) {
                return a.length < b.length;
            }
            return a.token != b.token ? a.token > b.token : a.begin > b.begin;
        }
    };

    void findCandidates()
    {
        std::vector<Match> found;
        for (std::size_t at = 0; at < m_text.size(); ++at) {
            if (m_tokens.m_roots[static_cast<unsigned char>(m_text[at])] >= 0) {
                add(at, m_text.size(), found);
            }
        }
        m_candidates = std::priority_queue<Match, std::vector<Match>, Later>({}, std::move(found));
    }

    [[nodiscard]] std::size_t trustedEnd(std::size_t at) const
    {
        const auto after = std::upper_bound(
            m_ranges.begin(), m_ranges.end(), at,
            [](std::size_t position, const TrustedRange& r) { return position < r.end; });
        return after != m_ranges.end() && after->begin <= at ? after->end : at;
    }

    [[nodiscard]] Match longestAt(std::size_t at, std::size_t end) const
    {
        const std::size_t trusted = std::min(trustedEnd(at), end);
        Match match = m_tokens.longest(m_text.substr(at), { end - at, trusted - at, m_guard });
        match.begin = at;
        return match;
    }

    void add(std::size_t at, std::size_t end, std::vector<Match>& found) const
    {
        if (const Match match = longestAt(at, end); match.length > 0) {
            found.push_back(match);
        }
    }

    void place(const Match& match)
    {
        if (m_taken[match.begin]) {
            return;
        }
        // What is taken already is as long as this match or longer, so an overlap shows at one of
        // its two ends.
        if (m_taken[match.begin + match.length - 1]) {
            std::size_t end = match.begin;
            while (!m_taken[end]) {
                ++end;
            }
            if (const Match shorter = longestAt(match.begin, end); shorter.length > 0) {
                m_candidates.push(shorter);
            }
            return;
        }
        std::size_t begin = match.begin;
        std::size_t end = match.begin + match.length;
        m_placed.push_back(match);
        const auto& after = m_tokens.m_swallowAfter;
        const auto& before = m_tokens.m_swallowBefore;
        if (std::binary_search(after.begin(), after.end(), match.token)) {
            while (end < m_text.size() && !m_taken[end] && isSpace(m_text[end])) {
                ++end;
            }
        }
        if (std::binary_search(before.begin(), before.end(), match.token)) {
            while (begin > 0 && !m_taken[begin - 1] && isSpace(m_text[begin - 1])) {
                --begin;
            }
        }
        std::fill(m_taken.begin() + static_cast<std::ptrdiff_t>(begin),
                  m_taken.begin() + static_cast<std::ptrdiff_t>(end), true);
    }

    std::vector<Fragment> fragments()
    {
        std::sort(m_placed.begin(), m_placed.end(),
                  [](const Match& a, const Match& b) { return a.begin < b.begin; });
        std::vector<Fragment> parts;
        std::size_t at = 0;
        const auto addText = [&](std::size_t end) {
            std::size_t from = at;
            while (from < end && m_taken[from]) {
                ++from;
            }
            std::size_t to = end;
            while (to > from && m_taken[to - 1]) {
                --to;
            }
            if (to > from) {
                parts.push_back({ kNoToken, from, to });
            }
        };
        for (const Match& match : m_placed) {
            addText(match.begin);
            parts.push_back({ match.token, match.begin, match.begin + match.length });
            at = match.begin + match.length;
        }
        addText(m_text.size());
        return parts;
    }

    const SpecialTokens& m_tokens;
    std::string_view m_text;
    std::span<const TrustedRange> m_ranges;
    Guard m_guard;
    std::priority_queue<Match, std::vector<Match>, Later> m_candidates;
    std::vector<bool> m_taken;
    std::vector<Match> m_placed;
};

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary, const TokenizerTraits& traits)
    : m_vocabulary(vocabulary)
    , m_swallowAfter(traits.swallowAfter)
    , m_swallowBefore(traits.swallowBefore)
{
    m_roots.fill(-1);
    std::sort(m_swallowAfter.begin(), m_swallowAfter.end());
    std::sort(m_swallowBefore.begin(), m_swallowBefore.end());
    for (TokenId id = 0; id < vocabulary.size(); ++id) {
        const TokenKind kind = vocabulary.kind(id);
        if (kind == TokenKind::Control || kind == TokenKind::UserDefined
            || kind == TokenKind::Unknown) {
            insert(vocabulary.text(id), id);
        }
    }
}

void SpecialTokens::insert(std::string_view text, TokenId token)
{
    if (text.empty() || text.size() > kMaxLength) {
        return;
    }
    std::int32_t* link = &m_roots[static_cast<unsigned char>(text.front())];
    for (std::size_t i = 0; i < text.size(); ++i) {
        while (*link >= 0 && m_nodes[static_cast<std::size_t>(*link)].byte != text[i]) {
            link = &m_nodes[static_cast<std::size_t>(*link)].sibling;
        }
        if (*link < 0) {
            const auto added = static_cast<std::int32_t>(m_nodes.size());
            *link = added;
            m_nodes.push_back({ text[i], kNoToken, -1, -1 });
            link = nullptr; // the vector may have moved
            if (i + 1 < text.size()) {
                link = &m_nodes.back().child;
            } else {
                m_nodes.back().token = token;
            }
            continue;
        }
        Node& node = m_nodes[static_cast<std::size_t>(*link)];
        if (i + 1 == text.size()) {
            node.token = node.token == kNoToken ? token : node.token;
        }
        link = &node.child;
    }
}

std::vector<Fragment> SpecialTokens::split(std::string_view text,
                                           std::span<const TrustedRange> ranges, Guard guard) const
{
    return Splitter(*this, text, ranges, guard).run();
}

bool SpecialTokens::guarded(TokenId token, Guard guard) const
{
    if (guard == Guard::Strict && m_vocabulary.needsTrust(token)) {
        return true;
    }
    return m_vocabulary.kind(token) != TokenKind::UserDefined;
}

SpecialTokens::Match SpecialTokens::longest(std::string_view text, const Limits& limits) const
{
    Match best { 0, 0, kNoToken };
    std::int32_t at = m_roots[static_cast<unsigned char>(text.front())];
    for (std::size_t i = 0; i < limits.free; ++i) {
        while (at >= 0 && m_nodes[static_cast<std::size_t>(at)].byte != text[i]) {
            at = m_nodes[static_cast<std::size_t>(at)].sibling;
        }
        if (at < 0) {
            break;
        }
        const Node& node = m_nodes[static_cast<std::size_t>(at)];
        if (node.token != kNoToken
            && (i + 1 <= limits.trusted || !guarded(node.token, limits.guard))) {
            best = { 0, i + 1, node.token };
        }
        at = node.child;
    }
    return best;
}

} // namespace engine::text
