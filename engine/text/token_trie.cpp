#include "engine/text/token_trie.h"

#include <algorithm>

namespace engine::text {

TokenTrie::TokenTrie()
{
    m_roots.fill(kNone);
}

TokenTrie::TokenTrie(std::vector<Entry> entries)
    : TokenTrie()
{
    std::erase_if(entries, [](const Entry& entry) {
        return entry.text.empty() || entry.text.size() > kMaxLength;
    });
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.text != b.text ? a.text < b.text : a.token < b.token;
    });
    std::vector<Group> level { { 0, entries.size(), 0, kNone } };
    std::vector<Group> below;
    while (!level.empty()) {
        below.clear();
        for (const Group& group : level) {
            for (std::size_t at = group.begin; at < group.end;) {
                const char byte = entries[at].text[group.depth];
                std::size_t end = at;
                while (end < group.end && entries[end].text[group.depth] == byte) {
                    ++end;
                }
                const auto node = static_cast<Node>(m_nodes.size());
                m_nodes.push_back({ kNoToken, 0, 0, static_cast<unsigned char>(byte) });
                if (group.parent == kNone) {
                    m_roots[static_cast<unsigned char>(byte)] = node;
                } else if (m_nodes[group.parent].children++ == 0) {
                    m_nodes[group.parent].child = node;
                }
                // Entries that end here lie in front of those that go on.
                const std::size_t depth = group.depth + 1;
                while (at < end && entries[at].text.size() == depth) {
                    TokenId& token = m_nodes[node].token;
                    token = token == kNoToken ? entries[at].token : token;
                    ++at;
                }
                if (at < end) {
                    below.push_back({ at, end, depth, node });
                }
                at = end;
            }
        }
        level.swap(below);
    }
}

TokenTrie::Node TokenTrie::next(Node node, char byte) const
{
    const Inner& parent = m_nodes[node];
    const auto begin = m_nodes.begin() + parent.child;
    const auto end = begin + parent.children;
    const auto wanted = static_cast<unsigned char>(byte);
    const auto found = std::lower_bound(
        begin, end, wanted, [](const Inner& inner, unsigned char b) { return inner.byte < b; });
    return found != end && found->byte == wanted ? static_cast<Node>(found - m_nodes.begin())
                                                 : kNone;
}

TokenTrie::Match TokenTrie::longest(std::string_view text) const
{
    Match best;
    if (text.empty()) {
        return best;
    }
    Node node = start(text.front());
    for (std::size_t length = 1; node != kNone; ++length) {
        if (token(node) != kNoToken) {
            best = { token(node), length };
        }
        node = length < text.size() ? next(node, text[length]) : kNone;
    }
    return best;
}

} // namespace engine::text
