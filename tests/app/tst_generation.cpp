// One request to a scripted engine: what was left out, the time that is left, asides, and a very
// long answer. SPDX-License-Identifier: Apache-2.0
#include "app/services/inference_service.h"
#include "tests/app/scripted_engine.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QSignalSpy>
#include <QTest>

using namespace std::chrono_literals;
using app::AskRequest;
using app::Generation;
using app::InferenceService;
using app::Outcome;
using app::PromptFormat;
using engine::chat::Message;
using engine::chat::Role;
using State = InferenceService::State;

namespace {

// A service on a script, with a model.
struct Bench
{
    std::shared_ptr<tests::Script> script = std::make_shared<tests::Script>();
    std::unique_ptr<InferenceService> service =
        std::make_unique<InferenceService>(tests::makeScriptedEngine(script));

    bool load(const QString& path = QStringLiteral("/models/a.gguf"))
    {
        QSignalSpy loaded(service.get(), &InferenceService::loaded);
        service->load(path);
        return loaded.wait(5000);
    }
};

// `turns` questions of 100 bytes with answers of 100, and a last question.
AskRequest conversation(int turns)
{
    AskRequest request;
    request.messages.push_back({ Role::System, std::string(96, 's') });
    for (int turn = 0; turn < turns; ++turn) {
        request.messages.push_back({ Role::User, std::string(100, 'u') });
        request.messages.push_back({ Role::Assistant, std::string(100, 'a') });
    }
    request.messages.push_back({ Role::User, std::string(100, 'q') });
    return request;
}

AskRequest question(std::string text = "What is up?")
{
    AskRequest request;
    request.messages.push_back({ Role::User, std::move(text) });
    return request;
}

} // namespace

class TestGeneration : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsWhatWasLeftOut()
    {
        Bench bench; // 4,096 tokens, 1,024 of them for the answer
        QVERIFY(bench.load());
        auto* generation = bench.service->ask(conversation(30));
        QSignalSpy fitted(generation, &Generation::promptFitted);
        std::size_t known = 0;
        connect(generation, &Generation::promptFitted, this,
                [&] { known = generation->leftOut(); });
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(fitted.size(), 1);
        const Outcome& outcome = generation->outcome();
        QCOMPARE(outcome.finish, Outcome::Finish::End);
        QCOMPARE(outcome.leftOut, std::size_t { 42 }); // 21 turns: half of the context is left
        QCOMPARE(known, outcome.leftOut);
        QCOMPARE(outcome.promptTokens, std::size_t { 96 + 9 * 200 + 100 });
        const auto seen = bench.script->lastMessages();
        QCOMPARE(seen.front().role, Role::System);
        QCOMPARE(seen[1].role, Role::User);

        // The next answer leaves out the same, not one turn more.
        AskRequest next = conversation(31);
        next.leftOut = outcome.leftOut;
        generation = bench.service->ask(std::move(next));
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(generation->outcome().leftOut, std::size_t { 42 });
        QCOMPARE(generation->outcome().promptTokens, std::size_t { 96 + 10 * 200 + 100 });
    }

    void wholeOrNothing()
    {
        Bench bench;
        QVERIFY(bench.load());
        AskRequest request = conversation(30);
        request.whole = true;
        auto* generation = bench.service->ask(std::move(request));
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(generation->outcome().finish, Outcome::Finish::Failed);
        QCOMPARE(generation->outcome().error->code, QStringLiteral("prompt-too-long"));
        QCOMPARE(generation->outcome().leftOut, std::size_t { 0 });
        QCOMPARE(generation->outcome().promptTokens, std::size_t { 6196 });
    }

    void plainFormatIsTheRemedy()
    {
        Bench bench;
        bench.script->promptError =
            engine::Error { engine::ErrorCode::TemplateRaised, { "no" }, { {}, {}, "line 7" } };
        QVERIFY(bench.load());
        auto* generation = bench.service->ask(question());
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(generation->outcome().error->subject, QStringLiteral("line 7"));
        AskRequest plain = question();
        plain.format = PromptFormat::Plain;
        generation = bench.service->ask(std::move(plain));
        QTRY_VERIFY(generation->isFinished());
        QVERIFY(!generation->outcome().error);
        QCOMPARE(bench.script->lastFormat(), PromptFormat::Plain);
    }

    // By the tokens that were evaluated: those found in the cache took no time.
    void secondsLeft()
    {
        Bench bench;
        bench.script->promptReused = 1000;
        bench.script->promptSteps = 20; // of 100 tokens
        bench.script->promptStep = 50ms;
        QVERIFY(bench.load());
        auto* generation = bench.service->ask(question(std::string(3000, 'x')));
        QElapsedTimer clock;
        clock.start();
        std::vector<double> least; // seconds that are left in truth, and what was said
        std::vector<double> said;
        connect(generation, &Generation::promptProgress, this, [&](qsizetype done, qsizetype) {
            const auto left = generation->promptSecondsLeft();
            if (clock.elapsed() < 290) {
                QVERIFY(!left);
            }
            if (left) {
                said.push_back(*left);
                least.push_back(static_cast<double>(3000 - done) / 100 * 0.05);
            }
        });
        QTRY_VERIFY(generation->phase() == Generation::Phase::Answer || generation->isFinished());
        QVERIFY(!generation->promptSecondsLeft());
        QVERIFY(said.size() >= 5);
        for (std::size_t i = 0; i < said.size(); ++i) {
            // A step takes 50 ms or, on a busy machine, more; less what passed since the update.
            QVERIFY2(said[i] > least[i] - 0.06 && said[i] < 20,
                     qPrintable(QStringLiteral("%1 of %2").arg(said[i]).arg(least[i])));
        }
        QVERIFY(said.back() < said.front());
    }

    void twoHundredThousandTokens()
    {
        Bench bench;
        bench.script->pieces.assign(200'000, "word ");
        QVERIFY(bench.load());
        auto* generation = bench.service->ask(question());
        int updates = 0;
        qsizetype length = 0;
        connect(generation, &Generation::textAdded, this, [&](const QString& text) {
            ++updates;
            length += text.size();
        });
        QElapsedTimer clock;
        clock.start();
        QTRY_VERIFY_WITH_TIMEOUT(generation->isFinished(), 30'000);
        QCOMPARE(length, qsizetype { 1'000'000 });
        QCOMPARE(generation->text().size(), length);
        QCOMPARE(generation->outcome().tokens, std::size_t { 200'000 });
        const qint64 most = clock.elapsed() / app::TokenStream::kUpdateIntervalMs + 2;
        QVERIFY2(updates <= most, qPrintable(QStringLiteral("%1 > %2").arg(updates).arg(most)));
    }

    void asideLeavesTheRestAlone()
    {
        Bench bench;
        QVERIFY(bench.load());
        auto& service = *bench.service;
        QCOMPARE(InferenceService(tests::makeScriptedEngine(bench.script)).askAside(question()),
                 nullptr); // no model
        auto* answer = service.ask(question());
        QCOMPARE(service.askAside(question()), nullptr); // busy
        QTRY_VERIFY(answer->isFinished());
        const auto used = service.contextUsed();
        QSignalSpy states(&service, &InferenceService::stateChanged);
        QSignalSpy contexts(&service, &InferenceService::contextUsedChanged);
        bench.script->pieceTime = 5ms;
        QPointer<Generation> aside = service.askAside(question("And a title?"));
        QVERIFY(aside);
        QCOMPARE(service.askAside(question()), nullptr); // one at a time
        QCOMPARE(service.state(), State::Ready);
        QCOMPARE(service.generation(), nullptr);
        QTRY_VERIFY(aside->isFinished());
        QCOMPARE(aside->text(), QStringLiteral("Hello, world."));
        QCOMPARE(states.size() + contexts.size(), 0);
        QCOMPARE(service.contextUsed(), used);
        QVERIFY(service.askAside(question()));
        QTRY_VERIFY(!aside);
    }

    void everythingStopsAnAside_data()
    {
        QTest::addColumn<int>("what");
        QTest::newRow("ask") << 0;
        QTest::newRow("load") << 1;
        QTest::newRow("unload") << 2;
        QTest::newRow("file changed") << 3;
        QTest::newRow("end") << 4;
    }

    void everythingStopsAnAside()
    {
        QFETCH(int, what);
        Bench bench;
        QVERIFY(bench.load());
        bench.script->pieces.assign(1'000, "word ");
        bench.script->pieceTime = 5ms;
        QPointer<Generation> aside = bench.service->askAside(question());
        QTRY_VERIFY(!aside->text().isEmpty());
        bool asideEndedFirst = false;
        QElapsedTimer clock;
        clock.start();
        if (what == 0) {
            auto* answer = bench.service->ask(question());
            QVERIFY(answer);
            QCOMPARE(bench.service->state(), State::Generating);
            QTRY_VERIFY(!answer->text().isEmpty());
            asideEndedFirst = aside && aside->isFinished();
            answer->stop();
        } else if (what == 1) {
            connect(bench.service.get(), &InferenceService::loaded, this,
                    [&] { asideEndedFirst = aside && aside->isFinished(); });
            QVERIFY(bench.load(QStringLiteral("/models/b.gguf")));
        } else if (what == 2) {
            bench.service->unload();
            QTRY_VERIFY(aside->isFinished());
            asideEndedFirst = true;
        } else if (what == 3) {
            bench.script->fileChanged = true;
            QTRY_VERIFY(aside->isFinished()); // looked at every second
            QCOMPARE(aside->outcome().error->code, QStringLiteral("file-changed"));
            return;
        } else {
            bench.service.reset();
            QVERIFY(clock.elapsed() < 1'000);
            return;
        }
        QVERIFY(asideEndedFirst);
        QCOMPARE(aside->outcome().finish, Outcome::Finish::Cancelled);
        QVERIFY(clock.elapsed() < 2'000);
    }
};

QTEST_GUILESS_MAIN(TestGeneration)
#include "tst_generation.moc"
