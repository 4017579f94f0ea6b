// The vocabulary of a model file: token texts, types, scores, special tokens.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"
#include "engine/text/stored_templates.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::text {

using TokenId = std::int32_t;
constexpr TokenId kNoToken = -1;

/// As stored in tokenizer.ggml.token_type.
enum class TokenKind : std::uint8_t {
    Undefined = 0,
    Normal = 1,
    Unknown = 2,
    Control = 3,
    UserDefined = 4,
    Unused = 5,
    Byte = 6
};

enum class VocabularyModel { Spm, Bpe, WordPiece, Unigram, Rwkv };

/// Immutable after loading. Token texts are views into the mapped file.
class Vocabulary
{
public:
    [[nodiscard]] VocabularyModel model() const;
    [[nodiscard]] std::int32_t size() const;
    [[nodiscard]] std::string_view text(TokenId id) const; ///< as stored
    [[nodiscard]] TokenKind kind(TokenId id) const;
    [[nodiscard]] float score(TokenId id) const;
    /// Exact text; the lowest id where texts repeat.
    [[nodiscard]] std::optional<TokenId> find(std::string_view text) const;
    /// Hints that `find(text)` comes soon; a batch of hints hides the waits for memory.
    void expect(std::string_view text) const;
    /// Some text belongs to more than one token.
    [[nodiscard]] bool hasRepeats() const;
    [[nodiscard]] bool valid(TokenId id) const { return id >= 0 && id < size(); }

    [[nodiscard]] TokenId bos() const;
    [[nodiscard]] TokenId eos() const;
    [[nodiscard]] TokenId unknown() const;
    [[nodiscard]] TokenId separator() const;
    [[nodiscard]] bool addsBos() const;
    [[nodiscard]] bool addsEos() const;
    /// A separator token closes encoded text (sentence encoders).
    [[nodiscard]] bool addsSeparator() const;
    /// True for tokens that only a template may write, never text that a person typed: control and
    /// unknown tokens, and those that the file calls control tokens though they are shown as text
    /// (gpt-oss' channels).
    [[nodiscard]] bool needsTrust(TokenId id) const;
    /// All tokens that end a generation: eos, eot, eom and their relatives found by text.
    [[nodiscard]] bool endsGeneration(TokenId id) const;
    [[nodiscard]] std::span<const TokenId> endTokens() const;
    /// tokenizer.chat_template, if it is a string.
    [[nodiscard]] std::optional<std::string_view> chatTemplate() const;
    /// That and the named ones.
    [[nodiscard]] const StoredTemplates& chatTemplates() const;

    Vocabulary();
    ~Vocabulary();

private:
    friend class VocabularyLoader;
    struct Data;
    std::unique_ptr<Data> m_data;
};

} // namespace engine::text
