// Which pages of the shown file are in memory: figures, words, when they are measured.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/gguf_file.h"
#include "tests/support/tiny_gguf.h"
#include "ui/inspector/residency_view_model.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <unistd.h>

using namespace std::chrono_literals;
using engine::gguf::GgufFile;

namespace {

constexpr std::size_t kWeights = 1 << 20; // 4 MiB of them

/// A file of which nothing is in memory, as far as the kernel lets go of it.
ResidencyViewModel::File writeCold(const QString& path)
{
    const std::vector<float> values(kWeights, 1);
    const auto bytes =
        tests::tinyGguf({ { "weights", 0, { values.size() }, tests::bytesOf(values) } });
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)
        || file.write(reinterpret_cast<const char*>(bytes.data()),
                      static_cast<qint64>(bytes.size()))
            != static_cast<qint64>(bytes.size())
        || !file.flush() || fsync(file.handle()) != 0) {
        return nullptr;
    }
    file.close();
    auto opened = GgufFile::open(path.toStdString()).value_or(nullptr);
    // Not before it is open: opening reads ahead.
    const int handle = ::open(QFile::encodeName(path).constData(), O_RDONLY | O_CLOEXEC);
    posix_fadvise(handle, 0, 0, POSIX_FADV_DONTNEED);
    ::close(handle);
    return opened;
}

/// Looks at each page.
void touch(const GgufFile& file)
{
    constexpr std::size_t kPage = 4096;
    unsigned sum = 0;
    for (std::size_t at = 0; at < file.bytes().size(); at += kPage) {
        sum += std::to_integer<unsigned>(file.bytes()[at]);
    }
    QVERIFY(sum > 0);
}

} // namespace

class TestResidencyViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void measuresOnlyWhileSomebodyLooks()
    {
        const auto file = writeCold(m_folder.filePath("watched.gguf"));
        QVERIFY(file);
        ResidencyViewModel residency(20ms);
        residency.setFile(file);
        QTest::qWait(100);
        QVERIFY(!residency.isKnown());
        QCOMPARE(residency.summary(), QString());
        QCOMPARE(residency.source(), QString());
        residency.setWatched(true);
        QTRY_VERIFY(residency.isKnown());
        residency.setWatched(false);
        touch(*file);
        QSignalSpy changes(&residency, &ResidencyViewModel::changed);
        QTest::qWait(100);
        QCOMPARE(changes.count(), 0);
        QVERIFY(residency.isKnown()); // what was seen last stays
    }

    void followsWhatIsRead()
    {
        const auto file = writeCold(m_folder.filePath("cold.gguf"));
        QVERIFY(file);
        ResidencyViewModel residency(20ms);
        residency.setWatched(true);
        residency.setFile(file);
        QTRY_VERIFY(residency.isKnown());
        QCOMPARE(residency.totalBytes(), static_cast<double>(file->bytes().size()));
        QCOMPARE(residency.cells().size(), qsizetype { ResidencyViewModel::kCells });
        QVERIFY(!residency.source().isEmpty());
        const double before = residency.residentBytes();
        if (before >= residency.totalBytes()) {
            QSKIP("This file system keeps its files in memory.");
        }
        QVERIFY(residency.summary().contains(" of 4.2 MB ("));
        QVERIFY(!residency.summary().contains("100"));
        QVERIFY(residency.cells().contains('\0'));
        touch(*file);
        QTRY_COMPARE(residency.residentBytes(), residency.totalBytes()); // never more than that
        QCOMPARE(residency.cells(), QByteArray(ResidencyViewModel::kCells, '\xff'));
        QVERIFY2(residency.summary().startsWith("In memory now: 4.2 of 4.2 MB (100 %)"),
                 qPrintable(residency.summary()));
        QVERIFY(residency.story().contains("all 4.2 MB"));
    }

    void forgetsTheFileBefore()
    {
        auto file = writeCold(m_folder.filePath("before.gguf"));
        QVERIFY(file);
        ResidencyViewModel residency(20ms);
        residency.setWatched(true);
        residency.setFile(file);
        QTRY_VERIFY(residency.isKnown());
        residency.setFile(nullptr);
        QVERIFY(!residency.isKnown());
        QVERIFY(residency.cells().isEmpty());
        QCOMPARE(residency.totalBytes(), 0.0);
        QVERIFY(!residency.story().isEmpty());
        // Nothing holds it.
        QTRY_COMPARE(file.use_count(), 1L);
    }

    // Bytes in memory are no map of a file.
    void saysNothingOfWhatIsNotMapped()
    {
        const auto bytes = tests::tinyGguf({ { "weights", 0, { 1 }, std::vector<std::byte>(4) } });
        const auto file = GgufFile::parse(bytes, "memory");
        QVERIFY(file);
        ResidencyViewModel residency(20ms);
        residency.setWatched(true);
        residency.setFile(*file);
        QTest::qWait(100);
        QVERIFY(!residency.isKnown());
        QVERIFY(residency.cells().isEmpty());
        QCOMPARE(residency.summary(), QString());
    }

private:
    QTemporaryDir m_folder;
};

QTEST_GUILESS_MAIN(TestResidencyViewModel)
#include "tst_residency_view_model.moc"
