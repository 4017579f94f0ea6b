// Finds which texts a longer text begins with: a trie whose nodes lie level by level.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/vocabulary.h"

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace engine::text {

/// Immutable; read from any thread. Walk it byte by byte: `start`, then `next` as long as that is a
/// node.
class TokenTrie
{
public:
    /// Longer texts are left out, which bounds a search; published tokens have 128 bytes at most.
    static constexpr std::size_t kMaxLength = 512;
    using Node = std::uint32_t;
    static constexpr Node kNone = ~Node(0);

    struct Entry
    {
        std::string_view text; ///< not needed after construction
        TokenId token;
    };
    struct Match
    {
        TokenId token = kNoToken;
        std::size_t length = 0;
    };

    TokenTrie();
    /// Where two entries have one text, the lower token counts. Empty texts are left out.
    explicit TokenTrie(std::vector<Entry> entries);

    [[nodiscard]] Node start(char first) const
    {
        return m_roots[static_cast<unsigned char>(first)];
    }
    [[nodiscard]] Node next(Node node, char byte) const;
    /// kNoToken where no text ends here.
    [[nodiscard]] TokenId token(Node node) const { return m_nodes[node].token; }
    /// The longest entry that `text` begins with.
    [[nodiscard]] Match longest(std::string_view text) const;

private:
    struct Inner
    {
        TokenId token = kNoToken;
        Node child = 0; ///< the first; they lie side by side, by byte
        std::uint16_t children = 0;
        unsigned char byte = 0;
    };
    /// Sorted entries with the same beginning, on their way in.
    struct Group
    {
        std::size_t begin;
        std::size_t end;
        std::size_t depth;
        Node parent;
    };

    std::array<Node, 256> m_roots;
    std::vector<Inner> m_nodes;
};

} // namespace engine::text
