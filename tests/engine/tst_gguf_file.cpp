// Opening files: values of every type, arrays, limits, files that change, a real model.
#include "engine/gguf/gguf_file.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/engine/gguf_parsed.h"
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
using tests::File;
using tests::GgufBytes;
using tests::parse;
using tests::problemOf;
using tests::textOf;

namespace {

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
