// Finds special tokens in text: the longest first, each only where the text may hold it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/vocabulary.h"
#include "engine/text/vocabulary_data.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace engine::text {

/// A part of a text: a special token, or ordinary text.
struct Fragment
{
    TokenId token = kNoToken; ///< kNoToken: ordinary text
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Where in a text control tokens may be read; user-defined tokens may be read anywhere else too.
struct TrustedRange
{
    std::size_t begin = 0;
    std::size_t end = 0;
};

/// Which tokens count as control tokens outside of trusted ranges.
enum class Guard {
    ByKind, ///< those that are control or unknown tokens now (what other engines do)
    Strict, ///< also those that the file calls so though they are shown as text
};

/// The special tokens of a vocabulary in a trie. Immutable and thread-safe.
class SpecialTokens
{
public:
    /// Longer tokens are no markers that anybody writes; they stay ordinary text, which bounds the
    /// search.
    static constexpr std::size_t kMaxLength = 1024;

    SpecialTokens(const Vocabulary& vocabulary, const TokenizerTraits& traits);

    /// Parts of `text` in order, without the white space that a token swallows. `ranges` ascend; a
    /// control token must lie wholly inside one of them.
    [[nodiscard]] std::vector<Fragment>
    split(std::string_view text, std::span<const TrustedRange> ranges, Guard guard) const;

private:
    struct Node
    {
        char byte = 0;
        TokenId token = kNoToken;
        std::int32_t child = -1;
        std::int32_t sibling = -1;
    };
    struct Limits
    {
        std::size_t free; ///< room for any token
        std::size_t trusted; ///< room for a control token
        Guard guard;
    };
    struct Match
    {
        std::size_t begin;
        std::size_t length;
        TokenId token;
    };
    class Splitter;

    void insert(std::string_view text, TokenId token);
    [[nodiscard]] bool guarded(TokenId token, Guard guard) const;
    /// The longest token at the start of `text` within the limits; length 0 when none.
    [[nodiscard]] Match longest(std::string_view text, const Limits& limits) const;

    const Vocabulary& m_vocabulary;
    std::array<std::int32_t, 256> m_roots;
    std::vector<Node> m_nodes;
    std::vector<TokenId> m_swallowAfter; ///< ascending
    std::vector<TokenId> m_swallowBefore; ///< ascending
};

} // namespace engine::text
