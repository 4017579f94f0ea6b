// The parallel loop: every index once, whatever the slices; many short loops; coming and going.
// SPDX-License-Identifier: Apache-2.0
#include "engine/base/thread_pool.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

using engine::ThreadPool;

class TestThreadPool : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyIndexOnce_data()
    {
        QTest::addColumn<int>("threads");
        for (const int threads : { 1, 2, 3, 8 }) {
            QTest::addRow("%d threads", threads) << threads;
        }
    }
    void everyIndexOnce()
    {
        QFETCH(int, threads);
        ThreadPool pool(threads);
        QCOMPARE(pool.threads(), threads);
        for (const int count : { 0, 1, 2, 7, 8, 9, 100, 4097 }) {
            for (const int grain : { 0, 1, 3, 8, 100, 5000 }) {
                // plain integers: two threads on one index would be a race for the sanitizer
                std::vector<int> seen(static_cast<std::size_t>(count));
                std::atomic<bool> sound { true };
                const std::function<void(std::int64_t, std::int64_t, int)> body =
                    [&](std::int64_t begin, std::int64_t end, int thread) {
                        if (begin < 0 || begin >= end || end > count
                            || end - begin > std::max(grain, 1) || thread < 0
                            || thread >= threads) {
                            sound = false;
                            return;
                        }
                        for (auto i = begin; i < end; ++i) {
                            ++seen[static_cast<std::size_t>(i)];
                        }
                    };
                pool.run(count, grain, body);
                QVERIFY(sound);
                QCOMPARE(seen, std::vector<int>(static_cast<std::size_t>(count), 1));
            }
        }
    }

    // Each thread keeps a sum of its own; what one loop wrote, the next one sees.
    void shortLoops()
    {
        constexpr int loops = 10'000;
        constexpr int threads = 4;
        ThreadPool pool(threads);
        std::vector<std::int64_t> sums(threads);
        std::vector<int> items(16);
        for (int loop = 0; loop < loops; ++loop) {
            pool.run(16, 1, [&](std::int64_t begin, std::int64_t, int thread) {
                sums[static_cast<std::size_t>(thread)] += begin;
                ++items[static_cast<std::size_t>(begin)];
            });
        }
        QCOMPARE(std::accumulate(sums.begin(), sums.end(), std::int64_t(0)),
                 std::int64_t(loops) * 120);
        QCOMPARE(items, std::vector<int>(16, loops));
    }

    // Each thread gets an item, and the loop ends with the slowest.
    void waitsForAllThreads()
    {
        constexpr int threads = 3;
        ThreadPool pool(threads);
        std::atomic<int> waiting { 0 };
        std::vector<int> did(threads);
        pool.run(threads, 1, [&](std::int64_t, std::int64_t, int thread) {
            ++waiting;
            while (waiting < threads) { // nobody goes on before all have come
                std::this_thread::yield();
            }
            if (thread != 0) { // the caller is done first
                std::this_thread::sleep_for(std::chrono::milliseconds(20 * thread));
            }
            ++did[static_cast<std::size_t>(thread)];
        });
        QCOMPARE(did, std::vector<int>(threads, 1));
    }

    // Workers that sleep in the kernel are woken again.
    void afterAPause()
    {
        ThreadPool pool(3);
        for (int i = 0; i < 5; ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            std::atomic<int> sum { 0 };
            pool.run(30, 1, [&](std::int64_t begin, std::int64_t, int) { sum += int(begin); });
            QCOMPARE(sum.load(), 435);
        }
    }

    void destroyedAtAnyTime()
    {
        for (int i = 0; i < 200; ++i) {
            ThreadPool pool(1 + i % 5);
            if (i % 3 != 0) { // a third of them never runs anything
                std::atomic<int> done { 0 };
                pool.run(i % 7, 1, [&](std::int64_t, std::int64_t, int) { ++done; });
                QCOMPARE(done.load(), i % 7);
            }
        }
    }

    // A pool inside a loop of another one: two sessions at work.
    void nestedPools()
    {
        ThreadPool outer(3);
        std::vector<int> sums(12);
        outer.run(12, 1, [&](std::int64_t begin, std::int64_t, int) {
            auto inner = std::make_unique<ThreadPool>(2);
            std::atomic<int> sum { 0 };
            inner->run(10, 3, [&](std::int64_t from, std::int64_t to, int) {
                for (auto i = from; i < to; ++i) {
                    sum += int(i);
                }
            });
            inner.reset();
            sums[static_cast<std::size_t>(begin)] = sum;
        });
        QCOMPARE(sums, std::vector<int>(12, 45));
    }

    // One owner at a time, but not always the same thread.
    void ownedByAnotherThread()
    {
        ThreadPool pool(3);
        for (int i = 0; i < 20; ++i) {
            std::vector<int> seen(50);
            std::thread([&] {
                pool.run(50, 1, [&](std::int64_t begin, std::int64_t, int) {
                    ++seen[static_cast<std::size_t>(begin)];
                });
            }).join();
            QCOMPARE(seen, std::vector<int>(50, 1));
        }
    }
};

QTEST_APPLESS_MAIN(TestThreadPool)
#include "tst_thread_pool.moc"
