// One chat with a model that thinks: reasoning apart from the answer, on the way, on disk, in the
// next prompt. SPDX-License-Identifier: Apache-2.0
#include "tests/app/chat_service_bench.h"

using namespace std::chrono_literals;
using app::Chat;
using app::Outcome;
using engine::ErrorCode;
using Bench = tests::OneChatBench;
using TitleOrigin = app::ChatRecord::TitleOrigin;

namespace {

engine::chat::ReasoningMarks marks()
{
    engine::chat::ReasoningMarks known;
    known.certain = true;
    return known;
}

struct ThinkingBench : Bench
{
    explicit ThinkingBench(bool titled = true)
        : Bench(titled)
    {
        script->marks = marks();
        script->pieces = { "<th", "ink>\n", "Hm", ", ", "why?", "\n</th", "ink>\n\n", "So", "." };
    }
};

} // namespace

class TestChatReasoning : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void comesApart()
    {
        ThinkingBench bench;
        Chat& chat = *bench.chat;
        bench.script->pieceTime = 3ms;
        QVERIFY(bench.load());
        QString grown;
        QString thought;
        bool early = true;
        connect(&chat, &Chat::answerGrew, this, [&](const QString& added) { grown += added; });
        connect(&chat, &Chat::reasoningGrew, this, [&](const QString& added) {
            thought += added;
            early = early && grown.isEmpty();
        });
        QVERIFY(bench.answer("Hi"));
        QCOMPARE(grown, QString("So."));
        QCOMPARE(thought, QString("Hm, why?"));
        QVERIFY(early);
        QCOMPARE(bench.at(1).text, grown);
        QCOMPARE(bench.at(1).reasoning, thought);
        QVERIFY(bench.at(1).outcome->reasoningMs > 0);
        QCOMPARE(chat.reasoningMs(bench.id(1)), bench.at(1).outcome->reasoningMs);
        QCOMPARE(chat.reasoningMs(bench.id(0)), 0.0);
        const auto stored = bench.stored(chat.id());
        QCOMPARE(stored.messages[1].text, grown);
        QCOMPARE(stored.messages[1].reasoning, thought);
        QCOMPARE(stored.messages[1].outcome->reasoningMs, bench.at(1).outcome->reasoningMs);
    }

    void nextPromptHasBoth()
    {
        ThinkingBench bench;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Hi"));
        QVERIFY(bench.answer("More"));
        QCOMPARE(bench.prompt(), (QStringList { "U:Hi", "A:So.", "U:More" }));
        const auto messages = bench.script->lastMessages();
        QCOMPARE(messages[1].reasoning, std::string("Hm, why?"));
        QVERIFY(messages[0].reasoning.empty() && messages[2].reasoning.empty());
    }

    void timePassesWhileItThinks()
    {
        ThinkingBench bench;
        Chat& chat = *bench.chat;
        bench.script->pieces.assign(100'000, "hm ");
        bench.script->pieces[0] = "<think>";
        bench.script->pieceTime = 1ms;
        QVERIFY(bench.load());
        QVERIFY(chat.ask({ "Hi", {} }));
        const auto id = chat.answering();
        QCOMPARE(chat.reasoningMs(id), 0.0);
        QTRY_VERIFY(!chat.tree().at(id).reasoning.isEmpty());
        const double before = chat.reasoningMs(id);
        QTRY_VERIFY(chat.reasoningMs(id) > before + 5);
        QVERIFY(chat.generation()->text().isEmpty());
        QCOMPARE(chat.generation()->reasoning(), chat.tree().at(id).reasoning);
        chat.stop();
        QVERIFY(bench.idle());
        // It stays, as any answer that was stopped, but says nothing to the next prompt.
        QVERIFY(bench.at(1).text.isEmpty() && !bench.at(1).reasoning.isEmpty());
        QCOMPARE(bench.at(1).outcome->finish, Outcome::Finish::Cancelled);
        QVERIFY(!bench.stored(chat.id()).messages[1].reasoning.isEmpty());
        bench.script->pieces = { "Yes" };
        QVERIFY(bench.answer("More"));
        QCOMPARE(bench.prompt(), (QStringList { "U:More" }));
    }

    void anErrorKeepsWhatWasThought()
    {
        ThinkingBench bench;
        bench.script->pieces = { "<think>", "Hm" };
        bench.script->answerError = engine::Error { ErrorCode::OutOfMemory, { "the cache" }, {} };
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Hi"));
        QCOMPARE(bench.texts(), (QStringList { "Hi", "" }));
        QCOMPARE(bench.at(1).reasoning, QString("Hm"));
        QCOMPARE(bench.at(1).outcome->finish, Outcome::Finish::Failed);
    }

    void textTurnsOutToBeReasoning()
    {
        ThinkingBench bench;
        bench.script->pieces = { "Hm", "?", "\n</think>", "\n\n", "So." };
        bench.script->pieceTime = 40ms; // the first ones are handed out as text
        QVERIFY(bench.load());
        QSignalSpy turned(bench.chat.get(), &Chat::answerTurned);
        QVERIFY(bench.begin("Hi"));
        QVERIFY(bench.at(1).reasoning.isEmpty());
        QVERIFY(bench.idle());
        QCOMPARE(turned.size(), 1);
        QCOMPARE(bench.at(1).reasoning, QString("Hm?\n"));
        QCOMPARE(bench.at(1).text, QString("So."));
        QCOMPARE(bench.stored(bench.chat->id()).messages[1].text, QString("So."));
    }

    void isTold()
    {
        ThinkingBench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Hi"));
        QVERIFY(!bench.script->lastThinking());
        QSignalSpy steered(&chat, &Chat::steeringChanged);
        chat.setThinking(false);
        chat.setThinking(false);
        QCOMPARE(steered.size(), 1);
        QVERIFY(bench.answer("Hi"));
        QVERIFY(bench.script->lastThinking() == false);
        chat.setThinking(true);
        QVERIFY(bench.answer("Hi"));
        QVERIFY(bench.script->lastThinking() == true);
        QVERIFY(bench.stored(chat.id()).chat.thinking == true);
    }

    // A title needs few tokens; a model that can't but think would not come to it.
    void titles_data()
    {
        QTest::addColumn<bool>("canBeTold");
        QTest::newRow("can be told") << true;
        QTest::newRow("always thinks") << false;
    }
    void titles()
    {
        QFETCH(bool, canBeTold);
        ThinkingBench bench(false);
        if (canBeTold) {
            bench.script->facts.thinks = true;
        }
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Why is the sky blue?"));
        QCOMPARE(bench.script->answers.load(), canBeTold ? 2 : 1);
        if (canBeTold) {
            QVERIFY(bench.script->lastThinking() == false);
        }
        QCOMPARE(bench.chat->record().title, QString("Why is the sky blue?"));
    }
};

QTEST_GUILESS_MAIN(TestChatReasoning)
#include "tst_chat_reasoning.moc"
