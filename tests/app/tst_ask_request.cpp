// What is asked: what is left out of a long conversation, the form of the prompt, answers aside.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/ask_request.h"
#include "app/services/inference_service.h"
#include "tests/app/inference_bench.h"

#include <QPointer>
#include <QSignalSpy>
#include <QTest>

using namespace std::chrono_literals;
using app::Generation;
using app::InferenceService;
using app::Outcome;
using engine::ErrorCode;
using engine::chat::Message;
using engine::chat::Role;
using tests::kOther;
using tests::kPath;
using tests::question;
using Bench = tests::InferenceBench;
using State = InferenceService::State;

class TestAskRequest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The oldest turns go, and it is known before the first word.
    void saysWhatIsLeftOut()
    {
        Bench bench;
        bench.script->facts.contextLength = 100;
        QVERIFY(bench.load());
        app::AskRequest request;
        request.messages = { { Role::System, std::string(10, 's') },
                             { Role::User, std::string(40, 'a') },
                             { Role::Assistant, std::string(40, 'b') },
                             { Role::User, std::string(20, 'c') } };
        auto* generation = bench.service->ask(request);
        QVERIFY(generation);
        QSignalSpy fitted(generation, &Generation::promptFitted);
        QStringList order;
        connect(generation, &Generation::promptFitted, this,
                [&] { order << QString("fitted, %1 left out").arg(generation->leftOut()); });
        connect(generation, &Generation::textAdded, this,
                [&](const QString& text) { order << text; });
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(fitted.size(), 1);
        QCOMPARE(order.constFirst(), QString("fitted, 2 left out")); // before any text
        QCOMPARE(generation->outcome().leftOut, std::size_t { 2 });
        QCOMPARE(generation->outcome().promptTokens, std::size_t { 30 });
        // What was left out before stays so.
        request.messages = { { Role::User, "one" },
                             { Role::Assistant, "two" },
                             { Role::User, "three" } };
        request.leftOut = 2;
        generation = bench.service->ask(request);
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(generation->outcome().leftOut, std::size_t { 2 });
        QCOMPARE(bench.script->lastMessages().size(), std::size_t { 1 });
    }

    void plainPromptGoesRoundTheTemplate()
    {
        Bench bench;
        bench.script->promptError = engine::Error { ErrorCode::TemplateRaised, { "no" }, {} };
        QVERIFY(bench.load());
        app::AskRequest request;
        request.messages = question();
        for (const auto format : { app::PromptFormat::Model, app::PromptFormat::Plain }) {
            request.format = format;
            auto* generation = bench.service->ask(request);
            QTRY_VERIFY(generation->isFinished());
            QCOMPARE(generation->outcome().error.has_value(), format == app::PromptFormat::Model);
        }
    }

    // While a long prompt is read; nothing before there is evidence, nothing after it.
    void tellsHowLongThePromptTakes()
    {
        Bench bench;
        bench.script->promptSteps = 100;
        bench.script->promptStep = 10ms;
        QVERIFY(bench.load());
        auto* generation = bench.service->ask(question(std::string(1000, 'a')));
        QVERIFY(!generation->promptSecondsLeft());
        QTRY_VERIFY(generation->promptSecondsLeft());
        const double left = *generation->promptSecondsLeft();
        QVERIFY2(left > 0 && left < 60, qPrintable(QString::number(left)));
        QTRY_VERIFY(generation->isFinished());
        QVERIFY(!generation->promptSecondsLeft());
    }

    // A small answer beside the conversation.
    void asksAside()
    {
        Bench bench;
        app::AskRequest request;
        request.messages = question();
        QCOMPARE(bench.service->askAside(request), nullptr); // no model
        QVERIFY(bench.load());
        auto& service = *bench.service;
        QPointer<Generation> answer = service.ask(question());
        QTRY_VERIFY(answer->isFinished());
        const std::size_t used = service.contextUsed();
        QSignalSpy states(&service, &InferenceService::stateChanged);
        QSignalSpy contexts(&service, &InferenceService::contextUsedChanged);
        QPointer<Generation> aside = service.askAside(request);
        QVERIFY(aside);
        QCOMPARE(service.state(), State::Ready);
        QCOMPARE(service.generation(), nullptr);
        QCOMPARE(service.askAside(request), nullptr); // one at a time
        QTRY_VERIFY(aside->isFinished());
        QCOMPARE(aside->text(), QStringLiteral("Hello, world."));
        QCOMPARE(service.contextUsed(), used);
        QCOMPARE(states.size() + contexts.size(), 0);
        QPointer<Generation> next = service.askAside(request);
        QVERIFY(next && next != aside);
        QTRY_VERIFY(next->isFinished());
        QTRY_VERIFY(!aside);
    }

    void asideGivesWay_data()
    {
        QTest::addColumn<int>("to");
        QTest::newRow("a question") << 0;
        QTest::newRow("another model") << 1;
        QTest::newRow("no model") << 2;
    }

    void asideGivesWay()
    {
        QFETCH(int, to);
        Bench bench;
        bench.script->pieces.assign(2'000, "word ");
        bench.script->pieceTime = 10ms;
        QVERIFY(bench.load());
        auto& service = *bench.service;
        app::AskRequest request;
        request.messages = question();
        QPointer<Generation> aside = service.askAside(request);
        QTRY_VERIFY(!aside->text().isEmpty());
        QPointer<Generation> answer;
        if (to == 0) {
            answer = service.ask(question());
            QVERIFY(answer);
        } else if (to == 1) {
            service.load(kOther);
        } else {
            service.unload();
        }
        QTRY_VERIFY(aside->isFinished());
        QCOMPARE(aside->outcome().finish, Outcome::Finish::Cancelled);
        if (to == 0) {
            QCOMPARE(service.askAside(request), nullptr); // not beside an answer
            QTRY_VERIFY(!answer->text().isEmpty());
            answer->stop();
            QTRY_VERIFY(answer->isFinished());
        } else if (to == 1) {
            QTRY_COMPARE(service.facts().path, kOther);
        } else {
            QTRY_COMPARE(bench.script->modelsAlive.load(), 0);
        }
    }
};

QTEST_GUILESS_MAIN(TestAskRequest)
#include "tst_ask_request.moc"
