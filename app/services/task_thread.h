// A thread that runs tasks one after another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace app {

enum class TaskPriority {
    Normal,
    /// Yields to the GUI thread: a little nicer, this thread and those it starts.
    Background,
    /// Waits for nobody's answer: takes what the other threads leave.
    Idle,
};

/// `post` may be called from every thread.
class TaskThread
{
public:
    /// `name` is shown by debuggers; 15 bytes at most.
    TaskThread(const char* name, TaskPriority priority);
    TaskThread(const TaskThread&) = delete;
    TaskThread& operator=(const TaskThread&) = delete;
    /// Waits for the running task; those behind it are dropped.
    ~TaskThread();

    void post(std::function<void()> task);

private:
    void run(const char* name, TaskPriority priority);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::function<void()>> m_tasks;
    bool m_quit = false;
    std::thread m_thread; // last: starts when the rest is there
};

} // namespace app
