// vitrine-cli chat with a model that thinks: the answer alone on standard output, reasoning beside
// it in the JSON. SPDX-License-Identifier: Apache-2.0
#include "tests/app/cli_process.h"
#include "tests/support/scripted_model.h"

#include <QTemporaryDir>
#include <QTest>

using engine::text::TokenKind;
using tests::runCli;

namespace {

enum Token { kColon = 3, kOpen, kClose, kBreak, kHm, kSo };

const std::vector<tests::ScriptedToken> kVocabulary {
    { "<unk>", TokenKind::Unknown },
    { "<s>", TokenKind::Control },
    { "</s>", TokenKind::Control },
    { ":" }, // the plain template ends with "Assistant:"
    { "<think>", TokenKind::UserDefined },
    { "</think>", TokenKind::UserDefined },
    { "<0x0A>", TokenKind::Byte },
    { "▁Hm" },
    { "▁So" },
};

} // namespace

class TestCliReasoning : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    QString m_model;

private Q_SLOTS:
    void initTestCase()
    {
        m_model = m_dir.filePath("thinks.gguf");
        const auto made = tests::ScriptedModel::make(m_model.toStdString(), kVocabulary,
                                                     { { kColon, kOpen },
                                                       { kOpen, kBreak },
                                                       { kBreak, kHm },
                                                       { kHm, kClose },
                                                       { kClose, kSo },
                                                       { kSo, 2 } });
        QVERIFY(made);
    }

    void jsonHasBoth()
    {
        const auto result =
            runCli({ "chat", "-m", m_model, "-p", "hello", "--temp", "0", "--json" });
        QCOMPARE(result.status, 0);
        const auto json = result.json();
        COMPARE_JSON(json["text"], "So");
        COMPARE_JSON(json["reasoning"], "Hm");
        COMPARE_JSON(json["finish"], "end");
        QCOMPARE(json["ids"].size(), std::size_t { 5 });
    }

    // Nothing of it in a pipe, on either side.
    void plainTextIsTheAnswer()
    {
        const auto result = runCli({ "chat", "-m", m_model, "-p", "hello", "--temp", "0" });
        QCOMPARE(result.status, 0);
        QCOMPARE(result.out, QByteArray("So\n"));
        QVERIFY(!result.err.contains("Hm") && !result.err.contains('\033'));
    }

    void endedInside()
    {
        const auto result =
            runCli({ "chat", "-m", m_model, "--temp", "0", "-n", "3", "--json" }, "one\ntwo\n");
        QCOMPARE(result.status, 0);
        QVERIFY(result.err.contains("still thinking"));
        const auto lines = result.out.trimmed().split('\n');
        QCOMPARE(lines.size(), 2);
        const auto first = nlohmann::ordered_json::parse(lines[0].toStdString());
        const auto second = nlohmann::ordered_json::parse(lines[1].toStdString());
        COMPARE_JSON(first["text"], "");
        COMPARE_JSON(first["reasoning"], "Hm");
        COMPARE_JSON(first["finish"], "length");
        // An answer that never came is no part of the conversation.
        COMPARE_JSON(second["ids"], first["ids"]);
    }

    void completionStaysRaw()
    {
        const auto result =
            runCli({ "generate", "-m", m_model, "-p", ":", "--temp", "0", "--json" });
        QCOMPARE(result.status, 0);
        COMPARE_JSON(result.json()["text"], "<think>\n Hm</think> So");
        QVERIFY(!result.json().contains("reasoning"));
    }
};

QTEST_GUILESS_MAIN(TestCliReasoning)
#include "tst_cli_reasoning.moc"
