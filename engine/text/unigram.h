// SentencePiece's unigram model: of all ways to cut a text into tokens, the likeliest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/charsmap.h"
#include "engine/text/token_trie.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary_loader.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace engine::text {

/// tokenizer.ggml.model "t5". Immutable and thread-safe; linear in the text's length.
class UnigramTokenizer final : public Tokenizer
{
public:
    /// Errors: CharsmapBroken, VocabularyKeyType.
    [[nodiscard]] static Result<std::shared_ptr<const Tokenizer>>
    create(LoadedVocabulary loaded, const gguf::GgufFile& file);

protected:
    void encodeText(std::string_view text, bool first, std::vector<TokenId>& out) const override;
    std::string pieceText(TokenId id) const override;

private:
    /// The best way to reach a place in the text.
    struct Step
    {
        double score;
        TokenId token;
        std::uint32_t begin; ///< where that token begins
    };

    UnigramTokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits,
                     Charsmap charsmap);

    [[nodiscard]] std::string normalized(std::string_view text) const;
    /// The front of `text` as the table, or UTF-8, has it; moves `text` behind it.
    [[nodiscard]] std::string_view takeNormalized(std::string_view& text) const;
    void extend(std::string_view text, std::size_t begin, std::vector<Step>& steps) const;
    void encodePart(std::string_view text, std::vector<TokenId>& out) const;

    Charsmap m_charsmap;
    TokenTrie m_tokens; ///< all that text can become
    TokenTrie m_userDefined; ///< those that are never normalized
    double m_unknownScore = 0;
};

} // namespace engine::text
