// A conversation's view model with a scripted engine: asking, stopping, starting anew, failing.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/chat_bench.h"
#include "ui/chat/answer_figures.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QSignalSpy>
#include <QTest>

using namespace std::chrono_literals;
using app::InferenceService;
using app::Outcome;
using engine::ErrorCode;
using engine::session::FinishReason;

namespace {

struct Bench : tests::ChatBench
{
    bool load() { return loadModel(); }
};

} // namespace

class TestChatViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void sendsTheDraft()
    {
        Bench bench;
        QVERIFY(!bench.chat.canSend());
        QVERIFY(bench.chat.obstacle().contains("Open a model"));
        bench.chat.draft()->setText("Hi");
        bench.chat.send();
        QCOMPARE(bench.count(), 0);
        QVERIFY(bench.load());
        bench.chat.draft()->setText("  \n ");
        QVERIFY(!bench.chat.canSend());
        bench.chat.draft()->setText("  How are you?\n");
        QVERIFY(bench.chat.canSend());

        QSignalSpy text(&bench.chat, &ChatViewModel::answerText);
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.send();
        QVERIFY(bench.chat.isAnswering());
        QVERIFY(!bench.chat.isIdle());
        QCOMPARE(bench.chat.draft()->text(), QString());
        QCOMPARE(bench.count(), 2);
        QVERIFY(answered.wait(5000));
        QCOMPARE(answered.first().first().toString(), QString());
        QCOMPARE(bench.lastAnswer(), QString("Hello, world."));
        QString streamed;
        for (const auto& part : text) {
            streamed += part.first().toString();
        }
        QCOMPARE(streamed, QString("Hello, world."));
        QCOMPARE(bench.script->lastMessages().front().content, std::string("How are you?"));
        QVERIFY2(bench.statistics().contains("first token"), qPrintable(bench.statistics()));
        QVERIFY2(bench.statistics().contains("4 tokens"), qPrintable(bench.statistics()));
        QVERIFY2(bench.statistics().contains("end of turn"), qPrintable(bench.statistics()));
        QTRY_VERIFY(bench.chat.isIdle());
    }

    void tellsTheWholeConversation()
    {
        Bench bench;
        QVERIFY(bench.load());
        for (const char* question : { "One", "Two" }) {
            QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
            bench.chat.ask(question);
            QVERIFY(answered.wait(5000));
            QTRY_VERIFY(bench.chat.isIdle());
        }
        QCOMPARE(bench.script->lastMessages().size(), std::size_t(3));
        QCOMPARE(bench.count(), 4);
    }

    void stops()
    {
        Bench bench;
        bench.script->pieces.assign(1000, "word ");
        bench.script->pieceTime = 2ms;
        QVERIFY(bench.load());
        bench.chat.ask("Go on");
        QTRY_VERIFY(bench.lastAnswer().size() > 20);
        bench.chat.draft()->setText("Next");
        QVERIFY(!bench.chat.canSend());
        QVERIFY(bench.chat.obstacle().contains("Esc"));
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.stop();
        QVERIFY(answered.wait(1000));
        QVERIFY(bench.lastAnswer().size() < 3000);
        QVERIFY(bench.statistics().contains("stopped by you"));
        QVERIFY(!bench.chat.notice().isShown());
        QCOMPARE(bench.chat.draft()->text(), QString("Next"));
        QTRY_VERIFY(bench.chat.canSend());
        bench.chat.stop(); // nothing to stop: nothing happens
    }

    // The answer goes on in its own chat, and nothing of it comes into the new one.
    void startsAnewDuringAnAnswer()
    {
        Bench bench;
        bench.script->pieces.assign(1000, "word ");
        bench.script->pieceTime = 2ms;
        QVERIFY(bench.load());
        bench.chat.ask("Go on");
        QTRY_VERIFY(!bench.lastAnswer().isEmpty());
        bench.chat.draft()->setText("Belongs there");
        bench.chat.startAnew();
        QCOMPARE(bench.count(), 0);
        QVERIFY(!bench.chat.isAnswering());
        QCOMPARE(bench.chat.draft()->text(), QString());
        QCOMPARE(bench.chat.contextUsed(), 0);
        bench.chat.draft()->setText("New question");
        QVERIFY(!bench.chat.canSend());
        QVERIFY2(bench.chat.obstacle().contains("Go on"), qPrintable(bench.chat.obstacle()));
        bench.chat.stop();
        QTRY_VERIFY(bench.chat.canSend());
        QCOMPARE(bench.count(), 0);
        bench.chat.send();
        QTRY_VERIFY(bench.lastAnswer().startsWith("word"));
        QCOMPARE(bench.script->lastMessages().front().content, std::string("New question"));
        bench.chat.stop();
        QTRY_VERIFY(bench.chat.isIdle());
        // The first chat comes back with what was written, and its draft.
        QCOMPARE(bench.chats.count(), 2);
        bench.chats.open(1);
        QTRY_COMPARE(bench.chat.draft()->text(), QString("Belongs there"));
        QCOMPARE(bench.count(), 2);
        QVERIFY(bench.lastAnswer().startsWith("word"));
        QVERIFY(bench.statistics().contains("stopped by you"));
    }

    void regeneratesAndShowsAlternatives()
    {
        Bench bench;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("One"));
        bench.chat.regenerate(1);
        QVERIFY(bench.chat.isAnswering());
        QTRY_VERIFY(bench.chat.isIdle());
        QCOMPARE(bench.count(), 2);
        const auto& rows = *bench.chat.conversation();
        const auto footer = rows.index(rows.rowCount() - 1);
        QCOMPARE(rows.data(footer, ConversationModel::AlternativesRole).toInt(), 2);
        QCOMPARE(rows.data(footer, ConversationModel::AlternativeRole).toInt(), 2);
        bench.chat.showAlternative(1, -1);
        QCOMPARE(
            rows.data(rows.index(rows.rowCount() - 1), ConversationModel::AlternativeRole).toInt(),
            1);
    }

    void editsAndResends()
    {
        Bench bench;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("One"));
        QVERIFY(bench.answer("Two"));
        QCOMPARE(bench.chat.lastQuestion(), 2);
        bench.chat.resend(0, "Other");
        QTRY_VERIFY(bench.chat.isIdle());
        QCOMPARE(bench.count(), 2);
        QCOMPARE(bench.chat.questionText(0), QString("Other"));
        bench.chat.showAlternative(0, -1);
        QCOMPARE(bench.count(), 4);
        QCOMPARE(bench.chat.questionText(0), QString("One"));
    }

    void deletesAndUndoes()
    {
        Bench bench;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("One"));
        QVERIFY(bench.answer("Two"));
        bench.chat.remove(0);
        QCOMPARE(bench.count(), 2);
        QCOMPARE(bench.chat.questionText(0), QString("Two"));
        QVERIFY(!bench.chat.undoText().isEmpty());
        bench.chat.undo();
        QCOMPARE(bench.count(), 4);
        QVERIFY(bench.chat.undoText().isEmpty());
        QCOMPARE(bench.chat.questionText(0), QString("One"));
    }

    void helpsWhenTheTemplateFails()
    {
        Bench bench;
        bench.script->promptError =
            engine::Error { ErrorCode::TemplateRaised, { "no system role" }, {} };
        QVERIFY(bench.load());
        bench.chat.draft()->setText("Hi");
        bench.chat.send();
        QTRY_VERIFY(bench.chat.notice().isShown());
        QVERIFY(bench.chat.notice().what.contains("no system role"));
        QVERIFY(bench.chat.plainPromptHelps());
        QTRY_VERIFY(bench.chat.canSend());
        bench.chat.usePlainPrompt();
        QTRY_COMPARE(bench.lastAnswer(), QString("Hello, world."));
        QVERIFY(bench.steering.plainPrompt());
    }

    void countsTheDraft()
    {
        Bench bench;
        bench.chat.draft()->setText("four");
        QCOMPARE(bench.chat.draft()->tokens(), -1);
        QVERIFY(bench.load());
        QTRY_COMPARE(bench.chat.draft()->tokens(), 4);
        bench.chat.draft()->attachText("a.txt", QString(100, 'x'));
        QTRY_COMPARE(bench.chat.draft()->tokens(), 104);
        QCOMPARE(bench.chat.draft()->attachments().size(), 1);
        bench.chat.draft()->removeAttachment(0);
        QTRY_COMPARE(bench.chat.draft()->tokens(), 4);
    }

    void attachesALongPaste()
    {
        Bench bench;
        QVERIFY(bench.load());
        ChatViewModel::copy("short");
        QVERIFY(!bench.chat.draft()->pasteLongText());
        ChatViewModel::copy(QString("words ").repeated(900'000)); // more than 5 MB
        QVERIFY(bench.chat.draft()->pasteLongText());
        QCOMPARE(bench.chat.draft()->attachments().size(), 1);
        QTRY_COMPARE(bench.chat.draft()->tokens(), 5'400'000);
        bench.chat.send();
        // It can't fit: refused with its length, and nothing is lost.
        QTRY_VERIFY(bench.chat.notice().isShown());
        QVERIFY2(bench.chat.notice().what.contains("5400"), qPrintable(bench.chat.notice().what));
        QCOMPARE(bench.chat.draft()->attachments().size(), 1);
    }

    void leavesTheOldestTurnsOutAndSaysSo()
    {
        Bench bench;
        bench.script->facts.contextLength = 400;
        QVERIFY(bench.load());
        for (int turn = 0; turn < 5; ++turn) {
            QVERIFY(bench.answer(QString(60, QChar('a' + turn))));
        }
        const auto& rows = *bench.chat.conversation();
        int marks = 0;
        for (int row = 0; row < rows.rowCount(); ++row) {
            if (rows.data(rows.index(row), ConversationModel::KindRole).toString() == "mark") {
                ++marks;
                QVERIFY(rows.data(rows.index(row), ConversationModel::LeftOutRole).toInt() > 0);
            }
        }
        QCOMPARE(marks, 1);
        QVERIFY(bench.script->lastMessages().size() < 9);
    }

    void keepsTheDraftWhenSendingFails()
    {
        Bench bench;
        bench.script->promptError = engine::Error { ErrorCode::OutOfMemory, { "the cache" }, {} };
        QVERIFY(bench.load());
        bench.chat.draft()->setText("Precious words");
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.send();
        QVERIFY(answered.wait(5000));
        QVERIFY(!answered.first().first().toString().isEmpty());
        QCOMPARE(bench.chat.draft()->text(), QString("Precious words"));
        QCOMPARE(bench.count(), 0);
        QVERIFY(bench.chat.notice().isShown());
        QVERIFY(bench.chat.notice().what.contains("the cache"));
        bench.chat.dismissNotice();
        QVERIFY(!bench.chat.notice().isShown());
        // What was typed meanwhile is worth more than what failed.
        QTRY_VERIFY(bench.chat.canSend());
        bench.chat.send();
        bench.chat.draft()->setText("Typed meanwhile");
        QVERIFY(answered.wait(5000));
        QCOMPARE(bench.chat.draft()->text(), QString("Typed meanwhile"));
    }

    void keepsWhatWasWrittenWhenAnAnswerFails()
    {
        Bench bench;
        bench.script->answerError = engine::Error { ErrorCode::FileChanged, {}, {} };
        QVERIFY(bench.load());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.ask("Say something");
        QVERIFY(answered.wait(5000));
        QCOMPARE(bench.count(), 2);
        QCOMPARE(bench.lastAnswer(), QString("Hello, world."));
        QVERIFY(bench.chat.notice().isShown());
        QVERIFY(!bench.lastAnswer().contains(bench.chat.notice().what));
    }

    void asksWhenReady()
    {
        Bench bench;
        bench.script->loadStep = 5ms;
        bench.service.load("/models/a.gguf");
        bench.chat.askWhenReady("Hello?");
        QVERIFY(!bench.chat.isIdle());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        QVERIFY(answered.wait(5000));
        QCOMPARE(bench.count(), 2);
        QTRY_VERIFY(bench.chat.isIdle());
    }

    void keepsTheQuestionWhenNoModelLoads()
    {
        Bench bench;
        bench.script->loadErrors["/models/bad.gguf"] =
            engine::Error { ErrorCode::FileEmpty, {}, {} };
        bench.service.load("/models/bad.gguf");
        bench.chat.askWhenReady("Hello?");
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        QVERIFY(answered.wait(5000));
        QVERIFY(!answered.first().first().toString().isEmpty());
        QCOMPARE(bench.chat.draft()->text(), QString("Hello?"));
        QTRY_VERIFY(bench.chat.isIdle());
    }

    void tellsThatTheContextIsFull()
    {
        Bench bench;
        bench.script->finish = FinishReason::Context;
        QVERIFY(bench.load());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.ask("Long");
        QVERIFY(answered.wait(5000));
        QVERIFY(bench.chat.isContextFull());
        bench.chat.startAnew();
        QVERIFY(!bench.chat.isContextFull());
    }

    void showsHowFarThePromptIs()
    {
        Bench bench;
        bench.script->promptSteps = 20;
        bench.script->promptStep = 20ms;
        QVERIFY(bench.load());
        bench.chat.ask(QString(400, 'x'));
        QVERIFY(bench.chat.isReading());
        QTRY_VERIFY(bench.chat.promptDone() > 0 && bench.chat.promptDone() < 400);
        QCOMPARE(bench.chat.promptTotal(), 400);
        QTRY_VERIFY(!bench.chat.isReading());
    }

    void saysHowAnAnswerWent_data()
    {
        QTest::addColumn<Outcome::Finish>("finish");
        QTest::addColumn<QString>("text");
        QTest::newRow("end") << Outcome::Finish::End << "stopped: end of turn";
        QTest::newRow("length") << Outcome::Finish::Length << "stopped: length limit";
        QTest::newRow("stop") << Outcome::Finish::Stop << "stopped: stop text";
        QTest::newRow("context") << Outcome::Finish::Context << "stopped: context full";
        QTest::newRow("cancelled") << Outcome::Finish::Cancelled << "stopped by you";
        QTest::newRow("failed") << Outcome::Finish::Failed << "stopped: error";
    }

    void saysHowAnAnswerWent()
    {
        QFETCH(Outcome::Finish, finish);
        QFETCH(QString, text);
        const QLocale before;
        QLocale::setDefault(QLocale::c());
        Outcome outcome;
        outcome.finish = finish;
        QCOMPARE(answerFigures(outcome), text);
        outcome.tokens = 187;
        outcome.tokensPerSecond = 142.4;
        outcome.firstTokenMs = 38.2;
        QCOMPARE(answerFigures(outcome),
                 "142 tokens/s  ·  first token 38 ms  ·  187 tokens  ·  " + text);
        outcome.tokens = 1;
        outcome.tokensPerSecond = 7.24;
        outcome.firstTokenMs = 12'345;
        QVERIFY(answerFigures(outcome).startsWith(
            "7.2 tokens/s  ·  first token 12.3 s  ·  1 token  ·  "));
        QLocale::setDefault(before);
    }

    void offersSamples()
    {
        Bench bench;
        QCOMPARE(bench.chat.sampleTitles().size(), 3);
        QCOMPARE(bench.chat.sampleQuestions().size(), 3);
        for (const QString& question : bench.chat.sampleQuestions()) {
            QVERIFY(!question.isEmpty());
        }
    }

    void copies()
    {
        ChatViewModel::copy("to be pasted");
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("to be pasted"));
    }
};

QTEST_MAIN(TestChatViewModel)
#include "tst_chat_view_model.moc"
