// The KV cache's size from metadata: the formula, types, arrays, windows, hybrids, nonsense.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/cache_size.h"
#include "engine/model/hparams.h"
#include "engine/model/tensor_fit.h"
#include "tests/engine/gguf_bytes.h"
#include "tests/support/conformance.h"

#include <QTest>

#include <functional>
#include <map>

using namespace engine;
using gguf::TensorType;
using gguf::ValueType;
using model::CacheShape;
using tests::GgufBytes;

namespace {

/// Llama 3 8B, to be bent by a test: 32 blocks, 8 key/value heads of 128.
class Metadata
{
public:
    Metadata()
    {
        m_entries["general.architecture"] = [](GgufBytes& out) {
            out.key("general.architecture", ValueType::String).text("zebra");
        };
        u32("block_count", 32);
        u32("context_length", 8192);
        u32("embedding_length", 4096);
        u32("attention.head_count", 32);
        u32("attention.head_count_kv", 8);
    }

    Metadata& u32(const std::string& name, std::uint32_t value)
    {
        const std::string key = "zebra." + name;
        m_entries[key] = [=](GgufBytes& out) { out.key(key, ValueType::U32).number(value); };
        return *this;
    }
    template <typename T>
    Metadata& list(const std::string& name, ValueType type, const std::vector<T>& values)
    {
        const std::string key = "zebra." + name;
        m_entries[key] = [=](GgufBytes& out) {
            out.key(key, ValueType::Array).arrayHeader(type, values.size());
            for (const T value : values) {
                out.number(value);
            }
        };
        return *this;
    }
    Metadata& remove(const std::string& name)
    {
        m_entries.erase("zebra." + name);
        return *this;
    }

    [[nodiscard]] Result<CacheShape> read() const
    {
        GgufBytes out;
        out.header(0, m_entries.size());
        for (const auto& [key, write] : m_entries) {
            write(out);
        }
        const auto file = gguf::GgufFile::parse(std::as_bytes(std::span(out.bytes())), "m");
        return file ? model::readCacheShape(**file) : tl::unexpected(file.error());
    }

private:
    std::map<std::string, std::function<void(GgufBytes&)>> m_entries;
};

} // namespace

class TestCacheSize : public QObject
{
    Q_OBJECT

    static std::uint64_t bytes(const Metadata& metadata, std::uint64_t context,
                               TensorType type = TensorType::F16)
    {
        const auto shape = metadata.read();
        if (!shape) {
            qWarning("%s", englishSentence(shape.error()).c_str());
            return 1;
        }
        return model::cacheBytes(*shape, context, type);
    }

    static QString failureKey(const Metadata& metadata, ErrorCode code)
    {
        const auto shape = metadata.read();
        if (shape || shape.error().code != code) {
            return "not that error";
        }
        return QString::fromStdString(shape.error().where.subject);
    }

private Q_SLOTS:
    // 2 × layers × KV heads × head width × context × bytes
    void theFormula()
    {
        const Metadata llama;
        constexpr std::uint64_t kNumbers = 2ULL * 32 * 8 * 128 * 8192;
        QCOMPARE(bytes(llama, 8192), kNumbers * 2); // 1 GiB, as everybody knows
        QCOMPARE(bytes(llama, 8192), std::uint64_t(1) << 30U);
        QCOMPARE(bytes(llama, 8192, TensorType::F32), kNumbers * 4);
        QCOMPARE(bytes(llama, 8192, TensorType::Q8_0), kNumbers * 34 / 32);
        QCOMPARE(bytes(llama, 8192, TensorType::Q4_0), kNumbers * 18 / 32);
        QCOMPARE(bytes(llama, 0), std::uint64_t(0));
        const auto shape = llama.read();
        QVERIFY(shape && shape->isUniform());
        QCOMPARE(shape->trainedContext, 8192U);
    }

    void headsDefaultToAllOfThem()
    {
        QCOMPARE(bytes(Metadata().remove("attention.head_count_kv"), 10),
                 std::uint64_t(2) * 32 * 4096 * 10 * 2);
    }

    void keysAndValuesOfTheirOwnWidth()
    {
        auto metadata =
            Metadata().u32("attention.key_length", 192).u32("attention.value_length", 128);
        QCOMPARE(bytes(metadata, 10), std::uint64_t(32) * 8 * (192 + 128) * 10 * 2);
        metadata.remove("embedding_length"); // not needed then
        QCOMPARE(bytes(metadata, 10), std::uint64_t(32) * 8 * (192 + 128) * 10 * 2);
        QVERIFY(!metadata.read()->isUniform());
    }

    void oddRowsFillWholeBlocks()
    {
        const auto metadata = Metadata()
                                  .u32("block_count", 1)
                                  .u32("attention.head_count_kv", 1)
                                  .u32("attention.key_length", 40)
                                  .u32("attention.value_length", 32);
        QCOMPARE(bytes(metadata, 5, TensorType::Q8_0), std::uint64_t(2 + 1) * 34 * 5);
    }

    void headCountsPerBlock()
    {
        auto metadata = Metadata()
                            .u32("block_count", 3)
                            .u32("attention.key_length", 16)
                            .u32("attention.value_length", 16);
        metadata.list<std::uint32_t>("attention.head_count_kv", ValueType::U32, { 0, 2, 4 });
        QCOMPARE(bytes(metadata, 100), std::uint64_t(2) * (0 + 2 + 4) * 16 * 100 * 2);
        QVERIFY(!metadata.read()->isUniform());
        metadata.list<std::int32_t>("attention.head_count_kv", ValueType::I32, { 1, 1, 1 });
        QCOMPARE(bytes(metadata, 100), std::uint64_t(2) * 3 * 16 * 100 * 2);
        metadata.list<std::int32_t>("attention.head_count_kv", ValueType::I32, { 1, 1 });
        QCOMPARE(failureKey(metadata, ErrorCode::BadKeyValue),
                 QString("zebra.attention.head_count_kv"));
        metadata.list<std::int32_t>("attention.head_count_kv", ValueType::I32, { 1, -1, 1 });
        QCOMPARE(failureKey(metadata, ErrorCode::BadKeyValue),
                 QString("zebra.attention.head_count_kv"));
    }

    void slidingWindows()
    {
        auto metadata = Metadata().u32("block_count", 2).u32("attention.sliding_window", 16);
        const auto whole = std::uint64_t(2) * 2 * 8 * 128 * 100 * 2;
        QCOMPARE(bytes(metadata, 100), whole); // which blocks? at most so much
        QCOMPARE(metadata.read()->unplacedWindow, 16U);
        metadata.list<std::uint8_t>("attention.sliding_window_pattern", ValueType::Bool, { 1, 0 });
        QCOMPARE(bytes(metadata, 100), whole / 2 + whole / 2 * 16 / 100);
        QCOMPARE(bytes(metadata, 10), whole / 10); // shorter than the window
        QCOMPARE(metadata.read()->unplacedWindow, 0U);
    }

    void recurrentAndSharedBlocksKeepNothing()
    {
        QCOMPARE(bytes(Metadata().u32("full_attention_interval", 4), 10),
                 bytes(Metadata().u32("block_count", 8), 10));
        QCOMPARE(bytes(Metadata().u32("attention.shared_kv_layers", 12), 10),
                 bytes(Metadata().u32("block_count", 20), 10));
    }

    void whatIsMissingIsNamed()
    {
        QCOMPARE(failureKey(Metadata().remove("block_count"), ErrorCode::MissingKey),
                 QString("zebra.block_count"));
        QCOMPARE(failureKey(Metadata().remove("attention.head_count"), ErrorCode::MissingKey),
                 QString("zebra.attention.head_count"));
        QCOMPARE(failureKey(Metadata().remove("embedding_length"), ErrorCode::MissingKey),
                 QString("zebra.embedding_length"));
        const std::string bytes = GgufBytes().header(0, 0).bytes();
        const auto empty = gguf::GgufFile::parse(std::as_bytes(std::span(bytes)), "empty");
        QVERIFY(empty && !model::readCacheShape(**empty));
    }

    void nonsenseStaysFinite()
    {
        auto metadata = Metadata()
                            .u32("block_count", 4096)
                            .u32("attention.head_count_kv", 65536)
                            .u32("attention.key_length", 1U << 20U)
                            .u32("attention.value_length", 1U << 20U);
        QCOMPARE(bytes(metadata, 1ULL << 62U), std::numeric_limits<std::uint64_t>::max());
        QCOMPARE(failureKey(metadata.u32("block_count", 4097), ErrorCode::BadKeyValue),
                 QString("zebra.block_count"));
        QCOMPARE(bytes(Metadata().u32("block_count", 0), 10), std::uint64_t(0));
        QCOMPARE(bytes(Metadata().u32("attention.head_count", 0), 10), std::uint64_t(0));
    }

    // Every architecture of the conformance pack has a shape.
    void everyArchitecture()
    {
        const auto folder = tests::conformanceDir("architectures");
        if (!folder) {
            QSKIP(tests::missing("architectures").c_str());
        }
        int count = 0;
        for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
            const auto path = entry.path() / "model.gguf";
            if (!std::filesystem::exists(path)) {
                continue;
            }
            const auto file = gguf::GgufFile::open(path.string());
            QVERIFY(file);
            const auto shape = model::readCacheShape(**file);
            QVERIFY2(shape, shape ? "" : englishSentence(shape.error()).c_str());
            const auto bytesOf64 = model::cacheBytes(*shape, 64, TensorType::F16);
            QVERIFY(bytesOf64 > 0);
            if (const auto h = model::readHparams(**file)) { // as the engine lays its cache out
                const auto kept = model::fitTensors(**file, *h).kv.numbers();
                QVERIFY2(bytesOf64 == kept * 64 * 2, path.c_str());
            }
            ++count;
        }
        QVERIFY(count > 0);
    }
};

QTEST_APPLESS_MAIN(TestCacheSize)
#include "tst_cache_size.moc"
