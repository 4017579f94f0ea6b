// WordPiece: words, usually without accents and case, each cut into the longest tokens from its
// start. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/token_trie.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary_loader.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace engine::text {

/// tokenizer.ggml.model "bert": tokens that begin a word begin with "▁". Immutable and thread-safe;
/// linear in the text's length.
class WordPieceTokenizer final : public Tokenizer
{
public:
    [[nodiscard]] static std::shared_ptr<const Tokenizer> create(LoadedVocabulary loaded);

protected:
    void encodeText(std::string_view text, bool first, std::vector<TokenId>& out) const override;
    std::string pieceText(TokenId id) const override;

private:
    WordPieceTokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits);

    /// `word` begins with "▁". A word that no tokens make up is one unknown token.
    void encodeWord(std::string_view word, std::vector<TokenId>& out) const;

    TokenTrie m_tokens;
};

} // namespace engine::text
