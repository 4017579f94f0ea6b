#include "ui/inspector/weight_histogram.h"

#include "ui/inspector/figures.h"

#include <QtCore/QLocale>

#include <algorithm>
#include <cmath>

namespace {

constexpr int kDigits = 3;

QString numberText(double number)
{
    return QLocale().toString(number, 'g', kDigits);
}

} // namespace

void WeightHistogram::show(const engine::eval::TensorSummary& summary)
{
    m_summary.reset();
    if (summary.statistics.finite() > 0) {
        m_summary = summary;
    }
    Q_EMIT changed();
}

void WeightHistogram::clear()
{
    if (m_summary) {
        m_summary.reset();
        Q_EMIT changed();
    }
}

void WeightHistogram::setLogarithmic(bool isLogarithmic)
{
    if (isLogarithmic != m_isLogarithmic) {
        m_isLogarithmic = isLogarithmic;
        Q_EMIT changed();
    }
}

QList<qreal> WeightHistogram::heights() const
{
    QList<qreal> heights;
    if (m_summary) {
        for (const std::uint64_t count : m_summary->histogram.counts) {
            const auto number = static_cast<double>(count);
            // A single weight is seen in both.
            heights << (m_isLogarithmic ? std::log10(1 + number) : number);
        }
    }
    return heights;
}

double WeightHistogram::edge(qsizetype bin) const
{
    const auto& histogram = m_summary->histogram;
    const double low = static_cast<double>(histogram.low);
    return low
        + (static_cast<double>(histogram.high) - low) * static_cast<double>(bin)
        / static_cast<double>(histogram.counts.size());
}

double WeightHistogram::placeOf(double number) const
{
    const double low = static_cast<double>(m_summary->histogram.low);
    const double width = static_cast<double>(m_summary->histogram.high) - low;
    return width > 0 ? (number - low) / width : 0.5;
}

std::size_t WeightHistogram::fullest() const
{
    const auto& counts = m_summary->histogram.counts;
    return static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
}

QString WeightHistogram::lowText() const
{
    return m_summary ? numberText(static_cast<double>(m_summary->histogram.low)) : QString();
}

QString WeightHistogram::highText() const
{
    return m_summary ? numberText(static_cast<double>(m_summary->histogram.high)) : QString();
}

QString WeightHistogram::mostText() const
{
    return m_summary ? figures::count(m_summary->histogram.counts[fullest()]) : QString();
}

qreal WeightHistogram::zeroAt() const
{
    const bool isThere =
        m_summary && m_summary->histogram.low <= 0 && m_summary->histogram.high >= 0;
    return isThere ? placeOf(0) : -1;
}

qreal WeightHistogram::meanAt() const
{
    return m_summary ? std::clamp(placeOf(m_summary->statistics.mean), 0.0, 1.0) : -1;
}

qreal WeightHistogram::spreadFrom() const
{
    return m_summary
        ? std::clamp(placeOf(m_summary->statistics.mean - m_summary->statistics.standardDeviation),
                     0.0, 1.0)
        : 0;
}

qreal WeightHistogram::spreadTo() const
{
    return m_summary
        ? std::clamp(placeOf(m_summary->statistics.mean + m_summary->statistics.standardDeviation),
                     0.0, 1.0)
        : 0;
}

QString WeightHistogram::outsideText() const
{
    const std::uint64_t below = m_summary ? m_summary->histogram.below : 0;
    const std::uint64_t above = m_summary ? m_summary->histogram.above : 0;
    if (below + above == 0) {
        return {};
    }
    return below + above == 1
        ? tr("1 weight lies further out and is not drawn.")
        : tr("%1 weights lie further out and are not drawn (%2 below, %3 above).")
              .arg(figures::count(below + above), figures::count(below), figures::count(above));
}

QString WeightHistogram::spoken() const
{
    if (!m_summary) {
        return {};
    }
    return tr("%1 bars from %2 to %3; the highest is %4")
        .arg(figures::count(m_summary->histogram.counts.size()), lowText(), highText(),
             binText(static_cast<int>(fullest())));
}

QString WeightHistogram::binText(int bin) const
{
    if (!m_summary || bin < 0
        || bin >= static_cast<qsizetype>(m_summary->histogram.counts.size())) {
        return {};
    }
    const auto& histogram = m_summary->histogram;
    const std::uint64_t count = histogram.counts[static_cast<std::size_t>(bin)];
    const QString range = histogram.counts.size() == 1
        ? lowText()
        : tr("%1 … %2").arg(numberText(edge(bin)), numberText(edge(bin + 1)));
    const QString share = figures::share(count, m_summary->statistics.elements);
    return tr("%1: %2 (%3)").arg(range, figures::weights(count), share);
}
