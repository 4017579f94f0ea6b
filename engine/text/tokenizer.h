// Text to token ids and back, as a model file describes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"
#include "engine/text/vocabulary.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::text {

/// A piece of a prompt. Only in `trusted` pieces (written by the template, not by a person) are
/// control tokens read.
struct Segment
{
    std::string_view text;
    bool trusted = false;
};

struct EncodeOptions
{
    bool addSpecial = true; ///< BOS/EOS (CLS/SEP) as the vocabulary asks
    bool parseSpecial =
        false; ///< read control tokens in the text (in trusted segments for segmented input)
};

enum class DetokenizeMode {
    Text, ///< pieces joined, special tokens shown
    NoSpecial, ///< pieces joined, control tokens skipped
    Clean, ///< whole-sequence form: BOS/EOS removed, leading space and spaces before punctuation
           ///< cleaned
};

struct TokenizerOptions
{
    std::optional<std::string> pre; ///< overrides tokenizer.ggml.pre
};

class SpecialTokens;
class Tokenizer;
struct Fragment;
struct TokenizerTraits;

/// A tokenizer with what its user must be told (unknown pre-tokenizer, duplicate tokens, …).
struct LoadedTokenizer
{
    std::shared_ptr<const Tokenizer> tokenizer;
    std::vector<gguf::Problem> warnings; ///< severity Warning or Note
};

/// Immutable and thread-safe. Encoding is linear (or n log n) in the text's length.
class Tokenizer
{
public:
    /// Works on a vocabulary alone, whatever the architecture. Errors name the key.
    [[nodiscard]] static Result<LoadedTokenizer> load(std::shared_ptr<const gguf::GgufFile> file,
                                                      const TokenizerOptions& options = {});
    virtual ~Tokenizer();
    Tokenizer(const Tokenizer&) = delete;
    Tokenizer& operator=(const Tokenizer&) = delete;

    [[nodiscard]] const Vocabulary& vocabulary() const { return *m_vocabulary; }

    /// Any bytes; never fails (falls back to byte tokens or the unknown token).
    [[nodiscard]] std::vector<TokenId> encode(std::string_view text,
                                              const EncodeOptions& options = {}) const;
    /// A prompt of trusted and untrusted pieces: control tokens are read (always) in trusted pieces
    /// and never in untrusted ones, nor across a border; ordinary text is merged across borders as
    /// if it were one string. User-defined tokens are read everywhere, as their kind asks.
    [[nodiscard]] std::vector<TokenId> encodeSegments(std::span<const Segment> segments,
                                                      bool addSpecial) const;

    /// The bytes one token stands for ("▁Hello" → " Hello", "<0x0A>" → "\n"); control tokens give
    /// their name.
    [[nodiscard]] std::string piece(TokenId id) const;
    [[nodiscard]] std::string detokenize(std::span<const TokenId> ids, DetokenizeMode mode) const;

protected:
    Tokenizer(std::shared_ptr<const Vocabulary> vocabulary, TokenizerTraits traits);

    /// Splits ordinary text (no special tokens inside) to ids, appended to `out`. `first`: nothing,
    /// or a special token, stands before it.
    virtual void encodeText(std::string_view text, bool first, std::vector<TokenId>& out) const = 0;
    /// The bytes of a normal token; all other kinds are the same for every tokenizer.
    virtual std::string pieceText(TokenId id) const = 0;
    [[nodiscard]] const TokenizerTraits& traits() const { return *m_traits; }
    std::shared_ptr<const Vocabulary> m_vocabulary;

private:
    [[nodiscard]] std::vector<TokenId> encodeFragments(std::string_view text,
                                                       std::span<const Fragment> fragments,
                                                       bool addSpecial) const;

    std::unique_ptr<const TokenizerTraits> m_traits;
    std::unique_ptr<const SpecialTokens> m_special;
};

} // namespace engine::text
