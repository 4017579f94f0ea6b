// Opening files: values of every type, tensors, sections, alignment, splits, endianness, limits.
#include "engine/gguf/gguf_file.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/support/conformance.h"

#include <QTemporaryDir>
#include <QTest>

#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <limits>

using namespace engine;
using namespace engine::gguf;
using tests::GgufBytes;

namespace {

using File = std::shared_ptr<const GgufFile>;

File parse(const std::string& bytes)
{
    auto file = GgufFile::parse(std::as_bytes(std::span(bytes)), "memory.gguf");
    return file ? *file : nullptr;
}

/// The problem of that code; null when there is none.
const Problem* problemOf(const GgufFile& file, ErrorCode code)
{
    for (const Problem& problem : file.problems()) {
        if (problem.error.code == code) {
            return &problem;
        }
    }
    return nullptr;
}

std::string textOf(std::string_view bytes)
{
    return std::string(bytes);
}

struct Row
{
    std::string_view key;
    ValueType type;
    std::string_view shown;
};

constexpr Row kScalars[] = {
    { "u8", ValueType::U8, "200" },
    { "i8", ValueType::I8, "-100" },
    { "u16", ValueType::U16, "60000" },
    { "i16", ValueType::I16, "-30000" },
    { "u32", ValueType::U32, "4000000000" },
    { "i32", ValueType::I32, "-2000000000" },
    { "f32", ValueType::F32, "0.1" },
    { "bool", ValueType::Bool, "true" },
    { "string", ValueType::String, "\"a\\nb\"" },
    { "u64", ValueType::U64, "18446744073709551615" },
    { "i64", ValueType::I64, "-9223372036854775808" },
    { "f64", ValueType::F64, "0.1" },
};

GgufBytes scalars(bool bigEndian)
{
    GgufBytes out(bigEndian);
    out.header(1, std::size(kScalars));
    out.key("u8", ValueType::U8).number<std::uint8_t>(200);
    out.key("i8", ValueType::I8).number<std::int8_t>(-100);
    out.key("u16", ValueType::U16).number<std::uint16_t>(60000);
    out.key("i16", ValueType::I16).number<std::int16_t>(-30000);
    out.key("u32", ValueType::U32).number<std::uint32_t>(4000000000U);
    out.key("i32", ValueType::I32).number<std::int32_t>(-2000000000);
    out.key("f32", ValueType::F32).number(0.1F);
    out.key("bool", ValueType::Bool).number<std::uint8_t>(1);
    out.key("string", ValueType::String).text("a\nb");
    out.key("u64", ValueType::U64).number(std::numeric_limits<std::uint64_t>::max());
    out.key("i64", ValueType::I64).number(std::numeric_limits<std::int64_t>::min());
    out.key("f64", ValueType::F64).number(0.1);
    out.tensor("t", { 2, 3 }, 0, 0).pad().fill(24);
    return out;
}

} // namespace

class TestGgufFile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void readsEveryScalar_data()
    {
        QTest::addColumn<bool>("bigEndian");
        QTest::newRow("little-endian") << false;
        QTest::newRow("big-endian") << true;
    }

    void readsEveryScalar()
    {
        QFETCH(bool, bigEndian);
        const auto bytes = scalars(bigEndian).bytes();
        const auto file = parse(bytes);
        QVERIFY(file != nullptr);
        QCOMPARE(file->header().bigEndian, bigEndian);
        QCOMPARE(file->header().version, 3U);
        QCOMPARE(file->loads(), !bigEndian);
        QCOMPARE(problemOf(*file, ErrorCode::GgufBigEndian) != nullptr, bigEndian);
        QCOMPARE(file->requireSound().has_value(), !bigEndian);
        std::uint64_t at = 24;
        for (std::size_t i = 0; i < std::size(kScalars); ++i) {
            const MetadataEntry& entry = file->metadata()[i];
            QCOMPARE(textOf(entry.key), textOf(kScalars[i].key));
            QCOMPARE(entry.value.type(), kScalars[i].type);
            QCOMPARE(entry.value.display(), textOf(kScalars[i].shown));
            QCOMPARE(file->find(kScalars[i].key), &entry.value);
            QCOMPARE(entry.span.offset, at);
            QCOMPARE(entry.value.span().offset, at + 8 + entry.key.size() + 4);
            QCOMPARE(entry.value.span().end(), entry.span.end());
            at = entry.span.end();
        }
        const TensorInfo* tensor = file->findTensor("t");
        QVERIFY(tensor != nullptr);
        QCOMPARE(tensor->entry.offset, at);
        QCOMPARE(tensor->elements, std::uint64_t(6));
        QCOMPARE(tensor->rows(), std::uint64_t(3));
        QCOMPARE(file->data(*tensor).size(), std::size_t(24));
        QVERIFY(!file->find("u9") && !file->findTensor("u8"));
    }

    void stagesOfOpeningAreTimed()
    {
        QTemporaryDir folder;
        const auto path = folder.filePath("timed.gguf").toStdString();
        std::ofstream(path, std::ios::binary) << scalars(false).bytes();
        const auto start = std::chrono::steady_clock::now();
        const auto file = GgufFile::open(path);
        const std::chrono::nanoseconds whole = std::chrono::steady_clock::now() - start;
        QVERIFY(file);
        const LoadTimes& times = (*file)->loadTimes();
        for (const auto stage :
             { times.map, times.header, times.metadata, times.directory, times.checks }) {
            QVERIFY(stage > 0);
        }
        QVERIFY(times.total() <= static_cast<std::uint64_t>(whole.count()));
        const auto bytes = scalars(false).bytes();
        QCOMPARE(parse(bytes)->loadTimes().map, std::uint64_t(0));
    }

    void convertsOnlyWhatFits()
    {
        const auto bytes = scalars(false).bytes();
        const auto file = parse(bytes);
        QCOMPARE(file->find("u64")->asInteger(), std::nullopt);
        QCOMPARE(file->find("u64")->asUnsigned(), std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(file->find("u64")->asNumber(), 18446744073709551615.0);
        QCOMPARE(file->find("i8")->asInteger(), -100);
        QCOMPARE(file->find("i8")->asUnsigned(), std::nullopt);
        QCOMPARE(file->find("u8")->asInteger(), 200);
        QCOMPARE(file->find("f32")->asNumber(), static_cast<double>(0.1F));
        QCOMPARE(file->find("f32")->asInteger(), std::nullopt);
        QCOMPARE(file->find("f64")->asNumber(), 0.1);
        QCOMPARE(file->find("bool")->asBool(), true);
        QCOMPARE(file->find("bool")->asInteger(), std::nullopt);
        QCOMPARE(file->find("bool")->asNumber(), std::nullopt);
        QCOMPARE(file->find("u8")->asBool(), std::nullopt);
        QCOMPARE(file->find("string")->asText(), std::string_view("a\nb"));
        QCOMPARE(file->find("u8")->asText(), std::nullopt);
        QCOMPARE(file->find("string")->asNumber(), std::nullopt);
        QCOMPARE(file->find("u8")->count(), std::uint64_t(0));
        QVERIFY(!file->find("u8")->elements().next());
        QVERIFY(file->find("u8")->elementBytes().empty());
        const Value nothing;
        QCOMPARE(nothing.asInteger(), std::nullopt);
        QCOMPARE(nothing.display(), std::string());
    }

    void walksArrays()
    {
        GgufBytes out;
        out.header(0, 4);
        out.key("numbers", ValueType::Array).arrayHeader(ValueType::I16, 3);
        out.number<std::int16_t>(-1).number<std::int16_t>(2).number<std::int16_t>(-3);
        out.key("texts", ValueType::Array).arrayHeader(ValueType::String, 3);
        out.text("one").text("").text(std::string_view("z\0z", 3));
        out.key("none", ValueType::Array).arrayHeader(ValueType::String, 0);
        out.key("nested", ValueType::Array).arrayHeader(ValueType::Array, 3);
        out.arrayHeader(ValueType::U8, 2).number<std::uint8_t>(7).number<std::uint8_t>(8);
        out.arrayHeader(ValueType::String, 1).text("in");
        out.arrayHeader(ValueType::F32, 0);
        const auto file = parse(out.bytes());
        QVERIFY(file != nullptr && file->loads());
        auto numbers = file->find("numbers")->elements();
        std::vector<std::int64_t> read;
        while (const auto value = numbers.next()) {
            read.push_back(value->asInteger().value());
        }
        QCOMPARE(read, (std::vector<std::int64_t> { -1, 2, -3 }));
        QCOMPARE(file->find("numbers")->elementBytes().size(), std::size_t(6));
        QCOMPARE(file->find("numbers")->display(), std::string("[3 × i16]"));

        auto texts = file->find("texts")->elements();
        std::vector<std::string> words;
        while (const auto value = texts.next()) {
            words.push_back(textOf(value->asText().value()));
        }
        QCOMPARE(words, (std::vector<std::string> { "one", "", std::string("z\0z", 3) }));
        QVERIFY(!texts.next());
        QCOMPARE(file->find("none")->count(), std::uint64_t(0));
        QVERIFY(!file->find("none")->elements().next());

        const Value* nested = file->find("nested");
        QCOMPARE(nested->elementType(), ValueType::Array);
        auto inner = nested->elements();
        const auto first = inner.next();
        QCOMPARE(first->count(), std::uint64_t(2));
        QCOMPARE(std::to_integer<int>(first->elementBytes()[1]), 8);
        const auto second = inner.next();
        QCOMPARE(second->elements().next()->asText(), std::string_view("in"));
        QCOMPARE(inner.next()->elementType(), ValueType::F32);
        QVERIFY(!inner.next());
        const Problem* warning = problemOf(*file, ErrorCode::GgufNestedArray);
        QVERIFY(warning && warning->severity == Severity::Warning);
        QCOMPARE(warning->error.where.offset, nested->span().offset);
        QCOMPARE(warning->error.where.subject, std::string("nested"));
    }

    void limitsNesting_data()
    {
        QTest::addColumn<int>("levels");
        QTest::addColumn<bool>("loads");
        QTest::newRow("1") << 1 << true;
        QTest::newRow("4") << 4 << true;
        QTest::newRow("5") << 5 << false;
        QTest::newRow("100000") << 100000 << false;
    }

    void limitsNesting()
    {
        QFETCH(int, levels);
        QFETCH(bool, loads);
        GgufBytes out;
        out.header(0, 1).key("deep", ValueType::Array);
        const std::size_t start = out.size();
        for (int i = 1; i < levels; ++i) {
            out.arrayHeader(ValueType::Array, 1);
        }
        out.arrayHeader(ValueType::U8, 1).number<std::uint8_t>(1);
        const auto file = parse(out.bytes());
        QVERIFY(file != nullptr);
        QCOMPARE(file->loads(), loads);
        const Problem* problem = problemOf(*file, ErrorCode::GgufNestedTooDeep);
        QCOMPARE(problem != nullptr, !loads);
        QVERIFY(loads || problem->error.where.offset == start + 4ULL * 12);
        QVERIFY(loads || file->metadata().empty());
    }

    void refusesClaimsAtOnce()
    {
        GgufBytes bytes;
        bytes.header(0, 1).key("big", ValueType::Array).arrayHeader(ValueType::U8, 1U << 30U);
        const std::size_t countAt = bytes.size() - 8;
        const auto file = parse(bytes.fill(1000).bytes());
        QVERIFY(file && !file->loads());
        const Problem* problem = problemOf(*file, ErrorCode::GgufArrayCount);
        QVERIFY(problem != nullptr);
        QCOMPARE(problem->error.where.offset, countAt);
        QCOMPARE(problem->error.where.subject, std::string("big"));
    }

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

    void boundsEntries()
    {
        constexpr std::uint64_t kKeys = 70000;
        GgufBytes out;
        out.header(0, kKeys);
        for (std::uint64_t i = 0; i < kKeys; ++i) {
            out.key(std::to_string(i), ValueType::U8).number<std::uint8_t>(0);
        }
        const auto file = parse(out.bytes());
        QVERIFY(!file->loads());
        QCOMPARE(file->metadata().size(), std::size_t(65536));
        QVERIFY(problemOf(*file, ErrorCode::GgufTooManyEntries));
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

    void readsOnFromAFileThatIsCutShort()
    {
        QTemporaryDir folder;
        const auto path = folder.filePath("cut.gguf").toStdString();
        GgufBytes out;
        out.header(1, 2).key("words", ValueType::Array).arrayHeader(ValueType::String, 2000);
        for (int i = 0; i < 2000; ++i) {
            out.text(std::to_string(i));
        }
        out.key("name", ValueType::String).text("demo");
        out.tensor("t", { 4096 }, 0, 0).pad().fill(16384);
        std::ofstream(path, std::ios::binary) << out.bytes();

        const auto file = GgufFile::open(path);
        QVERIFY(file.has_value());
        QVERIFY((*file)->loads() && !(*file)->changed());
        QCOMPARE(truncate(path.c_str(), 0), 0);
        QVERIFY((*file)->changed());
        // Whatever it reads now, it reads without dying.
        std::size_t read = 0;
        auto words = (*file)->find("words");
        if (words) {
            auto cursor = words->elements();
            while (const auto word = cursor.next()) {
                read += word->display().size();
            }
        }
        for (const TensorInfo& tensor : (*file)->tensors()) {
            for (const std::byte b : (*file)->data(tensor)) {
                read += std::to_integer<std::size_t>(b);
            }
        }
        QVERIFY(read < 20000);
        QVERIFY(!(*file)->sections().empty());
    }

    void opensNothingThatIsNoFile()
    {
        QCOMPARE(GgufFile::open("/nowhere/x.gguf").error().code, ErrorCode::FileNotFound);
        QCOMPARE(GgufFile::open("/tmp").error().code, ErrorCode::FileIsDirectory);
        QCOMPARE(GgufFile::parse({}, "memory").error().code, ErrorCode::FileEmpty);
    }

    void opensARealModelQuickly()
    {
        const auto path = tests::demoModel();
        if (!path) {
            QSKIP("the demo model was never fetched (run packaging/run.sh once)");
        }
        double best = 1e9;
        File file;
        for (int i = 0; i < 5; ++i) {
            const auto start = std::chrono::steady_clock::now();
            auto opened = GgufFile::open(path->string());
            const std::chrono::duration<double, std::milli> took =
                std::chrono::steady_clock::now() - start;
            QVERIFY(opened.has_value());
            best = std::min(best, took.count());
            file = *opened;
        }
        qInfo("opened in %.2f ms", best);
        QVERIFY2(best < 10.0, qPrintable(QString::number(best)));
        QVERIFY(file->loads());
        QVERIFY(file->problems().empty());
        QCOMPARE(file->find("general.architecture")->asText(), std::string_view("llama"));
        QCOMPARE(file->find("llama.block_count")->asInteger(), 30);
        const Value* tokens = file->find("tokenizer.ggml.tokens");
        QCOMPARE(tokens->count(), std::uint64_t(49152));
        auto cursor = tokens->elements();
        std::uint64_t seen = 0;
        while (cursor.next()) {
            ++seen;
        }
        QCOMPARE(seen, std::uint64_t(49152));
        const TensorInfo* embedding = file->findTensor("token_embd.weight");
        QCOMPARE(embedding->shape[0], std::uint64_t(576));
        QCOMPARE(embedding->rows(), std::uint64_t(49152));
        QCOMPARE(file->sections().back().span.end(), std::uint64_t(file->bytes().size()));
    }
};

QTEST_APPLESS_MAIN(TestGgufFile)
#include "tst_gguf_file.moc"
