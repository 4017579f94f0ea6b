// Planning a load: facts from the header, wishes that are overtaken, files that are no models.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/inference_engine.h"
#include "app/services/load_planner.h"
#include "app/services/open_devices.h"
#include "tests/support/conformance.h"
#include "tests/support/fake_card.h"
#include "tests/support/named_architecture.h"

#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using app::LoadPlan;
using app::LoadPlanner;

class TestLoadPlanner : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        const auto architectures = tests::conformanceDir("architectures");
        if (!architectures) {
            QSKIP(tests::missing("architectures").c_str());
        }
        m_path = QString::fromStdString((*architectures / "llama-256-q4_0/model.gguf").string());
        m_other = QString::fromStdString((*architectures / "llama-mha/model.gguf").string());
    }

    void factsOfTheHeader()
    {
        LoadPlanner planner;
        QSignalSpy planned(&planner, &LoadPlanner::planned);
        planner.plan(m_path);
        QVERIFY(planned.wait());
        const auto plan = planned.first().first().value<LoadPlan>();
        QCOMPARE(plan.path, m_path);
        QCOMPARE(plan.name, QStringLiteral("conformance"));
        QCOMPARE(plan.fileSize, static_cast<quint64>(QFileInfo(m_path).size()));
        QCOMPARE(plan.trainedContext, 512U);
        QVERIFY(plan.defaultContext > 0 && plan.defaultContext <= 512);
        QCOMPARE(plan.cappedByMemory, plan.defaultContext < plan.trainedContext);
        QVERIFY(plan.largestContext >= plan.defaultContext);
        QVERIFY(plan.availableMemory > 0);

        planner.plan(m_path, { .cacheType = engine::session::CacheType::F32 });
        QVERIFY(planned.wait());
        QCOMPARE(planned.last().first().value<LoadPlan>().cacheBytesPerToken,
                 2 * plan.cacheBytesPerToken);
    }

    /// A device on which a model is loaded is asked as it is, not opened beside it.
    void asksTheOpenDevice()
    {
        tests::DeviceScript script;
        script.memory = 1ULL << 40U;
        const auto devices = std::make_shared<app::OpenDevices>(tests::fakeCard(script));
        const auto engine = app::makeSessionEngine(devices);
        auto loaded = engine->load(m_path.toStdString(), { .device = "A card" }, {},
                                   [](engine::model::LoadStage, double) {});
        QVERIFY(loaded && (*loaded)->facts().placement);
        QCOMPARE(script.openings, 1);
        LoadPlanner planner(app::OpenDevices::sourceOf(devices));
        QSignalSpy planned(&planner, &LoadPlanner::planned);
        const auto taken = script.taken.load();
        QVERIFY(taken > 0);
        planner.plan(m_path, { .device = "A card" }, taken);
        QVERIFY(planned.wait());
        const auto offer = planned.last().first().value<LoadPlan>().device;
        QVERIFY(offer);
        QCOMPARE(script.openings, 1);
        // what is there counts once: as room that the model gives back
        QCOMPARE(offer->freeBytes, script.memory);
        const auto& there = offer->plan.there;
        QVERIFY(std::ranges::all_of(there, [](auto bytes) { return bytes == 0; }));
        loaded->reset();
        planner.plan(m_path, { .device = "A card" });
        QVERIFY(planned.wait());
        QCOMPARE(script.openings, 2);
    }

    /// What the device would hold; nothing is said of one that is not used.
    void sharesWithADevice()
    {
        tests::DeviceScript script;
        LoadPlanner planner(tests::fakeCard(script));
        QSignalSpy planned(&planner, &LoadPlanner::planned);
        const auto plan = [&](const char* device, quint64 occupied = 0) {
            planner.plan(m_path, { .contextLength = 0, .device = device }, occupied);
            return planned.wait() ? planned.last().first().value<LoadPlan>() : LoadPlan();
        };
        QVERIFY(!plan("cpu").device);
        QVERIFY(!plan("auto").device); // software is used only when it is asked for
        QVERIFY(!plan("gone").device);
        const auto unbound = plan("A card");
        QVERIFY(unbound.device);
        QCOMPARE(unbound.device->name, QStringLiteral("A card"));
        QVERIFY(!unbound.device->ownMemory && unbound.device->freeBytes > 0);
        const auto blocks = unbound.device->plan.blocks();
        QVERIFY(blocks >= 2);
        QCOMPARE(unbound.device->plan.fitting(unbound.defaultContext), blocks);
        QCOMPARE(unbound.defaultContext, unbound.memoryContext);

        script.memory = unbound.device->plan.deviceBytes(blocks, 512) + 1'000'000;
        script.taken = 1'000'500;
        const auto cut = plan("A card");
        QVERIFY(cut.device->ownMemory);
        QCOMPARE(cut.device->freeBytes, script.memory - script.taken.load());
        QCOMPARE(cut.device->plan.fitting(512), blocks - 1);
        // The model that is there now gives its room back.
        const auto later = plan("A card", 1'000'500);
        QCOMPARE(later.device->freeBytes, script.memory);
        QCOMPARE(later.device->plan.fitting(512), blocks);
        QCOMPARE(plan("A card", 1ULL << 40U).device->freeBytes, script.memory);
        QCOMPARE(script.runs, 0); // nothing was loaded
    }

    void lastWishWins()
    {
        LoadPlanner planner;
        QSignalSpy planned(&planner, &LoadPlanner::planned);
        QSignalSpy failed(&planner, &LoadPlanner::failed);
        QElapsedTimer clock;
        clock.start();
        for (int i = 0; i < 50; ++i) {
            planner.plan(i % 2 == 0 ? m_other : QStringLiteral("/no/such/file"));
        }
        planner.plan(m_path);
        QVERIFY(clock.elapsed() < 500); // it never waits
        QVERIFY(planned.wait());
        QTest::qWait(50);
        QCOMPARE(planned.size(), 1);
        QCOMPARE(failed.size(), 0);
        QCOMPARE(planned.first().first().value<LoadPlan>().path, m_path);
    }

    void badFiles_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("code");
        QTest::newRow("empty") << QByteArray() << QStringLiteral("file-empty");
        QTest::newRow("foreign") << QByteArray("%PDF-1.7 and so on, long enough for a header")
                                 << QString();
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray whole = file.readAll();
        QTest::newRow("cut in the header") << whole.left(2'000) << QString();
    }

    void badFiles()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, code);
        const QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("bad.gguf"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(bytes);
        file.close();
        LoadPlanner planner;
        QSignalSpy failed(&planner, &LoadPlanner::failed);
        QSignalSpy planned(&planner, &LoadPlanner::planned);
        planner.plan(path);
        QVERIFY(failed.wait());
        const auto error = failed.first().first().value<app::ErrorMessage>();
        QVERIFY(code.isEmpty() || error.code == code);
        QCOMPARE(error.file, path);
        QVERIFY(!error.what.isEmpty() && !error.remedy.isEmpty());
        QCOMPARE(planned.size(), 0);
    }

    // Sound files that this engine can't run: what they are is said before anybody loads them.
    void otherKinds_data()
    {
        QTest::addColumn<QByteArray>("architecture");
        QTest::addColumn<QString>("code");
        QTest::newRow("embedding") << QByteArray("bert") << QStringLiteral("embedding-model");
        QTest::newRow("projector") << QByteArray("clip") << QStringLiteral("media-projector");
        QTest::newRow("unknown") << QByteArray("zebra") << QStringLiteral("unknown-architecture");
    }
    void otherKinds()
    {
        QFETCH(QByteArray, architecture);
        QFETCH(QString, code);
        const QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("other.gguf"));
        QVERIFY(tests::writeArchitecture(path, architecture));
        LoadPlanner planner;
        QSignalSpy failed(&planner, &LoadPlanner::failed);
        planner.plan(path);
        QVERIFY(failed.wait());
        const auto error = failed.first().first().value<app::ErrorMessage>();
        QCOMPARE(error.code, code);
        QVERIFY(error.what.contains(architecture));
        QCOMPARE(error.file, path);
    }

    void lackingVocabulary()
    {
        const QTemporaryDir directory;
        const QString path = directory.filePath(QStringLiteral("mute.gguf"));
        QFile file(m_path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QByteArray bytes = file.readAll();
        const QByteArray model("tokenizer.ggml.model");
        QVERIFY(bytes.contains(model));
        bytes.replace(model, "tokenizer.ggml.mOdel");
        QFile changed(path);
        QVERIFY(changed.open(QIODevice::WriteOnly));
        changed.write(bytes);
        changed.close();
        LoadPlanner planner;
        QSignalSpy failed(&planner, &LoadPlanner::failed);
        planner.plan(path);
        QVERIFY(failed.wait());
        QCOMPARE(failed.first().first().value<app::ErrorMessage>().code,
                 QStringLiteral("vocabulary-key-missing"));
    }

    void endsAtAnyMoment()
    {
        for (int i = 0; i < 30; ++i) {
            LoadPlanner planner;
            planner.plan(m_path);
            QThread::usleep(static_cast<unsigned long>(i) * 50);
        }
    }

private:
    QString m_path;
    QString m_other;
};

QTEST_GUILESS_MAIN(TestLoadPlanner)
#include "tst_load_planner.moc"
