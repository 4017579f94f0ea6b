// A file beside another one: opened, compared, swapped, changed, broken.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/other_file.h"
#include "ui/inspector/file_comparison.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <chrono>

using namespace std::chrono_literals;

namespace {

struct Bench
{
    QTemporaryDir folder;
    app::InspectionService service { 50ms };
    FileComparison comparison { service };
    QString a = folder.filePath(QStringLiteral("a.gguf"));
    QString b = folder.filePath(QStringLiteral("b.gguf"));

    bool open()
    {
        if (!tests::writeInspectorFile(a) || !tests::writeOtherFile(b)) {
            return false;
        }
        service.open(a);
        return QTest::qWaitFor([this] { return service.file() != nullptr; });
    }
    bool compare(const QString& other)
    {
        comparison.compareWith(other);
        return settled();
    }
    bool settled()
    {
        return QTest::qWaitFor([this] {
            return comparison.isReady() && !comparison.isBusy()
                && !comparison.weights()->isRunning();
        });
    }
};

} // namespace

class TestFileComparison : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void needsAFileFirst()
    {
        Bench bench;
        bench.comparison.compareWith(bench.b);
        QVERIFY(!bench.comparison.isActive());
    }

    void saysWhatDiffers()
    {
        Bench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare(bench.b));
        FileComparison& comparison = bench.comparison;
        QVERIFY(comparison.isActive() && !comparison.isSame());
        QCOMPARE(comparison.nameA(), QString("a.gguf"));
        QCOMPARE(comparison.nameB(), QString("b.gguf"));
        QVERIFY(comparison.factsB().contains("24 tensors"));
        QCOMPARE(comparison.verdict(),
                 QString("4 of 10 metadata entries and 6 of 26 tensors differ."));
        QCOMPARE(comparison.remarks(), QStringList());
        QVERIFY(comparison.isOnlyDifferences());
        QCOMPARE(comparison.metadata()->count(), 4);
        QCOMPARE(comparison.tensors()->count(), 6); // with that of other weights
        QCOMPARE(comparison.weights()->summary(),
                 QString("Weights: 20 the same · 1 different · 5 not comparable"));
        const auto totals = comparison.totals();
        QCOMPARE(totals.size(), 2 + 3);
        QCOMPARE(totals[0].toMap()["a"].toString(), QString("25 tensors, 10.6 kB"));
        QCOMPARE(totals[2].toMap()["name"].toString(), QString("F32")); // the largest in B
        QCOMPARE(totals[3].toMap()["b"].toString(), QString("–"));
        QVERIFY(comparison.markdown().contains("## Metadata: 4 of 10 differ"));
        QVERIFY(comparison.markdown().contains("## Tensors: 6 of 26 differ"));
    }

    void saysWhereNothingDiffers()
    {
        Bench bench;
        QVERIFY(bench.open());
        QVERIFY(QFile::remove(bench.b));
        QVERIFY(QFile::copy(bench.a, bench.b));
        QVERIFY(bench.compare(bench.b));
        QVERIFY(bench.comparison.isSame());
        QVERIFY(!bench.comparison.isOnlyDifferences()); // there would be nothing to see
        QCOMPARE(bench.comparison.verdict(),
                 QString("The two files have the same metadata, tensors and weights."));
        QCOMPARE(bench.comparison.metadata()->count(), 9);
    }

    // Differences in the weights alone are looked for as well.
    void findsOtherWeights()
    {
        Bench bench;
        QVERIFY(bench.open());
        QFile file(bench.a);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray bytes = file.readAll();
        bytes.back() = 0x55;
        QFile other(bench.b);
        QVERIFY(other.open(QIODevice::WriteOnly));
        QCOMPARE(other.write(bytes), bytes.size());
        other.close();
        QVERIFY(bench.compare(bench.b));
        QVERIFY(!bench.comparison.isSame());
        QCOMPARE(bench.comparison.verdict(),
                 QString("1 of 25 tensors differ; the metadata are the same."));
        QVERIFY(bench.comparison.isOnlyDifferences());
        QCOMPARE(bench.comparison.tensors()->count(), 1);
    }

    void showsWhatIsSelected()
    {
        Bench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare(bench.b));
        ComparisonDetail& detail = *bench.comparison.detail();
        QCOMPARE(detail.name(), QString());
        bench.comparison.metadata()->setSelected(1);
        QCOMPARE(detail.name(), QString("general.file_type"));
        QCOMPARE(detail.stateText(), QString("value differs"));
        QCOMPARE(detail.valueA(), QString("2"));
        QCOMPARE(detail.valueB(), QString("7"));
        QVERIFY(detail.factsA().startsWith("u32 · "));
        QVERIFY(detail.offsetA() > 0 && detail.sizeA() > 0);
        bench.comparison.metadata()->setSelected(9); // B's alone
        QVERIFY(!detail.isInA() && detail.isInB());
        QCOMPARE(detail.offsetA(), -1.0);
        QVERIFY(!bench.comparison.showInA());
        QVERIFY(bench.comparison.isActive());
        detail.setTable("tensors");
        QCOMPARE(detail.name(), QString());
        bench.comparison.tensors()->setSelected(8);
        QCOMPARE(detail.note(), QString("1 of 16 blocks differ, the first is block 0 of row 1."));
        QCOMPARE(detail.valueA(), QString("64 × 8, 512 weights, 4.50 bits each"));
        QSignalSpy spy(&bench.comparison, &FileComparison::tensorWanted);
        QVERIFY(bench.comparison.showInA());
        QVERIFY(!bench.comparison.isActive());
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.front().front().toInt(), 8);
    }

    void swaps()
    {
        Bench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare(bench.b));
        connect(&bench.comparison, &FileComparison::fileWanted, &bench.service,
                &app::InspectionService::open);
        bench.comparison.swap();
        QTRY_COMPARE(bench.comparison.factsA().contains("24 tensors"), true);
        QVERIFY(bench.settled());
        QCOMPARE(bench.comparison.nameA(), QString("b.gguf"));
        QCOMPARE(bench.comparison.nameB(), QString("a.gguf"));
        QCOMPARE(bench.comparison.fileA().gguf->tensors().size(), std::size_t { 24 });
        QCOMPARE(bench.comparison.fileB().gguf->tensors().size(), std::size_t { 25 });
    }

    // Either file is read again when it changes.
    void followsTheFiles()
    {
        Bench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare(bench.b));
        const auto replace = [](const QString& path, const QString& with) {
            const QString beside = path + ".new";
            return QFile::copy(with, beside) && QFile::remove(path) && QFile::rename(beside, path);
        };
        QVERIFY(replace(bench.b, bench.a));
        QTRY_VERIFY(bench.comparison.isSame());
        QVERIFY(tests::writeOtherFile(bench.b));
        QTRY_VERIFY(!bench.comparison.isSame());
        QVERIFY(replace(bench.a, bench.b));
        QTRY_VERIFY(bench.comparison.isSame());
        bench.comparison.leave();
        QVERIFY(!bench.comparison.isReady());
        QCOMPARE(bench.comparison.pathB(), QString());
    }

    void saysWhyTheOtherCannotBeOpened()
    {
        Bench bench;
        QVERIFY(bench.open());
        bench.comparison.compareWith(bench.folder.filePath("missing.gguf"));
        QTRY_VERIFY(bench.comparison.notice().isShown());
        QVERIFY(bench.comparison.isActive() && !bench.comparison.isReady());
        QVERIFY(!bench.comparison.notice().remedy.isEmpty());
        bench.comparison.dismissNotice();
        QVERIFY(!bench.comparison.notice().isShown());
        QVERIFY(bench.compare(bench.b)); // another one is all right
        QVERIFY(!bench.comparison.notice().isShown());
    }

    void comparesBrokenFilesAsFarAsTheyGo()
    {
        Bench bench;
        QVERIFY(bench.open());
        QFile file(bench.b);
        QVERIFY(file.resize(400));
        QVERIFY(bench.compare(bench.b));
        QCOMPARE(bench.comparison.remarks().size(), 1);
        QVERIFY2(bench.comparison.remarks().front().startsWith("B is broken: 4 of 9 metadata"),
                 qPrintable(bench.comparison.remarks().front()));
        QVERIFY(!bench.comparison.isSame());
    }

    void isStopped()
    {
        Bench bench;
        QVERIFY(bench.open());
        QVERIFY(bench.compare(bench.b));
        WeightsComparison& weights = *bench.comparison.weights();
        QVERIFY(!weights.isOffered()); // done
        weights.start();
        QVERIFY(weights.isRunning());
        weights.cancel();
        QVERIFY(!weights.isRunning());
        bench.service.close();
        QVERIFY(!bench.comparison.isActive());
    }
};

QTEST_GUILESS_MAIN(TestFileComparison)
#include "tst_file_comparison.moc"
