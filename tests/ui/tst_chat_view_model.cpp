// A conversation's view model with a scripted engine: asking, stopping, starting anew, failing.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/scripted_engine.h"
#include "ui/chat/chat_view_model.h"

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

struct Bench
{
    std::shared_ptr<tests::Script> script = std::make_shared<tests::Script>();
    InferenceService service { tests::makeScriptedEngine(script) };
    ChatViewModel chat { service };

    bool load()
    {
        QSignalSpy loaded(&service, &InferenceService::loaded);
        service.load("/models/a.gguf");
        return loaded.wait(5000);
    }
    [[nodiscard]] QString statistics()
    {
        auto& messages = *chat.messages();
        return messages.data(messages.index(messages.count() - 1), MessageModel::StatisticsRole)
            .toString();
    }
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
        bench.chat.setDraft("Hi");
        bench.chat.send();
        QCOMPARE(bench.chat.messages()->count(), 0);
        QVERIFY(bench.load());
        bench.chat.setDraft("  \n ");
        QVERIFY(!bench.chat.canSend());
        bench.chat.setDraft("  How are you?\n");
        QVERIFY(bench.chat.canSend());

        QSignalSpy text(&bench.chat, &ChatViewModel::answerText);
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.send();
        QVERIFY(bench.chat.isAnswering());
        QVERIFY(!bench.chat.isIdle());
        QCOMPARE(bench.chat.draft(), QString());
        QCOMPARE(bench.chat.messages()->count(), 2);
        QVERIFY(answered.wait(5000));
        QCOMPARE(answered.first().first().toString(), QString());
        QCOMPARE(bench.chat.messages()->lastAnswer(), QString("Hello, world."));
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
        QCOMPARE(bench.chat.messages()->count(), 4);
    }

    void stops()
    {
        Bench bench;
        bench.script->pieces.assign(1000, "word ");
        bench.script->pieceTime = 2ms;
        QVERIFY(bench.load());
        bench.chat.ask("Go on");
        QTRY_VERIFY(bench.chat.messages()->lastAnswer().size() > 20);
        bench.chat.setDraft("Next");
        QVERIFY(!bench.chat.canSend());
        QVERIFY(bench.chat.obstacle().contains("Esc"));
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.stop();
        QVERIFY(answered.wait(1000));
        QVERIFY(bench.chat.messages()->lastAnswer().size() < 3000);
        QVERIFY(bench.statistics().contains("stopped by you"));
        QVERIFY(!bench.chat.notice().isShown());
        QCOMPARE(bench.chat.draft(), QString("Next"));
        QTRY_VERIFY(bench.chat.canSend());
        bench.chat.stop(); // nothing to stop: nothing happens
    }

    void startsAnew()
    {
        Bench bench;
        bench.script->pieces.assign(1000, "word ");
        bench.script->pieceTime = 2ms;
        QVERIFY(bench.load());
        bench.chat.ask("Go on");
        QTRY_VERIFY(!bench.chat.messages()->lastAnswer().isEmpty());
        bench.chat.setDraft("Kept");
        bench.chat.startAnew();
        QCOMPARE(bench.chat.messages()->count(), 0);
        QVERIFY(!bench.chat.isAnswering());
        QCOMPARE(bench.chat.draft(), QString("Kept"));
        QCOMPARE(bench.service.contextUsed(), std::size_t(0));
        // The old answer's end does not come into the new conversation.
        QTRY_VERIFY(bench.chat.canSend());
        bench.script->pieces = { "New" };
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.send();
        QVERIFY(answered.wait(5000));
        QCOMPARE(bench.chat.messages()->count(), 2);
        QCOMPARE(bench.chat.messages()->lastAnswer(), QString("New"));
        QCOMPARE(bench.script->lastMessages().size(), std::size_t(1));
    }

    void keepsTheDraftWhenSendingFails()
    {
        Bench bench;
        bench.script->promptError = engine::Error { ErrorCode::OutOfMemory, { "the cache" }, {} };
        QVERIFY(bench.load());
        bench.chat.setDraft("Precious words");
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.send();
        QVERIFY(answered.wait(5000));
        QVERIFY(!answered.first().first().toString().isEmpty());
        QCOMPARE(bench.chat.draft(), QString("Precious words"));
        QCOMPARE(bench.chat.messages()->count(), 0);
        QVERIFY(bench.chat.notice().isShown());
        QVERIFY(bench.chat.notice().what.contains("the cache"));
        bench.chat.dismissNotice();
        QVERIFY(!bench.chat.notice().isShown());
        // What was typed meanwhile is worth more than what failed.
        QTRY_VERIFY(bench.chat.canSend());
        bench.chat.send();
        bench.chat.setDraft("Typed meanwhile");
        QVERIFY(answered.wait(5000));
        QCOMPARE(bench.chat.draft(), QString("Typed meanwhile"));
    }

    void keepsWhatWasWrittenWhenAnAnswerFails()
    {
        Bench bench;
        bench.script->answerError = engine::Error { ErrorCode::FileChanged, {}, {} };
        QVERIFY(bench.load());
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.ask("Say something");
        QVERIFY(answered.wait(5000));
        QCOMPARE(bench.chat.messages()->count(), 2);
        QCOMPARE(bench.chat.messages()->lastAnswer(), QString("Hello, world."));
        QVERIFY(bench.chat.notice().isShown());
        QVERIFY(!bench.chat.messages()->lastAnswer().contains(bench.chat.notice().what));
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
        QCOMPARE(bench.chat.messages()->count(), 2);
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
        QCOMPARE(bench.chat.draft(), QString("Hello?"));
        QVERIFY(bench.chat.isIdle());
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
        QCOMPARE(ChatViewModel::statistics(outcome), text);
        outcome.tokens = 187;
        outcome.tokensPerSecond = 142.4;
        outcome.firstTokenMs = 38.2;
        QCOMPARE(ChatViewModel::statistics(outcome),
                 "142 tokens/s  ·  first token 38 ms  ·  187 tokens  ·  " + text);
        outcome.tokens = 1;
        outcome.tokensPerSecond = 7.24;
        outcome.firstTokenMs = 12'345;
        QVERIFY(ChatViewModel::statistics(outcome).startsWith(
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
