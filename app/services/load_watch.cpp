#include "app/services/load_watch.h"

#include <pthread.h>

#include <utility>

namespace app {

LoadWatch::LoadWatch(std::function<void()> onChanged, std::chrono::milliseconds interval)
    : m_onChanged(std::move(onChanged))
    , m_interval(interval)
    , m_thread([this] { run(); })
{
}

LoadWatch::~LoadWatch()
{
    {
        const std::lock_guard lock(m_mutex);
        m_quit = true;
    }
    m_woken.notify_one();
    m_thread.join();
}

void LoadWatch::start(Probe probe)
{
    auto next = probe ? std::make_shared<const Probe>(std::move(probe)) : nullptr;
    {
        const std::lock_guard lock(m_mutex);
        m_retired.push_back(std::exchange(m_probe, std::move(next)));
    }
    m_woken.notify_one();
}

void LoadWatch::stop()
{
    start({});
}

void LoadWatch::run()
{
    (void)pthread_setname_np(pthread_self(), "vitrine-watch");
    std::unique_lock lock(m_mutex);
    while (!m_quit) {
        if (!m_retired.empty()) {
            auto retired = std::exchange(m_retired, {});
            lock.unlock();
            retired.clear();
            lock.lock();
            continue;
        }
        const auto woken = [this] { return m_quit || !m_retired.empty(); };
        if (!m_probe) {
            m_woken.wait(lock, woken);
            continue;
        }
        if (m_woken.wait_for(lock, m_interval, woken)) {
            continue;
        }
        auto probe = m_probe;
        lock.unlock();
        const bool changed = (*probe)();
        lock.lock();
        if (changed && probe == m_probe) {
            m_retired.push_back(std::exchange(m_probe, nullptr));
            lock.unlock();
            m_onChanged();
            lock.lock();
        }
        lock.unlock();
        probe.reset(); // not under the lock, see m_retired
        lock.lock();
    }
}

} // namespace app
