// Work on a thread of its own: only the latest piece delivers, stopping is heard, progress arrives.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/latest_task.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <thread>

using namespace std::chrono_literals;
using app::LatestTask;
using app::TaskControl;

class TestLatestTask : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void deliversOnTheCallersThread()
    {
        LatestTask task("test");
        const auto gui = std::this_thread::get_id();
        std::thread::id worked;
        std::thread::id delivered;
        task.start([&](const TaskControl&) {
            worked = std::this_thread::get_id();
            return LatestTask::Delivery([&] { delivered = std::this_thread::get_id(); });
        });
        QVERIFY(task.isRunning());
        QTRY_VERIFY(!task.isRunning());
        QVERIFY(worked != gui);
        QVERIFY(delivered == gui);
    }

    void onlyTheLatestDelivers()
    {
        LatestTask task("test");
        std::atomic<bool> started { false };
        std::atomic<bool> stopped { false };
        QList<int> deliveries;
        task.start([&](const TaskControl& control) {
            started = true;
            while (!control.stop.stop_requested()) {
                std::this_thread::sleep_for(1ms);
            }
            stopped = true;
            return LatestTask::Delivery([&] { deliveries << 1; });
        });
        QTRY_VERIFY(started);
        task.start(
            [&](const TaskControl&) { return LatestTask::Delivery([&] { deliveries << 2; }); });
        QTRY_VERIFY(!task.isRunning());
        QVERIFY(stopped);
        QTest::qWait(20);
        QCOMPARE(deliveries, QList<int> { 2 });
    }

    void stops()
    {
        LatestTask task("test");
        QSignalSpy changes(&task, &LatestTask::changed);
        bool delivered = false;
        task.start([&](const TaskControl& control) {
            while (!control.stop.stop_requested()) {
                std::this_thread::sleep_for(1ms);
            }
            return LatestTask::Delivery([&] { delivered = true; });
        });
        task.stop();
        QVERIFY(!task.isRunning());
        QCOMPARE(changes.count(), 2);
        QTest::qWait(30);
        QVERIFY(!delivered);
    }

    void tellsHowFarItIs()
    {
        LatestTask task("test");
        std::atomic<bool> seen { false };
        QVERIFY(task.fraction() < 0);
        task.start([&](const TaskControl& control) {
            control.progress(0.5);
            while (!seen && !control.stop.stop_requested()) {
                std::this_thread::sleep_for(1ms);
            }
            return LatestTask::Delivery();
        });
        QTRY_COMPARE(task.fraction(), 0.5);
        seen = true;
        QTRY_VERIFY(!task.isRunning());
        QVERIFY(task.fraction() < 0);
    }

    void letsGoOnItsThread()
    {
        LatestTask task("test");
        task.start([](const TaskControl&) { return LatestTask::Delivery(); });
        std::atomic<bool> gone { false };
        std::thread::id where;
        task.letGo(std::shared_ptr<const int>(new int(1), [&](const int* number) {
            delete number;
            where = std::this_thread::get_id();
            gone = true;
        }));
        QTRY_VERIFY(gone);
        QVERIFY(where != std::this_thread::get_id());
    }
};

QTEST_GUILESS_MAIN(TestLatestTask)
#include "tst_latest_task.moc"
