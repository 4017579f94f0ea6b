// Work on a thread of its own, of which only the latest piece counts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/mailbox.h"
#include "app/services/task_thread.h"

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>

namespace app {

/// What a piece of work may look at, from its own thread.
struct TaskControl
{
    std::stop_token stop;
    /// Tells how far it is, from 0 to 1; cheap, passed on at most 30 times a second.
    std::function<void(double)> progress;
};

/// Lives on the GUI thread; no call waits. Starting stops the piece before, which then delivers
/// nothing. The thread is made with the first piece.
class LatestTask : public QObject
{
    Q_OBJECT

public:
    /// Runs on the GUI thread, unless another piece was started or this one stopped.
    using Delivery = std::function<void()>;
    /// Runs on the task's thread.
    using Work = std::function<Delivery(const TaskControl&)>;

    /// `threadName`: see TaskThread.
    explicit LatestTask(const char* threadName, TaskPriority priority = TaskPriority::Background,
                        QObject* parent = nullptr);
    /// Asks the running piece to stop and waits for it.
    ~LatestTask() override;

    void start(Work work);
    void stop();
    /// Destroys `last` on the task's thread, where that takes long (unmapping a large file).
    void letGo(std::shared_ptr<const void> last);
    [[nodiscard]] bool isRunning() const { return m_running; }
    /// From 0 to 1; below 0 while nobody knows.
    [[nodiscard]] double fraction() const { return m_fraction; }

Q_SIGNALS:
    /// It runs, or no longer, or is further.
    void changed();

private:
    [[nodiscard]] TaskControl control();
    void finish(quint64 piece, const Delivery& delivery);

    const char* m_threadName;
    TaskPriority m_priority;
    Mailbox m_mailbox;
    std::stop_source m_stop;
    quint64 m_piece = 0;
    double m_fraction = -1;
    bool m_running = false;
    std::unique_ptr<TaskThread> m_thread; // last: joined before the mailbox goes
};

} // namespace app
