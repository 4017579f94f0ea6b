// The merge list of a byte-pair tokenizer by pairs of symbol numbers, so that merging compares no
// text. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/value.h"
#include "engine/text/text_index.h"
#include "engine/text/vocabulary.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace engine::text {

/// A token id, or a number from Vocabulary::size() on for a text that only the merge list knows.
using SymbolId = std::int32_t;
constexpr SymbolId kNoSymbol = -1;

/// Filled once, then read from any thread.
class MergeTable
{
public:
    struct Merge
    {
        std::int32_t rank = -1; ///< -1: there is no such merge
        SymbolId result = kNoSymbol;
    };

    explicit MergeTable(const Vocabulary& vocabulary);

    /// Reads "left right" texts in order of rank. Returns how many have no space and so say
    /// nothing.
    std::uint64_t read(const gguf::Value& merges);

    [[nodiscard]] Merge find(SymbolId left, SymbolId right) const;
    [[nodiscard]] SymbolId symbol(std::string_view text) const;

private:
    /// A merge on its way in.
    struct Entry
    {
        std::string_view text;
        std::size_t space;
        std::int32_t rank;
        SymbolId left;
        SymbolId right;
    };
    struct Slot
    {
        std::uint64_t key = kFree;
        Merge merge;
    };
    static constexpr std::uint64_t kFree = ~std::uint64_t(0);

    [[nodiscard]] static std::uint64_t keyOf(SymbolId left, SymbolId right);
    [[nodiscard]] std::size_t startOf(std::uint64_t key) const;
    [[nodiscard]] std::size_t place(std::uint64_t key) const;
    SymbolId intern(std::string_view text);
    void add(const Entry& entry, std::string& buffer);

    const Vocabulary* m_vocabulary;
    std::uint64_t m_seed; ///< so that a hostile merge list cannot be written to collide
    std::vector<Slot> m_slots;
    TokenId m_next = kNoToken; ///< the token that the merge read next will probably make
    TextIndex m_extra; ///< texts of merges that are no tokens
    std::deque<std::string> m_extraTexts; ///< those of them that lie nowhere in the file
};

} // namespace engine::text
