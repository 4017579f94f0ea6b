#include "app/services/task_thread.h"

#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace app {

namespace {

constexpr int kBackgroundNice = 5;

// On Linux both calls change one thread, and threads started from it inherit the values: the
// engine's pool is started from here. Batch threads don't preempt a waking one, so the GUI thread
// runs at once when it has something to do; the nice value gives it the larger share while it runs.
// Failing changes only how smooth things are.
void yieldToInteractiveThreads()
{
    const sched_param parameters {};
    (void)sched_setscheduler(0, SCHED_BATCH, &parameters);
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kBackgroundNice);
}

} // namespace

TaskThread::TaskThread(const char* name, TaskPriority priority)
    : m_thread([this, name, priority] { run(name, priority); })
{
}

TaskThread::~TaskThread()
{
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

void TaskThread::post(std::function<void()> task)
{
    {
        const std::lock_guard lock(m_mutex);
        m_tasks.push_back(std::move(task));
    }
    m_changed.notify_one();
}

void TaskThread::run(const char* name, TaskPriority priority)
{
    (void)pthread_setname_np(pthread_self(), name);
    if (priority == TaskPriority::Background) {
        yieldToInteractiveThreads();
    }
    while (true) {
        std::function<void()> task;
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [this] { return m_quit || !m_tasks.empty(); });
            if (m_quit) {
                return;
            }
            task = std::move(m_tasks.front());
            m_tasks.pop_front();
        }
        task();
    }
}

} // namespace app
