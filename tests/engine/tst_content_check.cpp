// Contradictions inside a file: blocks, heads, vocabulary sizes, file type, templates.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/file_type.h"
#include "engine/model/content_check.h"
#include "tests/engine/gguf_bytes.h"

#include <QTest>

#include <functional>

using namespace engine;
using gguf::ValueType;
using tests::GgufBytes;

namespace {

/// A file of an architecture that nobody knows, sound unless bent: two blocks, Q8_0 and F32.
class Sample
{
public:
    Sample()
    {
        text("general.architecture", "zebra");
        u32("general.file_type", 7);
        u32("zebra.block_count", 2);
        u32("zebra.attention.head_count", 4);
        u32("zebra.attention.head_count_kv", 2);
        u32("zebra.vocab_size", 3);
        texts("tokenizer.ggml.tokens", { "a", "b", "c" });
        m_tensors = { "token_embd.weight", "blk.0.attn_q.weight", "blk.1.attn_q.weight" };
    }

    void text(const std::string& key, const std::string& value)
    {
        m_entries[key] = [=](GgufBytes& out) { out.key(key, ValueType::String).text(value); };
    }
    void u32(const std::string& key, std::uint32_t value)
    {
        m_entries[key] = [=](GgufBytes& out) { out.key(key, ValueType::U32).number(value); };
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
    std::vector<std::string>& tensors() { return m_tensors; }

    [[nodiscard]] std::string bytes() const
    {
        GgufBytes out;
        out.header(m_tensors.size(), m_entries.size());
        for (const auto& [key, write] : m_entries) {
            write(out);
        }
        constexpr std::uint64_t kData = 3 * 34; // three blocks of Q8_0
        constexpr std::uint64_t kPadded = 128;
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            out.tensor(m_tensors[i], { 32, 3 }, 8, i * kPadded);
        }
        out.pad();
        for (std::size_t i = 0; i < m_tensors.size(); ++i) {
            out.fill(kData).pad();
        }
        return out.bytes();
    }

private:
    std::map<std::string, std::function<void(GgufBytes&)>> m_entries;
    std::vector<std::string> m_tensors;
};

struct Case
{
    const char* name;
    std::function<void(Sample&)> bend;
    ErrorCode code;
    const char* subject;
    const char* mention;
};

const std::vector<Case>& cases()
{
    static const std::vector<Case> all {
        { "fewer blocks than it says", [](Sample& s) { s.u32("zebra.block_count", 3); },
          ErrorCode::BlocksContradict, "zebra.block_count", "3 blocks" },
        { "more blocks than it says", [](Sample& s) { s.tensors().push_back("blk.2.x"); },
          ErrorCode::BlocksContradict, "zebra.block_count", "say 3" },
        { "a block left out", [](Sample& s) { s.tensors()[2] = "blk.7.attn_q.weight"; },
          ErrorCode::BlocksContradict, "zebra.block_count", "up to 7" },
        { "heads", [](Sample& s) { s.u32("zebra.attention.head_count_kv", 3); },
          ErrorCode::BadKeyValue, "zebra.attention.head_count_kv", "divisor" },
        { "vocabulary size", [](Sample& s) { s.u32("zebra.vocab_size", 4); },
          ErrorCode::BadKeyValue, "zebra.vocab_size", "3 tokens" },
        { "another architecture's keys",
          [](Sample& s) {
              s.remove("zebra.block_count");
              s.u32("gnu.block_count", 2);
          },
          ErrorCode::KeysOfOtherArchitecture, "gnu.block_count", "keys of 'gnu'" },
        { "file type", [](Sample& s) { s.u32("general.file_type", 15); },
          ErrorCode::FileTypeContradicts, "general.file_type", "Q4_K_M" },
        { "template", [](Sample& s) { s.text("tokenizer.chat_template", "a\nb\n{% if %}"); },
          ErrorCode::TemplateSyntax, "tokenizer.chat_template, line 3", "broken" },
        { "named template",
          [](Sample& s) { s.text("tokenizer.chat_template.tool_use", "{{ 'x }}"); },
          ErrorCode::TemplateSyntax, "tokenizer.chat_template.tool_use, line 1", "broken" },
    };
    return all;
}

std::vector<gguf::Problem> checked(const std::string& bytes)
{
    const auto file = gguf::GgufFile::parse(std::as_bytes(std::span(bytes)), "bent.gguf");
    if (!file || !(*file)->loads()) {
        return { { gguf::Severity::Error, { ErrorCode::InternalError, {}, {} } } };
    }
    return model::checkContent(**file);
}

} // namespace

class TestContentCheck : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void soundFileHasNoProblem()
    {
        QVERIFY(checked(Sample().bytes()).empty());
        // an embedding that is padded, counts that are guessed, vision parts: all usual
        Sample usual;
        usual.u32("general.file_type", 1024 + 7);
        usual.u32("zebra.vision.block_count", 27);
        usual.texts("tokenizer.ggml.tokens", { "a", "b" });
        usual.text("tokenizer.chat_template", "{{ messages[0].content }}");
        QVERIFY(checked(usual.bytes()).empty());
    }

    void contradictionsAreFound_data()
    {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < cases().size(); ++i) {
            QTest::newRow(cases()[i].name) << static_cast<int>(i);
        }
    }
    void contradictionsAreFound()
    {
        QFETCH(int, index);
        const Case& bent = cases()[static_cast<std::size_t>(index)];
        Sample sample;
        bent.bend(sample);
        const auto problems = checked(sample.bytes());
        QCOMPARE(problems.size(), std::size_t(1));
        const auto& problem = problems[0];
        QCOMPARE(QString::fromUtf8(errorSlug(problem.error.code).data()),
                 QString::fromUtf8(errorSlug(bent.code).data()));
        QVERIFY(problem.severity != gguf::Severity::Error);
        QCOMPARE(problem.error.where.subject, std::string(bent.subject));
        QVERIFY(problem.error.where.offset.has_value());
        const auto sentence = englishSentence(problem.error);
        QVERIFY2(sentence.find(bent.mention) != std::string::npos, sentence.c_str());
    }

    // The offset of a broken template is that of its broken line.
    void templateLineHasItsOffset()
    {
        Sample sample;
        sample.text("tokenizer.chat_template", "fine\n{{ fine }}\n{% for %}\n");
        const auto bytes = sample.bytes();
        const auto problems = checked(bytes);
        QCOMPARE(problems.size(), std::size_t(1));
        QCOMPARE(*problems[0].error.where.offset, std::uint64_t(bytes.find("{% for %}")));
    }

    // One part of a model has only some of the blocks.
    void partsAreNotBlamed()
    {
        Sample sample;
        sample.u32("split.count", 2);
        sample.u32("zebra.block_count", 9);
        const auto problems = checked(sample.bytes());
        QVERIFY(problems.empty());
    }

    void fileTypesAreNamed()
    {
        QCOMPARE(QString::fromUtf8(gguf::fileTypeInfo(15)->name.data()), QString("Q4_K_M"));
        QVERIFY(gguf::fileTypeInfo(15)->mainType == gguf::TensorType::Q4_K);
        QCOMPARE(gguf::fileTypeInfo(1024 + 1)->number, 1U);
        QVERIFY(!gguf::fileTypeInfo(5)->mainType);
        QVERIFY(!gguf::fileTypeInfo(42) && !gguf::fileTypeInfo(1U << 31U));
    }
};

QTEST_APPLESS_MAIN(TestContentCheck)
#include "tst_content_check.moc"
