#include "engine/text/vocabulary_check.h"

#include "engine/gguf/printable.h"
#include "engine/text/text_index.h"
#include "engine/text/vocabulary.h"

#include <algorithm>
#include <limits>

namespace engine::text {

namespace {

using gguf::Problem;
using gguf::Severity;

constexpr std::string_view kPrefix = "tokenizer.ggml.";
constexpr std::string_view kTokensKey = "tokenizer.ggml.tokens";
constexpr std::string_view kTypesKey = "tokenizer.ggml.token_type";

constexpr TokenId kMostTokens = std::numeric_limits<TokenId>::max() / 2;

class VocabularyCheck
{
public:
    VocabularyCheck(const gguf::GgufFile& file, std::uint64_t tokens)
        : m_file(file)
        , m_tokens(tokens)
    {
    }

    void findRepeats(const gguf::Value& tokens)
    {
        TextIndex texts;
        // each element takes 8 bytes of the file at least
        texts.reserve(std::min<std::uint64_t>(m_tokens, tokens.elementBytes().size() / 8 + 1));
        std::uint64_t repeated = 0;
        std::string first;
        auto cursor = tokens.elements();
        for (std::int32_t id = 0; id < kMostTokens; ++id) {
            const auto element = cursor.next();
            if (!element) {
                break;
            }
            const TokenId found = texts.add(element->asText().value_or(std::string_view()));
            if (found != id && repeated++ == 0) {
                first = std::to_string(id) + " = " + std::to_string(found);
            }
        }
        if (repeated > 0) {
            report(Severity::Warning, ErrorCode::TokensRepeated,
                   { std::to_string(repeated), first }, kTokensKey, tokens);
        }
    }

    std::vector<Problem> run()
    {
        for (const std::string_view key :
             { std::string_view("tokenizer.ggml.scores"), kTypesKey }) {
            if (const auto* value = m_file.find(key)) {
                checkLength(key, *value);
            }
        }
        checkTypes();
        for (const auto& entry : m_file.metadata()) {
            const bool isId = entry.key.starts_with(kPrefix)
                && (entry.key.ends_with("_token_id") || entry.key.ends_with("_token_ids"));
            if (isId) {
                checkIds(entry.key, entry.value);
            }
        }
        return std::move(m_problems);
    }

private:
    void checkLength(std::string_view key, const gguf::Value& value)
    {
        if (value.type() != gguf::ValueType::Array || value.count() == m_tokens) {
            return;
        }
        const bool isShort = value.count() < m_tokens;
        report(isShort ? Severity::Error : Severity::Warning,
               isShort ? ErrorCode::VocabularyArrayShort : ErrorCode::VocabularyArrayLong,
               { std::string(key), std::to_string(value.count()), std::to_string(m_tokens) }, key,
               value);
    }

    void checkTypes()
    {
        constexpr auto kLast = static_cast<std::int64_t>(TokenKind::Byte);
        const auto* value = m_file.find(kTypesKey);
        if (!value || value->type() != gguf::ValueType::Array) {
            return;
        }
        std::uint64_t unknown = 0;
        std::uint64_t index = 0;
        std::string firstToken;
        std::string firstType;
        auto cursor = value->elements();
        while (const auto element = cursor.next()) {
            const auto number = element->asInteger();
            if (number && (*number < 1 || *number > kLast) && unknown++ == 0) {
                firstToken = std::to_string(index);
                firstType = std::to_string(*number);
            }
            ++index;
        }
        if (unknown > 0) {
            report(Severity::Warning, ErrorCode::TokenTypesUnknown,
                   { std::to_string(unknown), firstToken, firstType }, kTypesKey, *value);
        }
    }

    void checkIds(std::string_view key, const gguf::Value& value)
    {
        if (value.type() != gguf::ValueType::Array) {
            checkId(key, value, value);
            return;
        }
        const std::size_t before = m_problems.size();
        auto cursor = value.elements();
        while (const auto element = cursor.next()) {
            checkId(key, *element, value);
            if (m_problems.size() > before) {
                return; // one of an array is enough
            }
        }
    }

    void checkId(std::string_view key, const gguf::Value& id, const gguf::Value& place)
    {
        const bool isInteger = id.asInteger() || id.asUnsigned();
        const auto number = id.asUnsigned();
        if (isInteger && (!number || *number >= m_tokens)) {
            report(Severity::Warning, ErrorCode::SpecialTokenOutOfRange,
                   { std::string(key), id.display(), std::to_string(m_tokens) }, key, place);
        }
    }

    void report(Severity severity, ErrorCode code, std::vector<std::string> arguments,
                std::string_view key, const gguf::Value& value)
    {
        m_problems.push_back({ severity,
                               { code,
                                 std::move(arguments),
                                 { m_file.path(), value.span().offset, gguf::printable(key) } } });
    }

    const gguf::GgufFile& m_file;
    std::uint64_t m_tokens;
    std::vector<Problem> m_problems;
};

} // namespace

std::vector<Problem> checkVocabulary(const gguf::GgufFile& file, Repeats repeats)
{
    const auto* tokens = file.find(kTokensKey);
    if (!tokens || tokens->type() != gguf::ValueType::Array || tokens->count() == 0) {
        return {};
    }
    VocabularyCheck check(file, tokens->count());
    if (repeats == Repeats::Find) {
        check.findRepeats(*tokens);
    }
    return check.run();
}

} // namespace engine::text
