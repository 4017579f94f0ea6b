#include "ui/inspector/comparison_detail.h"

#include "ui/inspector/diff_words.h"
#include "ui/inspector/figures.h"

using engine::gguf::ByteSpan;
using engine::gguf::MetadataDiff;
using engine::gguf::TensorDiff;

ComparisonDetail::ComparisonDetail(const MetadataDiffModel& metadata,
                                   const TensorDiffModel& tensors, QObject* parent)
    : QObject(parent)
    , m_metadata(metadata)
    , m_tensors(tensors)
{
    connect(&metadata, &MetadataDiffModel::selectedChanged, this, &ComparisonDetail::changed);
    connect(&tensors, &TensorDiffModel::selectedChanged, this, &ComparisonDetail::changed);
}

void ComparisonDetail::setFiles(const std::shared_ptr<const ComparedFiles>& files)
{
    m_files = files;
    Q_EMIT changed();
}

void ComparisonDetail::setTable(const QString& table)
{
    if (table != m_table) {
        m_table = table;
        Q_EMIT changed();
    }
}

const MetadataDiff* ComparisonDetail::entry() const
{
    return m_files && m_table == QLatin1String("metadata") ? m_metadata.selectedDiff() : nullptr;
}

const TensorDiff* ComparisonDetail::tensor() const
{
    return m_files && m_table == QLatin1String("tensors") ? m_tensors.selectedDiff() : nullptr;
}

std::optional<std::uint32_t> ComparisonDetail::sideA() const
{
    return entry() != nullptr ? entry()->a : tensor() != nullptr ? tensor()->a : std::nullopt;
}

std::optional<std::uint32_t> ComparisonDetail::sideB() const
{
    return entry() != nullptr ? entry()->b : tensor() != nullptr ? tensor()->b : std::nullopt;
}

QString ComparisonDetail::name() const
{
    if (const auto* diff = entry()) {
        return figures::printable(m_metadata.entryOf(*diff).key);
    }
    const auto* diff = tensor();
    return diff != nullptr ? figures::printable(m_tensors.tensorOf(*diff).name) : QString();
}

QString ComparisonDetail::stateText() const
{
    if (const auto* diff = entry()) {
        return diff_words::state(*diff);
    }
    const auto* diff = tensor();
    return diff != nullptr ? diff_words::state(*diff, m_tensors.dataOf(m_tensors.selected()))
                           : QString();
}

QString ComparisonDetail::note() const
{
    if (const auto* diff = entry()) {
        return diff_words::note(*m_files, *diff);
    }
    const auto* diff = tensor();
    return diff != nullptr
        ? diff_words::weights(*m_files, *diff, m_tensors.dataOf(m_tensors.selected()))
        : QString();
}

ByteSpan ComparisonDetail::span(const GgufFile& file, std::uint32_t number) const
{
    return entry() != nullptr ? file.metadata()[number].span : file.tensors()[number].data;
}

QString ComparisonDetail::facts(const GgufFile& file, std::optional<std::uint32_t> number) const
{
    if (!number) {
        return {};
    }
    const QString type = entry() != nullptr ? figures::type(file.metadata()[*number].value)
                                            : figures::type(file.tensors()[*number]);
    const ByteSpan place = span(file, *number);
    return tr("%1 · %2 at %3").arg(type, figures::bytes(place.size), figures::offset(place.offset));
}

QString ComparisonDetail::value(const GgufFile& file, std::optional<std::uint32_t> number) const
{
    if (!number) {
        return {};
    }
    if (entry() != nullptr) {
        return diff_words::wholeValue(file.metadata()[*number].value);
    }
    const auto& info = file.tensors()[*number];
    const QString bits = figures::bits(info);
    return tr("%1, %2 weights").arg(figures::shape(info), figures::count(info.elements))
        + (bits.isEmpty() ? QString() : tr(", %1 bits each").arg(bits));
}

QString ComparisonDetail::factsA() const
{
    return isInA() ? facts(*m_files->a, sideA()) : QString();
}

QString ComparisonDetail::factsB() const
{
    return isInB() ? facts(*m_files->b, sideB()) : QString();
}

QString ComparisonDetail::valueA() const
{
    return isInA() ? value(*m_files->a, sideA()) : QString();
}

QString ComparisonDetail::valueB() const
{
    return isInB() ? value(*m_files->b, sideB()) : QString();
}

double ComparisonDetail::offsetA() const
{
    return isInA() ? static_cast<double>(span(*m_files->a, *sideA()).offset) : -1;
}

double ComparisonDetail::sizeA() const
{
    return isInA() ? static_cast<double>(span(*m_files->a, *sideA()).size) : 0;
}

double ComparisonDetail::offsetB() const
{
    return isInB() ? static_cast<double>(span(*m_files->b, *sideB()).offset) : -1;
}

double ComparisonDetail::sizeB() const
{
    return isInB() ? static_cast<double>(span(*m_files->b, *sideB()).size) : 0;
}
