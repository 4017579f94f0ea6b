// Hyperparameters: every rule, with the key named in the error; defaults; each spelling that is
// allowed. SPDX-License-Identifier: Apache-2.0
#include "engine/model/hparams.h"
#include "tests/engine/gguf_bytes.h"

#include <QTest>

#include <functional>
#include <limits>
#include <map>

using namespace engine;
using gguf::ValueType;
using model::Hparams;
using model::RopeScaling;
using tests::GgufBytes;

namespace {

/// The metadata of a small llama, to be bent by a test.
class Metadata
{
public:
    Metadata()
    {
        text("general.architecture", "llama");
        u32("llama.block_count", 2);
        u32("llama.context_length", 512);
        u32("llama.embedding_length", 64);
        u32("llama.feed_forward_length", 128);
        u32("llama.attention.head_count", 4);
    }

    void text(const std::string& key, const std::string& value)
    {
        m_entries[key] = [=](GgufBytes& out) { out.key(key, ValueType::String).text(value); };
    }
    void u32(const std::string& key, std::uint32_t value) { number(key, ValueType::U32, value); }
    void f32(const std::string& key, float value) { number(key, ValueType::F32, value); }
    template <typename T>
    void number(const std::string& key, ValueType type, T value)
    {
        m_entries[key] = [=](GgufBytes& out) { out.key(key, type).number(value); };
    }
    void u32s(const std::string& key, const std::vector<std::uint32_t>& values)
    {
        m_entries[key] = [=](GgufBytes& out) {
            out.key(key, ValueType::Array).arrayHeader(ValueType::U32, values.size());
            for (const auto value : values) {
                out.number(value);
            }
        };
    }
    void texts(const std::string& key, const std::vector<std::string>& values)
    {
        m_entries[key] = [=](GgufBytes& out) {
            out.key(key, ValueType::Array).arrayHeader(ValueType::String, values.size());
            for (const auto& value : values) {
                out.text(value);
            }
        };
    }
    void remove(const std::string& key) { m_entries.erase(key); }

    [[nodiscard]] Result<Hparams> read() const
    {
        GgufBytes bytes;
        bytes.header(0, m_entries.size());
        for (const auto& [key, write] : m_entries) {
            write(bytes);
        }
        const auto file = gguf::GgufFile::parse(std::as_bytes(std::span(bytes.bytes())), "bent");
        if (!file) {
            return tl::unexpected(file.error());
        }
        if (auto sound = (*file)->requireSound(); !sound) {
            return tl::unexpected(sound.error());
        }
        return model::readHparams(**file);
    }

private:
    std::map<std::string, std::function<void(GgufBytes&)>> m_entries;
};

struct Refusal
{
    const char* name;
    std::function<void(Metadata&)> change;
    ErrorCode code;
    const char* key;
    const char* mention; ///< in the sentence
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

void set(std::vector<Refusal>& all, const char* name, const char* key, std::uint32_t value,
         const char* mention)
{
    all.push_back(
        { name, [=](Metadata& m) { m.u32(key, value); }, ErrorCode::BadKeyValue, key, mention });
}

void set(std::vector<Refusal>& all, const char* name, const char* key, float value,
         const char* mention)
{
    all.push_back(
        { name, [=](Metadata& m) { m.f32(key, value); }, ErrorCode::BadKeyValue, key, mention });
}

void missing(std::vector<Refusal>& all, const char* key)
{
    all.push_back(
        { key, [=](Metadata& m) { m.remove(key); }, ErrorCode::MissingKey, key, "missing" });
}

void wrongType(std::vector<Refusal>& all, const char* key, const char* needed)
{
    all.push_back({ key, [=](Metadata& m) { m.number(key, ValueType::Bool, std::uint8_t(1)); },
                    ErrorCode::WrongKeyType, key, needed });
}

std::vector<Refusal> counts()
{
    std::vector<Refusal> all;
    for (const auto* key :
         { "llama.block_count", "llama.context_length", "llama.embedding_length",
           "llama.feed_forward_length", "llama.attention.head_count", "general.architecture" }) {
        missing(all, key);
        const bool name = std::string_view(key) == "general.architecture";
        wrongType(all, key, name ? "a string" : "an integer");
    }
    for (const auto* key : { "llama.attention.head_count_kv", "llama.attention.key_length",
                             "llama.attention.value_length", "llama.rope.dimension_count",
                             "llama.rope.scaling.original_context_length" }) {
        wrongType(all, key, "an integer");
    }
    set(all, "no blocks", "llama.block_count", 0U, "The value 0");
    set(all, "513 blocks", "llama.block_count", 513U, "from 1 to 512");
    set(all, "no context", "llama.context_length", 0U, "The value 0");
    set(all, "huge context", "llama.context_length", (1U << 28U) + 1, "268435457");
    set(all, "no width", "llama.embedding_length", 0U, "The value 0");
    set(all, "huge width", "llama.embedding_length", (1U << 20U) + 1, "1048577");
    set(all, "no hidden layer", "llama.feed_forward_length", 0U, "The value 0");
    set(all, "huge hidden layer", "llama.feed_forward_length", 0xFFFF'FFFFU, "4294967295");
    set(all, "no heads", "llama.attention.head_count", 0U, "The value 0");
    set(all, "many heads", "llama.attention.head_count", 4097U, "4097");
    set(all, "no key heads", "llama.attention.head_count_kv", 0U, "The value 0");
    set(all, "more key heads than heads", "llama.attention.head_count_kv", 5U, "from 1 to 4");
    set(all, "heads not divisible", "llama.attention.head_count_kv", 3U, "divisor");
    set(all, "more heads than numbers", "llama.embedding_length", 3U, "at most embedding_length");
    all.back().key = "llama.attention.head_count";
    set(all, "no key length", "llama.attention.key_length", 0U, "The value 0");
    set(all, "no value length", "llama.attention.value_length", 0U, "The value 0");
    return all;
}

std::vector<Refusal> numbers()
{
    std::vector<Refusal> all;
    for (const auto* key :
         { "llama.attention.layer_norm_rms_epsilon", "llama.rope.freq_base",
           "llama.rope.scaling.factor", "llama.rope.scale_linear", "llama.rope.scaling.attn_factor",
           "llama.rope.scaling.yarn_ext_factor", "llama.rope.scaling.yarn_beta_fast",
           "llama.rope.scaling.yarn_beta_slow" }) {
        wrongType(all, key, "a number");
        set(all, "not a number", key, kNaN, "nan");
        set(all, "infinite", key, kInfinity, "inf");
        set(all, "negative", key, -1.0F, "-1.0");
    }
    set(all, "large epsilon", "llama.attention.layer_norm_rms_epsilon", 2.0F, "2.0");
    set(all, "base of 0", "llama.rope.freq_base", 0.0F, "0.0");
    set(all, "factor of 0", "llama.rope.scaling.factor", 0.0F, "0.0");
    set(all, "old factor of 0", "llama.rope.scale_linear", 0.0F, "0.0");
    set(all, "odd dimensions", "llama.rope.dimension_count", 7U, "an even number");
    set(all, "more dimensions than a head has", "llama.rope.dimension_count", 18U, "from 0 to 16");
    set(all, "odd heads", "llama.attention.key_length", 15U, "an even number");
    all.back().key = "llama.rope.dimension_count";
    set(all, "no original context", "llama.rope.scaling.original_context_length", 0U,
        "The value 0");
    return all;
}

std::vector<Refusal> others()
{
    return {
        { "unknown architecture", [](Metadata& m) { m.text("general.architecture", "zzz"); },
          ErrorCode::UnknownArchitecture, "general.architecture", "'zzz'" },
        { "what is known", [](Metadata& m) { m.text("general.architecture", "zzz"); },
          ErrorCode::UnknownArchitecture, "general.architecture", "llama" },
        { "out of reach", [](Metadata& m) { m.text("general.architecture", "rwkv7"); },
          ErrorCode::UnknownArchitecture, "general.architecture", "missing: RWKV's time mixing" },
        { "unknown scaling", [](Metadata& m) { m.text("llama.rope.scaling.type", "dynamic"); },
          ErrorCode::UnsupportedFeature, "llama.rope.scaling.type", "'dynamic'" },
        { "scaling as a number", [](Metadata& m) { m.u32("llama.rope.scaling.type", 1); },
          ErrorCode::WrongKeyType, "llama.rope.scaling.type", "a string" },
        { "negative", [](Metadata& m) { m.number("llama.block_count", ValueType::I32, -2); },
          ErrorCode::BadKeyValue, "llama.block_count", "-2" },
        { "more than 32 bits",
          [](Metadata& m) {
              m.number("llama.context_length", ValueType::U64, std::uint64_t(1) << 40U);
          },
          ErrorCode::BadKeyValue, "llama.context_length", "1099511627776" },
        { "more than 63 bits",
          [](Metadata& m) { m.number("llama.context_length", ValueType::U64, ~std::uint64_t(0)); },
          ErrorCode::BadKeyValue, "llama.context_length", "18446744073709551615" },
        { "a fraction", [](Metadata& m) { m.f32("llama.block_count", 2.0F); },
          ErrorCode::WrongKeyType, "llama.block_count", "f32" },
        { "head counts of too few blocks",
          [](Metadata& m) { m.u32s("llama.attention.head_count", { 4 }); }, ErrorCode::BadKeyValue,
          "llama.attention.head_count", "1 items" },
        { "head counts of too many blocks",
          [](Metadata& m) {
              m.u32s("llama.attention.head_count", { 4, 4, 4 });
          },
          ErrorCode::BadKeyValue, "llama.attention.head_count", "2 blocks" },
        { "impossible in an array",
          [](Metadata& m) {
              m.u32s("llama.feed_forward_length", { 128, 0 });
          },
          ErrorCode::BadKeyValue, "llama.feed_forward_length", "The value 0" },
        { "an array of texts",
          [](Metadata& m) {
              m.texts("llama.feed_forward_length", { "a", "b" });
          },
          ErrorCode::WrongKeyType, "llama.feed_forward_length", "string" },
        { "an array in place of one number",
          [](Metadata& m) {
              m.u32s("llama.context_length", { 512, 512 });
          },
          ErrorCode::WrongKeyType, "llama.context_length", "an integer" },
        { "the first of two",
          [](Metadata& m) {
              m.u32("llama.context_length", 0);
              m.u32("llama.attention.head_count", 0);
          },
          ErrorCode::BadKeyValue, "llama.context_length", "The value 0" },
    };
}

std::vector<Refusal> refusals()
{
    auto all = counts();
    for (const auto& more : { numbers(), others() }) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

} // namespace

class TestHparams : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refuses_data()
    {
        QTest::addColumn<int>("index");
        const auto all = refusals();
        for (std::size_t i = 0; i < all.size(); ++i) {
            QTest::addRow("%s: %s, %s", all[i].key, all[i].name, all[i].mention) << int(i);
        }
    }
    void refuses()
    {
        QFETCH(int, index);
        const auto refusal = refusals()[static_cast<std::size_t>(index)];
        Metadata metadata;
        refusal.change(metadata);
        const auto read = metadata.read();
        QVERIFY(!read.has_value());
        const auto& error = read.error();
        const auto sentence = englishSentence(error);
        QVERIFY2(error.code == refusal.code, sentence.c_str());
        QCOMPARE(error.where.subject, std::string(refusal.key));
        QCOMPARE(error.where.file, std::string("bent"));
        QVERIFY2(sentence.find(refusal.mention) != std::string::npos, sentence.c_str());
    }

    // The place of a value that is there is known.
    void offsets()
    {
        Metadata metadata;
        metadata.u32("llama.block_count", 0);
        QVERIFY(metadata.read().error().where.offset.has_value());
        metadata.remove("llama.block_count");
        QVERIFY(!metadata.read().error().where.offset.has_value());
    }

    void defaults()
    {
        const auto h = Metadata().read();
        QVERIFY(h.has_value());
        QCOMPARE(h->architecture, std::string("llama"));
        QCOMPARE(h->blockCount, 2U);
        QCOMPARE(h->contextLength, 512U);
        QCOMPARE(h->embeddingLength, 64U);
        QCOMPARE(h->feedForwardLengths, std::vector<std::uint32_t>(2, 128));
        QCOMPARE(h->headCount, 4U);
        QCOMPARE(h->headCountsKv, std::vector<std::uint32_t>(2, 4));
        QCOMPARE(h->keyLength, 16U);
        QCOMPARE(h->valueLength, 16U);
        QCOMPARE(h->rmsEpsilon, 1e-5F);
        QCOMPARE(h->ropeDimensions, 16U);
        QCOMPARE(h->ropeBase, 10000.0F);
        QVERIFY(h->ropeScaling == RopeScaling::None);
        QCOMPARE(h->ropeOriginalContext, 512U);
        QCOMPARE(h->yarnExtrapolation, 1.0F);
        QCOMPARE(h->yarnBetaFast, 32.0F);
        QCOMPARE(h->vocabularySize, 0U);
    }

    void everyKey()
    {
        Metadata m;
        m.u32s("llama.attention.head_count", { 4, 4 });
        m.u32s("llama.attention.head_count_kv", { 2, 2 });
        m.u32s("llama.feed_forward_length", { 96, 96 });
        m.number("llama.context_length", ValueType::U64, std::uint64_t(4096));
        m.number("llama.block_count", ValueType::I8, std::int8_t(2));
        m.u32("llama.attention.key_length", 32);
        m.u32("llama.attention.value_length", 24);
        m.f32("llama.attention.layer_norm_rms_epsilon", 1e-6F);
        m.u32("llama.rope.dimension_count", 20);
        m.number("llama.rope.freq_base", ValueType::F64, 500000.0);
        m.text("llama.rope.scaling.type", "yarn");
        m.u32("llama.rope.scaling.factor", 8); // an integer is a number too
        m.u32("llama.rope.scaling.original_context_length", 1024);
        m.f32("llama.rope.scaling.attn_factor", 0.9F);
        m.f32("llama.rope.scaling.yarn_ext_factor", 0.5F);
        m.f32("llama.rope.scaling.yarn_beta_fast", 16.0F);
        m.f32("llama.rope.scaling.yarn_beta_slow", 2.0F);
        m.u32("llama.expert_count", 0);
        m.texts("tokenizer.ggml.tokens", { "a", "b", "c" });
        const auto h = m.read();
        QVERIFY(h.has_value());
        QCOMPARE(h->headCountsKv, std::vector<std::uint32_t>(2, 2));
        QCOMPARE(h->feedForwardLengths, std::vector<std::uint32_t>(2, 96));
        QCOMPARE(h->contextLength, 4096U);
        QCOMPARE(h->keyLength, 32U);
        QCOMPARE(h->valueLength, 24U);
        QCOMPARE(h->rmsEpsilon, 1e-6F);
        QCOMPARE(h->ropeDimensions, 20U);
        QCOMPARE(h->ropeBase, 500000.0F);
        QVERIFY(h->ropeScaling == RopeScaling::Yarn);
        QCOMPARE(h->ropeFactor, 8.0F);
        QCOMPARE(h->ropeOriginalContext, 1024U);
        QCOMPARE(h->yarnAttentionFactor, 0.9F);
        QCOMPARE(h->yarnExtrapolation, 0.5F);
        QCOMPARE(h->yarnBetaFast, 16.0F);
        QCOMPARE(h->yarnBetaSlow, 2.0F);
        QCOMPARE(h->vocabularySize, 3U);
    }

    void linearScaling()
    {
        Metadata m;
        m.text("llama.rope.scaling.type", "linear");
        m.f32("llama.rope.scaling.factor", 4.0F);
        QVERIFY(m.read()->ropeScaling == RopeScaling::Linear);
        QCOMPARE(m.read()->ropeFactor, 4.0F);
        m.text("llama.rope.scaling.type", "none");
        QVERIFY(m.read()->ropeScaling == RopeScaling::None);
        // as older files say it
        Metadata old;
        old.f32("llama.rope.scale_linear", 2.0F);
        QVERIFY(old.read()->ropeScaling == RopeScaling::Linear);
        QCOMPARE(old.read()->ropeFactor, 2.0F);
        old.f32("llama.rope.scale_linear", 1.0F);
        QVERIFY(old.read()->ropeScaling == RopeScaling::None);
    }
};

QTEST_APPLESS_MAIN(TestHparams)
#include "tst_hparams.moc"
