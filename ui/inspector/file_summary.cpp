#include "ui/inspector/file_summary.h"

#include "engine/gguf/splits.h"
#include "ui/inspector/figures.h"
#include "ui/inspector/section_words.h"
#include "ui/inspector/type_totals.h"
#include "ui/inspector/type_words.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QFileInfo>
#include <QtCore/QLocale>
#include <QtCore/QVariantMap>

#include <algorithm>
#include <array>

namespace file_summary {

using engine::gguf::ByteSpan;
using engine::gguf::GgufFile;
using engine::gguf::Part;
using engine::gguf::Shard;
using engine::gguf::SplitFile;
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

/// " in 3 parts", " in 2 of 3 parts".
QString inParts(const SplitFile& set)
{
    const auto all = set.shards().size();
    const auto here = static_cast<std::size_t>(
        std::count_if(set.shards().begin(), set.shards().end(),
                      [](const Shard& each) { return each.file != nullptr; }));
    return here == all ? tr(" in %1 parts").arg(all) : tr(" in %1 of %2 parts").arg(here).arg(all);
}

QVariantMap partField(const GgufFile& file, const Part& part)
{
    const GgufFile& own = *part.file;
    const QString name = QFileInfo(QString::fromStdString(part.path)).fileName();
    const QString entries =
        tr("%1 tensors and %2 metadata entries")
            .arg(figures::count(own.tensors().size()), figures::count(own.metadata().size()));
    return field(tr("Part %1").arg(part.number + 1), figures::bytes(part.span.size),
                 file.hasSeveralFiles()
                     ? tr("%1: %2.").arg(name, entries)
                     : tr("%1, from %2 on.").arg(entries, figures::offset(part.span.offset)),
                 { part.span.offset, own.header().span.size });
}

/// The files or pieces of a set, each with its own header to go to; missing ones are named.
QVariantList partFields(const GgufFile& file)
{
    QVariantList list;
    if (!file.set()) {
        return list;
    }
    constexpr qsizetype kMostMissing = 20; // a hostile count may claim thousands
    qsizetype missing = 0;
    for (const Part& part : file.parts()) {
        list << partField(file, part);
    }
    for (const Shard& shard : file.set()->shards()) {
        if (!shard.file && missing++ < kMostMissing) {
            list << field(tr("Part %1").arg(shard.number + 1), tr("missing"),
                          QFileInfo(QString::fromStdString(shard.path)).fileName(), ByteSpan {});
        }
    }
    if (missing > kMostMissing) {
        list << field(tr("More parts"), tr("missing"),
                      figures::count(static_cast<quint64>(missing - kMostMissing)), ByteSpan {});
    }
    return list;
}

/// What all sections of one kind take.
quint64 sizeOf(const GgufFile& file, Kind kind)
{
    quint64 size = 0;
    for (const auto& section : file.sections()) {
        size += section.kind == kind ? section.span.size : 0;
    }
    return size;
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
        figures::tensors(file.tensors().size()),
        totals.elements() == 1 ? figures::weights(1)
                               : tr("%1 weights").arg(figures::shortCount(totals.elements())),
        tr("%1 bits per weight").arg(QLocale().toString(totals.bitsPerWeight(), 'f', 2)),
        figures::size(figures::sizeOf(file)) + (file.set() ? inParts(*file.set()) : QString()),
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
    const std::uint64_t base = file.header().span.offset;
    const Part* part = file.partAt(base);
    const bool isPart = part != nullptr && part->file != nullptr;
    const auto& header = isPart ? part->file->header() : file.header();
    const std::uint64_t width = header.version == 1 ? 4 : 8;
    const auto* alignment = file.find("general.alignment");
    const auto at = [base](std::uint64_t offset, std::uint64_t size) {
        return ByteSpan { base + offset, size };
    };
    QVariantList fields {
        field(tr("Magic"), QStringLiteral("47 47 55 46"),
              tr("“GGUF” in ASCII: how a reader knows the format."), at(0, 4)),
        field(tr("Version"), QString::number(header.version),
              tr("3 is current. Read the wrong way round it gives the byte order away."), at(4, 4)),
        field(tr("Tensors"), figures::count(header.tensorCount),
              isPart ? tr("In this part; all parts together have %1.")
                           .arg(figures::count(file.tensors().size()))
                     : tr("Their number comes first, that of the metadata entries after it."),
              at(8, width)),
        field(tr("Metadata entries"), figures::count(header.metadataCount),
              tr("Keys and values, right after the header."), at(8 + width, width)),
        field(tr("Byte order"), header.bigEndian ? tr("big-endian") : tr("little-endian"),
              tr("Of all numbers in the file. There is no field for it."), at(4, 4)),
        field(tr("Alignment"), figures::bytes(header.alignment),
              alignment != nullptr ? tr("As general.alignment says.")
                                   : tr("The default; general.alignment could say otherwise."),
              alignment != nullptr ? alignment->span() : ByteSpan {}),
        field(tr("Weights begin at"), figures::place(file, file.dataOffset()),
              tr("Offsets in the tensor directory count from here."),
              { file.dataOffset(), file.dataOffset() < file.bytes().size() ? 1U : 0U }),
        field(file.hasSeveralFiles() ? tr("Size of all parts") : tr("File size"),
              figures::bytes(figures::sizeOf(file)), QString(), ByteSpan {}),
    };
    return fields + partFields(file);
}

QVariantList stages(const GgufFile& file)
{
    const auto& times = file.loadTimes();
    const ByteSpan metadata = spanOf(file, Kind::Metadata);
    const ByteSpan directory = spanOf(file, Kind::Directory);
    const Part* first = file.partAt(file.header().span.offset);
    const std::uint64_t end = first != nullptr ? first->span.end() : file.bytes().size();
    const std::uint64_t start = std::min(file.dataOffset(), end);
    quint64 entries = 0;
    quint64 weights = 0;
    for (const Part& part : file.parts()) {
        const GgufFile& own = part.file ? *part.file : file;
        entries += own.metadata().size();
        weights += part.span.size - std::min(part.span.size, own.dataOffset());
    }
    QVariantMap mapping = stage(tr("Mapping"), QString(), times.map, { 0, file.bytes().size() });
    mapping[QStringLiteral("live")] = true;
    return {
        stage(tr("Header"),
              tr("%1: the magic, the version, how many tensors and metadata entries follow.")
                      .arg(figures::bytes(file.header().span.size))
                  + (file.set() ? tr(" Each part has one.") : QString()),
              times.header, file.header().span),
        stage(tr("Metadata"),
              tr("%1 in %2. Texts of arrays are stepped over, not copied.")
                  .arg(entries == 1 ? tr("1 entry") : tr("%1 entries").arg(figures::count(entries)),
                       figures::size(sizeOf(file, Kind::Metadata))),
              times.metadata, metadata),
        stage(tr("Tensor directory"),
              tr("%1 in %2: name, shape, type and offset of each.")
                  .arg(figures::tensors(file.tensors().size()),
                       figures::size(sizeOf(file, Kind::Directory))),
              times.directory, directory),
        stage(tr("Weights"),
              tr("Sizes and places of %1 are checked against the file. None of them is read.")
                  .arg(figures::size(weights)),
              times.checks, { start, end - start }),
        mapping,
    };
}

} // namespace file_summary
