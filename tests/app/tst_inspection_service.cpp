// Opening files to look at: sound, broken and foreign ones, changes on disk, statistics.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/inspection_service.h"
#include "engine/model/verdict.h"
#include "tests/support/conformance.h"
#include "tests/support/split_gguf.h"
#include "tests/support/tiny_gguf.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using app::InspectionService;

namespace {

std::vector<std::byte> fileWith(const std::vector<float>& values, const char* name = "weights")
{
    return tests::tinyGguf({ { name, 0, { values.size() }, tests::bytesOf(values) } });
}

void write(const QString& path, const std::vector<std::byte>& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<qint64>(bytes.size()));
}

} // namespace

class TestInspectionService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opensAFile()
    {
        const QString path = m_folder.filePath("a.gguf");
        write(path, fileWith({ 1, 2 }));
        InspectionService service(20ms);
        QSignalSpy opened(&service, &InspectionService::opened);
        service.open(path);
        QVERIFY(service.isOpening());
        QVERIFY(!service.file());
        QVERIFY(opened.wait(5000));
        QVERIFY(!service.isOpening() || QTest::qWaitFor([&] { return !service.isOpening(); }));
        QCOMPARE(opened.first().first().toBool(), false);
        QCOMPARE(service.file()->tensors().size(), std::size_t { 1 });
        QCOMPARE(service.path(), path);
        QVERIFY(service.openMilliseconds() > 0);
        service.close();
        QVERIFY(!service.file());
        QCOMPARE(service.path(), QString());
    }

    void onlyTheLastCounts()
    {
        for (const char* name : { "one.gguf", "two.gguf" }) {
            write(m_folder.filePath(name), fileWith({ 1 }, name));
        }
        InspectionService service(20ms);
        QSignalSpy opened(&service, &InspectionService::opened);
        service.open(m_folder.filePath("one.gguf"));
        service.open(m_folder.filePath("two.gguf"));
        QVERIFY(opened.wait(5000));
        QTest::qWait(50);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(service.file()->tensors()[0].name, std::string_view("two.gguf"));
    }

    void opensBrokenFilesAsFarAsTheyGo()
    {
        const auto folder = tests::conformanceDir("malformed");
        if (!folder) {
            QSKIP(tests::missing("malformed").c_str());
        }
        const auto path = *folder / "containers" / "bad_data_truncated.gguf";
        InspectionService service;
        QSignalSpy opened(&service, &InspectionService::opened);
        service.open(QString::fromStdString(path.string()));
        QVERIFY(opened.wait(5000));
        QVERIFY(!service.file()->problems().empty());
        QVERIFY(!service.error());
    }

    // Its container is sound, and first it says so; a model needs more.
    void findsWhatTheDoctorFinds()
    {
        const QString path = m_folder.filePath("bare.gguf");
        write(path, fileWith({ 1 }));
        InspectionService service;
        QSignalSpy found(&service, &InspectionService::problemsFound);
        std::size_t atFirst = 1;
        connect(&service, &InspectionService::opened, this, [&] {
            QVERIFY(service.isDiagnosing());
            atFirst = service.problems().size();
        });
        service.open(path);
        QVERIFY(found.wait(5000));
        QCOMPARE(atFirst, std::size_t { 0 });
        const auto expected = engine::model::examine(path.toStdString()).problems;
        QVERIFY(!expected.empty());
        QCOMPARE(service.problems().size(), expected.size());
        QCOMPARE(service.problems()[0].error.where.subject, expected[0].error.where.subject);
        QTRY_VERIFY(!service.isDiagnosing());
        service.close();
        QVERIFY(service.problems().empty());
    }

    void saysWhatIsNoModel()
    {
        const QString path = m_folder.filePath("page.gguf");
        write(path, tests::bytesOf(std::vector<char> { '<', 'h', 't', 'm', 'l', '>' }));
        InspectionService service(20ms);
        QSignalSpy failed(&service, &InspectionService::failed);
        QSignalSpy opened(&service, &InspectionService::opened);
        service.open(path);
        QVERIFY(failed.wait(5000));
        QVERIFY(!service.file());
        QVERIFY(service.error() && !service.error()->what.isEmpty());
        QCOMPARE(service.path(), path);
        QCOMPARE(service.firstBytes(), QByteArray("<html>"));
        // Once it is one, it is shown.
        write(path, fileWith({ 1 }));
        QVERIFY(opened.wait(5000));
        QVERIFY(service.file());
        QVERIFY(!service.error());
        QCOMPARE(service.firstBytes(), QByteArray());
    }

    void keepsTheFirstBytesOfAForeignFile()
    {
        const QString path = m_folder.filePath("foreign.gguf");
        write(path, std::vector<std::byte>(1000, std::byte { 'x' }));
        InspectionService service;
        QSignalSpy failed(&service, &InspectionService::failed);
        service.open(path);
        QVERIFY(failed.wait(5000));
        QCOMPARE(service.firstBytes(), QByteArray(64, 'x'));
        service.open(m_folder.filePath("nothing.gguf"));
        QVERIFY(failed.wait(5000));
        QCOMPARE(service.firstBytes(), QByteArray());
        service.open(m_folder.path()); // a folder
        QVERIFY(failed.wait(5000));
        QCOMPARE(service.firstBytes(), QByteArray());
    }

    void readsAChangedFileAgain()
    {
        const QString path = m_folder.filePath("changing.gguf");
        write(path, fileWith({ 1, 2, 3 }, "before"));
        InspectionService service(20ms);
        QSignalSpy opened(&service, &InspectionService::opened);
        service.open(path);
        QVERIFY(opened.wait(5000));
        // Replaced by another file of the same name, as editors and downloads do it.
        const QString next = m_folder.filePath("next.gguf");
        write(next, fileWith({ 1, 2, 3, 4 }, "after"));
        QVERIFY(QFile::remove(path));
        QVERIFY(QFile::rename(next, path));
        QTRY_VERIFY(!opened.empty() && opened.last().first().toBool());
        QTRY_COMPARE(service.file()->tensors()[0].name, std::string_view("after"));
        // Gone: what was read stays, and is said to be out of date.
        QSignalSpy failed(&service, &InspectionService::failed);
        QVERIFY(QFile::remove(path));
        QVERIFY(failed.wait(5000));
        QVERIFY(service.file());
        QVERIFY(service.error());
    }

    // Any part opens all of them; each is watched.
    void partsAreOneFile()
    {
        const auto prefix = m_folder.filePath("m").toStdString();
        const QString source = m_folder.filePath("source.gguf");
        write(source,
              tests::tinyGguf({ { "a", 0, { 2 }, tests::bytesOf<float>({ 1, 2 }) },
                                { "b", 0, { 2 }, tests::bytesOf<float>({ 3, 4 }) } }));
        QVERIFY(tests::splitFile(source.toStdString(), prefix, 2));
        const QString first = QString::fromStdString(tests::partPath(prefix, 1, 2));
        const QString second = QString::fromStdString(tests::partPath(prefix, 2, 2));
        InspectionService service(20ms);
        QSignalSpy opened(&service, &InspectionService::opened);
        QSignalSpy ready(&service, &InspectionService::statisticsReady);
        service.open(first);
        QVERIFY(opened.wait(5000));
        QCOMPARE(service.path(), first);
        QCOMPARE(service.file()->tensors().size(), std::size_t { 2 });
        service.gatherStatistics(1);
        QVERIFY(ready.wait(5000));
        QCOMPARE(ready.last().at(1).value<engine::eval::TensorSummary>().statistics.min, 3.0F);
        // Another one in the place of the second.
        write(source,
              tests::tinyGguf({ { "a", 0, { 2 }, tests::bytesOf<float>({ 1, 2 }) },
                                { "c", 0, { 3 }, tests::bytesOf<float>({ 5, 6, 7 }) } }));
        const auto next = m_folder.filePath("n").toStdString();
        QVERIFY(tests::splitFile(source.toStdString(), next, 2));
        opened.clear();
        QVERIFY(QFile::remove(second));
        QVERIFY(QFile::rename(QString::fromStdString(tests::partPath(next, 2, 2)), second));
        QTRY_VERIFY(!opened.empty() && opened.last().first().toBool());
        QTRY_VERIFY(service.file()->findTensor("c") != nullptr);
        // Gone, the first stays; there again, so is all of it.
        QVERIFY(QFile::rename(second, source + ".away"));
        QTRY_COMPARE(service.file()->tensors().size(), std::size_t { 1 });
        QVERIFY(!service.error());
        QTRY_VERIFY(!service.isDiagnosing());
        QVERIFY(std::ranges::any_of(service.problems(), [](const auto& each) {
            return each.error.code == engine::ErrorCode::GgufShardMissing;
        }));
        QVERIFY(QFile::rename(source + ".away", second));
        QTRY_COMPARE(service.file()->tensors().size(), std::size_t { 2 });
    }

    void gathersStatistics()
    {
        const QString path = m_folder.filePath("numbers.gguf");
        write(path, fileWith({ -1, 0, 4 }));
        InspectionService service;
        QSignalSpy opened(&service, &InspectionService::opened);
        service.open(path);
        QVERIFY(opened.wait(5000));
        QSignalSpy ready(&service, &InspectionService::statisticsReady);
        service.gatherStatistics(1); // there is no such tensor
        QVERIFY(!service.isGathering());
        service.gatherStatistics(0);
        QVERIFY(service.isGathering());
        QVERIFY(ready.wait(5000));
        const auto summary = ready.first().at(1).value<engine::eval::TensorSummary>();
        const auto& statistics = summary.statistics;
        QCOMPARE(summary.histogram.counts.size(), engine::eval::kSummaryBins);
        QCOMPARE(summary.histogram.counts.back(), std::uint64_t { 1 });
        QCOMPARE(statistics.min, -1.0F);
        QCOMPARE(statistics.max, 4.0F);
        QCOMPARE(statistics.zeros, std::uint64_t { 1 });
        service.gatherStatistics(0); // known already
        QCOMPARE(ready.count(), 2);
    }

    // From 0 towards 1, over both scans, on the way and not only at the end.
    void tellsHowFarStatisticsAre()
    {
        const QString path = m_folder.filePath("larger.gguf");
        write(path, fileWith(std::vector<float>(24'000'000, 1.0F)));
        InspectionService service;
        QSignalSpy opened(&service, &InspectionService::opened);
        service.open(path);
        QVERIFY(opened.wait(5000));
        QSignalSpy ready(&service, &InspectionService::statisticsReady);
        QList<double> told;
        connect(&service, &InspectionService::gatheringChanged, this, [&] {
            if (service.isGathering() && service.statisticsFraction() >= 0) {
                told << service.statisticsFraction();
            }
        });
        service.gatherStatistics(0);
        QCOMPARE(service.statisticsFraction(), -1.0);
        QVERIFY(ready.wait(20000));
        QVERIFY(!told.isEmpty());
        QVERIFY(std::is_sorted(told.begin(), told.end()));
        QVERIFY(told.first() < 0.5 && told.last() <= 1);
        QCOMPARE(service.statisticsFraction(), -1.0);
    }

    void cancelsStatistics()
    {
        const QString path = m_folder.filePath("large.gguf");
        write(path, fileWith(std::vector<float>(4'000'000, 1.0F)));
        InspectionService service;
        QSignalSpy opened(&service, &InspectionService::opened);
        service.open(path);
        QVERIFY(opened.wait(5000));
        QSignalSpy ready(&service, &InspectionService::statisticsReady);
        service.gatherStatistics(0);
        service.cancelStatistics();
        QVERIFY(!service.isGathering());
        QTest::qWait(100);
        QCOMPARE(ready.count(), 0);
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestInspectionService)
#include "tst_inspection_service.moc"
