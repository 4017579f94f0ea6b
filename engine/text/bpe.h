// Byte-pair encoding: pieces of text are merged by the ranks of the file's merge list.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/merge_table.h"
#include "engine/text/pretokenizer.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary_loader.h"

#include <array>
#include <memory>
#include <vector>

namespace engine::text {

/// tokenizer.ggml.model "gpt2" (byte-level) and "gemma4" (raw UTF-8). Immutable and thread-safe; n
/// log n in the text's length.
class BpeTokenizer final : public Tokenizer
{
public:
    [[nodiscard]] static Result<std::shared_ptr<const Tokenizer>>
    create(LoadedVocabulary loaded, const gguf::GgufFile& file,
           std::vector<gguf::Problem>& warnings);

protected:
    void encodeText(std::string_view text, bool first, std::vector<TokenId>& out) const override;
    std::string pieceText(TokenId id) const override;

private:
    class Merger;

    BpeTokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits,
                 PreTokenizer preTokenizer, MergeTable merges);

    /// The token that a whole piece is, where the rules let it skip the merges.
    [[nodiscard]] std::optional<TokenId> wholeToken(std::string_view piece,
                                                    std::string& buffer) const;
    [[nodiscard]] bool rawText() const { return traits().rules->has(PreTokenizerRules::RawText); }

    PreTokenizer m_preTokenizer;
    MergeTable m_merges;
    std::array<SymbolId, 256> m_byteSymbols; ///< of the byte alphabet
    std::array<TokenId, 256>
        m_fallback; ///< what a byte of an unmergeable symbol becomes; kNoToken: nothing
};

} // namespace engine::text
