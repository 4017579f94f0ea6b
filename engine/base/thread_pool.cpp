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
    // A loop is open while its state has no kClosed; workers join it by adding one and leave by
    // taking it off. The caller closes the loop when no slice is left and waits for those inside
    // only: a worker that the system has not woken yet is not waited for. On a busy machine that
    // makes the difference between some milliseconds a loop and none.
    static constexpr std::uint32_t kClosed = 1U << 31U;
    std::atomic<std::uint32_t> state { kClosed };
    std::atomic<std::uint32_t> round { 0 }; // grows by one a loop; workers wait for it to change
    std::atomic<std::int64_t> next { 0 };
    std::atomic<bool> quit { false };
    std::int64_t count = 0;
    std::int64_t grain = 1;
    const std::function<void(std::int64_t, std::int64_t, int)>* body = nullptr;
    std::vector<std::thread> workers;

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

    [[nodiscard]] bool join()
    {
        auto now = state.load(std::memory_order_relaxed);
        while ((now & kClosed) == 0) {
            if (state.compare_exchange_weak(now, now + 1, std::memory_order_acquire,
                                            std::memory_order_relaxed)) {
                return true;
            }
        }
        return false;
    }

    void leave()
    {
        if (state.fetch_sub(1, std::memory_order_release) == (kClosed | 1U)) {
            state.notify_one();
        }
    }

    void closeAndWait()
    {
        state.fetch_or(kClosed, std::memory_order_relaxed);
        for (int i = 0; i < kSpins && state.load(std::memory_order_acquire) != kClosed; ++i) {
            pause();
        }
        for (std::uint32_t now; (now = state.load(std::memory_order_acquire)) != kClosed;) {
            state.wait(now, std::memory_order_acquire);
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
            if (join()) {
                seen = round.load(std::memory_order_relaxed); // stays while anybody is inside
                work(thread);
                leave();
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
    impl.state.store(0, std::memory_order_release);
    impl.round.fetch_add(1, std::memory_order_release);
    impl.round.notify_all();
    impl.work(0);
    impl.closeAndWait();
}

} // namespace engine
