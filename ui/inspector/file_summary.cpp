#include "ui/inspector/file_summary.h"

#include "ui/inspector/figures.h"
#include "ui/inspector/section_words.h"
#include "ui/inspector/type_totals.h"
#include "ui/inspector/type_words.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>
#include <QtCore/QVariantMap>

#include <algorithm>
#include <array>

namespace file_summary {

using engine::gguf::ByteSpan;
using engine::gguf::GgufFile;
using Kind = engine::gguf::Section::Kind;

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("FileSummary", text);
}

QString textOf(const GgufFile& file, std::string_view key)
{
    const auto* value = file.find(key);
    const auto text = value != nullptr ? value->asText() : std::nullopt;
    return text ? figures::printable(*text) : QString();
}

ByteSpan spanOf(const GgufFile& file, Kind kind)
{
    for (const auto& section : file.sections()) {
        if (section.kind == kind) {
            return section.span;
        }
    }
    return {};
}

QVariantMap field(const QString& name, const QString& value, const QString& note, ByteSpan span)
{
    return { { QStringLiteral("name"), name },
             { QStringLiteral("value"), value },
             { QStringLiteral("note"), note },
             { QStringLiteral("offset"), static_cast<double>(span.offset) },
             { QStringLiteral("size"), static_cast<double>(span.size) } };
}

QVariantMap stage(const QString& title, const QString& detail, std::uint64_t nanoseconds,
                  ByteSpan span)
{
    return { { QStringLiteral("title"), title },
             { QStringLiteral("detail"), detail },
             { QStringLiteral("time"), figures::duration(nanoseconds) },
             { QStringLiteral("offset"), static_cast<double>(span.offset) },
             { QStringLiteral("size"), static_cast<double>(span.size) },
             { QStringLiteral("live"), false } };
}

} // namespace

QString facts(const GgufFile& file)
{
    const TypeTotals totals(file);
    const QString architecture = textOf(file, "general.architecture");
    return QStringList {
        tr("GGUF %1").arg(file.header().version),
        architecture.isEmpty() ? tr("no architecture") : architecture,
        file.tensors().size() == 1 ? tr("1 tensor")
                                   : tr("%1 tensors").arg(figures::count(file.tensors().size())),
        tr("%1 weights").arg(figures::shortCount(totals.elements())),
        tr("%1 bits per weight").arg(QLocale().toString(totals.bitsPerWeight(), 'f', 2)),
        figures::size(file.bytes().size()),
    }
        .join(QStringLiteral(" · "));
}

QVariantList totals(const GgufFile& file)
{
    const TypeTotals totals(file);
    QVariantList list;
    for (const TypeTotal& each : totals.types()) {
        list << QVariantMap { { QStringLiteral("name"), each.name },
                              { QStringLiteral("tensors"), figures::count(each.tensors) },
                              { QStringLiteral("about"), type_words::about(each.typeNumber).text },
                              { QStringLiteral("size"), figures::size(each.bytes) },
                              { QStringLiteral("share"),
                                figures::share(each.bytes, totals.bytes()) } };
    }
    return list;
}

QVariantList legend(const GgufFile& file)
{
    constexpr std::size_t kKinds = 7;
    std::array<bool, kKinds> occurs {};
    for (const auto& section : file.sections()) {
        occurs.at(static_cast<std::size_t>(section.kind)) = true;
    }
    QVariantList list;
    const auto add = [&list](const QString& name, const QString& part, int type,
                             const Words& words) {
        list << QVariantMap { { QStringLiteral("name"), name },
                              { QStringLiteral("about"), words.text },
                              { QStringLiteral("part"), part },
                              { QStringLiteral("type"), type } };
    };
    const auto addPart = [&](Kind kind, const QString& name, const char* part) {
        if (occurs.at(static_cast<std::size_t>(kind))) {
            add(name, QString::fromLatin1(part), -1, section_words::about(kind));
        }
    };
    addPart(Kind::Header, tr("Header"), "header");
    addPart(Kind::Metadata, tr("Metadata"), "metadata");
    addPart(Kind::Directory, tr("Directory"), "directory");
    const TypeTotals totals(file);
    for (const TypeTotal& each : totals.types()) {
        add(each.name, QString(), static_cast<int>(each.typeNumber),
            type_words::about(each.typeNumber));
    }
    addPart(Kind::Padding, tr("Padding"), "padding");
    occurs.at(static_cast<std::size_t>(Kind::Gap)) |=
        occurs.at(static_cast<std::size_t>(Kind::Trailing));
    addPart(Kind::Gap, tr("Nobody's"), "unowned");
    return list;
}

QVariantList headerFields(const GgufFile& file)
{
    const auto& header = file.header();
    const std::uint64_t width = header.version == 1 ? 4 : 8;
    const auto* alignment = file.find("general.alignment");
    return {
        field(tr("Magic"), QStringLiteral("47 47 55 46"),
              tr("“GGUF” in ASCII: how a reader knows the format."), { 0, 4 }),
        field(tr("Version"), QString::number(header.version),
              tr("3 is current. Read the wrong way round it gives the byte order away."), { 4, 4 }),
        field(tr("Tensors"), figures::count(header.tensorCount),
              tr("Their number comes first, that of the metadata entries after it."), { 8, width }),
        field(tr("Metadata entries"), figures::count(header.metadataCount),
              tr("Keys and values, right after the header."), { 8 + width, width }),
        field(tr("Byte order"), header.bigEndian ? tr("big-endian") : tr("little-endian"),
              tr("Of all numbers in the file. There is no field for it."), { 4, 4 }),
        field(tr("Alignment"), figures::bytes(header.alignment),
              alignment != nullptr ? tr("As general.alignment says.")
                                   : tr("The default; general.alignment could say otherwise."),
              alignment != nullptr ? alignment->span() : ByteSpan {}),
        field(tr("Weights begin at"), figures::offset(file.dataOffset()),
              tr("Offsets in the tensor directory count from here."),
              { file.dataOffset(), file.dataOffset() < file.bytes().size() ? 1U : 0U }),
        field(tr("File size"), figures::bytes(file.bytes().size()), QString(), ByteSpan {}),
    };
}

QVariantList stages(const GgufFile& file)
{
    const auto& times = file.loadTimes();
    const ByteSpan metadata = spanOf(file, Kind::Metadata);
    const ByteSpan directory = spanOf(file, Kind::Directory);
    const std::uint64_t start = std::min<std::uint64_t>(file.dataOffset(), file.bytes().size());
    const ByteSpan data { start, file.bytes().size() - start };
    QVariantMap mapping = stage(tr("Mapping"), QString(), times.map, { 0, file.bytes().size() });
    mapping[QStringLiteral("live")] = true;
    return {
        stage(tr("Header"),
              tr("%1: the magic, the version, how many tensors and metadata entries follow.")
                  .arg(figures::bytes(file.header().span.size)),
              times.header, file.header().span),
        stage(tr("Metadata"),
              tr("%1 entries in %2. Texts of arrays are stepped over, not copied.")
                  .arg(figures::count(file.metadata().size()), figures::size(metadata.size)),
              times.metadata, metadata),
        stage(tr("Tensor directory"),
              tr("%1 tensors in %2: name, shape, type and offset of each.")
                  .arg(figures::count(file.tensors().size()), figures::size(directory.size)),
              times.directory, directory),
        stage(tr("Weights"),
              tr("Sizes and places of %1 are checked against the file. None of them is read.")
                  .arg(figures::size(data.size)),
              times.checks, data),
        mapping,
    };
}

} // namespace file_summary
