// Weights of two files compared byte for byte.
// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/data_diff.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/support/tiny_gguf.h"

#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

using engine::eval::comparableBytes;
using engine::eval::compareData;
using engine::eval::DataDiff;
using engine::eval::DataState;
using engine::gguf::GgufFile;
using tests::TinyTensor;

namespace {

using File = std::shared_ptr<const GgufFile>;
using Bytes = std::vector<std::byte>;

constexpr std::uint32_t kF32 = 0;
constexpr std::uint32_t kQ8 = 8; // 34 bytes for 32 weights

File opened(const Bytes& bytes)
{
    return GgufFile::parse(bytes, "a.gguf").value_or(nullptr);
}

std::vector<DataDiff> compared(const Bytes& a, const Bytes& b)
{
    const File left = opened(a);
    const File right = opened(b);
    return compareData(*left, *right, compareTensors(*left, *right))
        .value_or(std::vector<DataDiff>());
}

} // namespace

class TestDataDiff : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsBlocksThatDiffer()
    {
        const Bytes zeros(34 * 8);
        Bytes other = zeros;
        other[34 * 3 + 33] = std::byte { 1 }; // the last byte of block 3
        other[34 * 7] = std::byte { 1 };
        const Bytes a =
            tests::tinyGguf({ { "w", kQ8, { 64, 4 }, zeros }, { "v", kQ8, { 64, 4 }, zeros } });
        const Bytes b =
            tests::tinyGguf({ { "w", kQ8, { 64, 4 }, other }, { "v", kQ8, { 64, 4 }, zeros } });
        const auto results = compared(a, b);
        QCOMPARE(results.size(), std::size_t { 2 });
        QVERIFY(results[0].state == DataState::Different);
        QCOMPARE(results[0].blocks, std::uint64_t { 8 });
        QCOMPARE(results[0].different, std::uint64_t { 2 });
        QCOMPARE(results[0].first, std::uint64_t { 3 });
        QVERIFY(results[1].state == DataState::Same);
        QCOMPARE(results[1].different, std::uint64_t { 0 });
    }

    // Of a tensor that is read in several pieces each end counts, and blocks go on counting.
    void looksAtAllOfALargeTensor()
    {
        constexpr std::size_t kBlocks = 40000;
        const Bytes zeros(34 * kBlocks);
        Bytes other = zeros;
        other[34 * 30000 + 5] = std::byte { 1 };
        other.back() = std::byte { 1 };
        const Bytes a = tests::tinyGguf({ { "w", kQ8, { 32, kBlocks }, zeros } });
        const Bytes b = tests::tinyGguf({ { "w", kQ8, { 32, kBlocks }, other } });
        const auto results = compared(a, b);
        QCOMPARE(results[0].different, std::uint64_t { 2 });
        QCOMPARE(results[0].first, std::uint64_t { 30000 });
    }

    void leavesOutWhatCannotBeCompared()
    {
        const std::vector<TinyTensor> left {
            { "type", kF32, { 32 }, Bytes(128) },  { "shape", kF32, { 32 }, Bytes(128) },
            { "alone", kF32, { 32 }, Bytes(128) }, { "unknown", 99, { 32 }, Bytes(128) },
            { "same", kF32, { 32 }, Bytes(128) },
        };
        const std::vector<TinyTensor> right {
            { "type", kQ8, { 32 }, Bytes(34) },
            { "shape", kF32, { 16, 2 }, Bytes(128) },
            { "unknown", 99, { 32 }, Bytes(128) },
            { "same", kF32, { 32 }, Bytes(128) },
        };
        const Bytes a = tests::tinyGguf(left);
        const Bytes b = tests::tinyGguf(right);
        const auto results = compared(a, b);
        QCOMPARE(results.size(), std::size_t { 5 });
        for (int at = 0; at < 4; ++at) {
            QVERIFY(results[static_cast<std::size_t>(at)].state == DataState::NotComparable);
        }
        QVERIFY(results[4].state == DataState::Same);
        const File first = opened(a);
        const File second = opened(b);
        QCOMPARE(comparableBytes(*first, *second, compareTensors(*first, *second)),
                 std::uint64_t { 128 });
    }

    void saysWhereDataAreMissing()
    {
        const Bytes a = tests::tinyGguf({ { "w", kF32, { 32 }, Bytes(128) } });
        Bytes cut = a;
        cut.resize(a.size() - 1);
        QVERIFY(compared(a, cut)[0].state == DataState::Missing);
        QVERIFY(compared(cut, a)[0].state == DataState::Missing);
    }

    void doesNotCompareAcrossByteOrders()
    {
        tests::GgufBytes little;
        tests::GgufBytes big(true);
        for (auto* each : { &little, &big }) {
            each->header(1, 0).tensor("w", { 2 }, kF32, 0).pad().fill(8);
        }
        const auto bytes = [](const tests::GgufBytes& out) {
            return std::as_bytes(std::span(out.bytes()));
        };
        const File a = GgufFile::parse(bytes(little), "a").value_or(nullptr);
        const File b = GgufFile::parse(bytes(big), "b").value_or(nullptr);
        const auto results = compareData(*a, *b, compareTensors(*a, *b));
        QVERIFY(results && results->front().state == DataState::NotComparable);
    }

    void tellsHowFarItIs()
    {
        const Bytes bytes = tests::tinyGguf({ { "w", kF32, { 32 }, Bytes(128) } });
        const File file = opened(bytes);
        engine::eval::ScanProgress progress;
        QVERIFY(compareData(*file, *file, compareTensors(*file, *file), { {}, &progress }));
        QCOMPARE(progress.fraction(), 1.0);
    }

    void stopsWhenAsked()
    {
        const Bytes bytes = tests::tinyGguf({ { "w", kF32, { 32 }, Bytes(128) } });
        const File file = opened(bytes);
        std::stop_source source;
        source.request_stop();
        const auto results =
            compareData(*file, *file, compareTensors(*file, *file), source.get_token());
        QVERIFY(!results);
        QVERIFY(results.error().code == engine::ErrorCode::Cancelled);
    }

    void noticesAChangedFile()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath("a.gguf").toStdString();
        const Bytes bytes = tests::tinyGguf({ { "w", kF32, { 32 }, Bytes(128) } });
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        const File file = GgufFile::open(path).value_or(nullptr);
        QVERIFY(file);
        const File other = opened(bytes);
        QVERIFY(compareData(*other, *file, compareTensors(*other, *file)));
        std::filesystem::resize_file(path, bytes.size() - 4);
        const auto results = compareData(*other, *file, compareTensors(*other, *file));
        QVERIFY(!results);
        QVERIFY(results.error().code == engine::ErrorCode::FileChanged);
    }
};

QTEST_GUILESS_MAIN(TestDataDiff)
#include "tst_data_diff.moc"
