// Parser, part 3: the keys that the container itself gives a meaning.
#include "engine/gguf/parser.h"

#include <array>

namespace engine::gguf {

namespace {

constexpr std::uint64_t kMaxAlignment = 1U << 30U;

bool isPowerOfTwo(std::uint64_t number)
{
    return number != 0 && (number & (number - 1)) == 0;
}

} // namespace

void Parser::readAlignment()
{
    constexpr std::string_view kKey = "general.alignment";
    const auto found = m_index->keys.find(kKey);
    if (found == m_index->keys.end()) {
        return;
    }
    const Value& value = m_file->m_metadata[found->second].value;
    const std::uint64_t at = value.span().offset;
    const auto alignment = value.asUnsigned();
    if (!alignment || *alignment == 0 || *alignment > kMaxAlignment
        || (!isPowerOfTwo(*alignment) && *alignment % 8 != 0)) {
        m_alignmentKnown = false;
        report(Severity::Error, ErrorCode::GgufAlignment,
               { value.display(), std::to_string(kMaxAlignment) }, at, kKey);
        return;
    }
    if (value.type() != ValueType::U32) {
        report(Severity::Warning, ErrorCode::GgufAlignmentType,
               { std::string(valueTypeName(value.type())) }, at, kKey);
    }
    if (!isPowerOfTwo(*alignment)) {
        report(Severity::Warning, ErrorCode::GgufAlignmentOdd, { std::to_string(*alignment) }, at,
               kKey);
    }
    m_file->m_header.alignment = *alignment;
}

void Parser::checkSplit()
{
    struct SplitKey
    {
        std::string_view name;
        ValueType type;
    };
    constexpr auto kSplitKeys = std::to_array<SplitKey>({
        { "split.count", ValueType::U16 },
        { "split.no", ValueType::U16 },
        { "split.tensors.count", ValueType::I32 },
    });
    for (const SplitKey& key : kSplitKeys) {
        const Value* value = m_file->find(key.name);
        if (value && value->type() != key.type) {
            report(
                Severity::Warning, ErrorCode::GgufSplitKeyType,
                { std::string(valueTypeName(value->type())), std::string(valueTypeName(key.type)) },
                value->span().offset, key.name);
        }
    }
    const Value* count = m_file->find("split.count");
    const auto parts = count ? count->asUnsigned() : std::nullopt;
    if (parts && *parts > 1) {
        const Value* number = m_file->find("split.no");
        const auto part = number ? number->asUnsigned() : std::nullopt;
        report(Severity::Warning, ErrorCode::GgufSplitPart,
               { part ? std::to_string(*part + 1) : "?", std::to_string(*parts) },
               count->span().offset, "split.count");
    }
}

} // namespace engine::gguf
