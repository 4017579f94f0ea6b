#include "ui/inspector/array_index.h"

#include "engine/gguf/value_walk.h"

#include <algorithm>

using engine::ByteReader;
using engine::gguf::ByteSpan;
using engine::gguf::Value;
using engine::gguf::ValueType;

namespace {

constexpr std::uint64_t kStride = 64;
constexpr std::uint64_t kLookAt = 1 << 16; // elements between two looks at the stop token

bool isWalked(ValueType type)
{
    return engine::gguf::valueTypeSize(type) == 0;
}

} // namespace

std::shared_ptr<const ArrayIndex> ArrayIndex::make(const File& file, std::size_t metadata,
                                                   std::stop_token stop)
{
    const Value& array = file->metadata()[metadata].value;
    if (array.type() != ValueType::Array) {
        return nullptr;
    }
    const std::shared_ptr<ArrayIndex> index(new ArrayIndex);
    index->m_file = file;
    index->m_elementType = array.elementType();
    index->m_count = array.count();
    index->m_start = array.span().end() - array.elementBytes().size();
    index->m_end = array.span().end();
    if (!isWalked(index->m_elementType)) {
        return index;
    }
    index->m_marks.reserve(index->m_count / kStride + 1);
    ByteReader reader = index->reader();
    if (!reader.seek(index->m_start)) {
        return nullptr;
    }
    for (std::uint64_t at = 0; at < index->m_count; ++at) {
        if (at % kStride == 0) {
            index->m_marks.push_back(reader.position());
        }
        if (at % kLookAt == 0 && stop.stop_requested()) {
            return nullptr;
        }
        if (skipValue(reader, index->m_elementType).fault != engine::gguf::ValueWalk::Fault::None) {
            index->m_count = at; // the file was cut short since it was opened
        }
    }
    return index;
}

ByteReader ArrayIndex::reader() const
{
    return ByteReader(m_file->bytes(),
                      m_file->header().bigEndian ? ByteReader::Endian::Big
                                                 : ByteReader::Endian::Little);
}

std::optional<Value> ArrayIndex::at(std::uint64_t index) const
{
    if (index >= m_count) {
        return std::nullopt;
    }
    const auto endian =
        m_file->header().bigEndian ? ByteReader::Endian::Big : ByteReader::Endian::Little;
    if (!isWalked(m_elementType)) {
        const std::uint64_t size = engine::gguf::valueTypeSize(m_elementType);
        return Value(m_elementType, m_file->bytes(), ByteSpan { m_start + index * size, size },
                     endian);
    }
    ByteReader bytes = reader();
    if (!bytes.seek(m_marks[index / kStride])) {
        return std::nullopt;
    }
    constexpr auto kNone = engine::gguf::ValueWalk::Fault::None;
    for (std::uint64_t step = index % kStride; step > 0; --step) {
        if (skipValue(bytes, m_elementType).fault != kNone) {
            return std::nullopt;
        }
    }
    const std::uint64_t start = bytes.position();
    if (skipValue(bytes, m_elementType).fault != kNone) {
        return std::nullopt;
    }
    return Value(m_elementType, m_file->bytes(), ByteSpan { start, bytes.position() - start },
                 endian);
}

std::optional<std::uint64_t> ArrayIndex::indexOf(std::uint64_t offset) const
{
    if (offset < m_start || offset >= m_end || m_count == 0) {
        return std::nullopt;
    }
    if (!isWalked(m_elementType)) {
        return (offset - m_start) / engine::gguf::valueTypeSize(m_elementType);
    }
    const auto after = std::upper_bound(m_marks.begin(), m_marks.end(), offset);
    if (after == m_marks.begin()) {
        return std::nullopt;
    }
    auto index = static_cast<std::uint64_t>(after - m_marks.begin() - 1) * kStride;
    for (auto element = at(index); element; element = at(++index)) {
        if (offset < element->span().end()) {
            return index;
        }
    }
    return std::nullopt;
}
