// Every file of the malformed folders behaves as its table says, quickly and in little memory; so
// do cut and damaged variants of them.
#include "engine/gguf/gguf_file.h"
#include "tests/support/conformance.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <new>
#include <random>

using namespace engine;
using namespace engine::gguf;

namespace {

std::atomic<std::size_t> allocated = 0; ///< bytes asked for since it was last set to 0

constexpr std::size_t kMaxAllocation = 64U << 20U;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double kMaxSeconds = 10;
#else
constexpr double kMaxSeconds = 1;
#endif

/// Of processor time: a busy machine is not the parser's fault.
double secondsNow()
{
    return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

QString lowerSentence(Error error)
{
    error.where.file.clear(); // names of files would answer for their contents
    return QString::fromStdString(englishSentence(error) + ' ' + error.where.subject).toLower();
}

/// Reads all that a program might: nothing may crash on what the parser let through.
std::size_t touchAll(const GgufFile& file)
{
    std::size_t sum = 0;
    for (const MetadataEntry& entry : file.metadata()) {
        sum += entry.value.display().size() + entry.value.elementBytes().size();
        auto cursor = entry.value.elements();
        while (const auto element = cursor.next()) {
            sum += element->display().size();
        }
        sum += file.find(entry.key) ? 1 : 0;
    }
    for (const TensorInfo& tensor : file.tensors()) {
        const auto data = file.data(tensor);
        sum += data.empty() ? 0 : std::to_integer<std::size_t>(data.back()) + tensor.rows();
        sum += file.findTensor(tensor.name) ? 1 : 0;
    }
    for (const Problem& problem : file.problems()) {
        sum += englishSentence(problem.error).size();
    }
    return sum;
}

/// Sections follow one another from the first byte to the last.
bool coversTheFile(const GgufFile& file)
{
    std::uint64_t at = 0;
    for (const Section& section : file.sections()) {
        if (section.span.offset != at || section.span.size == 0) {
            return false;
        }
        at = section.span.end();
    }
    return at == file.bytes().size();
}

} // namespace

// Counts for the tests below; the library's own operators would do the same otherwise.
void* operator new(std::size_t size)
{
    allocated += size;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}

void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept
{
    allocated += size;
    return std::malloc(size == 0 ? 1 : size);
}

void operator delete(void* memory) noexcept
{
    std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept
{
    std::free(memory);
}

class TestMalformedContainers : public QObject
{
    Q_OBJECT

    static void addFiles(const char* folder)
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("opens");
        QTest::addColumn<bool>("loads");
        QTest::addColumn<QStringList>("mention");
        QTest::addColumn<bool>("mild");
        const auto root = tests::conformanceDir("malformed");
        const auto table = tests::readJson(*root / "expected.json");
        for (const auto& [name, row] : table.at(folder).items()) {
            QStringList mention;
            for (const auto& text : row.at("mention")) {
                mention << QString::fromStdString(text.get<std::string>());
            }
            const bool opens = row.at("opens").get<bool>();
            const bool loads = row.value("loads", true);
            // "bad" for llama.cpp, good for us: never without a word.
            const bool mild = loads && (name.starts_with("bad_") || name.starts_with("nested_"));
            QTest::newRow(name.c_str()) << QString::fromStdString((*root / folder / name).string())
                                        << opens << loads << mention << mild;
        }
    }

    /// Cut at every length, damaged at random places: whatever results is read without harm.
    static void damage(const std::string& bytes)
    {
        const auto tryIt = [](const std::string& variant) {
            const auto file = GgufFile::parse(std::as_bytes(std::span(variant)), "variant");
            if (file) {
                static_cast<void>(touchAll(**file));
                QVERIFY(coversTheFile(**file));
            }
        };
        const std::size_t step = bytes.size() < 10000 ? 1 : tests::fullRun() ? 97 : 997;
        for (std::size_t length = 0; length < bytes.size(); length += step) {
            tryIt(bytes.substr(0, length));
        }
        std::mt19937 random(1);
        const int rounds = bytes.empty() ? 0 : tests::fullRun() ? 5000 : 300;
        for (int i = 0; i < rounds; ++i) {
            std::string variant = bytes;
            for (int j = 0; j < 1 + i % 3; ++j) {
                const std::size_t at = random() % std::min<std::size_t>(variant.size(), 600);
                variant[at] = static_cast<char>(i % 2 == 0 ? random() : 0xFFU);
            }
            tryIt(variant);
        }
    }

private Q_SLOTS:
    void initTestCase()
    {
        const auto root = tests::conformanceDir("malformed");
        QVERIFY2(root.has_value(), "tests/data/malformed belongs to the clone");
        const auto table = tests::readJson(*root / "expected.json");
        QCOMPARE(table.at("containers").size(), std::size_t(65));
        QCOMPARE(table.at("tokenizers").size(), std::size_t(34));
    }

    void behavesAsTheTableSays_data() { addFiles("containers"); }

    void behavesAsTheTableSays()
    {
        QFETCH(QString, path);
        QFETCH(bool, opens);
        QFETCH(bool, loads);
        QFETCH(QStringList, mention);
        QFETCH(bool, mild);
        allocated = 0;
        const auto start = secondsNow();
        const auto file = GgufFile::open(path.toStdString());
        const auto took = secondsNow() - start;
        QVERIFY2(allocated < kMaxAllocation, qPrintable(QString::number(allocated)));
        QVERIFY(took < kMaxSeconds);

        QCOMPARE(file.has_value(), opens);
        std::vector<Error> errors;
        std::vector<Error> told;
        if (!opens) {
            errors = told = { file.error() };
        } else {
            for (const Problem& problem : (*file)->problems()) {
                told.push_back(problem.error);
                if (problem.severity == Severity::Error) {
                    errors.push_back(problem.error);
                }
            }
            QCOMPARE((*file)->loads(), loads);
            QCOMPARE((*file)->requireSound().has_value(), loads);
            QVERIFY(coversTheFile(**file));
            QVERIFY(touchAll(**file) < kMaxAllocation);
        }
        QCOMPARE(errors.empty(), loads);
        QVERIFY(!mild || !told.empty());
        for (const Error& error : errors) {
            QVERIFY(error.code == ErrorCode::FileEmpty || error.where.offset.has_value());
            QVERIFY(QString::fromStdString(error.where.file) == path);
        }
        for (const QString& text : mention) {
            const bool found = std::ranges::any_of(told, [&text](const Error& error) {
                return lowerSentence(error).contains(text.toLower());
            });
            QVERIFY2(found, qPrintable("nothing mentions " + text));
        }
    }

    void namesThePlace_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qulonglong>("offset");
        QTest::newRow("value type") << "bad_type_13" << 33ULL;
        QTest::newRow("key length") << "bad_key_len_past_eof" << 24ULL;
        QTest::newRow("tensor count") << "bad_n_tensors_neg" << 8ULL;
        QTest::newRow("metadata count") << "bad_n_kv_neg" << 16ULL;
        QTest::newRow("version") << "bad_version_1" << 4ULL;
        QTest::newRow("tensor type") << "bad_type_43" << 90ULL;
        QTest::newRow("metadata count too small") << "bad_kv_count_too_few" << 69ULL;
        QTest::newRow("dimensions") << "bad_ndims5" << 78ULL;
        QTest::newRow("tensor offset") << "bad_offset_unaligned" << 94ULL;
    }

    void namesThePlace()
    {
        QFETCH(QString, name);
        QFETCH(qulonglong, offset);
        const auto path =
            *tests::conformanceDir("malformed") / "containers" / (name + ".gguf").toStdString();
        const auto file = GgufFile::open(path.string());
        QVERIFY(file.has_value());
        QCOMPARE((*file)->requireSound().error().where.offset.value_or(0), std::uint64_t(offset));
    }

    void opensTokenizerFiles_data() { addFiles("tokenizers"); }

    void opensTokenizerFiles()
    {
        QFETCH(QString, path);
        allocated = 0;
        const auto start = secondsNow();
        const auto file = GgufFile::open(path.toStdString());
        QVERIFY(secondsNow() - start < kMaxSeconds);
        QVERIFY(allocated < kMaxAllocation);
        QVERIFY(file.has_value());
        QVERIFY((*file)->loads()); // their containers are sound
        QVERIFY(coversTheFile(**file));
        const bool split = path.contains("split_count_u32");
        QCOMPARE((*file)->problems().empty(), !split);
        if (split) {
            QVERIFY(lowerSentence((*file)->problems()[0].error).contains("split"));
        }
    }

    void survivesDamage_data() { addFiles("containers"); }

    void survivesDamage()
    {
        QFETCH(QString, path);
        damage(tests::readFile(path.toStdString()));
    }

    void needsLittleMemoryForTheLargestDirectory()
    {
        // As many entries as are ever read: 2^17 tensors, each with a problem of its own.
        constexpr std::uint64_t kTensors = 1U << 17U;
        std::string bytes("GGUF\3\0\0\0", 8);
        const auto number = [&bytes](std::uint64_t value, int size) {
            for (int i = 0; i < size; ++i) {
                bytes += static_cast<char>(value >> (8 * i));
            }
        };
        number(kTensors, 8);
        number(0, 8);
        for (std::uint64_t i = 0; i < kTensors; ++i) {
            number(4, 8); // the name
            number(i, 4);
            number(0, 4);
            number(99, 4);
            number(1, 8);
        }
        allocated = 0;
        const auto start = secondsNow();
        const auto file = GgufFile::parse(std::as_bytes(std::span(bytes)), "large");
        const auto took = secondsNow() - start;
        QVERIFY(file.has_value());
        QCOMPARE((*file)->tensors().size(), std::size_t(kTensors));
        QVERIFY2(allocated < kMaxAllocation, qPrintable(QString::number(allocated)));
        QVERIFY(took < kMaxSeconds);
    }
};

QTEST_APPLESS_MAIN(TestMalformedContainers)
#include "tst_malformed_containers.moc"
