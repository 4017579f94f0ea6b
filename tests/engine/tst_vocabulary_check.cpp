// Arrays of the wrong length, types that don't exist, ids out of range, for any tokenizer.
// SPDX-License-Identifier: Apache-2.0
#include "engine/text/vocabulary_check.h"
#include "tests/engine/gguf_bytes.h"

#include <QTest>

using namespace engine;
using gguf::Problem;
using gguf::Severity;
using gguf::ValueType;
using tests::GgufBytes;

namespace {

/// Three tokens, `scores` scores, these token types, one special id.
struct Sample
{
    std::size_t scores = 3;
    std::vector<std::int32_t> types { 1, 3, 6 };
    const char* idKey = "tokenizer.ggml.bos_token_id";
    std::uint32_t id = 2;
    std::vector<std::uint32_t> ends {};
    const char* lastToken = "c";

    [[nodiscard]] std::vector<Problem> checked() const
    {
        GgufBytes out;
        out.header(0, 6);
        out.key("tokenizer.ggml.model", ValueType::String).text("nobody-knows");
        out.key("tokenizer.ggml.tokens", ValueType::Array).arrayHeader(ValueType::String, 3);
        out.text("a").text("b").text(lastToken);
        out.key("tokenizer.ggml.scores", ValueType::Array).arrayHeader(ValueType::F32, scores);
        for (std::size_t i = 0; i < scores; ++i) {
            out.number(0.5F);
        }
        out.key("tokenizer.ggml.token_type", ValueType::Array)
            .arrayHeader(ValueType::I32, types.size());
        for (const auto type : types) {
            out.number(type);
        }
        out.key(idKey, ValueType::U32).number(id);
        out.key("tokenizer.ggml.eog_token_ids", ValueType::Array)
            .arrayHeader(ValueType::U32, ends.size());
        for (const auto end : ends) {
            out.number(end);
        }
        const auto file = gguf::GgufFile::parse(std::as_bytes(std::span(out.bytes())), "v.gguf");
        return file ? text::checkVocabulary(**file) : std::vector<Problem>(9);
    }
};

} // namespace

class TestVocabularyCheck : public QObject
{
    Q_OBJECT

    static void compare(const std::vector<Problem>& problems, ErrorCode code, Severity severity,
                        const char* subject, const char* mention)
    {
        QCOMPARE(problems.size(), std::size_t(1));
        const auto& error = problems[0].error;
        QVERIFY2(error.code == code, englishSentence(error).c_str());
        QVERIFY(problems[0].severity == severity);
        QCOMPARE(error.where.subject, std::string(subject));
        QVERIFY(error.where.offset.has_value());
        QVERIFY2(englishSentence(error).find(mention) != std::string::npos,
                 englishSentence(error).c_str());
    }

private Q_SLOTS:
    void soundVocabulary() { QVERIFY(Sample().checked().empty()); }

    void wrongLengths()
    {
        compare(Sample { .scores = 2 }.checked(), ErrorCode::VocabularyArrayShort, Severity::Error,
                "tokenizer.ggml.scores", "only 2 entries for 3");
        compare(Sample { .scores = 5 }.checked(), ErrorCode::VocabularyArrayLong, Severity::Warning,
                "tokenizer.ggml.scores", "5 entries for only 3");
        compare(Sample { .types = { 1, 1, 1, 1 } }.checked(), ErrorCode::VocabularyArrayLong,
                Severity::Warning, "tokenizer.ggml.token_type", "4 entries");
    }

    void typesThatDoNotExist()
    {
        compare(Sample { .types = { 1, 7, -1 } }.checked(), ErrorCode::TokenTypesUnknown,
                Severity::Warning, "tokenizer.ggml.token_type", "2 token types");
    }

    void idsOutOfRange()
    {
        const char* padding = "tokenizer.ggml.padding_token_id"; // the loader doesn't read this one
        compare(Sample { .idKey = padding, .id = 3 }.checked(), ErrorCode::SpecialTokenOutOfRange,
                Severity::Warning, padding, "is 3");
        compare(Sample { .ends = { 0, 9, 10 } }.checked(), ErrorCode::SpecialTokenOutOfRange,
                Severity::Warning, "tokenizer.ggml.eog_token_ids", "is 9");
    }

    void repeatedTexts()
    {
        compare(Sample { .lastToken = "a" }.checked(), ErrorCode::TokensRepeated, Severity::Warning,
                "tokenizer.ggml.tokens", "2 = 0");
        QVERIFY(Sample { .lastToken = "" }.checked().empty());
    }

    void noVocabularyNoProblem()
    {
        const auto bytes = GgufBytes().header(0, 0).bytes();
        const auto file = gguf::GgufFile::parse(std::as_bytes(std::span(bytes)), "empty");
        QVERIFY(file && text::checkVocabulary(**file).empty());
    }
};

QTEST_APPLESS_MAIN(TestVocabularyCheck)
#include "tst_vocabulary_check.moc"
