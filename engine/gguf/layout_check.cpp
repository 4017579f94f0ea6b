// Parser, part 5: sizes and places of the tensors' data, and whether the file holds them.
#include "engine/gguf/parser.h"
#include "engine/gguf/printable.h"

#include <algorithm>
#include <limits>

namespace engine::gguf {

namespace {

constexpr std::uint64_t kMaxElements = std::numeric_limits<std::int64_t>::max();

// Places in a directory entry, counted from its end.
constexpr std::uint64_t kOffsetField = 8;
constexpr std::uint64_t kTypeField = 12;

std::uint64_t shapeAt(const TensorInfo& tensor)
{
    return tensor.entry.end() - kTypeField - 8ULL * tensor.dimensions;
}

std::string shapeText(const TensorInfo& tensor)
{
    std::string out = "[";
    for (std::uint32_t d = 0; d < tensor.dimensions; ++d) {
        out += (d == 0 ? "" : ", ") + std::to_string(tensor.shape[d]);
    }
    return out + "]";
}

/// An unknown type: the tensor has weights, nobody knows how many bytes of them.
bool hasUnknownSize(const TensorInfo& tensor)
{
    return tensor.data.size == 0 && tensor.elements != 0;
}

} // namespace

std::optional<std::uint64_t> elementCount(const TensorInfo& tensor)
{
    std::uint64_t elements =
        1; // of the lengths other than 0: huge lengths beside a 0 are nonsense too
    bool empty = false;
    for (const std::uint64_t length : tensor.shape) {
        empty = empty || length == 0;
        if (length != 0
            && (__builtin_mul_overflow(elements, length, &elements) || elements > kMaxElements)) {
            return std::nullopt;
        }
    }
    return empty ? 0 : elements;
}

void Parser::placeTensors()
{
    m_file->m_dataOffset = m_file->m_directoryEnd;
    if (!m_file->m_complete) {
        for (TensorInfo& tensor : m_file->m_tensors) {
            tensor.elements = elementsOf(tensor).value_or(0); // their data begin nobody knows where
        }
        return;
    }
    if (m_file->m_header.tensorCount > 0) {
        m_file->m_dataOffset =
            alignedUp(m_file->m_directoryEnd, m_file->m_header.alignment)
                .value_or(m_file->m_directoryEnd); // the alignment is bounded: always a value
    }
    for (TensorInfo& tensor : m_file->m_tensors) {
        placeTensor(tensor);
    }
    if (!m_alignmentKnown) {
        return; // all places are guesses
    }
    std::vector<const TensorInfo*> byOffset;
    for (const TensorInfo& tensor : m_file->m_tensors) {
        if (tensor.elements != 0) {
            byOffset.push_back(&tensor);
        }
    }
    std::ranges::stable_sort(byOffset, {}, [](const TensorInfo* t) { return t->data.offset; });
    checkOrder();
    checkNeighbours(byOffset);
    checkEnd(byOffset);
}

void Parser::placeTensor(TensorInfo& tensor)
{
    const std::uint64_t alignment = m_file->m_header.alignment;
    tensor.elements = elementsOf(tensor).value_or(0);
    const auto size = sizeOf(tensor);
    tensor.data = { m_file->m_dataOffset, 0 };
    std::uint64_t end = 0;
    const bool inNumbers =
        !__builtin_add_overflow(m_file->m_dataOffset, tensor.relativeOffset, &tensor.data.offset)
        && !__builtin_add_overflow(tensor.data.offset, size.value_or(0), &end)
        && alignedUp(end, alignment);
    if (!inNumbers || (m_alignmentKnown && tensor.relativeOffset % alignment != 0)) {
        report(Severity::Error, ErrorCode::GgufTensorOffset,
               { std::to_string(tensor.relativeOffset), std::to_string(alignment) },
               tensor.entry.end() - kOffsetField, tensor.name);
    }
    if (!inNumbers) {
        tensor.elements = 0;
        tensor.data = { m_file->m_dataOffset, 0 };
        return;
    }
    tensor.data.size = size.value_or(0);
}

/// Nothing, and a report, for a shape that no file can hold.
std::optional<std::uint64_t> Parser::elementsOf(const TensorInfo& tensor)
{
    const auto elements = elementCount(tensor);
    if (!elements) {
        report(Severity::Error, ErrorCode::GgufTensorTooLarge, { shapeText(tensor) },
               shapeAt(tensor), tensor.name);
    }
    return elements;
}

/// Nothing, and a report, where the type or its blocks do not fit.
std::optional<std::uint64_t> Parser::sizeOf(const TensorInfo& tensor)
{
    const std::uint64_t typeAt = tensor.entry.end() - kTypeField;
    const TensorTypeInfo* type = tensor.typeInfo();
    if (!type) {
        const std::string number = std::to_string(tensor.typeNumber);
        const std::string_view former = formerTensorTypeName(tensor.typeNumber);
        if (former.empty()) {
            report(Severity::Error, ErrorCode::GgufTensorType, { number }, typeAt, tensor.name);
        } else {
            report(Severity::Error, ErrorCode::GgufTensorTypeFormer,
                   { number, std::string(former) }, typeAt, tensor.name);
        }
        return std::nullopt;
    }
    if (tensor.elements == 0) {
        return 0;
    }
    if (tensor.shape[0] % type->blockSize != 0) {
        report(Severity::Error, ErrorCode::GgufTensorRow,
               { std::to_string(tensor.shape[0]), std::to_string(type->blockSize),
                 std::string(type->name) },
               shapeAt(tensor), tensor.name);
        return std::nullopt;
    }
    std::uint64_t size = 0;
    if (__builtin_mul_overflow(tensor.elements / type->blockSize, type->typeSize, &size)
        || size > kMaxElements) {
        report(Severity::Error, ErrorCode::GgufTensorTooLarge, { shapeText(tensor) },
               shapeAt(tensor), tensor.name);
        return std::nullopt;
    }
    return size;
}

void Parser::checkOrder()
{
    std::uint64_t last = 0;
    for (const TensorInfo& tensor : m_file->m_tensors) {
        if (tensor.elements == 0) {
            continue;
        }
        if (tensor.data.offset < last) {
            report(Severity::Warning, ErrorCode::GgufTensorOrder, {},
                   tensor.entry.end() - kOffsetField, tensor.name);
            return;
        }
        last = tensor.data.offset;
    }
}

void Parser::checkNeighbours(std::span<const TensorInfo* const> byOffset)
{
    const std::uint64_t alignment = m_file->m_header.alignment;
    const TensorInfo* before = nullptr; // the one that reaches furthest so far
    const TensorInfo* firstAfterGap = nullptr;
    std::uint64_t expected = m_file->m_dataOffset;
    std::uint64_t unused = 0;
    std::uint64_t gaps = 0;
    for (const TensorInfo* tensor : byOffset) {
        const std::uint64_t start = tensor->data.offset;
        if (before && start < before->data.end()) {
            const std::uint64_t shared = std::min(before->data.end(), tensor->data.end()) - start;
            report(Severity::Error, ErrorCode::GgufTensorOverlap,
                   { printable(before->name), std::to_string(shared) }, start, tensor->name);
        } else if (start > expected && tensor->relativeOffset % alignment == 0
                   && !(before && hasUnknownSize(*before))) {
            unused += start - expected;
            firstAfterGap = gaps == 0 ? tensor : firstAfterGap;
            ++gaps;
        }
        if (!before || tensor->data.end() >= before->data.end()) {
            before = tensor;
            expected = alignedUp(tensor->data.end(), alignment).value_or(expected);
        }
    }
    if (firstAfterGap) {
        report(Severity::Warning, ErrorCode::GgufTensorGap,
               { std::to_string(unused), std::to_string(gaps) }, firstAfterGap->data.offset,
               firstAfterGap->name);
    }
}

void Parser::checkEnd(std::span<const TensorInfo* const> byOffset)
{
    const std::uint64_t fileSize = m_file->m_bytes.size();
    const TensorInfo* firstCut = nullptr;
    std::uint64_t end = m_file->m_dataOffset;
    std::uint64_t cut = 0;
    for (const TensorInfo* tensor : byOffset) {
        end = std::max(end, tensor->data.end());
        if (tensor->data.end() > fileSize) {
            firstCut = firstCut ? firstCut : tensor;
            ++cut;
        }
    }
    if (firstCut) {
        report(Severity::Error, ErrorCode::GgufTensorDataMissing,
               { std::to_string(end - fileSize), std::to_string(cut),
                 std::to_string(m_file->m_tensors.size()) },
               firstCut->data.offset, firstCut->name);
        return;
    }
    const bool endKnown = byOffset.empty() || !hasUnknownSize(*byOffset.back());
    if (endKnown) {
        checkTrailing(end);
    }
}

/// What follows the last tensor: nothing, the next file, or bytes that nobody reads.
void Parser::checkTrailing(std::uint64_t end)
{
    const auto bytes = m_file->m_bytes;
    const auto padded = alignedUp(end, m_file->m_header.alignment);
    for (const std::uint64_t at : { padded.value_or(end), end }) {
        ByteReader reader(bytes);
        if (reader.seek(at) && reader.readText(4) == "GGUF") {
            const Value* count = m_file->find("split.count");
            const bool isPart = count && count->asUnsigned().value_or(0) > 1;
            report(isPart ? Severity::Error : Severity::Warning, ErrorCode::GgufJoined, {}, at);
            return;
        }
    }
    if (m_errors == 0 && padded && bytes.size() > *padded) {
        report(Severity::Note, ErrorCode::GgufTrailingBytes,
               { std::to_string(bytes.size() - *padded) }, *padded);
    }
}

} // namespace engine::gguf
