// Reading all weights on request: found, nothing found, cancelled, another file, a changed file.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/weight_check.h"
#include "tests/support/tiny_gguf.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using app::WeightCheck;

class TestWeightCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsNothingInASoundFile()
    {
        WeightCheck check;
        check.start(); // no file
        QVERIFY(!check.isRunning());
        check.setFile(fileWith("sound.gguf", { 1, 2, 3 }));
        QCOMPARE(check.bytes(), std::uint64_t { 12 });
        QVERIFY(!check.outcome());
        check.start();
        QVERIFY(check.isRunning());
        QTRY_VERIFY(!check.isRunning());
        QVERIFY(check.outcome());
        QVERIFY(!check.error());
        QCOMPARE(check.outcome()->scan.tensors, std::uint64_t { 1 });
        QVERIFY(check.outcome()->scan.problems.empty());
        QVERIFY(check.outcome()->at.isValid());
        QVERIFY(check.outcome()->milliseconds >= 0);
    }

    void findsBadNumbersOfOneFile()
    {
        WeightCheck check;
        const auto file = fileWith("bad.gguf", { 1, NAN });
        check.setFile(file);
        QSignalSpy changed(&check, &WeightCheck::outcomeChanged);
        check.start();
        QTRY_VERIFY(check.outcome());
        QCOMPARE(check.outcome()->scan.problems.size(), std::size_t { 1 });
        QCOMPARE(check.outcome()->scan.problems[0].error.code, engine::ErrorCode::BadNumbers);
        QVERIFY(!changed.empty());
        check.setFile(file); // the same
        QVERIFY(check.outcome());
        check.setFile(fileWith("other.gguf", { 1 }));
        QVERIFY(!check.outcome());
        QCOMPARE(check.bytes(), std::uint64_t { 4 });
        check.setFile({});
        QCOMPARE(check.bytes(), std::uint64_t { 0 });
    }

    void tellsHowFarItIs()
    {
        WeightCheck check;
        check.setFile(sparseFile("long.gguf", kLarge));
        QList<double> told;
        connect(&check, &WeightCheck::changed, this, [&] {
            if (check.isRunning() && check.fraction() >= 0) {
                told << check.fraction();
            }
        });
        QVERIFY(check.secondsLeft() < 0);
        check.start();
        QTRY_VERIFY_WITH_TIMEOUT(check.outcome(), 60000);
        QVERIFY(told.size() > 1);
        QVERIFY(std::is_sorted(told.begin(), told.end()));
        QVERIFY(told.last() <= 1);
        QVERIFY(check.fraction() < 0);
    }

    // At once for who asked, and the thread ends soon: the destructor waits for it.
    void cancels()
    {
        QElapsedTimer clock;
        {
            WeightCheck check;
            check.setFile(sparseFile("cancelled.gguf", kHuge));
            check.start();
            QTRY_VERIFY(check.fraction() >= 0);
            QVERIFY(check.isRunning());
            check.cancel();
            QVERIFY(!check.isRunning());
            QTest::qWait(60);
            QVERIFY(!check.outcome());
            QVERIFY(!check.error());
            // And again, on the same thread.
            check.start();
            QTRY_VERIFY(check.fraction() >= 0);
            clock.start();
        }
        QVERIFY2(clock.elapsed() < 300, qPrintable(QString::number(clock.elapsed())));
    }

    void stopsForAnotherFile()
    {
        WeightCheck check;
        check.setFile(sparseFile("first.gguf", kHuge));
        check.start();
        QTRY_VERIFY(check.fraction() >= 0);
        check.setFile(fileWith("second.gguf", { NAN }));
        QVERIFY(!check.isRunning());
        QTest::qWait(60);
        QVERIFY(!check.outcome());
        check.start();
        QTRY_VERIFY(check.outcome());
        QCOMPARE(check.outcome()->scan.bytes, std::uint64_t { 4 });
    }

    void saysThatTheFileChanged()
    {
        WeightCheck check;
        check.setFile(fileWith("changing.gguf", std::vector<float>(1000, 1)));
        check.start();
        QTRY_VERIFY(check.outcome());
        QVERIFY(QFile::resize(m_folder.filePath("changing.gguf"), 4096));
        check.start();
        QTRY_VERIFY(check.error());
        QCOMPARE(check.error()->code, QString("file-changed"));
        QVERIFY(!check.outcome()); // what was found is of a file that is no more
    }

private:
    static constexpr qint64 kHuge = qint64 { 64 } << 30; // bytes that nobody waits for
    static constexpr qint64 kLarge = qint64 { 1 } << 29;

    WeightCheck::File fileWith(const char* name, const std::vector<float>& values)
    {
        const QString path = m_folder.filePath(name);
        const auto bytes =
            tests::tinyGguf({ { "weights", 0, { values.size() }, tests::bytesOf(values) } });
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)
            || file.write(reinterpret_cast<const char*>(bytes.data()), qint64(bytes.size())) < 0) {
            return nullptr;
        }
        file.close();
        return engine::gguf::GgufFile::open(path.toStdString()).value_or(nullptr);
    }

    /// One F32 tensor of `size` bytes, all of them a hole.
    WeightCheck::File sparseFile(const char* name, qint64 size)
    {
        const QString path = m_folder.filePath(name);
        const auto bytes =
            tests::tinyGguf({ { "weights", 0, { static_cast<std::uint64_t>(size / 4) }, {} } });
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly)
            || file.write(reinterpret_cast<const char*>(bytes.data()), qint64(bytes.size())) < 0
            || !file.resize(qint64(bytes.size()) + size)) {
            return nullptr;
        }
        file.close();
        return engine::gguf::GgufFile::open(path.toStdString()).value_or(nullptr);
    }

    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestWeightCheck)
#include "tst_weight_check.moc"
