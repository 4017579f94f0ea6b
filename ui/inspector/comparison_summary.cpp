#include "ui/inspector/comparison_summary.h"

#include "ui/inspector/diff_words.h"
#include "ui/inspector/figures.h"
#include "ui/inspector/type_totals.h"

#include <QtCore/QCoreApplication>
#include <QtCore/QLocale>
#include <QtCore/QVariantMap>

#include <algorithm>
#include <cmath>

using engine::gguf::GgufFile;

namespace comparison_summary {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ComparisonSummary", text);
}

/// "3 of 31 metadata entries"
QString part(std::uint64_t different, std::size_t all, const QString& what)
{
    return tr("%1 of %2 %3").arg(figures::count(different), figures::count(all), what);
}

void addUnread(const GgufFile& file, const QString& side, QStringList& remarks)
{
    const auto& header = file.header();
    const bool isCut =
        file.metadata().size() < header.metadataCount || file.tensors().size() < header.tensorCount;
    if (isCut) {
        remarks << tr("%1 is broken: %2 of %3 metadata entries and %4 of %5 tensors could be read. "
                      "What lies behind cannot be compared.")
                       .arg(side, figures::count(file.metadata().size()),
                            figures::count(header.metadataCount),
                            figures::count(file.tensors().size()),
                            figures::count(header.tensorCount));
    } else if (!file.loads()) {
        remarks << tr("%1 has errors; the page of the file itself lists them.").arg(side);
    }
}

QString order(const GgufFile& file)
{
    return file.header().bigEndian ? tr("big-endian") : tr("little-endian");
}

const TypeTotal* find(const TypeTotals& totals, quint32 type)
{
    const auto& types = totals.types();
    const auto found = std::find_if(types.begin(), types.end(), [type](const TypeTotal& each) {
        return each.typeNumber == type;
    });
    return found != types.end() ? &*found : nullptr;
}

QVariantMap line(const QString& name, const QString& a, const QString& b, const QString& difference)
{
    return { { QStringLiteral("name"), name },
             { QStringLiteral("a"), a },
             { QStringLiteral("b"), b },
             { QStringLiteral("difference"), difference },
             { QStringLiteral("same"), a == b } };
}

QString amount(quint64 tensors, quint64 bytes)
{
    return tensors == 1 ? tr("1 tensor, %1").arg(figures::size(bytes))
                        : tr("%1 tensors, %2").arg(figures::count(tensors), figures::size(bytes));
}

QString typeAmount(const TypeTotal* total)
{
    return total != nullptr ? amount(total->tensors, total->bytes) : QStringLiteral("–");
}

QVariantMap bitsLine(const TypeTotals& a, const TypeTotals& b)
{
    constexpr int kDecimals = 2;
    const auto text = [](double bits) { return QLocale().toString(bits, 'f', kDecimals); };
    const double difference = b.bitsPerWeight() - a.bitsPerWeight();
    const QString words = text(std::abs(difference));
    const bool isNone = words == text(0);
    return line(tr("Bits per weight"), text(a.bitsPerWeight()), text(b.bitsPerWeight()),
                isNone               ? QStringLiteral("=")
                    : difference > 0 ? u'+' + words
                                     : QStringLiteral("−") + words);
}

} // namespace

QString verdict(const ComparedFiles& files, int tensors)
{
    const auto& metadata = files.metadata;
    if (metadata.differences == 0 && tensors == 0) {
        return tr("The two files have the same metadata and tensors.");
    }
    const QString entries =
        part(metadata.differences, metadata.entries.size(), tr("metadata entries"));
    const QString rest =
        part(static_cast<std::uint64_t>(tensors), files.tensors.tensors.size(), tr("tensors"));
    if (tensors == 0) {
        return tr("%1 differ; the tensors are the same.").arg(entries);
    }
    return metadata.differences == 0 ? tr("%1 differ; the metadata are the same.").arg(rest)
                                     : tr("%1 and %2 differ.").arg(entries, rest);
}

QStringList remarks(const ComparedFiles& files)
{
    QStringList remarks;
    addUnread(*files.a, tr("A"), remarks);
    addUnread(*files.b, tr("B"), remarks);
    const auto& a = files.a->header();
    const auto& b = files.b->header();
    if (a.version != b.version) {
        remarks << tr("A is GGUF version %1, B version %2.").arg(a.version).arg(b.version);
    }
    if (a.bigEndian != b.bigEndian) {
        remarks << tr("A is %1, B %2: values are compared, weights are not.")
                       .arg(order(*files.a), order(*files.b));
    }
    if (files.metadata.isOrderDifferent || files.tensors.isOrderDifferent) {
        const QString what = !files.tensors.isOrderDifferent ? tr("Metadata")
            : !files.metadata.isOrderDifferent               ? tr("Tensors")
                                                             : tr("Metadata and tensors");
        remarks << tr("%1 that both have stand in another order, which means nothing.").arg(what);
    }
    return remarks;
}

QVariantList totals(const ComparedFiles& files)
{
    const TypeTotals a(*files.a);
    const TypeTotals b(*files.b);
    const auto difference = [](quint64 left, quint64 right) {
        return diff_words::sizeDifference(static_cast<qint64>(right) - static_cast<qint64>(left));
    };
    QVariantList lines { line(tr("All tensors"), amount(files.a->tensors().size(), a.bytes()),
                              amount(files.b->tensors().size(), b.bytes()),
                              difference(a.bytes(), b.bytes())),
                         bitsLine(a, b) };
    struct Type
    {
        QString name;
        const TypeTotal* a = nullptr;
        const TypeTotal* b = nullptr;
        [[nodiscard]] quint64 bytesA() const { return a != nullptr ? a->bytes : 0; }
        [[nodiscard]] quint64 bytesB() const { return b != nullptr ? b->bytes : 0; }
    };
    QList<Type> types;
    for (const TypeTotal& each : a.types()) {
        types << Type { each.name, &each, find(b, each.typeNumber) };
    }
    for (const TypeTotal& each : b.types()) {
        if (find(a, each.typeNumber) == nullptr) {
            types << Type { each.name, nullptr, &each };
        }
    }
    std::stable_sort(types.begin(), types.end(), [](const Type& left, const Type& right) {
        return std::max(left.bytesA(), left.bytesB()) > std::max(right.bytesA(), right.bytesB());
    });
    for (const Type& each : types) {
        lines << line(each.name, typeAmount(each.a), typeAmount(each.b),
                      difference(each.bytesA(), each.bytesB()));
    }
    return lines;
}

} // namespace comparison_summary
