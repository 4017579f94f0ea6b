#include "ui/inspector/field_finder.h"

#include "ui/inspector/figures.h"

#include <QtCore/QCoreApplication>

#include <algorithm>
#include <utility>

using engine::gguf::ByteSpan;
using engine::gguf::Section;
using engine::gguf::TensorInfo;
using engine::gguf::Value;
using engine::gguf::ValueType;

namespace {

// Widths of the fields around names and values.
constexpr std::uint64_t kLength = 8;
constexpr std::uint64_t kType = 4;
constexpr std::uint64_t kCount = 8;
constexpr std::uint64_t kDimension = 8;

QString tr(const char* text)
{
    return QCoreApplication::translate("FieldFinder", text);
}

/// The last of ascending spans that begins at or before `offset`; the end where none does or where
/// it ends before.
template <typename List, typename SpanOf>
auto holding(const List& list, std::uint64_t offset, const SpanOf& spanOf)
{
    auto after =
        std::upper_bound(list.begin(), list.end(), offset, [&](std::uint64_t at, const auto& each) {
            return at < spanOf(each).offset;
        });
    if (after == list.begin()) {
        return list.end();
    }
    --after;
    return offset < spanOf(*after).end() ? after : list.end();
}

/// Of a key or tensor; a defect may leave it empty.
QString nameText(std::string_view name)
{
    return name.empty() ? tr("(no name)") : figures::printable(name);
}

QString quoted(std::string_view text)
{
    constexpr std::size_t kMost = 80;
    return u'“' + figures::printable(text, kMost) + u'”';
}

/// Steps through fields that follow each other until one holds the byte.
class Steps
{
public:
    Steps(std::uint64_t start, std::uint64_t wanted)
        : m_at(start)
        , m_wanted(wanted)
    {
    }

    /// True when the next `size` bytes hold it; they become span().
    bool next(std::uint64_t size)
    {
        m_span = { m_at, size };
        m_at += size;
        return m_wanted < m_at;
    }
    [[nodiscard]] ByteSpan span() const { return m_span; }
    [[nodiscard]] std::uint64_t position() const { return m_at; }

private:
    std::uint64_t m_at;
    std::uint64_t m_wanted;
    ByteSpan m_span;
};

} // namespace

FieldFinder::FieldFinder(File file)
    : m_file(std::move(file))
{
    if (!m_file) {
        return;
    }
    m_sections = m_file->sections();
    for (const TensorInfo& tensor : m_file->tensors()) {
        if (tensor.data.size > 0) {
            m_byOffset.push_back(&tensor);
        }
    }
    std::stable_sort(m_byOffset.begin(), m_byOffset.end(), [](const auto* left, const auto* right) {
        return left->data.offset < right->data.offset;
    });
}

const Section* FieldFinder::sectionAt(std::uint64_t offset) const
{
    const auto found = holding(m_sections, offset,
                               [](const Section& section) -> ByteSpan { return section.span; });
    return found == m_sections.end() ? nullptr : &*found;
}

const TensorInfo* FieldFinder::weightsAt(std::uint64_t offset) const
{
    const auto found = holding(m_byOffset, offset,
                               [](const TensorInfo* tensor) -> ByteSpan { return tensor->data; });
    return found == m_byOffset.end() ? nullptr : *found;
}

/// Each part has a header, metadata and directory of its own.
Field FieldFinder::inPart(const engine::gguf::Part& part, std::uint64_t offset) const
{
    auto& finder = m_parts[part.span.offset];
    if (!finder) {
        finder = std::make_shared<const FieldFinder>(part.file);
    }
    Field field = finder->at(offset - part.span.offset);
    // Parts in one file were read to its end, each.
    field.span.size = std::min(field.span.size, part.span.size - field.span.offset);
    field.span.offset += part.span.offset;
    return field;
}

Field FieldFinder::at(std::uint64_t offset) const
{
    const auto* part = m_file && m_file->set() ? m_file->partAt(offset) : nullptr;
    if (part != nullptr) {
        return inPart(*part, offset);
    }
    const Section* section = m_file ? sectionAt(offset) : nullptr;
    if (section == nullptr) {
        return {};
    }
    switch (section->kind) {
    case Section::Kind::Header:
        return inHeader(offset);
    case Section::Kind::Metadata:
        return inMetadata(offset);
    case Section::Kind::Directory:
        return inDirectory(offset);
    case Section::Kind::Data:
        if (const TensorInfo* tensor = weightsAt(offset)) {
            return inWeights(*tensor, offset);
        }
        break;
    case Section::Kind::Padding:
        return { section->span, tr("Padding up to the next multiple of the alignment"), {} };
    case Section::Kind::Gap:
        return { section->span,
                 section->name == "unread"      ? tr("Not read: it follows a defect")
                     : m_file->set() != nullptr ? tr("Between two parts: the rest of a page, in "
                                                     "no file")
                                                : tr("A gap that belongs to nothing"),
                 {} };
    case Section::Kind::Trailing:
        return { section->span, tr("Past the end of the last tensor"), {} };
    }
    return { section->span, figures::printable(section->name), {} };
}

Field FieldFinder::inHeader(std::uint64_t offset) const
{
    const auto& header = m_file->header();
    const std::uint64_t count = header.version == 1 ? kCount / 2 : kCount;
    Steps steps(0, offset);
    if (steps.next(4)) {
        return { steps.span(), tr("Magic"), QStringLiteral("GGUF") };
    }
    if (steps.next(4)) {
        return { steps.span(), tr("Version"), QString::number(header.version) };
    }
    if (steps.next(count)) {
        return { steps.span(), tr("Number of tensors"), figures::count(header.tensorCount) };
    }
    (void)steps.next(count);
    return { steps.span(), tr("Number of metadata entries"), figures::count(header.metadataCount) };
}

Field FieldFinder::inMetadata(std::uint64_t offset) const
{
    const auto entries = m_file->metadata();
    const auto found =
        holding(entries, offset, [](const auto& entry) -> ByteSpan { return entry.span; });
    if (found == entries.end()) {
        return { { offset, 1 }, tr("Metadata"), {} };
    }
    const QString key = nameText(found->key);
    Steps steps(found->span.offset, offset);
    if (steps.next(kLength)) {
        return { steps.span(), tr("%1: length of the key").arg(key),
                 figures::bytes(found->key.size()) };
    }
    if (steps.next(found->key.size())) {
        return { steps.span(), tr("%1: the key").arg(key), {} };
    }
    if (steps.next(kType)) {
        return { steps.span(), tr("%1: type of the value").arg(key), figures::type(found->value) };
    }
    return found->value.type() == ValueType::Array
        ? inArray(key, static_cast<std::size_t>(found - entries.begin()), offset)
        : inValue(key, found->value, offset);
}

Field FieldFinder::inValue(const QString& key, const Value& value, std::uint64_t offset) const
{
    if (value.type() == ValueType::Array) { // an array within an array
        return { value.span(), key, figures::type(value) };
    }
    const auto text = value.asText();
    if (!text) {
        return { value.span(), key, QString::fromStdString(value.display()) };
    }
    Steps steps(value.span().offset, offset);
    if (steps.next(kLength)) {
        return { steps.span(), tr("%1: length of the text").arg(key),
                 figures::bytes(text->size()) };
    }
    (void)steps.next(text->size());
    return { steps.span(), tr("%1: the text").arg(key), quoted(*text) };
}

Field FieldFinder::inArray(const QString& key, std::size_t entry, std::uint64_t offset) const
{
    const Value& array = m_file->metadata()[entry].value;
    Steps steps(array.span().offset, offset);
    if (steps.next(kType)) {
        const auto name = valueTypeName(array.elementType());
        return { steps.span(), tr("%1: type of the elements").arg(key),
                 QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())) };
    }
    if (steps.next(kCount)) {
        return { steps.span(), tr("%1: number of elements").arg(key),
                 figures::count(array.count()) };
    }
    auto& index = m_arrays[entry];
    if (!index) {
        index = ArrayIndex::make(m_file, entry);
    }
    const auto number = index ? index->indexOf(offset) : std::nullopt;
    const auto element = number ? index->at(*number) : std::nullopt;
    return element
        ? inValue(tr("%1, element %2").arg(key, figures::count(*number)), *element, offset)
        : Field { array.span(), key, {} };
}

Field FieldFinder::inDirectory(std::uint64_t offset) const
{
    const auto tensors = m_file->tensors();
    const auto found =
        holding(tensors, offset, [](const auto& tensor) -> ByteSpan { return tensor.entry; });
    if (found == tensors.end()) {
        return { { offset, 1 }, tr("Tensor directory"), {} };
    }
    const QString name = nameText(found->name);
    Steps steps(found->entry.offset, offset);
    if (steps.next(kLength)) {
        return { steps.span(), tr("%1: length of the name").arg(name),
                 figures::bytes(found->name.size()) };
    }
    if (steps.next(found->name.size())) {
        return { steps.span(), tr("%1: the name").arg(name), {} };
    }
    if (steps.next(kType)) {
        return { steps.span(), tr("%1: number of dimensions").arg(name),
                 QString::number(found->dimensions) };
    }
    for (std::uint32_t at = 0; at < std::min(found->dimensions, 4U); ++at) {
        if (steps.next(kDimension)) {
            return { steps.span(), tr("%1: dimension %2").arg(name).arg(at + 1),
                     figures::count(found->shape[at]) };
        }
    }
    if (steps.next(kType)) {
        return { steps.span(), tr("%1: type").arg(name),
                 QStringLiteral("%1 (%2)").arg(figures::type(*found)).arg(found->typeNumber) };
    }
    (void)steps.next(kLength);
    return { steps.span(), tr("%1: offset within the data section").arg(name),
             figures::offset(found->relativeOffset) };
}

Field FieldFinder::inWeights(const TensorInfo& tensor, std::uint64_t offset) const
{
    const QString name = nameText(tensor.name);
    const auto* type = tensor.typeInfo();
    if (type == nullptr || tensor.shape[0] % type->blockSize != 0 || tensor.shape[0] == 0) {
        return { tensor.data, name, {} };
    }
    const std::uint64_t block = (offset - tensor.data.offset) / type->typeSize;
    const std::uint64_t inRow = tensor.shape[0] / type->blockSize;
    const ByteSpan span { tensor.data.offset + block * type->typeSize, type->typeSize };
    const QString row = figures::count(block / inRow);
    if (type->blockSize == 1) {
        return { span,
                 tr("%1: row %2, value %3").arg(name, row, figures::count(block % inRow)),
                 {} };
    }
    return { span,
             tr("%1: row %2, block %3, byte %4")
                 .arg(name, row, figures::count(block % inRow))
                 .arg(offset - span.offset),
             {} };
}
