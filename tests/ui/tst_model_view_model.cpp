// The model's view model with a scripted engine: opening, failing, cancelling, loading again.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/scripted_engine.h"
#include "tests/support/named_architecture.h"
#include "ui/chat/model_view_model.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace std::chrono_literals;
using app::InferenceService;
using engine::ErrorCode;

namespace {

struct Bench
{
    QTemporaryDir directory;
    std::shared_ptr<tests::Script> script = std::make_shared<tests::Script>();
    app::Settings settings { directory.path() };
    InferenceService service { tests::makeScriptedEngine(script) };
    ModelViewModel model { service, settings };

    QString file(const QString& name) const
    {
        QFile file(directory.filePath(name));
        (void)file.open(QIODevice::WriteOnly);
        return file.fileName();
    }
    bool open(const QString& path)
    {
        QSignalSpy ready(&model, &ModelViewModel::ready);
        model.open(path);
        return ready.wait(5000);
    }
};

} // namespace

class TestModelViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void opens()
    {
        Bench bench;
        bench.script->facts.displayName = "Tiny model";
        bench.script->facts.typeName = "Q4_1";
        bench.script->facts.deviceName = "CPU AVX2";
        bench.script->facts.fileSize = 98'400'000;
        bench.script->loadStep = 30ms;
        const QString path = bench.file("tiny.gguf");
        QVERIFY(!bench.model.isLoaded());
        QCOMPARE(bench.model.summary(), QString());
        QSignalSpy progress(&bench.model, &ModelViewModel::loadProgressChanged);
        QSignalSpy ready(&bench.model, &ModelViewModel::ready);
        bench.model.open(path);
        QVERIFY(bench.model.isLoading());
        QCOMPARE(bench.model.loadingName(), QString("tiny.gguf"));
        QVERIFY(!bench.model.loadStage().isEmpty());
        QVERIFY(ready.wait(5000));
        QVERIFY(progress.count() >= 2);
        QVERIFY(bench.model.isLoaded());
        QVERIFY(bench.model.isUsable());
        QCOMPARE(bench.model.name(), QString("Tiny model"));
        QVERIFY(bench.model.summary().startsWith("Q4_1 · 98"));
        QVERIFY(bench.model.summary().endsWith("CPU AVX2"));
        QVERIFY(bench.model.details().contains(path));
        QCOMPARE(bench.model.contextLength(), 4096);
        QCOMPARE(bench.model.recentFiles(), QStringList { path });
    }

    void saysWhereItRuns()
    {
        Bench bench;
        bench.script->facts.deviceName = "Vulkan card";
        bench.script->facts.threads = 0; // a device has none
        bench.script->facts.passedOver =
            engine::Error { ErrorCode::DeviceUntrusted, { "better card", "rope" }, {} };
        QVERIFY(bench.open(bench.file("one.gguf")));
        QVERIFY(bench.model.details().endsWith("Runs on: Vulkan card"));
        QVERIFY(bench.model.warnings().constFirst().contains("better card"));
        QVERIFY(!bench.model.isReloadNeeded());
        bench.settings.setDevice("cpu");
        QVERIFY(bench.model.isReloadNeeded());
        bench.script->facts.threads = 2;
        QVERIFY(bench.open(bench.file("two.gguf")));
        QCOMPARE(bench.script->lastRequest().device, std::string("cpu"));
        QVERIFY(bench.model.details().endsWith("Runs on: Vulkan card, 2 threads"));
    }

    void saysHowManyLayersAreOnTheDevice()
    {
        Bench bench;
        bench.script->facts.deviceName = "Vulkan card";
        bench.script->facts.threads = 4;
        bench.script->facts.placement = engine::session::Placement { 32, 22, 1'000'000 };
        QVERIFY(bench.open(bench.file("one.gguf")));
        QVERIFY(bench.model.summary().endsWith("22 of 32 layers on Vulkan card"));
        QVERIFY(bench.model.details().endsWith(
            "Runs on: 22 of 32 layers on Vulkan card, the others on the CPU with 4 threads"));
        QVERIFY(!bench.model.isReloadNeeded());
        bench.settings.setDeviceLayersOf(bench.directory.filePath("one.gguf"), 7);
        QVERIFY(bench.model.isReloadNeeded());
        QVERIFY(bench.open(bench.directory.filePath("one.gguf")));
        QCOMPARE(bench.script->lastRequest().deviceLayers, std::optional(7U));
        QVERIFY(!bench.model.isReloadNeeded());

        bench.script->facts.placement = engine::session::Placement { 32, 32, 1'000'000 };
        bench.script->facts.threads = 0;
        QVERIFY(bench.open(bench.file("two.gguf")));
        QVERIFY(bench.model.summary().endsWith(" · Vulkan card"));
        QVERIFY(bench.model.details().endsWith("Runs on: Vulkan card, all 32 layers"));

        bench.script->facts.placement->deviceBlocks = 30;
        bench.script->facts.cpuTypes = { "F64", "I64" };
        QVERIFY(bench.open(bench.file("three.gguf")));
        QVERIFY(bench.model.warnings().constFirst().contains("F64, I64"));
        QVERIFY(bench.model.warnings().constFirst().contains("30 of 32 layers"));
    }

    void saysWhyAFileDoesNotOpen()
    {
        Bench bench;
        const QString good = bench.file("good.gguf");
        const QString bad = bench.file("bad.gguf");
        bench.script->loadErrors[bad.toStdString()] = engine::Error {
            ErrorCode::FileEmpty, {}, { bad.toStdString(), 1204, "general.alignment" }
        };
        QVERIFY(bench.open(good));
        QSignalSpy notices(&bench.model, &ModelViewModel::noticeChanged);
        bench.model.open(bad);
        QVERIFY(notices.wait(5000));
        QVERIFY(bench.model.notice().isShown());
        QVERIFY(bench.model.notice().where.contains("general.alignment"));
        QVERIFY(!bench.model.notice().remedy.isEmpty());
        // The model from before is still there, and the file is not among those that opened.
        QVERIFY(bench.model.isUsable());
        QCOMPARE(bench.model.recentFiles(), QStringList { good });
        bench.model.dismissNotice();
        QVERIFY(!bench.model.notice().isShown());
        // A notice goes when the next file is tried.
        bench.model.open(bad);
        QVERIFY(notices.wait(5000));
        QVERIFY(bench.open(good));
        QVERIFY(!bench.model.notice().isShown());
    }

    // What somebody picks is looked at first: the model that is there goes on, undisturbed.
    void refusesWhatCannotRunBeforeLoading()
    {
        Bench bench;
        QVERIFY(bench.open(bench.file("good.gguf")));
        const QString projector = bench.directory.filePath("mmproj.gguf");
        QVERIFY(tests::writeArchitecture(projector, "clip"));
        QSignalSpy notices(&bench.model, &ModelViewModel::noticeChanged);
        QSignalSpy changes(&bench.service, &InferenceService::stateChanged);
        bench.model.choose(projector);
        QVERIFY(notices.wait(5000));
        QVERIFY(bench.model.notice().what.contains("sees pictures"));
        QVERIFY(bench.model.notice().remedy.contains("mmproj"));
        QCOMPARE(bench.model.notice().file, projector);
        QVERIFY(bench.model.isUsable());
        QVERIFY(changes.isEmpty()); // nothing was loaded
    }

    void saysWhenNoConversationIsPossible()
    {
        Bench bench;
        bench.script->facts.conversationError =
            engine::Error { ErrorCode::InvalidArgument, { "No template." }, {} };
        QVERIFY(bench.open(bench.file("a.gguf")));
        QCOMPARE(bench.model.notice().what, QString("No template."));
    }

    void cancelsAndCloses()
    {
        Bench bench;
        bench.script->loadStep = 200ms;
        QSignalSpy cancelled(&bench.service, &InferenceService::loadCancelled);
        bench.model.open(bench.file("a.gguf"));
        QVERIFY(bench.model.isLoading());
        bench.model.cancelLoad();
        QVERIFY(!bench.model.isLoading());
        QCOMPARE(cancelled.count(), 1);
        QVERIFY(!bench.model.notice().isShown());

        bench.script->loadStep = 0ms;
        QVERIFY(bench.open(bench.file("b.gguf")));
        bench.model.close();
        QVERIFY(!bench.model.isLoaded());
        QCOMPARE(bench.model.warnings(), QStringList());
    }

    void loadsAgainWithTheSettingsOfNow()
    {
        Bench bench;
        QVERIFY(bench.open(bench.file("a.gguf")));
        QVERIFY(!bench.model.isReloadNeeded());
        QSignalSpy needs(&bench.model, &ModelViewModel::reloadNeededChanged);
        bench.settings.setThreads(3);
        bench.settings.setContextLength(1024);
        QVERIFY(needs.count() >= 2);
        QVERIFY(bench.model.isReloadNeeded());
        QSignalSpy ready(&bench.model, &ModelViewModel::ready);
        bench.model.reload();
        QVERIFY(ready.wait(5000));
        QVERIFY(!bench.model.isReloadNeeded());
        QCOMPARE(bench.script->lastRequest().threads, 3);
        QCOMPARE(bench.script->lastRequest().contextLength, 1024U);
        QCOMPARE(bench.model.contextLength(), 1024);
    }

    void seesThatTheFileChanged()
    {
        Bench bench;
        QVERIFY(bench.open(bench.file("a.gguf")));
        QSignalSpy notices(&bench.model, &ModelViewModel::noticeChanged);
        bench.script->fileChanged = true;
        QVERIFY(notices.wait(10'000));
        QVERIFY(bench.model.isLoaded());
        QVERIFY(!bench.model.isUsable());
        QVERIFY(bench.model.notice().isShown());
    }

    void namesPaths()
    {
        Bench bench;
        QCOMPARE(ModelViewModel::fileName("/a/b/c.gguf"), QString("c.gguf"));
        QCOMPARE(ModelViewModel::fileName("/"), QString("/"));
        QCOMPARE(ModelViewModel::folderName("/a/b/c.gguf"), QString("/a/b"));
        QCOMPARE(ModelViewModel::folderName(QDir::homePath() + "/models/c.gguf"),
                 QString("~/models"));
    }
};

QTEST_GUILESS_MAIN(TestModelViewModel)
#include "tst_model_view_model.moc"
