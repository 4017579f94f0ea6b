// Where a file's parts lie: sections, alignment, splits, and what is wrong with tensors.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/gguf_file.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/engine/gguf_parsed.h"

#include <QTest>

using namespace engine;
using namespace engine::gguf;
using tests::GgufBytes;
using tests::parse;
using tests::problemOf;
using tests::textOf;

class TestGgufLayout : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void laysSectionsWithoutHoles()
    {
        GgufBytes out;
        out.header(4, 1).key("k", ValueType::U8).number<std::uint8_t>(1);
        const std::size_t directory = out.size();
        out.tensor("b", { 9 }, 0, 128).tensor("a", { 8 }, 0, 0).tensor("empty", { 0, 4 }, 0, 64);
        out.tensor("foreign", { 32 }, 144, 192);
        const std::size_t directoryEnd = out.size();
        out.pad();
        const std::size_t data = out.size();
        const auto file = parse(out.fill(192 + 10).bytes());
        QVERIFY(file != nullptr);
        QCOMPARE(file->dataOffset(), std::uint64_t(data));

        struct Expected
        {
            Section::Kind kind;
            std::string_view name;
            std::uint64_t end;
        };
        const std::vector<Expected> expected = {
            { Section::Kind::Header, "header", 24 },
            { Section::Kind::Metadata, "metadata", directory },
            { Section::Kind::Directory, "tensor directory", directoryEnd },
            { Section::Kind::Padding, "padding", data },
            { Section::Kind::Data, "a", data + 32 },
            { Section::Kind::Gap, "gap", data + 128 },
            { Section::Kind::Data, "b", data + 164 },
            { Section::Kind::Padding, "padding", data + 192 },
            { Section::Kind::Data, "foreign", data + 202 },
        };
        const auto sections = file->sections();
        QCOMPARE(sections.size(), expected.size());
        std::uint64_t at = 0;
        for (std::size_t i = 0; i < sections.size(); ++i) {
            QCOMPARE(sections[i].kind, expected[i].kind);
            QCOMPARE(textOf(sections[i].name), textOf(expected[i].name));
            QCOMPARE(sections[i].span.offset, at);
            QCOMPARE(sections[i].span.end(), expected[i].end);
            at = expected[i].end;
        }
        QVERIFY(problemOf(*file, ErrorCode::GgufTensorOrder));
        QCOMPARE(problemOf(*file, ErrorCode::GgufTensorGap)->error.arguments.at(0),
                 std::string("96"));
        QVERIFY(problemOf(*file, ErrorCode::GgufTensorTypeFormer));
        QCOMPARE(file->findTensor("foreign")->data.size, std::uint64_t(0));
        QVERIFY(file->data(*file->findTensor("empty")).empty());
    }

    void namesTrailingBytes()
    {
        GgufBytes out;
        out.header(1, 0).tensor("t", { 8 }, 0, 0).pad().fill(32).fill(5, 'z');
        const auto file = parse(out.bytes());
        QVERIFY(file->loads());
        QCOMPARE(file->problems().size(), std::size_t(1));
        QCOMPARE(file->problems()[0].severity, Severity::Note);
        QCOMPARE(file->problems()[0].error.where.offset, out.size() - 5);
        QCOMPARE(file->sections().back().kind, Section::Kind::Trailing);
        QCOMPARE(file->sections().back().span.size, std::uint64_t(5));
    }

    void marksTheUnreadRest()
    {
        GgufBytes out;
        out.header(1, 2).key("k", ValueType::U8).number<std::uint8_t>(1);
        const std::size_t good = out.size();
        out.text("x").number<std::uint32_t>(99).fill(100);
        const auto file = parse(out.bytes());
        QVERIFY(!file->loads());
        QCOMPARE(file->metadata().size(), std::size_t(1));
        QCOMPARE(textOf(file->sections().back().name), std::string("unread"));
        QCOMPARE(file->sections().back().span.offset, std::uint64_t(good));
        QCOMPARE(file->sections().back().span.end(), std::uint64_t(out.size()));
        QCOMPARE(problemOf(*file, ErrorCode::GgufValueType)->error.where.offset, good + 9);
        QVERIFY(!file->requireSound().has_value());
    }

    void honoursAlignment_data()
    {
        QTest::addColumn<qulonglong>("alignment");
        QTest::addColumn<int>("type");
        QTest::addColumn<bool>("loads");
        QTest::addColumn<bool>("warns");
        const auto row = [](qulonglong alignment, ValueType type, bool loads, bool warns) {
            QTest::addRow("%llu as %s", alignment, valueTypeName(type).data())
                << alignment << static_cast<int>(type) << loads << warns;
        };
        row(8, ValueType::U32, true, false);
        row(64, ValueType::U32, true, false);
        row(1, ValueType::U32, true, false);
        row(24, ValueType::U32, true, true);
        row(64, ValueType::U64, true, true);
        row(64, ValueType::I32, true, true);
        row(0, ValueType::U32, false, false);
        row(12, ValueType::U32, false, false);
        row(1ULL << 31U, ValueType::U32, false, false);
        row(1ULL << 63U, ValueType::U64, false, false);
        row(0xFFFFFFE0, ValueType::I32, false, false); // -32
    }

    void honoursAlignment()
    {
        QFETCH(qulonglong, alignment);
        QFETCH(int, type);
        QFETCH(bool, loads);
        QFETCH(bool, warns);
        GgufBytes out;
        out.header(2, 1).key("general.alignment", static_cast<ValueType>(type));
        if (static_cast<ValueType>(type) == ValueType::U64) {
            out.number<std::uint64_t>(alignment);
        } else {
            out.number(static_cast<std::uint32_t>(alignment));
        }
        const std::uint64_t used = loads ? alignment : 32;
        const std::uint64_t second = (4 + used - 1) / used * used;
        out.tensor("a", { 4 }, 24, 0).tensor("b", { 4 }, 24, second).pad(used);
        const std::size_t data = out.size();
        out.fill(second + 4);
        const auto file = parse(out.bytes());
        QCOMPARE(file->loads(), loads);
        QCOMPARE(file->header().alignment, used);
        QCOMPARE(file->dataOffset(), std::uint64_t(data));
        QCOMPARE(file->problems().empty(), loads && !warns);
        QCOMPARE(problemOf(*file, ErrorCode::GgufAlignment) != nullptr, !loads);
        QCOMPARE(file->data(*file->findTensor("b")).size(), std::size_t(4));
    }

    void describesSplits_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("part");
        QTest::addColumn<bool>("wrongType");
        QTest::newRow("1") << static_cast<int>(ValueType::U16) << 1 << false << false;
        QTest::newRow("3") << static_cast<int>(ValueType::U16) << 3 << true << false;
        QTest::newRow("3 as u32") << static_cast<int>(ValueType::U32) << 3 << true << true;
        QTest::newRow("1 as i32") << static_cast<int>(ValueType::I32) << 1 << false << true;
    }

    void describesSplits()
    {
        QFETCH(int, type);
        QFETCH(int, count);
        QFETCH(bool, part);
        QFETCH(bool, wrongType);
        GgufBytes out;
        out.header(0, 2).key("split.no", ValueType::U16).number<std::uint16_t>(1);
        out.key("split.count", static_cast<ValueType>(type));
        if (static_cast<ValueType>(type) == ValueType::U16) {
            out.number(static_cast<std::uint16_t>(count));
        } else {
            out.number(static_cast<std::uint32_t>(count));
        }
        const auto file = parse(out.bytes());
        QVERIFY(file->loads());
        const Problem* problem = problemOf(*file, ErrorCode::GgufSplitPart);
        QCOMPARE(problem != nullptr, part);
        QVERIFY(!part || problem->error.arguments == (std::vector<std::string> { "2", "3" }));
        QCOMPARE(problemOf(*file, ErrorCode::GgufSplitKeyType) != nullptr, wrongType);
        QCOMPARE(file->problems().size(), std::size_t(part ? 1 : 0) + (wrongType ? 1 : 0));
    }

    void saysHowManyBytesAreMissing()
    {
        GgufBytes out;
        out.header(3, 0).tensor("a", { 8 }, 0, 0).tensor("b", { 16 }, 0, 32);
        out.tensor("c", { 8 }, 0, 96).pad().fill(50);
        const auto file = parse(out.bytes());
        const Problem* problem = problemOf(*file, ErrorCode::GgufTensorDataMissing);
        QVERIFY(problem && problem->severity == Severity::Error);
        QCOMPARE(problem->error.where.subject, std::string("b"));
        QCOMPARE(problem->error.arguments, (std::vector<std::string> { "78", "2", "3" }));
        QCOMPARE(problem->error.where.offset, file->findTensor("b")->data.offset);
        QCOMPARE(file->data(*file->findTensor("a")).size(), std::size_t(32));
        QVERIFY(file->data(*file->findTensor("b")).empty());
        QVERIFY(file->data(*file->findTensor("c")).empty());
    }

    void checksTensors_data()
    {
        QTest::addColumn<std::string>("bytes");
        QTest::addColumn<int>("code");
        const auto row = [](const char* name, GgufBytes bytes, ErrorCode code) {
            QTest::newRow(name) << bytes.pad().fill(4096).bytes() << static_cast<int>(code);
        };
        constexpr std::uint64_t kHuge = 1ULL << 32U;
        const auto one = [] { return GgufBytes().header(1, 0); };
        row("wrapping product", one().tensor("t", { kHuge, kHuge }, 0, 0),
            ErrorCode::GgufTensorTooLarge);
        row("wrapping bytes", one().tensor("t", { kHuge, kHuge / 8 }, 28, 0),
            ErrorCode::GgufTensorTooLarge);
        row("negative length", one().tensor("t", { ~0ULL }, 0, 0), ErrorCode::GgufTensorTooLarge);
        row("negative and empty", one().tensor("t", { 0, ~0ULL }, 0, 0),
            ErrorCode::GgufTensorTooLarge);
        row("offset that wraps", one().tensor("t", { 8 }, 0, ~0ULL - 31),
            ErrorCode::GgufTensorOffset);
        row("data far outside", one().tensor("t", { 8 }, 0, 1ULL << 40U),
            ErrorCode::GgufTensorDataMissing);
        row("unknown type", one().tensor("t", { 8 }, 1000, 0), ErrorCode::GgufTensorType);
        row("part of a block", one().tensor("t", { 40, 4 }, 2, 0), ErrorCode::GgufTensorRow);
        row("eight dimensions", one().tensor("t", { 1, 1, 1, 1, 1, 1, 1, 1 }, 0, 0),
            ErrorCode::GgufTensorDimensions);
        row("overlap",
            GgufBytes().header(2, 0).tensor("s", { 64 }, 0, 0).tensor("t", { 8 }, 0, 128),
            ErrorCode::GgufTensorOverlap);
    }

    void checksTensors()
    {
        QFETCH(std::string, bytes);
        QFETCH(int, code);
        const auto file = parse(bytes);
        QVERIFY(file && !file->loads());
        const Problem* problem = problemOf(*file, static_cast<ErrorCode>(code));
        QVERIFY(problem && problem->severity == Severity::Error);
        QCOMPARE(problem->error.where.subject, std::string("t"));
        QVERIFY(problem->error.where.offset.has_value());
        QCOMPARE(problem->error.where.file, std::string("memory.gguf"));
        for (const TensorInfo& tensor : file->tensors()) {
            QVERIFY(file->data(tensor).size() <= file->bytes().size());
        }
    }

    void keepsOtherTensorsBesideAStrangeOne()
    {
        GgufBytes out;
        out.header(3, 0).tensor("a", { 8 }, 0, 0).tensor("five", { 1, 1, 1, 1, 1 }, 0, 32);
        out.tensor("b", { 8 }, 0, 64).pad().fill(96);
        const auto file = parse(out.bytes());
        QVERIFY(!file->loads());
        QCOMPARE(file->tensors().size(), std::size_t(2));
        QCOMPARE(file->data(*file->findTensor("b")).size(), std::size_t(32));
    }

    void boundsProblems()
    {
        constexpr std::uint64_t kTensors = 5000;
        GgufBytes out;
        out.header(kTensors, 1).key("", ValueType::U8).number<std::uint8_t>(0);
        for (std::uint64_t i = 0; i < kTensors; ++i) {
            out.tensor(std::to_string(i), { 8 }, 99, 0);
        }
        const auto file = parse(out.bytes());
        QVERIFY(!file->loads());
        QVERIFY(file->problems().size() < 1100);
        QVERIFY(problemOf(*file, ErrorCode::GgufProblemsOmitted));
    }
};

QTEST_APPLESS_MAIN(TestGgufLayout)
#include "tst_gguf_layout.moc"
