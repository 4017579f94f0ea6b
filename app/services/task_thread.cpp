#include "app/services/task_thread.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <utility>

namespace app {

namespace {

// Threads started from such a thread inherit the value: the engine's pool is started from a
// background one. The scheduler then prefers the GUI thread when both want a core. Not more than
// this little, and no batch scheduling: the pool's threads wait for each other many times a layer,
// and each of them that has to queue behind another program holds all of them up.
constexpr int kBackgroundNice = 2;
// A single thread that nobody waits for holds up none.
constexpr int kIdleNice = 10;

// On Linux this changes one thread. Failing changes only how smooth things are.
void yieldToInteractiveThreads(int nice)
{
    (void)setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
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
    if (priority != TaskPriority::Normal) {
        yieldToInteractiveThreads(priority == TaskPriority::Idle ? kIdleNice : kBackgroundNice);
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
