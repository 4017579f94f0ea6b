// The search through a whole file: what it finds, where, what it leaves out, how it is watched.
// SPDX-License-Identifier: Apache-2.0
#include "engine/eval/scan.h"
#include "engine/eval/weight_scan.h"
#include "tests/support/tiny_gguf.h"

#include <QFile>
#include <QTemporaryDir>
#include <QtTest>

#include <cmath>

using namespace engine;
using gguf::Severity;
using gguf::TensorType;

namespace {

std::uint32_t numberOf(TensorType type)
{
    return static_cast<std::uint32_t>(type);
}

std::shared_ptr<const gguf::GgufFile> fileOf(const std::vector<tests::TinyTensor>& tensors)
{
    static std::vector<std::vector<std::byte>> kept; // a file shows bytes of others
    kept.push_back(tests::tinyGguf(tensors));
    return gguf::GgufFile::parse(kept.back(), "tiny.gguf").value();
}

tests::TinyTensor floats(const char* name, const std::vector<float>& values)
{
    return { name, 0, { values.size() }, tests::bytesOf(values) };
}

} // namespace

class TestWeightScan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void soundFile();
    void badNumbersWithTheirPlace();
    void whatCannotBeRead();
    void manyBadTensors();
    void progressGoesByBytes();
    void stops();
    void changedFile();
};

void TestWeightScan::soundFile()
{
    const auto file =
        fileOf({ floats("a", { 1, 2, 3 }),
                 { "b", numberOf(TensorType::Q4_0), { 64 }, std::vector<std::byte>(36) },
                 { "c", numberOf(TensorType::I8), { 4 }, std::vector<std::byte>(4) } });
    const auto scan = eval::scanWeights(*file);
    QVERIFY(scan.has_value());
    QCOMPARE(scan->tensors, std::uint64_t { 3 });
    QCOMPARE(scan->unread, std::uint64_t { 0 });
    QCOMPARE(scan->bytes, std::uint64_t { 12 + 36 + 4 });
    QCOMPARE(eval::scannableBytes(*file), scan->bytes);
    QVERIFY(scan->problems.empty());
}

void TestWeightScan::badNumbersWithTheirPlace()
{
    std::vector<std::byte> quants(4 * 18);
    quants[2 * 18 + 1] = std::byte { 0x7e }; // the third scale
    const auto file = fileOf({ floats("a", { 1, -INFINITY, NAN, NAN }),
                               floats("b", { 0 }),
                               { "c\n", numberOf(TensorType::Q4_0), { 128 }, quants } });
    const auto scan = eval::scanWeights(*file);
    QVERIFY(scan.has_value());
    QCOMPARE(scan->tensors, std::uint64_t { 3 });
    QCOMPARE(scan->problems.size(), std::size_t { 2 });
    const auto& first = scan->problems[0];
    QVERIFY(first.severity == Severity::Error);
    QCOMPARE(first.error.code, ErrorCode::BadNumbers);
    QCOMPARE(first.error.where.offset, std::optional(file->tensors()[0].data.offset + 4));
    QCOMPARE(first.error.where.subject, std::string("a"));
    QCOMPARE(first.error.where.file, std::string("tiny.gguf"));
    QCOMPARE(first.error.arguments, (std::vector<std::string> { "2", "1", "4", "number" }));
    const auto& second = scan->problems[1];
    QCOMPARE(second.error.where.offset, std::optional(file->tensors()[2].data.offset + 36));
    QCOMPARE(second.error.where.subject, std::string("c\\n"));
    QCOMPARE(second.error.arguments, (std::vector<std::string> { "1", "0", "4", "scale" }));
}

void TestWeightScan::whatCannotBeRead()
{
    const auto strange = [](const char* name) {
        return tests::TinyTensor { name, 144, { 256 }, std::vector<std::byte>(82) };
    };
    const auto file = fileOf({ strange("a"), strange("b"), floats("c", { 1 }) });
    const auto scan = eval::scanWeights(*file);
    QVERIFY(scan.has_value());
    QCOMPARE(scan->tensors, std::uint64_t { 1 });
    QCOMPARE(scan->unread, std::uint64_t { 2 });
    QCOMPARE(scan->bytes, std::uint64_t { 4 });
    QCOMPARE(eval::scannableBytes(*file), std::uint64_t { 4 });
    QCOMPARE(scan->problems.size(), std::size_t { 1 }); // one a type
    QVERIFY(scan->problems[0].severity == Severity::Note);
    QCOMPARE(scan->problems[0].error.code, ErrorCode::TensorNotDecodable);
    QCOMPARE(scan->problems[0].error.where.subject, std::string("a"));
}

void TestWeightScan::manyBadTensors()
{
    std::vector<tests::TinyTensor> tensors;
    for (int i = 0; i < 203; ++i) {
        tensors.push_back(floats(std::string("t").append(std::to_string(i)).c_str(), { NAN }));
    }
    const auto scan = eval::scanWeights(*fileOf(tensors));
    QVERIFY(scan.has_value());
    QCOMPARE(scan->problems.size(), std::size_t { 201 });
    QCOMPARE(scan->problems.back().error.code, ErrorCode::GgufProblemsOmitted);
    QCOMPARE(scan->problems.back().error.arguments, std::vector<std::string> { "3" });
}

void TestWeightScan::progressGoesByBytes()
{
    const auto file = fileOf({ floats("a", std::vector<float>(3000, 1)),
                               { "b", numberOf(TensorType::Q4_0), { 33 }, {} },
                               floats("c", std::vector<float>(9000, 1)) });
    std::vector<double> told;
    eval::ScanProgress progress([&told](double fraction) { told.push_back(fraction); });
    QVERIFY(eval::scanWeights(*file, { {}, &progress }).has_value());
    // The middle one has no whole blocks: not counted. 8192 numbers are a piece.
    QCOMPARE(told.size(), std::size_t { 3 });
    QCOMPARE(told[0], 0.25);
    QCOMPARE(told[1], (3000.0 + 8192) / 12000);
    QCOMPARE(told[2], 1.0);
}

void TestWeightScan::stops()
{
    const auto file = fileOf({ floats("a", { 1 }), floats("b", { 1 }), floats("c", { 1 }) });
    std::stop_source source;
    int steps = 0;
    eval::ScanProgress progress([&](double) {
        ++steps;
        source.request_stop();
    });
    const auto scan = eval::scanWeights(*file, { source.get_token(), &progress });
    QVERIFY(!scan.has_value());
    QCOMPARE(scan.error().code, ErrorCode::Cancelled);
    QCOMPARE(steps, 1);
}

void TestWeightScan::changedFile()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("changing.gguf");
    const auto bytes = tests::tinyGguf({ floats("a", std::vector<float>(100000, 1)) });
    QFile out(path);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write(reinterpret_cast<const char*>(bytes.data()), qint64(bytes.size()));
    out.close();
    const auto file = gguf::GgufFile::open(path.toStdString()).value();
    eval::ScanProgress progress([&path](double) { QFile::resize(path, 4096); });
    const auto scan = eval::scanWeights(*file, { {}, &progress });
    QVERIFY(!scan.has_value());
    QCOMPARE(scan.error().code, ErrorCode::FileChanged);
}

QTEST_APPLESS_MAIN(TestWeightScan)
#include "tst_weight_scan.moc"
