// The inference service with a scripted engine: loading, asking, stopping, errors, closing.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/inference_service.h"
#include "tests/app/inference_bench.h"

#include <QElapsedTimer>
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

class TestInferenceService : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void loads()
    {
        Bench bench;
        bench.script->loadStep = 60ms;
        bench.script->facts.typeName = "Q4_1";
        bench.script->facts.warnings.push_back(
            { engine::gguf::Severity::Warning, { ErrorCode::FileEmpty, {}, { "f", {}, {} } } });
        auto& service = *bench.service;
        QSignalSpy states(&service, &InferenceService::stateChanged);
        QSignalSpy progress(&service, &InferenceService::loadProgressChanged);
        std::vector<double> fractions;
        connect(&service, &InferenceService::loadProgressChanged, this, [&] {
            fractions.push_back(service.loadFraction());
            QVERIFY(!service.loadStageText().isEmpty());
        });
        QCOMPARE(service.state(), State::Empty);
        QCOMPARE(service.ask(question()), nullptr);

        app::LoadRequest request;
        request.contextLength = 777;
        request.threads = 3;
        request.cacheType = engine::session::CacheType::F32;
        QElapsedTimer clock;
        clock.start();
        service.load(kPath, request);
        QVERIFY(clock.elapsed() < 250); // it never waits
        QCOMPARE(service.state(), State::Loading);
        QCOMPARE(service.loadingPath(), kPath);
        QCOMPARE(service.ask(question()), nullptr);
        QVERIFY(!service.hasModel());

        QTRY_COMPARE(service.state(), State::Ready);
        QVERIFY(service.hasModel());
        QCOMPARE(service.facts().path, kPath);
        QCOMPARE(service.facts().typeName, QStringLiteral("Q4_1"));
        QCOMPARE(service.facts().contextLength, 777U);
        QCOMPARE(service.facts().warnings,
                 QStringList { QStringLiteral("The file is empty. Download it again.") });
        QCOMPARE(bench.script->lastRequest().threads, 3);
        QCOMPARE(bench.script->lastRequest().cacheType, engine::session::CacheType::F32);
        QCOMPARE(states.size(), 2);
        QVERIFY(fractions.size() >= 3);
        QVERIFY(std::is_sorted(fractions.begin(), fractions.end()));
        QVERIFY(fractions.back() > 0.5);
    }

    // The user is told when the template is not the model's own.
    void templateOriginIsSaid_data()
    {
        QTest::addColumn<int>("origin");
        QTest::addColumn<QString>("said");
        using engine::chat::TemplateOrigin;
        QTest::newRow("own") << static_cast<int>(TemplateOrigin::Model) << QString();
        QTest::newRow("ChatML") << static_cast<int>(TemplateOrigin::ChatMl)
                                << QStringLiteral("ChatML");
        QTest::newRow("plain") << static_cast<int>(TemplateOrigin::Plain)
                               << QStringLiteral("plain");
    }

    void templateOriginIsSaid()
    {
        QFETCH(int, origin);
        QFETCH(QString, said);
        Bench bench;
        bench.script->facts.templateOrigin = static_cast<engine::chat::TemplateOrigin>(origin);
        QVERIFY(bench.load());
        const QStringList warnings = bench.service->facts().warnings;
        QCOMPARE(warnings.size(), said.isEmpty() ? 0 : 1);
        QVERIFY(said.isEmpty() || warnings.first().contains(said));
    }

    // A load that fails says why and leaves the model that was there, ready to answer.
    void failedLoadKeepsTheModel()
    {
        Bench bench;
        bench.script->loadErrors.emplace(
            "/models/b.gguf",
            engine::Error { ErrorCode::FileEmpty, {}, { "/models/b.gguf", 0, {} } });
        QVERIFY(bench.load());
        auto& service = *bench.service;
        QSignalSpy failed(&service, &InferenceService::loadFailed);
        QSignalSpy loaded(&service, &InferenceService::loaded);
        service.load(kOther);
        QVERIFY(failed.wait());
        const auto error = failed.first().first().value<app::ErrorMessage>();
        QCOMPARE(error.code, QStringLiteral("file-empty"));
        QCOMPARE(error.file, kOther);
        QVERIFY(error.where.contains(QStringLiteral("b.gguf")));
        QVERIFY(!error.remedy.isEmpty());
        QCOMPARE(service.state(), State::Ready);
        QCOMPARE(service.facts().path, kPath);
        QCOMPARE(loaded.size(), 0);

        auto* generation = service.ask(question());
        QVERIFY(generation);
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(generation->text(), QStringLiteral("Hello, world."));
    }

    void failedFirstLoadIsEmpty()
    {
        Bench bench;
        bench.script->loadErrors.emplace("/models/a.gguf",
                                         engine::Error { ErrorCode::FileNotFound, {}, {} });
        QSignalSpy failed(bench.service.get(), &InferenceService::loadFailed);
        bench.service->load(kPath);
        QVERIFY(failed.wait());
        QCOMPARE(bench.service->state(), State::Empty);
        QVERIFY(!bench.service->hasModel());
    }

    void cancelLoad()
    {
        Bench bench;
        QVERIFY(bench.load());
        bench.script->loadSteps = 1000;
        bench.script->loadStep = 5ms;
        auto& service = *bench.service;
        QSignalSpy cancelled(&service, &InferenceService::loadCancelled);
        QSignalSpy loaded(&service, &InferenceService::loaded);
        QSignalSpy failed(&service, &InferenceService::loadFailed);
        service.load(kOther);
        QTRY_COMPARE(bench.script->loads.load(), 2);
        service.cancelLoad();
        QCOMPARE(service.state(), State::Ready); // at once
        QCOMPARE(cancelled.size(), 1);
        service.cancelLoad();
        QCOMPARE(cancelled.size(), 1);
        auto* generation = service.ask(question());
        QVERIFY(generation);
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(service.facts().path, kPath);
        QCOMPARE(loaded.size() + failed.size(), 0);
    }

    // Of loads in quick succession only the last reports, and no model is left behind.
    void lastLoadWins()
    {
        Bench bench;
        bench.script->loadSteps = 10;
        bench.script->loadStep = 1ms;
        auto& service = *bench.service;
        QSignalSpy loaded(&service, &InferenceService::loaded);
        for (int i = 0; i < 40; ++i) {
            service.load(QStringLiteral("/models/%1.gguf").arg(i));
            QTest::qWait(i % 3 == 0 ? 12 : 0);
        }
        QTRY_COMPARE(service.state(), State::Ready);
        QCOMPARE(service.facts().path, QStringLiteral("/models/39.gguf"));
        QCOMPARE(loaded.last().first().value<app::ModelFacts>().path, service.facts().path);
        QTRY_COMPARE(bench.script->modelsAlive.load(), 1);
    }

    void unload()
    {
        Bench bench;
        QVERIFY(bench.load());
        QSignalSpy unloaded(bench.service.get(), &InferenceService::unloaded);
        bench.service->unload();
        QCOMPARE(bench.service->state(), State::Empty);
        QCOMPARE(unloaded.size(), 1);
        QTRY_COMPARE(bench.script->modelsAlive.load(), 0);
        bench.service->unload();
        QCOMPARE(unloaded.size(), 1);

        // While loading, at any moment of it.
        bench.script->loadSteps = 5;
        bench.script->loadStep = 1ms;
        QSignalSpy loaded(bench.service.get(), &InferenceService::loaded);
        for (int wait = 0; wait < 10; ++wait) {
            const auto before = loaded.size();
            bench.service->load(kPath);
            QThread::msleep(static_cast<unsigned long>(wait));
            bench.service->unload();
            QCOMPARE(bench.service->state(), State::Empty);
            QTest::qWait(10);
            QCOMPARE(bench.service->state(), State::Empty);
            QCOMPARE(loaded.size(), before);
        }
        QTRY_COMPARE(bench.script->modelsAlive.load(), 0);
    }

    void answers()
    {
        Bench bench;
        bench.script->pieceTime = 2ms;
        bench.script->promptSteps = 4;
        bench.script->promptStep = 20ms;
        QVERIFY(bench.load());
        auto& service = *bench.service;
        std::vector<Message> messages { { Role::System, "Be brief." }, { Role::User, "Hi" } };
        auto* generation = service.ask(messages);
        QVERIFY(generation);
        QVERIFY(generation->id() > 0);
        QCOMPARE(service.generation(), generation);
        QCOMPARE(service.state(), State::Generating);
        QCOMPARE(service.ask(messages), nullptr); // one at a time
        QSignalSpy finished(generation, &Generation::finished);
        QString streamed;
        std::vector<Generation::Phase> phases;
        qsizetype lastDone = -1;
        connect(generation, &Generation::textAdded, this, [&](const QString& text) {
            QCOMPARE(finished.size(), 0);
            streamed += text;
        });
        connect(generation, &Generation::phaseChanged, this,
                [&] { phases.push_back(generation->phase()); });
        connect(generation, &Generation::promptProgress, this,
                [&](qsizetype done, qsizetype total) {
                    QVERIFY(done >= lastDone && done <= total);
                    QCOMPARE(total, qsizetype { 11 });
                    lastDone = done;
                });
        QVERIFY(finished.wait());
        using Phase = Generation::Phase;
        QCOMPARE(phases, (std::vector<Phase> { Phase::Prompt, Phase::Answer, Phase::Finished }));
        QCOMPARE(lastDone, qsizetype { 11 });
        QCOMPARE(streamed, QStringLiteral("Hello, world."));
        QCOMPARE(generation->text(), streamed);
        QCOMPARE(service.state(), State::Ready);
        QCOMPARE(service.generation(), nullptr);
        QCOMPARE(service.contextUsed(), std::size_t { 15 });

        const Outcome& outcome = generation->outcome();
        QCOMPARE(outcome.finish, Outcome::Finish::End);
        QCOMPARE(outcome.tokens, std::size_t { 4 });
        QCOMPARE(outcome.promptTokens, std::size_t { 11 });
        QVERIFY(outcome.firstTokenMs >= 80);
        QVERIFY(outcome.tokensPerSecond > 0 && outcome.tokensPerSecond < 600);
        QVERIFY(outcome.promptTokensPerSecond > 0);
        QVERIFY(!outcome.error);

        const auto seen = bench.script->lastMessages();
        QCOMPARE(seen.size(), std::size_t { 2 });
        QCOMPARE(seen[0].role, Role::System);
        QCOMPARE(seen[1].content, std::string("Hi"));
    }

    void finishReasons_data()
    {
        using engine::session::FinishReason;
        QTest::addColumn<int>("reason");
        QTest::addColumn<int>("expected");
        const auto row = [](const char* name, FinishReason reason, Outcome::Finish finish) {
            QTest::newRow(name) << static_cast<int>(reason) << static_cast<int>(finish);
        };
        row("end", FinishReason::End, Outcome::Finish::End);
        row("length", FinishReason::Length, Outcome::Finish::Length);
        row("stop", FinishReason::Stop, Outcome::Finish::Stop);
        row("context", FinishReason::Context, Outcome::Finish::Context);
        row("cancelled", FinishReason::Cancelled, Outcome::Finish::Cancelled);
    }

    void finishReasons()
    {
        QFETCH(int, reason);
        QFETCH(int, expected);
        Bench bench;
        bench.script->finish = static_cast<engine::session::FinishReason>(reason);
        QVERIFY(bench.load());
        auto* generation = bench.service->ask(question());
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(static_cast<int>(generation->outcome().finish), expected);
    }

    void stopDuringPromptAndAnswer()
    {
        Bench bench;
        bench.script->promptSteps = 50;
        bench.script->promptStep = 5ms;
        bench.script->pieces.assign(10'000, "x");
        bench.script->pieceTime = 5ms;
        QVERIFY(bench.load());
        for (const auto phase : { Generation::Phase::Prompt, Generation::Phase::Answer }) {
            auto* generation = bench.service->ask(question());
            QVERIFY(generation);
            QTRY_COMPARE(generation->phase(), phase);
            QElapsedTimer clock;
            clock.start();
            generation->stop();
            QTRY_VERIFY(generation->isFinished());
            QVERIFY2(clock.elapsed() < 500, qPrintable(QString::number(clock.elapsed())));
            QCOMPARE(generation->outcome().finish, Outcome::Finish::Cancelled);
            QVERIFY(!generation->outcome().error);
            QCOMPARE(bench.service->state(), State::Ready);
            bench.script->promptSteps = 1;
        }
    }

    void stopBeforeItBegan()
    {
        Bench bench;
        QVERIFY(bench.load());
        const int before = bench.script->answers;
        auto* generation = bench.service->ask(question());
        generation->stop();
        QTRY_VERIFY(generation->isFinished());
        const auto finish = generation->outcome().finish;
        QVERIFY(finish == Outcome::Finish::Cancelled || bench.script->answers > before);
    }

    void errorsAreNotText_data()
    {
        QTest::addColumn<bool>("inPrompt");
        QTest::newRow("template") << true;
        QTest::newRow("answer") << false;
    }

    void errorsAreNotText()
    {
        QFETCH(bool, inPrompt);
        Bench bench;
        const engine::Error error { ErrorCode::OutOfMemory, { "the cache" }, {} };
        (inPrompt ? bench.script->promptError : bench.script->answerError) = error;
        QVERIFY(bench.load());
        auto* generation = bench.service->ask(question());
        QTRY_VERIFY(generation->isFinished());
        const Outcome& outcome = generation->outcome();
        QCOMPARE(outcome.finish, Outcome::Finish::Failed);
        QVERIFY(outcome.error);
        QCOMPARE(outcome.error->code, QStringLiteral("out-of-memory"));
        QVERIFY(outcome.error->what.contains(QStringLiteral("the cache")));
        QVERIFY(!outcome.error->remedy.isEmpty());
        QCOMPARE(generation->text(), inPrompt ? QString() : QStringLiteral("Hello, world."));
        QCOMPARE(outcome.tokens, inPrompt ? std::size_t { 0 } : std::size_t { 4 });
        QCOMPARE(bench.service->state(), State::Ready);
    }

    // The answer goes on, and the window says where.
    void theDeviceFailsInAnAnswer()
    {
        Bench bench;
        bench.script->facts.deviceName = "Vulkan card";
        bench.script->deviceFails = engine::Error { ErrorCode::DeviceLost, { "Vulkan card" }, {} };
        bench.script->pieceTime = 20ms;
        bench.script->pieces.assign(20, "a");
        QVERIFY(bench.load());
        QSignalSpy changes(bench.service.get(), &InferenceService::factsChanged);
        auto* generation = bench.service->ask(question());
        QVERIFY(changes.wait(5000));
        QVERIFY(!generation->isFinished()); // said at once
        QCOMPARE(bench.service->facts().deviceName, QStringLiteral("CPU"));
        const QStringList warnings = bench.service->facts().warnings;
        QCOMPARE(warnings.size(), 1);
        QVERIFY(warnings.first().contains(QStringLiteral("Vulkan card")));
        QVERIFY(warnings.first().contains(QStringLiteral("The CPU does the work")));
        QTRY_VERIFY(generation->isFinished());
        QVERIFY(!generation->outcome().error);
        QCOMPARE(generation->text().size(), 20);
        auto* second = bench.service->ask(question());
        QTRY_VERIFY(second->isFinished());
        QCOMPARE(changes.count(), 1); // said once
    }

    void promptTooLongNamesItsLength()
    {
        Bench bench;
        QVERIFY(bench.load());
        auto* generation = bench.service->ask(question(std::string(5000, 'a')));
        QTRY_VERIFY(generation->isFinished());
        QVERIFY(generation->outcome().error);
        QVERIFY(generation->outcome().error->what.contains(QStringLiteral("5000")));
        QVERIFY(generation->outcome().error->what.contains(QStringLiteral("4096")));
    }

    void exceptionsBecomeErrors()
    {
        Bench bench;
        bench.script->throws = true;
        QVERIFY(bench.load());
        auto* generation = bench.service->ask(question());
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(generation->outcome().error->code, QStringLiteral("out-of-memory"));
    }

    // Another model while one answers: the answer stops, its end comes first, the GUI thread never
    // waits.
    void loadWhileGenerating()
    {
        Bench bench;
        bench.script->pieces.assign(100'000, "word ");
        bench.script->pieceTime = 1ms;
        QVERIFY(bench.load());
        auto& service = *bench.service;
        QPointer<Generation> generation = service.ask(question());
        QTRY_VERIFY(!generation->text().isEmpty());
        QStringList order;
        connect(generation, &Generation::finished, this,
                [&] { order << QStringLiteral("finished"); });
        connect(&service, &InferenceService::loaded, this, [&] {
            order << QStringLiteral("loaded");
            QCOMPARE(service.state(), State::Ready);
        });
        QElapsedTimer clock;
        clock.start();
        service.load(kOther);
        QVERIFY(clock.elapsed() < 250);
        QCOMPARE(service.state(), State::Loading);
        QTRY_COMPARE(order.size(), 2);
        QCOMPARE(order.first(), QStringLiteral("finished"));
        QCOMPARE(generation->outcome().finish, Outcome::Finish::Cancelled);
        QCOMPARE(service.facts().path, kOther);
        QCOMPARE(bench.script->modelsAlive.load(), 1);
    }

    void unloadWhileGenerating()
    {
        Bench bench;
        bench.script->pieces.assign(100'000, "word ");
        bench.script->pieceTime = 1ms;
        QVERIFY(bench.load());
        QPointer<Generation> generation = bench.service->ask(question());
        QTRY_VERIFY(!generation->text().isEmpty());
        bench.service->unload();
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(bench.service->state(), State::Empty);
        QTRY_COMPARE(bench.script->modelsAlive.load(), 0);
        QCOMPARE(bench.service->contextUsed(), std::size_t { 0 });
    }

    void fileChangesUnderneath()
    {
        Bench bench;
        bench.script->pieces.assign(100'000, "word ");
        bench.script->pieceTime = 1ms;
        QVERIFY(bench.load());
        auto& service = *bench.service;
        QSignalSpy changed(&service, &InferenceService::fileChanged);
        QPointer<Generation> generation = service.ask(question());
        QTRY_VERIFY(!generation->text().isEmpty());
        bench.script->fileChanged = true;
        QVERIFY(changed.wait(3000)); // looked at every second
        QCOMPARE(changed.first().first().value<app::ErrorMessage>().code,
                 QStringLiteral("file-changed"));
        QTRY_VERIFY(generation->isFinished());
        QCOMPARE(generation->outcome().finish, Outcome::Finish::Failed);
        QCOMPARE(generation->outcome().error->code, QStringLiteral("file-changed"));
        QVERIFY(service.isFileChanged());
        QVERIFY(service.hasModel());

        auto* next = service.ask(question());
        QVERIFY(next);
        QTRY_VERIFY(next->isFinished());
        QCOMPARE(next->outcome().error->code, QStringLiteral("file-changed"));
        QVERIFY(next->text().isEmpty());

        bench.script->fileChanged = false;
        QVERIFY(bench.load());
        QVERIFY(!service.isFileChanged());
        QCOMPARE(changed.size(), 1);
    }

    void generationsDieWithTheNext()
    {
        Bench bench;
        QVERIFY(bench.load());
        QPointer<Generation> first = bench.service->ask(question());
        QTRY_VERIFY(first->isFinished());
        QPointer<Generation> second = bench.service->ask(question());
        QVERIFY(second && second->id() > first->id());
        QTRY_VERIFY(!first);
        QTRY_VERIFY(second->isFinished());
    }

    void closingIsQuick_data()
    {
        QTest::addColumn<int>("what");
        QTest::newRow("idle") << 0;
        QTest::newRow("loading") << 1;
        QTest::newRow("prompt") << 2;
        QTest::newRow("answer") << 3;
        QTest::newRow("answer, nobody reads") << 4;
        QTest::newRow("just asked") << 5;
    }

    void closingIsQuick()
    {
        QFETCH(int, what);
        Bench bench;
        bench.script->promptSteps = what == 2 ? 10'000 : 1;
        bench.script->promptStep = 5ms;
        bench.script->pieces.assign(200'000, "word ");
        bench.script->pieceTime = what == 4 ? 0us : 500us;
        QVERIFY(bench.load());
        if (what == 1) {
            bench.script->loadSteps = 10'000;
            bench.script->loadStep = 5ms;
            bench.service->load(kOther);
            QTRY_COMPARE(bench.script->loads.load(), 2);
        } else if (what >= 2) {
            QPointer<Generation> generation = bench.service->ask(question());
            if (what == 2) {
                QTRY_COMPARE(generation->phase(), Generation::Phase::Prompt);
            } else if (what == 3) {
                QTRY_COMPARE(generation->phase(), Generation::Phase::Answer);
            } else if (what == 4) {
                QThread::msleep(100); // the producer fills the stream and waits
            }
        }
        QElapsedTimer clock;
        clock.start();
        bench.service.reset();
        QVERIFY2(clock.elapsed() < 500, qPrintable(QString::number(clock.elapsed())));
        QCOMPARE(bench.script->modelsAlive.load(), 0);
    }
};

QTEST_GUILESS_MAIN(TestInferenceService)
#include "tst_inference_service.moc"
