// The table of tokenizer models: what holds for each where a file says nothing else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/vocabulary.h"

#include <array>
#include <string_view>

namespace engine::text {

/// A tokenizer model with what holds where the file says nothing else.
struct KnownModel
{
    /// As bits of KnownModel::traits.
    enum Trait : unsigned {
        AddsBos = 1,
        AddsEos = 2,
        AddsSeparator = 4,
        SpacePrefix = 8,
        CleansSpaces = 16,
        EscapesSpaces = 32,
    };

    std::string_view name;
    VocabularyModel model;
    unsigned traits = 0;
    TokenId bos = kNoToken;
    TokenId eos = kNoToken;
    TokenId unknown = kNoToken;
    TokenId separator = kNoToken;

    [[nodiscard]] bool has(Trait trait) const { return (traits & trait) != 0; }
};

constexpr unsigned kSpmTraits =
    KnownModel::AddsBos | KnownModel::SpacePrefix | KnownModel::EscapesSpaces;
constexpr unsigned kWordPieceTraits =
    KnownModel::AddsBos | KnownModel::AddsSeparator | KnownModel::CleansSpaces;
constexpr unsigned kUnigramTraits = KnownModel::AddsEos | KnownModel::EscapesSpaces;

constexpr std::array kKnownModels {
    KnownModel { "llama", VocabularyModel::Spm, kSpmTraits, 1, 2, 0 },
    KnownModel { "gpt2", VocabularyModel::Bpe, 0, 11, 11 },
    KnownModel { "gemma4", VocabularyModel::Bpe },
    KnownModel { "bert", VocabularyModel::WordPiece, kWordPieceTraits, 101, kNoToken, 100, 102 },
    KnownModel { "t5", VocabularyModel::Unigram, kUnigramTraits, kNoToken, 1, 2 },
    KnownModel { "rwkv", VocabularyModel::Rwkv },
};

/// Tokenizer models that are known but not built, with a name that tells people something.
struct OtherModel
{
    std::string_view model;
    std::string_view name;
};

constexpr std::array kOtherModels {
    OtherModel { "plamo2", "PLaMo-2" },
    OtherModel { "hybriddna", "DNA" },
    OtherModel { "whitespace", "white-space BPE" },
    OtherModel { "none", "none at all" },
    OtherModel { "no_vocab", "none at all" },
};

} // namespace engine::text
