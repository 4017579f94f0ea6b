// Builds small GGUF files with a vocabulary in memory, for tests that need no real model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/tokenizer.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// Collects metadata; `load` parses it and opens the tokenizer. Must outlive what it loaded.
class VocabularyBuilder
{
public:
    explicit VocabularyBuilder(std::string_view model) { text("tokenizer.ggml.model", model); }

    VocabularyBuilder& text(std::string_view key, std::string_view value)
    {
        begin(key, 8);
        put(value);
        return *this;
    }
    VocabularyBuilder& flag(std::string_view key, bool value)
    {
        begin(key, 7);
        put<std::uint8_t>(value);
        return *this;
    }
    VocabularyBuilder& number(std::string_view key, std::uint32_t value)
    {
        begin(key, 4);
        put(value);
        return *this;
    }
    /// An array of u8.
    VocabularyBuilder& bytes(std::string_view key, std::string_view values)
    {
        begin(key, 9);
        put<std::uint32_t>(0);
        put(values);
        return *this;
    }
    VocabularyBuilder& merges(const std::vector<std::string>& values)
    {
        return texts("tokenizer.ggml.merges", values);
    }
    /// One token more; written with `load`.
    VocabularyBuilder& token(std::string text, int kind = 1, float score = 0)
    {
        m_tokens.push_back(std::move(text));
        m_kinds.push_back(kind);
        m_scores.push_back(score);
        return *this;
    }
    /// The 256 tokens of the byte alphabet (BPE) or "<0x00>" to "<0xFF>" (SPM).
    VocabularyBuilder& byteNames()
    {
        constexpr std::string_view kDigits = "0123456789ABCDEF";
        for (unsigned byte = 0; byte < 256; ++byte) {
            token({ '<', '0', 'x', kDigits[byte >> 4], kDigits[byte & 15], '>' }, 6);
        }
        return *this;
    }
    [[nodiscard]] int tokens() const { return static_cast<int>(m_tokens.size()); }

    [[nodiscard]] engine::Result<engine::text::LoadedTokenizer>
    load(const engine::text::TokenizerOptions& options = {})
    {
        texts("tokenizer.ggml.tokens", m_tokens);
        begin("tokenizer.ggml.token_type", 9);
        put<std::uint32_t>(5);
        putAll(m_kinds);
        begin("tokenizer.ggml.scores", 9);
        put<std::uint32_t>(6);
        putAll(m_scores);
        std::string file = "GGUF";
        append<std::uint32_t>(file, 3);
        append<std::uint64_t>(file, 0);
        append<std::uint64_t>(file, m_entries);
        m_file = file + m_body;
        auto parsed = engine::gguf::GgufFile::parse(std::as_bytes(std::span(m_file)), "built");
        if (!parsed) {
            return tl::unexpected(parsed.error());
        }
        return engine::text::Tokenizer::load(*parsed, options);
    }

private:
    template <typename T>
    static void append(std::string& out, T value)
    {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &value, sizeof(T));
        out.append(bytes, sizeof(T));
    }
    template <typename T>
    void put(T value)
    {
        append(m_body, value);
    }
    void put(std::string_view value)
    {
        append<std::uint64_t>(m_body, value.size());
        m_body += value;
    }
    template <typename T>
    void putAll(const std::vector<T>& values)
    {
        append<std::uint64_t>(m_body, values.size());
        for (const T value : values) {
            append(m_body, value);
        }
    }
    VocabularyBuilder& texts(std::string_view key, const std::vector<std::string>& values)
    {
        begin(key, 9);
        put<std::uint32_t>(8);
        append<std::uint64_t>(m_body, values.size());
        for (const std::string& value : values) {
            put(std::string_view(value));
        }
        return *this;
    }
    void begin(std::string_view key, std::uint32_t type)
    {
        put(key);
        put(type);
        ++m_entries;
    }

    std::string m_body;
    std::string m_file;
    std::uint64_t m_entries = 0;
    std::vector<std::string> m_tokens;
    std::vector<std::int32_t> m_kinds;
    std::vector<float> m_scores;
};

} // namespace tests
