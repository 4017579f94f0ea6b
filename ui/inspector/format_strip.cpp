#include "ui/inspector/format_strip.h"

#include "engine/quant/block_fields.h"
#include "engine/quant/codec.h"
#include "ui/inspector/figures.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QVariantMap>

#include <algorithm>

namespace format_strip {

using engine::gguf::Section;
using engine::gguf::ValueType;

namespace {

// Widths of the fields around names and values.
constexpr quint64 kLength = 8;
constexpr quint64 kType = 4;
constexpr quint64 kCount = 8;

QString tr(const char* text)
{
    return QCoreApplication::translate("FormatStrip", text);
}

/// Appends a field behind the last one.
void add(Parts& parts, const QString& name, quint64 size, const char* kind)
{
    const quint64 at = parts.isEmpty() ? 0 : parts.constLast().at + parts.constLast().size;
    parts << Part { name, at, size, QString::fromLatin1(kind) };
}

/// What the first byte of a member is for.
QString kindAt(const engine::quant::BlockLayout& layout, std::uint32_t byte)
{
    for (const auto& group : layout.groups) {
        for (std::uint32_t field = 0; field < group.count; ++field) {
            if (group.bits(field).touches(byte)) {
                return kindKey(group.kind);
            }
        }
    }
    return kindKey(engine::quant::FieldKind::Padding);
}

} // namespace

QString kindKey(engine::quant::FieldKind kind)
{
    using engine::quant::FieldKind;
    switch (kind) {
    case FieldKind::Number:
        return QStringLiteral("number");
    case FieldKind::Scale:
        return QStringLiteral("scale");
    case FieldKind::Min:
        return QStringLiteral("min");
    case FieldKind::SubScale:
        return QStringLiteral("subScale");
    case FieldKind::SubMin:
        return QStringLiteral("subMin");
    case FieldKind::Quant:
        return QStringLiteral("quant");
    case FieldKind::HighBits:
        return QStringLiteral("high");
    case FieldKind::Index:
        return QStringLiteral("index");
    case FieldKind::Sign:
        return QStringLiteral("sign");
    case FieldKind::Sum:
        return QStringLiteral("sum");
    case FieldKind::Padding:
        break;
    }
    return QStringLiteral("padding");
}

Parts file(const engine::gguf::GgufFile& file)
{
    Parts parts;
    for (const Section& section : file.sections()) {
        if (section.span.size == 0) {
            continue;
        }
        switch (section.kind) {
        case Section::Kind::Header:
            add(parts, tr("header"), section.span.size, "header");
            break;
        case Section::Kind::Metadata:
            add(parts, tr("metadata"), section.span.size, "metadata");
            break;
        case Section::Kind::Directory:
            add(parts, tr("directory"), section.span.size, "directory");
            break;
        case Section::Kind::Padding:
            if (section.span.end() <= file.dataOffset()) {
                add(parts, tr("padding"), section.span.size, "padding");
            }
            break;
        default:
            break;
        }
    }
    const quint64 size = file.bytes().size();
    if (file.dataOffset() < size && !file.tensors().empty()) {
        parts << Part { tr("tensor data"), file.dataOffset(), size - file.dataOffset(),
                        QStringLiteral("quant") };
    }
    return parts;
}

Parts header(const engine::gguf::Header& header)
{
    const quint64 count = header.version == 1 ? kCount / 2 : kCount;
    Parts parts;
    add(parts, tr("magic"), 4, "scale");
    add(parts, tr("version"), 4, "min");
    add(parts, tr("tensor count"), count, "quant");
    add(parts, tr("metadata count"), count, "subScale");
    return parts;
}

Parts entry(const engine::gguf::MetadataEntry& entry)
{
    Parts parts;
    add(parts, tr("key length"), kLength, "padding");
    add(parts, tr("key"), entry.key.size(), "subScale");
    add(parts, tr("type"), kType, "min");
    const quint64 size = entry.value.span().size;
    switch (entry.value.type()) {
    case ValueType::String:
        add(parts, tr("text length"), kLength, "padding");
        add(parts, tr("text"), std::max(size, kLength) - kLength, "quant");
        break;
    case ValueType::Array:
        add(parts, tr("element type"), kType, "min");
        add(parts, tr("number of elements"), kCount, "padding");
        add(parts, tr("elements"), std::max(size, kType + kCount) - kType - kCount, "quant");
        break;
    default:
        add(parts, tr("value"), size, "quant");
    }
    return parts;
}

Parts directoryEntry(const engine::gguf::TensorInfo& tensor)
{
    Parts parts;
    add(parts, tr("name length"), kLength, "padding");
    add(parts, tr("name"), tensor.name.size(), "subScale");
    add(parts, tr("dimensions"), 4, "min");
    for (std::uint32_t at = 1; at <= std::min(tensor.dimensions, 4U); ++at) {
        add(parts, tr("dimension %1").arg(at), 8, "quant");
    }
    add(parts, tr("type"), kType, "scale");
    add(parts, tr("offset"), 8, "high");
    return parts;
}

Parts block(std::uint32_t typeNumber)
{
    const auto* info = engine::gguf::tensorTypeInfo(typeNumber);
    const auto* codec = info != nullptr ? engine::quant::codec(info->type) : nullptr;
    Parts parts;
    if (codec == nullptr || info->blockSize == 1) {
        return parts;
    }
    for (const auto& member : codec->layout->members) {
        parts << Part { QString::fromLatin1(member.name.data(),
                                            static_cast<qsizetype>(member.name.size())),
                        member.offset, member.size,
                        kindAt(*codec->layout, static_cast<std::uint32_t>(member.offset)) };
    }
    return parts;
}

QVariantList listed(const Parts& parts)
{
    QVariantList list;
    const quint64 end = parts.isEmpty() ? 0 : parts.constLast().at + parts.constLast().size;
    for (const Part& part : parts) {
        list << QVariantMap {
            { QStringLiteral("name"), part.name },
            { QStringLiteral("size"),
              part.size < 10000 ? figures::count(part.size) : figures::size(part.size) },
            { QStringLiteral("at"), figures::count(part.at) },
            { QStringLiteral("bytes"), figures::bytes(part.size) },
            { QStringLiteral("kind"), part.kind },
            { QStringLiteral("share"),
              end > 0 ? static_cast<double>(part.size) / static_cast<double>(end) : 0 },
        };
    }
    return list;
}

} // namespace format_strip
