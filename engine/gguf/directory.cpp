// Parser, part 4: the tensor directory.
#include "engine/gguf/parser.h"
#include "engine/gguf/printable.h"

#include <algorithm>

namespace engine::gguf {

namespace {

constexpr std::uint32_t kMaxDimensions = 4;
// A directory entry with a few more dimensions can be stepped over; more than this is no directory
// entry.
constexpr std::uint32_t kMaxSkippedDimensions = 64;
constexpr std::uint64_t kMaxName = 63; // of llama.cpp; the format allows 64

} // namespace

bool Parser::readDirectory()
{
    const std::uint64_t claimed = m_file->m_header.tensorCount;
    const std::uint64_t count = std::min(claimed, kMaxTensors);
    for (std::uint64_t i = 0; i < count; ++i) {
        if (!readTensor(i)) {
            return false;
        }
        m_file->m_directoryEnd = m_reader.position();
    }
    return count == claimed;
}

bool Parser::readTensor(std::uint64_t index)
{
    const std::uint64_t start = m_reader.position();
    if (index == 0 && nextIsMetadata()) {
        return false;
    }
    TensorInfo tensor;
    const auto length = m_reader.read<std::uint64_t>();
    if (!length) {
        return endsInDirectory(index, {});
    }
    const auto name = m_reader.readText(*length);
    if (!name) {
        if (m_tensorCountPossible) {
            report(Severity::Error, ErrorCode::GgufTextLength,
                   { std::to_string(*length), std::to_string(m_reader.remaining()) }, start);
        }
        return false;
    }
    tensor.name = *name;
    if (!readShape(tensor, index)) {
        return false;
    }
    const auto type = m_reader.read<std::uint32_t>();
    const auto offset = m_reader.read<std::uint64_t>();
    if (!type || !offset) {
        return endsInDirectory(index, tensor.name);
    }
    tensor.typeNumber = *type;
    tensor.relativeOffset = *offset;
    tensor.entry = { start, m_reader.position() - start };
    if (tensor.dimensions <= kMaxDimensions) {
        addTensor(tensor, index);
    }
    return true;
}

bool Parser::readShape(TensorInfo& tensor, std::uint64_t index)
{
    const std::uint64_t at = m_reader.position();
    const auto dimensions = m_reader.read<std::uint32_t>();
    if (!dimensions) {
        return endsInDirectory(index, tensor.name);
    }
    tensor.dimensions = *dimensions;
    if (*dimensions > kMaxDimensions) {
        if (m_tensorCountPossible) {
            report(Severity::Error, ErrorCode::GgufTensorDimensions,
                   { std::to_string(*dimensions) }, at, tensor.name);
        }
        return *dimensions <= kMaxSkippedDimensions && m_reader.skip(8ULL * *dimensions);
    }
    for (std::uint32_t d = 0; d < *dimensions; ++d) {
        const auto length = m_reader.read<std::uint64_t>();
        if (!length) {
            return endsInDirectory(index, tensor.name);
        }
        tensor.shape[d] = *length;
    }
    return true;
}

/// Reports it, unless the count in the header is what is wrong. Always false, for the callers to
/// return.
bool Parser::endsInDirectory(std::uint64_t index, std::string_view name)
{
    if (m_tensorCountPossible) {
        report(Severity::Error, ErrorCode::GgufEndsInDirectory,
               { std::to_string(index + 1), std::to_string(m_file->m_header.tensorCount) },
               m_file->m_bytes.size(), name);
    }
    return false;
}

void Parser::addTensor(const TensorInfo& tensor, std::uint64_t index)
{
    const std::uint64_t at = tensor.entry.offset;
    if (tensor.name.empty()) {
        report(Severity::Error, ErrorCode::GgufTensorNameEmpty, { std::to_string(index + 1) }, at);
    }
    if (tensor.name.size() > kMaxName) {
        report(Severity::Warning, ErrorCode::GgufTensorNameLong,
               { std::to_string(tensor.name.size()) }, at, tensor.name);
    }
    const auto place = static_cast<std::uint32_t>(m_file->m_tensors.size());
    if (!m_index->tensors.emplace(tensor.name, place).second) {
        report(Severity::Error, ErrorCode::GgufTensorDuplicate, {}, at, tensor.name);
    }
    m_file->m_tensors.push_back(tensor);
}

/// A metadata count that is too small makes the next key pass for the first tensor. Such a tensor
/// has an unknown type or an impossible shape, while it reads well as a key with a value that
/// something else follows.
bool Parser::nextIsMetadata()
{
    ByteReader asTensor = m_reader;
    const auto length = asTensor.read<std::uint64_t>();
    const auto name = length ? asTensor.readText(*length) : std::nullopt;
    const auto dimensions = asTensor.read<std::uint32_t>();
    if (!name || name->empty() || !dimensions || !isValueType(*dimensions)) {
        return false;
    }
    ByteReader asEntry = asTensor; // the number of dimensions would be the value's type
    TensorInfo tensor;
    for (std::uint32_t d = 0; d < std::min(*dimensions, kMaxDimensions); ++d) {
        tensor.shape[d] = asTensor.read<std::uint64_t>().value_or(0);
    }
    tensor.typeNumber = asTensor.read<std::uint32_t>().value_or(~0U);
    if (*dimensions <= kMaxDimensions && tensor.typeInfo() && elementCount(tensor)) {
        return false;
    }
    const ValueWalk walk = skipValue(asEntry, static_cast<ValueType>(*dimensions));
    const auto nextLength = asEntry.read<std::uint64_t>();
    if (walk.fault != ValueWalk::Fault::None || !nextLength || !asEntry.skip(*nextLength)) {
        return false;
    }
    report(Severity::Error, ErrorCode::GgufMetadataCountLow, { printable(*name) },
           m_reader.position());
    return true;
}

} // namespace engine::gguf
