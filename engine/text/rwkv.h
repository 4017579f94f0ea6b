// RWKV's tokenizer: again and again the longest token that the text begins with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/token_trie.h"
#include "engine/text/tokenizer.h"
#include "engine/text/vocabulary_loader.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace engine::text {

/// tokenizer.ggml.model "rwkv": token texts are written with escapes ("\n", "\xe4"), text is bytes.
/// Immutable and thread-safe; linear in the text's length.
class RwkvTokenizer final : public Tokenizer
{
public:
    [[nodiscard]] static std::shared_ptr<const Tokenizer> create(LoadedVocabulary loaded);

protected:
    void encodeText(std::string_view text, bool first, std::vector<TokenId>& out) const override;
    std::string pieceText(TokenId id) const override;

private:
    RwkvTokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits);

    TokenTrie m_tokens;
};

} // namespace engine::text
