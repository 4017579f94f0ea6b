#include "ui/inspector/weights_comparison.h"

#include "ui/inspector/figures.h"

#include <QtCore/QStringList>

#include <algorithm>
#include <chrono>

using app::LatestTask;
using engine::eval::DataDiff;
using engine::eval::DataState;
using namespace std::chrono_literals;

namespace {

/// Of each file, above which nobody's disk is kept busy unasked.
constexpr std::uint64_t kUnasked = 1'000'000'000;
constexpr auto kLookInterval = 100ms;

} // namespace

WeightsComparison::WeightsComparison(TensorDiffModel& tensors, QObject* parent)
    : QObject(parent)
    , m_tensors(tensors)
    , m_task("vitrine-weights")
{
    m_look.setInterval(kLookInterval);
    connect(&m_look, &QTimer::timeout, this, &WeightsComparison::progressed);
    connect(&m_task, &LatestTask::changed, this, [this] {
        if (!m_task.isRunning()) {
            m_look.stop();
        }
        Q_EMIT changed();
    });
}

void WeightsComparison::setFiles(const std::shared_ptr<const ComparedFiles>& files)
{
    m_task.stop();
    m_data.clear();
    m_notice = {};
    m_files = files;
    m_bytes = files ? engine::eval::comparableBytes(*files->a, *files->b, files->tensors) : 0;
    if (m_bytes > 0 && m_bytes <= kUnasked) {
        start();
    }
    Q_EMIT changed();
}

void WeightsComparison::start()
{
    if (!m_files) {
        return;
    }
    m_notice = {};
    m_progress = std::make_shared<engine::eval::ScanProgress>();
    m_look.start();
    m_task.start([this, files = m_files, progress = m_progress](const app::TaskControl& control) {
        auto results = engine::eval::compareData(*files->a, *files->b, files->tensors,
                                                 { control.stop, progress.get() });
        return LatestTask::Delivery([this, results = std::move(results)] { take(results); });
    });
}

void WeightsComparison::cancel()
{
    m_task.stop();
}

void WeightsComparison::dismiss()
{
    m_notice = {};
    Q_EMIT changed();
}

void WeightsComparison::take(const Results& results)
{
    if (!results) {
        m_notice = Notice(app::errorMessage(results.error()));
        return;
    }
    m_data = *results;
    m_tensors.setData(m_data);
}

int WeightsComparison::countOf(DataState state) const
{
    return static_cast<int>(
        std::count_if(m_data.begin(), m_data.end(),
                      [state](const DataDiff& each) { return each.state == state; }));
}

bool WeightsComparison::isSame() const
{
    return !m_data.empty() && countOf(DataState::Same) == static_cast<int>(m_data.size());
}

QString WeightsComparison::summary() const
{
    if (!m_files || m_files->tensors.tensors.empty()) {
        return {};
    }
    if (m_bytes == 0) {
        return tr("No tensor has the same shape and type in both files, so no weights are "
                  "compared.");
    }
    if (isRunning()) {
        return tr("Comparing the weights (%1)").arg(figures::size(m_bytes));
    }
    if (m_data.empty()) {
        return tr("The weights have not been compared.");
    }
    QStringList parts {
        tr("Weights: %1 the same")
            .arg(figures::count(static_cast<quint64>(countOf(DataState::Same)))),
        tr("%1 different").arg(figures::count(static_cast<quint64>(countOf(DataState::Different))))
    };
    if (const int others = countOf(DataState::NotComparable); others > 0) {
        parts << tr("%1 not comparable").arg(figures::count(static_cast<quint64>(others)));
    }
    if (const int missing = countOf(DataState::Missing); missing > 0) {
        parts << tr("%1 not all there").arg(figures::count(static_cast<quint64>(missing)));
    }
    return parts.join(QStringLiteral(" · "));
}
