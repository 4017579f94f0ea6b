// The table of pre-tokenizers: tokenizer.ggml.pre, how it splits text, what else comes with the
// name. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

namespace engine::text {

/// One pass over the pieces that the pass before left; it only ever cuts them further.
struct SplitStep
{
    enum class Kind {
        Pieces, ///< each match is a piece, and so is what lies between two matches
        GroupedDigits, ///< each match is a run of digits, cut every three characters counted from
                       ///< its end; the first group stays with the text before the run
        GroupedInside, ///< the same, but only cuts in front of whole groups, none at the run's end
    };
    Kind kind = Kind::Pieces;
    std::string_view pattern; ///< PCRE2, UTF and UCP
};

/// What a pre-tokenizer's name stands for.
struct PreTokenizerRules
{
    /// Facts that a name brings along where the file does not say them itself.
    enum Trait : unsigned {
        KeepsSpaces = 1, ///< clean detokenization leaves spaces before punctuation alone
        AddsBos = 2,
        AddsSeparator = 4,
        WholeWords = 8, ///< a piece that is a token needs no merges
        NoDefaultBos = 16, ///< no BOS unless the file names one
        RawText = 32, ///< pieces are UTF-8 with "▁" for spaces, not the byte alphabet; bytes are
                      ///< "<0x0A>" tokens
        AlwaysBos = 64, ///< BOS even where the file says no
        NewlineRuns = 128, ///< a piece of newlines only that is a token needs no merges
    };

    std::string_view name;
    std::span<const SplitStep> steps;
    unsigned traits = 0;

    [[nodiscard]] bool has(Trait trait) const { return (traits & trait) != 0; }
};

/// The rules of a name; null when unknown.
[[nodiscard]] const PreTokenizerRules* preTokenizerRules(std::string_view name);
/// Every row, for tests and for the list of what is supported.
[[nodiscard]] std::span<const PreTokenizerRules> allPreTokenizerRules();

} // namespace engine::text
