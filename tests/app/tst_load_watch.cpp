// The watch on the loaded file: reports a change once, of the latest probe only.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/load_watch.h"

#include <QTest>

#include <atomic>

using namespace std::chrono_literals;

class TestLoadWatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void reportsOnce()
    {
        std::atomic<int> reports { 0 };
        std::atomic<int> asked { 0 };
        std::atomic<bool> changed { false };
        app::LoadWatch watch([&] { ++reports; }, 5ms);
        watch.start([&] {
            ++asked;
            return changed.load();
        });
        QTRY_VERIFY(asked > 3);
        QCOMPARE(reports.load(), 0);
        changed = true;
        QTRY_COMPARE(reports.load(), 1);
        QTest::qWait(30);
        QCOMPARE(reports.load(), 1);
    }

    void onlyTheLatestProbe()
    {
        std::atomic<int> reports { 0 };
        std::atomic<int> second { 0 };
        app::LoadWatch watch([&] { ++reports; }, 20ms);
        auto held = std::make_shared<int>(0);
        const std::weak_ptr<int> let = held;
        watch.start([held = std::move(held)] { return true; });
        watch.start([&] {
            ++second;
            return false;
        });
        QTRY_VERIFY(second > 1);
        QCOMPARE(reports.load(), 0);
        QVERIFY(let.expired()); // what the first one held is let go
    }

    void stops()
    {
        std::atomic<int> asked { 0 };
        app::LoadWatch watch([] {}, 1ms);
        watch.start([&] {
            ++asked;
            return false;
        });
        QTRY_VERIFY(asked > 0);
        watch.stop();
        QTest::qWait(10);
        const int after = asked;
        QTest::qWait(30);
        QCOMPARE(asked.load(), after);
    }
};

QTEST_GUILESS_MAIN(TestLoadWatch)
#include "tst_load_watch.moc"
