// A pool that runs one parallel loop at a time, made for many short loops a second.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace engine {

/// Worker threads for the inference thread. One owner calls `run`; not re-entrant.
class ThreadPool
{
public:
    /// `threads` counts the calling thread; 1 starts none.
    explicit ThreadPool(int threads);
    ThreadPool(const ThreadPool&) = delete;
    ThreadPool& operator=(const ThreadPool&) = delete;
    ~ThreadPool();

    [[nodiscard]] int threads() const;

    /// Calls `body(begin, end, thread)` on slices of [0, count) of at most `grain` items, handed
    /// out first come first served, the caller's thread included; returns when all are done.
    void run(std::int64_t count, std::int64_t grain,
             const std::function<void(std::int64_t, std::int64_t, int)>& body);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine
