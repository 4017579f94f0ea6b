// Watches whether the file of the loaded model changes underneath.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace app {

/// Asks a probe once a second, on a thread of its own: a file system that hangs must not hang the
/// window. `start` and `stop` never wait for it.
class LoadWatch
{
public:
    using Probe = std::function<bool()>;

    /// `onChanged` runs on the watching thread.
    explicit LoadWatch(std::function<void()> onChanged,
                       std::chrono::milliseconds interval = std::chrono::seconds(1));
    LoadWatch(const LoadWatch&) = delete;
    LoadWatch& operator=(const LoadWatch&) = delete;
    ~LoadWatch();

    /// Watches with `probe` from now on, instead of the one before; reports true once.
    void start(Probe probe);
    void stop();

private:
    void run();

    std::function<void()> m_onChanged;
    std::chrono::milliseconds m_interval;
    std::mutex m_mutex;
    std::condition_variable m_woken;
    std::shared_ptr<const Probe> m_probe;
    /// Let go by the watching thread: the last owner of a file unmaps it, which takes time for a
    /// large one.
    std::vector<std::shared_ptr<const Probe>> m_retired;
    bool m_quit = false;
    std::thread m_thread; // last: starts when the rest is there
};

} // namespace app
