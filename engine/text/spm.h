// SentencePiece-style tokenizer: merges neighbours whose union scores best, bytes for what no token
// covers. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary_loader.h"

#include <array>
#include <memory>
#include <vector>

namespace engine::text {

/// tokenizer.ggml.model "llama". Immutable and thread-safe; n log n in the text's length.
class SpmTokenizer final : public Tokenizer
{
public:
    [[nodiscard]] static std::shared_ptr<const Tokenizer>
    create(LoadedVocabulary loaded, std::vector<gguf::Problem>& warnings);

protected:
    void encodeText(std::string_view text, bool first, std::vector<TokenId>& out) const override;
    std::string pieceText(TokenId id) const override;

private:
    class Merger;

    SpmTokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits);

    std::array<TokenId, 256> m_bytes; ///< the unknown token where a byte has none
    std::size_t m_missingBytes = 0;
    std::size_t m_longest = 0; ///< bytes of the longest token
};

} // namespace engine::text
