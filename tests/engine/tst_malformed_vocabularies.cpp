// The malformed vocabularies of the conformance pack: verdict, message, time.
// SPDX-License-Identifier: Apache-2.0
#include "engine/text/tokenizer.h"
#include "tests/support/conformance.h"

#include <QElapsedTimer>
#include <QTest>

#include <nlohmann/json.hpp>

using namespace engine;
using namespace engine::text;

namespace {

constexpr const char* kFolder = "malformed";

QString folded(const Error& error)
{
    return QString::fromStdString(englishSentence(error) + " " + error.where.subject).toLower();
}

} // namespace

class TestMalformedVocabularies : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void verdict_data();
    void verdict();
    void warnings_data();
    void warnings();
};

void TestMalformedVocabularies::verdict_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("loads");
    QTest::addColumn<QStringList>("mention");
    const auto folder = tests::conformanceDir(kFolder);
    if (!folder) {
        QTest::newRow("absent") << QString() << false << QStringList();
        return;
    }
    const auto expected = tests::readJson(*folder / "expected.json");
    for (const auto& [name, verdict] : expected["tokenizers"].items()) {
        QStringList mention;
        for (const auto& text : verdict["mention"]) {
            mention << QString::fromStdString(text.get<std::string>()).toLower();
        }
        QTest::newRow(name.c_str())
            << QString::fromStdString((*folder / "tokenizers" / name).string())
            << verdict["tokenizer_loads"].get<bool>() << mention;
    }
}

void TestMalformedVocabularies::verdict()
{
    QFETCH(QString, path);
    QFETCH(bool, loads);
    QFETCH(QStringList, mention);
    if (path.isEmpty()) {
        QSKIP(tests::missing(kFolder).c_str());
    }
    QElapsedTimer timer;
    timer.start();
    const auto file = gguf::GgufFile::open(path.toStdString());
    QVERIFY(file.has_value());
    const auto loaded = Tokenizer::load(*file);
    QCOMPARE(loaded.has_value(), loads);
    if (loaded) {
        const Tokenizer& tokenizer = *loaded->tokenizer;
        const auto ids = tokenizer.encode("Hello hi");
        QVERIFY(!ids.empty());
        for (const TokenId id : ids) {
            QVERIFY(tokenizer.vocabulary().valid(id));
        }
        for (TokenId id = 0; id < tokenizer.vocabulary().size(); ++id) {
            (void)tokenizer.piece(id);
        }
        (void)tokenizer.encode("\n\xFF é 🦙", { true, true });
    } else {
        // Whatever the table asks to be mentioned about the vocabulary is in the one error.
        for (const QString& text : mention) {
            QVERIFY2(folded(loaded.error()).contains(text),
                     englishSentence(loaded.error()).c_str());
        }
        QVERIFY(loaded.error().where.subject.starts_with("tokenizer."));
    }
    QVERIFY(timer.elapsed() < 1000);
}

void TestMalformedVocabularies::warnings_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("code");
    const auto row = [](const char* name, ErrorCode code) {
        QTest::newRow(name) << name << int(code);
    };
    row("dup_token_text", ErrorCode::TokensRepeated);
    row("token_empty_string", ErrorCode::TokensEmpty);
    row("scores_int32", ErrorCode::ScoresAreIntegers);
    row("types_uint32", ErrorCode::TokenTypesUnsigned);
    row("no_newline_byte_token", ErrorCode::ByteTokensMissing);
    row("bos_id_out_of_range", ErrorCode::SpecialTokenOutOfRange);
    row("bos_id_i64", ErrorCode::SpecialTokenType);
    row("bpe_pre_unknown", ErrorCode::PreTokenizerUnknown);
    row("bpe_merge_without_space", ErrorCode::MergesWithoutSpace);
    row("chat_template_wrong_type", ErrorCode::ChatTemplateNotText);
    row("chat_template_array", ErrorCode::ChatTemplateNotText);
}

void TestMalformedVocabularies::warnings()
{
    QFETCH(QString, name);
    QFETCH(int, code);
    const auto folder = tests::conformanceDir(kFolder);
    if (!folder) {
        QSKIP(tests::missing(kFolder).c_str());
    }
    const auto file =
        gguf::GgufFile::open((*folder / "tokenizers" / (name.toStdString() + ".gguf")).string());
    QVERIFY(file.has_value());
    const auto loaded = Tokenizer::load(*file);
    QVERIFY(loaded.has_value());
    const auto found = std::find_if(loaded->warnings.begin(), loaded->warnings.end(),
                                    [&](const gguf::Problem& problem) {
                                        return problem.error.code == static_cast<ErrorCode>(code);
                                    });
    QVERIFY(found != loaded->warnings.end());
    QVERIFY(found->severity != gguf::Severity::Error);
    QVERIFY(!found->error.where.subject.empty());
    if (name == "bpe_pre_unknown") {
        QVERIFY(folded(found->error).contains("zzz-unknown"));
    }
}

QTEST_APPLESS_MAIN(TestMalformedVocabularies)
#include "tst_malformed_vocabularies.moc"
