#include "engine/base/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace engine {

namespace {

// A decode step has some hundred short loops; sleeping between them costs more than the loops.
// Waiting spins for about as long as one loop lasts, then sleeps in the kernel, so that an idle
// application uses no processor.
constexpr int kSpins = 4000;

void pause()
{
#if defined(__x86_64__)
    _mm_pause();
#else
    std::this_thread::yield();
#endif
}

} // namespace

struct ThreadPool::Impl
{
    std::vector<std::thread> workers;
    std::atomic<std::uint32_t> round { 0 }; // grows by one a loop; workers wait for it to change
    std::atomic<std::int64_t> next { 0 };
    std::atomic<int> busy { 0 };
    std::atomic<bool> quit { false };
    std::int64_t count = 0;
    std::int64_t grain = 1;
    const std::function<void(std::int64_t, std::int64_t, int)>* body = nullptr;

    void work(int thread)
    {
        for (;;) {
            const auto begin = next.fetch_add(grain, std::memory_order_relaxed);
            if (begin >= count) {
                return;
            }
            (*body)(begin, std::min(begin + grain, count), thread);
        }
    }

    void workerLoop(int thread)
    {
        std::uint32_t seen = 0;
        for (;;) {
            for (int i = 0; i < kSpins && round.load(std::memory_order_acquire) == seen; ++i) {
                pause();
            }
            round.wait(seen, std::memory_order_acquire);
            seen = round.load(std::memory_order_acquire);
            if (quit.load(std::memory_order_relaxed)) {
                return;
            }
            work(thread);
            if (busy.fetch_sub(1, std::memory_order_acq_rel) == 1) {
                busy.notify_one();
            }
        }
    }
};

ThreadPool::ThreadPool(int threads)
    : m_impl(std::make_unique<Impl>())
{
    for (int i = 1; i < threads; ++i) {
        m_impl->workers.emplace_back([impl = m_impl.get(), i] { impl->workerLoop(i); });
    }
}

ThreadPool::~ThreadPool()
{
    m_impl->quit = true;
    m_impl->round.fetch_add(1, std::memory_order_release);
    m_impl->round.notify_all();
    for (auto& worker : m_impl->workers) {
        worker.join();
    }
}

int ThreadPool::threads() const
{
    return static_cast<int>(m_impl->workers.size()) + 1;
}

void ThreadPool::run(std::int64_t count, std::int64_t grain,
                     const std::function<void(std::int64_t, std::int64_t, int)>& body)
{
    grain = std::max<std::int64_t>(grain, 1);
    if (m_impl->workers.empty() || count <= grain) {
        for (std::int64_t i = 0; i < count; i += grain) {
            body(i, std::min(i + grain, count), 0);
        }
        return;
    }
    auto& impl = *m_impl;
    impl.count = count;
    impl.grain = grain;
    impl.body = &body;
    impl.next.store(0, std::memory_order_relaxed);
    impl.busy.store(static_cast<int>(impl.workers.size()), std::memory_order_relaxed);
    impl.round.fetch_add(1, std::memory_order_release);
    impl.round.notify_all();
    impl.work(0);
    for (int i = 0; i < kSpins && impl.busy.load(std::memory_order_acquire) != 0; ++i) {
        pause();
    }
    for (int left; (left = impl.busy.load(std::memory_order_acquire)) != 0;) {
        impl.busy.wait(left, std::memory_order_acquire);
    }
}

} // namespace engine
