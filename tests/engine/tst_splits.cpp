// Models in several files: found from any part, ordered by split.no, missing and joined parts.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/splits.h"
#include "tests/engine/gguf_bytes.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>
#include <limits>

using namespace engine;
using namespace engine::gguf;
using tests::GgufBytes;

namespace {

/// Part `number` (from 0) of `count`: one tensor "t<number>" of 8 floats.
std::string part(int number, int count, std::int32_t tensors, const std::string& tensor = {})
{
    GgufBytes out;
    out.header(1, 3);
    out.key("split.no", ValueType::U16).number(static_cast<std::uint16_t>(number));
    out.key("split.count", ValueType::U16).number(static_cast<std::uint16_t>(count));
    out.key("split.tensors.count", ValueType::I32).number(tensors);
    out.tensor(tensor.empty() ? QString("t%1").arg(number).toStdString() : tensor, { 8 }, 0, 0);
    out.pad().fill(32, static_cast<char>('a' + number));
    return out.bytes();
}

const Problem* problemOf(const SplitFile& set, ErrorCode code)
{
    const auto found = std::ranges::find(set.problems(), code,
                                         [](const Problem& problem) { return problem.error.code; });
    return found == set.problems().end() ? nullptr : &*found;
}

std::string names(const SplitFile& set)
{
    std::string out;
    for (const SetTensor& tensor : set.tensors()) {
        out += out.empty() ? "" : " ";
        out += tensor.info->name;
        out += '@';
        out += std::to_string(tensor.shard);
    }
    return out;
}

/// The first weight's byte, read through the shard that the tensor lies in.
char firstByte(const SplitFile& set, const char* name)
{
    const SetTensor* tensor = set.findTensor(name);
    const auto data = tensor ? set.shards()[tensor->shard].file->data(*tensor->info)
                             : std::span<const std::byte>();
    return data.empty() ? '?' : static_cast<char>(data.front());
}

} // namespace

class TestSplits : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    [[nodiscard]] std::string path(const std::string& name) const
    {
        return m_folder->filePath(QString::fromStdString(name)).toStdString();
    }
    void write(const std::string& name, const std::string& bytes) const
    {
        std::ofstream(path(name), std::ios::binary) << bytes;
    }
    [[nodiscard]] std::shared_ptr<const SplitFile> open(const std::string& name) const
    {
        auto set = SplitFile::open(path(name));
        return set ? *set : nullptr;
    }

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void namesAreTakenApart_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("prefix");
        QTest::addColumn<uint>("part");
        QTest::addColumn<uint>("count");
        QTest::newRow("usual") << "/m/big-Q4_K-00002-of-00003.gguf"
                               << "/m/big-Q4_K" << 2U << 3U;
        QTest::newRow("prefix like a part") << "x-00001-of-00002-00003-of-00004.gguf"
                                            << "x-00001-of-00002" << 3U << 4U;
        QTest::newRow("no part") << "model.gguf"
                                 << "" << 0U << 0U;
        QTest::newRow("part 0") << "m-00000-of-00003.gguf"
                                << "" << 0U << 0U;
        QTest::newRow("past the count") << "m-00004-of-00003.gguf"
                                        << "" << 0U << 0U;
        QTest::newRow("letters") << "m-0000a-of-00003.gguf"
                                 << "" << 0U << 0U;
        QTest::newRow("minus") << "m--0001-of-00003.gguf"
                               << "" << 0U << 0U;
        QTest::newRow("another ending") << "m-00001-of-00003.bin"
                                        << "" << 0U << 0U;
    }
    void namesAreTakenApart()
    {
        QFETCH(QString, path);
        QFETCH(QString, prefix);
        QFETCH(uint, part);
        QFETCH(uint, count);
        const auto name = ShardName::of(path.toStdString());
        QCOMPARE(name.has_value(), part != 0);
        if (name) {
            QCOMPARE(QString::fromStdString(name->prefix), prefix);
            QCOMPARE(name->part, part);
            QCOMPARE(name->count, count);
            QCOMPARE(QString::fromStdString(name->path(part)), path);
        }
    }

    void plainFileIsASetOfOne()
    {
        GgufBytes bytes;
        bytes.header(1, 0).tensor("t", { 8 }, 0, 0).pad().fill(32);
        write("one.gguf", bytes.bytes());
        const auto set = open("one.gguf");
        QVERIFY(set && !set->isSplit() && set->isComplete());
        QCOMPARE(names(*set), std::string("t@0"));
        QVERIFY(set->problems().empty());
        QVERIFY(!SplitFile::open(path("none.gguf")));
    }

    void anyPartOpensAll_data()
    {
        QTest::addColumn<int>("asked");
        QTest::newRow("first") << 1;
        QTest::newRow("middle") << 2;
        QTest::newRow("last") << 3;
    }
    void anyPartOpensAll()
    {
        QFETCH(int, asked);
        for (int i = 0; i < 3; ++i) {
            write(QString("m-0000%1-of-00003.gguf").arg(i + 1).toStdString(), part(i, 3, 3));
        }
        const auto set = open(QString("m-0000%1-of-00003.gguf").arg(asked).toStdString());
        QVERIFY(set && set->isSplit() && set->isComplete());
        QCOMPARE(set->shards().size(), std::size_t(3));
        QCOMPARE(names(*set), std::string("t0@0 t1@1 t2@2"));
        QCOMPARE(firstByte(*set, "t1"), 'b');
        QVERIFY2(set->problems().empty(),
                 set->problems().empty() ? "" : englishSentence(set->problems()[0].error).c_str());
        QCOMPARE(set->opened()->path(), set->shards()[static_cast<std::size_t>(asked - 1)].path);
    }

    void missingPartIsNamed()
    {
        write("m-00001-of-00003.gguf", part(0, 3, 3));
        write("m-00003-of-00003.gguf", part(2, 3, 3));
        const auto set = open("m-00003-of-00003.gguf");
        QVERIFY(set && !set->isComplete());
        QCOMPARE(names(*set), std::string("t0@0 t2@2"));
        QVERIFY(!set->shards()[1].file);
        const Problem* missing = problemOf(*set, ErrorCode::GgufShardMissing);
        QVERIFY(missing && missing->severity == Severity::Error);
        QVERIFY(englishSentence(missing->error).find("m-00002-of-00003.gguf") != std::string::npos);
        QVERIFY(missing->error.where.offset.has_value());
        QVERIFY(problemOf(*set, ErrorCode::GgufSplitPart)); // each part still says what it is
        QVERIFY(!problemOf(*set, ErrorCode::GgufShardTensors));
    }

    void brokenPartIsAProblem()
    {
        write("m-00001-of-00002.gguf", part(0, 2, 2));
        write("m-00002-of-00002.gguf", "<!DOCTYPE html><html></html>");
        const auto set = open("m-00001-of-00002.gguf");
        QVERIFY(set && !set->isComplete());
        const Problem* html = problemOf(*set, ErrorCode::GgufIsHtml);
        QVERIFY(html != nullptr);
        QCOMPARE(html->error.where.file, path("m-00002-of-00002.gguf"));
    }

    // Names say one order, split.no says the other.
    void numbersOrderTheParts()
    {
        write("m-00001-of-00002.gguf", part(1, 2, 2));
        write("m-00002-of-00002.gguf", part(0, 2, 2));
        for (const auto* name : { "m-00001-of-00002.gguf", "m-00002-of-00002.gguf" }) {
            const auto set = open(name);
            QVERIFY(set && set->isComplete());
            QCOMPARE(names(*set), std::string("t0@0 t1@1"));
            QCOMPARE(set->shards()[0].path, path("m-00002-of-00002.gguf"));
            const Problem* order = problemOf(*set, ErrorCode::GgufShardNumber);
            QVERIFY(order && order->severity == Severity::Warning);
        }
    }

    void renamedPartSaysSo()
    {
        write("renamed.gguf", part(1, 2, 2));
        const auto set = open("renamed.gguf");
        QVERIFY(set && !set->isSplit());
        const Problem* renamed = problemOf(*set, ErrorCode::GgufShardName);
        QVERIFY(renamed != nullptr);
        QVERIFY(englishSentence(renamed->error).find("-00002-of-00002.gguf") != std::string::npos);
    }

    void foreignPartIsRefused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("of another count") << QByteArray::fromStdString(part(1, 3, 2));
        QTest::newRow("the same part again") << QByteArray::fromStdString(part(0, 2, 2));
        QTest::newRow("no part") << QByteArray::fromStdString(GgufBytes().header(0, 0).bytes());
    }
    void foreignPartIsRefused()
    {
        QFETCH(QByteArray, bytes);
        write("m-00001-of-00002.gguf", part(0, 2, 2));
        write("m-00002-of-00002.gguf", bytes.toStdString());
        const auto set = open("m-00001-of-00002.gguf");
        QVERIFY(set && !set->isComplete());
        QCOMPARE(names(*set), std::string("t0@0"));
        const Problem* foreign = problemOf(*set, ErrorCode::GgufShardForeign);
        QVERIFY(foreign != nullptr);
        QCOMPARE(foreign->error.where.file, path("m-00002-of-00002.gguf"));
    }

    void wrongTotalAndRepeatsAreFound()
    {
        write("m-00001-of-00002.gguf", part(0, 2, 5));
        write("m-00002-of-00002.gguf", part(1, 2, 5, "t0"));
        const auto set = open("m-00001-of-00002.gguf");
        QVERIFY(set && set->isComplete());
        const Problem* total = problemOf(*set, ErrorCode::GgufShardTensors);
        QVERIFY(total != nullptr);
        QVERIFY(englishSentence(total->error).find("2 tensors") != std::string::npos);
        const Problem* repeat = problemOf(*set, ErrorCode::GgufTensorDuplicate);
        QVERIFY(repeat != nullptr);
        QCOMPARE(repeat->error.where.file, path("m-00002-of-00002.gguf"));
        QCOMPARE(firstByte(*set, "t0"), 'a'); // the first counts
    }

    void joinedPartsAreTakenApart()
    {
        const std::string first = part(0, 3, 3);
        const std::string second = part(1, 3, 3);
        write("joined.gguf", first + second + part(2, 3, 3));
        const auto set = open("joined.gguf");
        QVERIFY(set && set->isSplit());
        QCOMPARE(names(*set), std::string("t0@0 t1@1 t2@2"));
        QCOMPARE(set->shards()[1].base, std::uint64_t(first.size()));
        QCOMPARE(set->shards()[2].base, std::uint64_t(first.size() + second.size()));
        QCOMPARE(firstByte(*set, "t2"), 'c');
        const Problem* joined = problemOf(*set, ErrorCode::GgufJoined);
        QVERIFY(joined && joined->severity == Severity::Error);
        QCOMPARE(joined->error.where.offset, std::optional<std::uint64_t>(first.size()));
        // the second joint counts from the beginning of the file too
        const auto joints = std::ranges::count_if(set->problems(), [&](const Problem& problem) {
            return problem.error.where.offset == first.size() + second.size();
        });
        QCOMPARE(joints, 1);
    }

    // Behind another part, an offset near the end of all numbers must not wrap to the beginning.
    void hostileOffsetsDoNotWrap()
    {
        GgufBytes first;
        first.header(1, 0).tensor("t", { 256 }, 0, 0).pad().fill(1024);
        GgufBytes second;
        second.header(1, 0).tensor("u", { 8 }, 0, 0xFFFFFFFFFFFFFE00U).pad().fill(32);
        write("hostile.gguf", first.bytes() + second.bytes());
        const auto set = open("hostile.gguf");
        QVERIFY(set && set->isSplit());
        const SetTensor* tensor = set->findTensor("u");
        QVERIFY(tensor && tensor->shard == 1);
        QVERIFY(tensor->info->data.offset >= 0xFFFFFFFFFFFFFE00U);
        QCOMPARE(set->offsetInFile(*tensor), std::numeric_limits<std::uint64_t>::max());
        const Problem* missing = problemOf(*set, ErrorCode::GgufTensorDataMissing);
        QVERIFY(missing != nullptr);
        QCOMPARE(missing->error.where.offset,
                 std::optional(std::numeric_limits<std::uint64_t>::max()));
    }

    // Two models that are no parts: the first one is sound, what follows is only odd.
    void joinedModelsAreAWarning()
    {
        GgufBytes one;
        one.header(1, 0).tensor("t", { 3 }, 0, 0).pad().fill(12); // its end is not padded
        write("two.gguf", one.bytes() + one.bytes());
        const auto file = GgufFile::open(path("two.gguf"));
        QVERIFY(file && (*file)->loads());
        QCOMPARE((*file)->problems().size(), std::size_t(1));
        QVERIFY((*file)->problems()[0].error.code == ErrorCode::GgufJoined);
        QCOMPARE((*file)->problems()[0].error.where.offset,
                 std::optional<std::uint64_t>(one.size()));
    }

    // A count that claims thousands of parts costs little and floods nobody.
    void absurdCount()
    {
        write("m-00001-of-09999.gguf", part(0, 9999, 1));
        const auto set = open("m-00001-of-09999.gguf");
        QVERIFY(set && !set->isComplete());
        QVERIFY(set->problems().size() < 100);
        QVERIFY(problemOf(*set, ErrorCode::GgufProblemsOmitted));
    }
};

QTEST_APPLESS_MAIN(TestSplits)
#include "tst_splits.moc"
