// What is written reads back equal; what fails leaves nothing under the final name.
#include "engine/gguf/gguf_file.h"
#include "engine/gguf/writer.h"

#include <QTemporaryDir>
#include <QTest>

#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace engine;
using namespace engine::gguf;

namespace fs = std::filesystem;

namespace {

std::vector<std::byte> pattern(std::size_t size, unsigned seed)
{
    std::vector<std::byte> out(size);
    for (std::size_t i = 0; i < size; ++i) {
        out[i] = static_cast<std::byte>((i * 31 + seed) & 0xFFU);
    }
    return out;
}

/// Lets files grow to `bytes` at most while it lives: what a full disk does, without one.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
        : m_handler(std::signal(SIGXFSZ, SIG_IGN))
    {
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit = { bytes, m_before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;

private:
    void (*m_handler)(int);
    rlimit m_before {};
};

} // namespace

class TestGgufWriter : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    fs::path pathOf(const char* name) const { return m_folder.filePath(name).toStdString(); }

private Q_SLOTS:
    void readsBackEqual_data()
    {
        QTest::addColumn<uint>("alignment");
        QTest::newRow("default") << 32U;
        QTest::newRow("64") << 64U;
        QTest::newRow("1") << 1U;
        QTest::newRow("4096") << 4096U;
    }

    void readsBackEqual()
    {
        QFETCH(uint, alignment);
        const auto path = pathOf(QTest::currentDataTag()).string();
        const std::vector<std::string> words = { "a", "", std::string("n\0l", 3), "größer" };
        const std::vector<std::int32_t> ints = { 1, -2, 2147483647 };
        const std::vector<float> floats = { 0.5F, -1e30F };
        const auto first = pattern(5 * 18, 1);
        const auto second = pattern((3U << 20U) + 4, 2); // larger than any buffer
        std::uint64_t size = 0;
        {
            Writer writer(path, alignment);
            writer.addText("general.architecture", "llama");
            writer.addU32("u32", 4000000000U);
            writer.addI32("i32", -5);
            writer.addU64("u64", 1ULL << 60U);
            writer.addF32("f32", 1e-5F);
            writer.addBool("yes", true);
            writer.addBool("no", false);
            writer.addTextArray("words", words);
            writer.addI32Array("ints", ints);
            writer.addF32Array("floats", floats);
            writer.declareTensor("none", TensorType::F32, { 0 });
            writer.declareTensor("first", TensorType::Q4_0, { 32, 5 });
            writer.declareTensor("empty", TensorType::F32, { 4, 0 });
            writer.declareTensor("second", TensorType::F32, { second.size() / 4 });
            writer.declareTensor("scalar", TensorType::I8, {});
            writer.declareTensor("last", TensorType::F16, { 0 });
            QVERIFY(writer.begin().has_value());
            QVERIFY(!fs::exists(path));
            QVERIFY(writer.writeData(std::span(first).first(7)).has_value());
            QVERIFY(writer.writeData(std::span(first).subspan(7)).has_value());
            QVERIFY(writer.writeData(std::span(second).first(1)).has_value());
            QVERIFY(writer.writeData(std::span(second).subspan(1)).has_value());
            QVERIFY(writer.writeData(pattern(1, 9)).has_value());
            const auto finished = writer.finish();
            QVERIFY(finished.has_value());
            size = *finished;
        }
        QCOMPARE(fs::file_size(path), size);
        QVERIFY(!fs::exists(path + ".part"));

        const auto file = GgufFile::open(path).value();
        QVERIFY2(file->problems().empty(),
                 file->problems().empty() ? ""
                                          : englishSentence(file->problems()[0].error).c_str());
        QCOMPARE(file->header().alignment, std::uint64_t(alignment));
        QCOMPARE(file->header().version, 3U);
        QCOMPARE(file->find("general.architecture")->asText(), std::string_view("llama"));
        QCOMPARE(file->find("u32")->asUnsigned(), 4000000000U);
        QCOMPARE(file->find("u32")->type(), ValueType::U32);
        QCOMPARE(file->find("i32")->asInteger(), -5);
        QCOMPARE(file->find("i32")->type(), ValueType::I32);
        QCOMPARE(file->find("u64")->asUnsigned(), 1ULL << 60U);
        QCOMPARE(file->find("f32")->asNumber(), static_cast<double>(1e-5F));
        QCOMPARE(file->find("yes")->asBool(), true);
        QCOMPARE(file->find("no")->asBool(), false);
        std::vector<std::string> readWords;
        auto cursor = file->find("words")->elements();
        while (const auto word = cursor.next()) {
            readWords.emplace_back(word->asText().value());
        }
        QCOMPARE(readWords, words);
        QCOMPARE(file->find("ints")->display(), std::string("[3 × i32]"));
        auto intCursor = file->find("ints")->elements();
        for (const std::int32_t expected : ints) {
            QCOMPARE(intCursor.next()->asInteger(), expected);
        }
        auto floatCursor = file->find("floats")->elements();
        for (const float expected : floats) {
            QCOMPARE(floatCursor.next()->asNumber(), static_cast<double>(expected));
        }
        QCOMPARE(file->tensors().size(), std::size_t(6));
        QVERIFY(std::ranges::equal(file->data(*file->findTensor("first")), first));
        QVERIFY(std::ranges::equal(file->data(*file->findTensor("second")), second));
        QVERIFY(std::ranges::equal(file->data(*file->findTensor("scalar")), pattern(1, 9)));
        QCOMPARE(file->findTensor("first")->typeInfo()->type, TensorType::Q4_0);
        QCOMPARE(file->findTensor("first")->rows(), std::uint64_t(5));
        QCOMPARE(file->findTensor("scalar")->dimensions, 0U);
    }

    void writesMetadataAlone()
    {
        const auto path = pathOf("metadata.gguf").string();
        Writer writer(path);
        writer.addText("a.b", "c");
        QVERIFY(writer.begin().has_value());
        const auto size = writer.finish();
        QCOMPARE(size.value(), fs::file_size(path));
        const auto file = GgufFile::open(path).value();
        QVERIFY(file->problems().empty());
        QCOMPARE(file->metadata().size(), std::size_t(1));
    }

    void leavesNothingOnAFullDisk()
    {
        const auto path = pathOf("full.gguf").string();
        std::ofstream(path) << "the file before"; // must stay as it is
        Result<void> result;
        Result<std::uint64_t> finished = 0;
        {
            const FileSizeLimit limit(2U << 20U);
            Writer writer(path);
            writer.declareTensor("t", TensorType::F32, { 2U << 20U });
            QVERIFY(writer.begin().has_value());
            const auto piece = pattern(256U << 10U, 3);
            for (int i = 0; i < 32 && result; ++i) {
                result = writer.writeData(piece);
            }
            finished = result ? writer.finish() : tl::unexpected(result.error());
        }
        QVERIFY(!finished.has_value());
        QCOMPARE(finished.error().code, ErrorCode::FileWriteFailed);
        QCOMPARE(finished.error().where.file, path);
        QVERIFY(!fs::exists(path + ".part"));
        QCOMPARE(fs::file_size(path), std::uintmax_t(15));
    }

    void tellsAFullDiskAtTheEndToo()
    {
        const auto path = pathOf("full-small.gguf").string();
        Result<std::uint64_t> finished = 0;
        {
            const FileSizeLimit limit(1000);
            Writer writer(path); // all of it stays in the buffer until finish
            writer.declareTensor("t", TensorType::F32, { 1000 });
            QVERIFY(writer.begin().has_value());
            QVERIFY(writer.writeData(pattern(4000, 3)).has_value());
            finished = writer.finish();
        }
        QCOMPARE(finished.error().code, ErrorCode::FileWriteFailed);
        QVERIFY(!fs::exists(path));
        QVERIFY(!fs::exists(path + ".part"));
    }

    void removesAnUnfinishedPart()
    {
        const auto path = pathOf("cancelled.gguf").string();
        {
            Writer writer(path);
            writer.declareTensor("t", TensorType::F32, { 8 });
            QVERIFY(writer.begin().has_value());
            QVERIFY(fs::exists(path + ".part"));
            const auto finished = writer.finish(); // data are missing
            QCOMPARE(finished.error().code, ErrorCode::InvalidArgument);
            QCOMPARE(finished.error().where.subject, std::string("t"));
        }
        QVERIFY(!fs::exists(path));
        QVERIFY(!fs::exists(path + ".part"));
    }

    void reportsAnImpossiblePlace()
    {
        Writer nowhere(pathOf("no/such/folder/x.gguf").string());
        QCOMPARE(nowhere.begin().error().code, ErrorCode::FileWriteFailed);
        fs::create_directory(pathOf("folder.gguf"));
        Writer folder(pathOf("folder.gguf").string());
        QVERIFY(folder.begin().has_value());
        QCOMPARE(folder.finish().error().code, ErrorCode::FileWriteFailed);
        QVERIFY(!fs::exists(pathOf("folder.gguf.part")));
    }

    void refusesMisuse()
    {
        const auto path = pathOf("misuse.gguf").string();
        const auto codeOf = [&path](auto&& prepare, std::uint32_t alignment = 32) {
            Writer writer(path, alignment);
            prepare(writer);
            const auto begun = writer.begin();
            return begun ? ErrorCode::Cancelled : begun.error().code;
        };
        const auto bad = ErrorCode::InvalidArgument;
        QCOMPARE(codeOf([](Writer& w) { w.addU32("k", 1), w.addI32("k", 1); }), bad);
        QCOMPARE(codeOf([](Writer& w) { w.addU32("", 1); }), bad);
        QCOMPARE(codeOf([](Writer& w) { w.declareTensor("t", TensorType::Q4_0, { 33 }); }), bad);
        QCOMPARE(codeOf([](Writer& w) { w.declareTensor("t", TensorType::Q4_0, {}); }), bad);
        QCOMPARE(codeOf([](Writer& w) { w.declareTensor("", TensorType::F32, { 1 }); }), bad);
        QCOMPARE(codeOf([](Writer& w) {
                     w.declareTensor("t", TensorType::F32, { 1ULL << 40U, 1ULL << 40U });
                 }),
                 bad);
        QCOMPARE(codeOf([](Writer& w) {
                     w.declareTensor("t", TensorType::F32, { 1 });
                     w.declareTensor("t", TensorType::F32, { 1 });
                 }),
                 bad);
        QCOMPARE(codeOf([](Writer&) {}, 24), bad);
        QCOMPARE(codeOf([](Writer&) {}, 0), bad);
        QVERIFY(!fs::exists(path + ".part"));

        Writer writer(path);
        QCOMPARE(writer.writeData(pattern(1, 1)).error().code, bad); // before begin
        QCOMPARE(writer.finish().error().code, bad);
        writer.declareTensor("t", TensorType::F32, { 1 });
        QVERIFY(writer.begin().has_value());
        QCOMPARE(writer.begin().error().code, bad);
        QCOMPARE(writer.writeData(pattern(5, 1)).error().code, bad); // more than declared
        QVERIFY(writer.writeData(pattern(4, 1)).has_value());
        QCOMPARE(writer.writeData(pattern(1, 1)).error().code, bad);
        QVERIFY(writer.finish().has_value());
        QCOMPARE(writer.finish().error().code, bad);
        QVERIFY(fs::exists(path));
    }
};

QTEST_APPLESS_MAIN(TestGgufWriter)
#include "tst_gguf_writer.moc"
