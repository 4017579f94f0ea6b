#include "ui/inspector/residency_view_model.h"

#include "engine/gguf/gguf_file.h"
#include "ui/inspector/figures.h"

#include <QtCore/QLocale>

#include <algorithm>
#include <utility>

using engine::gguf::Residency;
using engine::gguf::ResidencySource;

namespace {

/// Shown by debuggers.
constexpr auto kThread = "vitrine-pages";

QByteArray cellsOf(const Residency& residency)
{
    constexpr std::uint64_t kFull = 255;
    QByteArray cells;
    cells.reserve(static_cast<qsizetype>(residency.buckets.size()));
    for (const auto& bucket : residency.buckets) {
        // Something is never shown as nothing.
        const std::uint64_t share =
            bucket.pages == 0 ? 0 : (bucket.resident * kFull + bucket.pages - 1) / bucket.pages;
        cells.append(static_cast<char>(std::min(share, kFull)));
    }
    return cells;
}

/// "58.1 of 98.4 MB": the unit once where both have the same.
QString partOf(quint64 part, quint64 whole)
{
    const QString total = figures::size(whole);
    QString first = figures::size(part);
    const qsizetype space = total.lastIndexOf(u' ');
    if (space > 0 && first.endsWith(total.mid(space))) {
        first.chop(total.size() - space);
    }
    return ResidencyViewModel::tr("%1 of %2").arg(first, total);
}

QString percent(quint64 part, quint64 whole)
{
    constexpr double kPercent = 100;
    const double share = kPercent * static_cast<double>(part) / static_cast<double>(whole);
    // Neither nothing nor all where it is not.
    const int rounded = std::clamp(qRound(share), part > 0 ? 1 : 0, part < whole ? 99 : 100);
    return ResidencyViewModel::tr("%L1 %").arg(rounded);
}

} // namespace

ResidencyViewModel::ResidencyViewModel(std::chrono::milliseconds interval, QObject* parent)
    : QObject(parent)
    , m_task(kThread, app::TaskPriority::Idle)
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(interval);
    connect(&m_timer, &QTimer::timeout, this, &ResidencyViewModel::measure);
}

void ResidencyViewModel::setFile(const File& file)
{
    m_task.stop();
    m_timer.stop();
    m_file = file;
    m_cells.clear();
    m_resident = 0;
    m_total = file ? file->bytes().size() : 0;
    m_source = ResidencySource::Unavailable;
    m_isSampled = false;
    Q_EMIT changed();
    measure();
}

void ResidencyViewModel::setWatched(bool watched)
{
    if (watched == m_isWatched) {
        return;
    }
    m_isWatched = watched;
    Q_EMIT watchedChanged();
    if (watched) {
        measure();
    } else {
        m_task.stop();
        m_timer.stop();
    }
}

void ResidencyViewModel::measure()
{
    if (!m_file || !m_isWatched) {
        return;
    }
    m_task.start([this, file = m_file](const app::TaskControl& control) {
        auto measured = engine::gguf::measureResidency(*file, { .buckets = kCells }, control.stop);
        // Not the file: the last to hold it unmaps it, and that takes a while.
        return app::LatestTask::Delivery([this, measured = std::move(measured)] {
            if (measured) {
                take(*measured);
            }
            m_timer.start();
        });
    });
}

void ResidencyViewModel::take(const Residency& residency)
{
    const QByteArray cells = cellsOf(residency);
    const quint64 resident = std::min<quint64>(residency.residentBytes(), m_total);
    if (cells == m_cells && resident == m_resident && residency.source == m_source) {
        return;
    }
    m_cells = cells;
    m_resident = resident;
    m_source = residency.source;
    m_isSampled = residency.sampled;
    Q_EMIT changed();
}

bool ResidencyViewModel::isKnown() const
{
    return m_source != ResidencySource::Unavailable && m_total > 0;
}

QString ResidencyViewModel::summary() const
{
    if (!isKnown()) {
        return {};
    }
    const QString part =
        m_isSampled ? tr("about %1").arg(partOf(m_resident, m_total)) : partOf(m_resident, m_total);
    const QString share = percent(m_resident, m_total);
    return m_source == ResidencySource::OwnPages
        ? tr("Touched by Vitrine: %1 (%2), read page by page as needed").arg(part, share)
        : tr("In memory now: %1 (%2), read page by page as needed").arg(part, share);
}

QString ResidencyViewModel::source() const
{
    switch (m_source) {
    case ResidencySource::PageCache:
        return tr("Counted are the pages of this file that the machine has in memory (its page "
                  "cache), whichever program read them.");
    case ResidencySource::OwnPages:
        return tr("Counted are the pages that Vitrine itself has touched: of a file that belongs "
                  "to somebody else the kernel hides what the rest of the machine has in memory.");
    case ResidencySource::Unavailable:
        break;
    }
    return {};
}

QString ResidencyViewModel::story() const
{
    const QString how = tr("The file is mapped, not read: its bytes have addresses at once, and "
                           "the first look at a page of them fetches that page from the disk.");
    if (!isKnown()) {
        return how;
    }
    const QString resident = figures::size(m_resident);
    const QString total = figures::size(m_total);
    return how + u' '
        + (m_source == ResidencySource::OwnPages
               ? tr("Vitrine has touched %1 so far; a loader that copies would have waited for all "
                    "%2 and held them a second time.")
                     .arg(resident, total)
               : tr("%1 are in memory now, once for all programs; a loader that copies would have "
                    "waited for all %2 and held them a second time.")
                     .arg(resident, total));
}
