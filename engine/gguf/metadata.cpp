// Parser, part 2: the metadata entries.
#include "engine/gguf/parser.h"

#include <algorithm>

namespace engine::gguf {

namespace {

constexpr std::uint64_t kLongestKey = 65535;

} // namespace

bool Parser::readMetadata()
{
    const std::uint64_t claimed = m_file->m_header.metadataCount;
    const std::uint64_t count = std::min(claimed, kMaxMetadata);
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!readEntry(i)) {
            return false;
        }
        m_file->m_metadataEnd = m_file->m_directoryEnd = m_reader.position();
    }
    return count == claimed;
}

/// Without a believable count, an empty key is taken for the end.
bool Parser::readEntry(std::uint64_t index)
{
    const std::uint64_t start = m_reader.position();
    ValueWalk walk = skipValue(m_reader, ValueType::String);
    if (walk.fault != ValueWalk::Fault::None) {
        reportWalk(walk, index, {});
        return false;
    }
    MetadataEntry entry;
    const auto endian =
        m_file->m_header.bigEndian ? ByteReader::Endian::Big : ByteReader::Endian::Little;
    entry.key =
        Value(ValueType::String, m_file->m_bytes, { start, m_reader.position() - start }, endian)
            .asText()
            .value_or(std::string_view());
    if (entry.key.empty() && !m_metadataCountPossible) {
        return false;
    }
    const std::uint64_t typeAt = m_reader.position();
    const auto number = m_reader.read<std::uint32_t>();
    if (!number || !isValueType(*number)) {
        walk.fault = number ? ValueWalk::Fault::UnknownType : ValueWalk::Fault::FileEnds;
        walk.offset = typeAt;
        walk.number = number.value_or(0);
        reportWalk(walk, index, entry.key);
        return false;
    }
    const auto type = static_cast<ValueType>(*number);
    const std::uint64_t valueAt = m_reader.position();
    walk = skipValue(m_reader, type);
    if (walk.fault != ValueWalk::Fault::None) {
        reportWalk(walk, index, entry.key);
        return false;
    }
    entry.span = { start, m_reader.position() - start };
    entry.value = Value(type, m_file->m_bytes, { valueAt, m_reader.position() - valueAt }, endian);
    if (walk.depth > 1) {
        report(Severity::Warning, ErrorCode::GgufNestedArray, { std::to_string(walk.depth) },
               valueAt, entry.key);
    }
    addEntry(index, entry);
    return true;
}

void Parser::addEntry(std::uint64_t index, const MetadataEntry& entry)
{
    const std::uint64_t at = entry.span.offset;
    if (entry.key.empty()) {
        report(Severity::Error, ErrorCode::GgufKeyEmpty, { std::to_string(index + 1) }, at);
    }
    if (entry.key.size() > kLongestKey) {
        report(Severity::Warning, ErrorCode::GgufKeyLong, { std::to_string(entry.key.size()) }, at,
               entry.key);
    }
    const auto place = static_cast<std::uint32_t>(m_file->m_metadata.size());
    if (!m_index->keys.emplace(entry.key, place).second) {
        report(Severity::Error, ErrorCode::GgufKeyDuplicate, {}, at, entry.key);
    }
    m_file->m_metadata.push_back(entry);
}

void Parser::reportWalk(const ValueWalk& walk, std::uint64_t index, std::string_view key)
{
    if (!m_metadataCountPossible) {
        return; // the count in the header is what is wrong, and has been reported
    }
    const std::string number = std::to_string(walk.number);
    const std::string left = std::to_string(walk.left);
    switch (walk.fault) {
    case ValueWalk::Fault::None:
        break;
    case ValueWalk::Fault::FileEnds:
        report(Severity::Error, ErrorCode::GgufEndsInMetadata,
               { std::to_string(index + 1), std::to_string(m_file->m_header.metadataCount) },
               walk.offset, key);
        break;
    case ValueWalk::Fault::TextLength:
        report(Severity::Error, ErrorCode::GgufTextLength, { number, left }, walk.offset, key);
        break;
    case ValueWalk::Fault::ArrayCount:
        report(Severity::Error, ErrorCode::GgufArrayCount,
               { number, std::string(valueTypeName(walk.elementType)), left }, walk.offset, key);
        break;
    case ValueWalk::Fault::UnknownType:
        report(Severity::Error, ErrorCode::GgufValueType, { number }, walk.offset, key);
        break;
    case ValueWalk::Fault::TooDeep:
        report(Severity::Error, ErrorCode::GgufNestedTooDeep, { std::to_string(kMaxArrayDepth) },
               walk.offset, key);
        break;
    }
}

} // namespace engine::gguf
