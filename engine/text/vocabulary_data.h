// What a vocabulary holds inside, and how its tokenizer behaves. For the loader and the tokenizers
// only. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/text/pretokenizer_rules.h"
#include "engine/text/stored_templates.h"
#include "engine/text/text_index.h"
#include "engine/text/vocabulary.h"

#include <memory>
#include <optional>
#include <vector>

namespace engine::text {

struct Vocabulary::Data
{
    std::shared_ptr<const gguf::GgufFile> file; ///< keeps the texts alive
    VocabularyModel model = VocabularyModel::Bpe;
    TextIndex texts;
    bool repeats = false; ///< some text has two tokens
    std::vector<TokenKind> kinds;
    std::vector<bool> trusted; ///< only a template may write it
    std::vector<float> scores; ///< empty when the file has none
    std::vector<TokenId> endTokens; ///< ascending
    TokenId bos = kNoToken;
    TokenId eos = kNoToken;
    TokenId unknown = kNoToken;
    TokenId separator = kNoToken;
    bool addsBos = false;
    bool addsEos = false;
    bool addsSeparator = false;
    StoredTemplates templates;
};

/// How text is treated around the vocabulary.
struct TokenizerTraits
{
    const PreTokenizerRules* rules = nullptr; ///< BPE only
    bool addSpacePrefix = false;
    bool cleanSpaces = false; ///< clean detokenization removes spaces before punctuation
    bool escapesSpaces = false; ///< tokens hold "▁" for spaces
    bool mergesSpaces =
        false; ///< unigram only: one space in front of each word, whatever was there
    bool lowersCase = true; ///< WordPiece only
    bool stripsAccents = true; ///< WordPiece only
    std::vector<TokenId> swallowAfter; ///< white space behind these special tokens vanishes
    std::vector<TokenId> swallowBefore; ///< white space in front of these special tokens vanishes
};

} // namespace engine::text
