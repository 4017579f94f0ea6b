#include "app/services/latest_task.h"

#include <chrono>
#include <utility>

namespace app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kReportInterval { 33 };

} // namespace

LatestTask::LatestTask(const char* threadName, TaskPriority priority, QObject* parent)
    : QObject(parent)
    , m_threadName(threadName)
    , m_priority(priority)
{
}

LatestTask::~LatestTask()
{
    m_stop.request_stop();
}

TaskControl LatestTask::control()
{
    const auto sender = m_mailbox.sender();
    return { m_stop.get_token(),
             [this, sender, piece = m_piece,
              last = std::make_shared<Clock::time_point>()](double fraction) {
                 const auto now = Clock::now();
                 if (now - *last < kReportInterval) {
                     return;
                 }
                 *last = now;
                 sender.post([this, piece, fraction] {
                     if (piece == m_piece && m_running) {
                         m_fraction = fraction;
                         Q_EMIT changed();
                     }
                 });
             } };
}

void LatestTask::start(Work work)
{
    m_stop.request_stop();
    m_stop = std::stop_source();
    ++m_piece;
    m_fraction = -1;
    m_running = true;
    if (!m_thread) {
        m_thread = std::make_unique<TaskThread>(m_threadName, m_priority);
    }
    m_thread->post([this, work = std::move(work), control = control(), sender = m_mailbox.sender(),
                    piece = m_piece] {
        auto delivery = control.stop.stop_requested() ? Delivery() : work(control);
        sender.post([this, piece, delivery = std::move(delivery)] { finish(piece, delivery); });
    });
    Q_EMIT changed();
}

void LatestTask::stop()
{
    m_stop.request_stop();
    ++m_piece;
    m_fraction = -1;
    if (std::exchange(m_running, false)) {
        Q_EMIT changed();
    }
}

void LatestTask::letGo(std::shared_ptr<const void> last)
{
    if (m_thread && last) {
        m_thread->post([last = std::move(last)] {});
    }
}

void LatestTask::finish(quint64 piece, const Delivery& delivery)
{
    if (piece != m_piece) {
        return;
    }
    m_running = false;
    m_fraction = -1;
    if (delivery) {
        delivery();
    }
    Q_EMIT changed();
}

} // namespace app
