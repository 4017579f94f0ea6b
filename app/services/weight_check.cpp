#include "app/services/weight_check.h"

#include <utility>

namespace app {

namespace {

constexpr auto kThread = "vitrine-weights"; // shown by debuggers
constexpr double kMillisecond = 1e-3;
constexpr qint64 kLeastMilliseconds = 1000; // that tell how fast it goes
constexpr double kLeastFraction = 0.005;

} // namespace

WeightCheck::WeightCheck(QObject* parent)
    : QObject(parent)
    , m_task(kThread)
{
    connect(&m_task, &LatestTask::changed, this, &WeightCheck::changed);
}

void WeightCheck::setFile(const File& file)
{
    if (file == m_file) {
        return;
    }
    m_task.stop();
    // The thread may be the last one to hold a large mapping.
    m_task.letGo(std::exchange(m_file, file));
    m_bytes = file ? engine::eval::scannableBytes(*file) : 0;
    m_outcome.reset();
    m_error.reset();
    Q_EMIT outcomeChanged();
}

void WeightCheck::start()
{
    if (!m_file || isRunning()) {
        return;
    }
    m_error.reset();
    m_clock.start();
    m_task.start([this, file = m_file](const TaskControl& control) {
        engine::eval::ScanProgress progress(control.progress);
        auto scan = engine::eval::scanWeights(*file, { control.stop, &progress });
        return LatestTask::Delivery([this, scan = std::move(scan)] { take(scan); });
    });
    Q_EMIT outcomeChanged();
}

void WeightCheck::take(engine::Result<engine::eval::WeightScan> scan)
{
    if (scan) {
        m_outcome = Outcome { std::move(*scan), m_clock.elapsed(), QTime::currentTime() };
    } else {
        m_outcome.reset();
        m_error = errorMessage(scan.error());
    }
    Q_EMIT outcomeChanged();
}

double WeightCheck::secondsLeft() const
{
    const double done = fraction();
    if (!isRunning() || done < kLeastFraction || m_clock.elapsed() < kLeastMilliseconds) {
        return -1;
    }
    return static_cast<double>(m_clock.elapsed()) * kMillisecond * (1 - done) / done;
}

} // namespace app
