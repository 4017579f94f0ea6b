// The choice of a context length before a load: when it is asked for, what is offered, what is
// kept. SPDX-License-Identifier: Apache-2.0
#include "engine/session/memory.h"
#include "tests/support/conformance.h"
#include "tests/support/fake_card.h"
#include "tests/support/long_context.h"
#include "tests/support/named_architecture.h"
#include "ui/chat/load_plan_view_model.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace {

struct Bench
{
    QTemporaryDir directory;
    app::Settings settings { directory.path() };
    tests::DeviceScript script;
    LoadPlanViewModel plan { settings, tests::fakeCard(script) };
    QSignalSpy decided { &plan, &LoadPlanViewModel::decided };
    QSignalSpy changed { &plan, &LoadPlanViewModel::changed };
    QString path = directory.filePath("tiny.gguf");

    /// `tokens`: what the model says it was trained for.
    bool write(std::uint32_t tokens) const
    {
        const auto models = tests::conformanceDir("architectures");
        return models
            && tests::writeWithContext((*models / "llama-mha/model.gguf").string(),
                                       path.toStdString(), tokens);
    }
    bool asks()
    {
        plan.consider(path);
        return QTest::qWaitFor([this] { return plan.isAsking() || !decided.isEmpty(); }, 5000)
            && plan.isAsking();
    }
};

/// Of all layers on the device with a context of so many tokens.
quint64 bytesOf(Bench& bench, quint32 context)
{
    app::LoadPlanner planner(tests::fakeCard(bench.script));
    QSignalSpy planned(&planner, &app::LoadPlanner::planned);
    planner.plan(bench.path, bench.settings.loadRequest(bench.path));
    if (!planned.wait()) {
        return 0;
    }
    const auto device = planned.first().first().value<app::LoadPlan>().device;
    return device ? device->plan.deviceBytes(device->plan.blocks(), context) : 0;
}

/// The most a file may claim; its cache takes some 100 GB.
constexpr std::uint32_t kEndless = 1U << 28;

bool memoryIsEndless()
{
    return engine::session::availableMemory() > 200'000'000'000;
}

} // namespace

class TestLoadPlanViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (!tests::conformanceDir("architectures")) {
            QSKIP(tests::missing("architectures").c_str());
        }
    }

    void loadsAtOnceWhereMemoryHoldsAll()
    {
        Bench bench;
        QVERIFY(bench.write(2048));
        QVERIFY(!bench.asks());
        QCOMPARE(bench.decided.size(), 1);
        QCOMPARE(bench.decided.first().first().toString(), bench.path);
        QCOMPARE(bench.settings.contextLengthOf(bench.path), 0);
    }

    void asksAlwaysWhereTheSettingsSaySo()
    {
        Bench bench;
        QVERIFY(bench.write(3000));
        bench.settings.setAskContext(true);
        QVERIFY(bench.asks());
        QVERIFY(bench.decided.isEmpty());
        // 512, 1024, 2048 and all of it.
        QCOMPARE(bench.plan.choices(), 4);
        QCOMPARE(bench.plan.choice(), 3);
        QCOMPARE(bench.plan.length(), 3000U);
        QVERIFY(bench.plan.title().startsWith("conformance · "));
        QVERIFY(!bench.plan.isDoubtful());
        const QString all = bench.plan.memoryText();
        bench.plan.setChoice(-7);
        QCOMPARE(bench.plan.choice(), 0);
        QCOMPARE(bench.plan.length(), 512U);
        QVERIFY(bench.plan.memoryText() != all);
        QVERIFY(bench.plan.advice().contains(QLocale().toString(3000)));
        bench.plan.accept();
        QCOMPARE(bench.decided.size(), 1);
        QVERIFY(!bench.plan.isAsking());
        QCOMPARE(bench.settings.loadRequest(bench.path).contextLength, 512U);
        QCOMPARE(bench.settings.loadRequest("/other.gguf").contextLength, 0U);

        // What was chosen is offered again; the default is not kept.
        bench.decided.clear();
        QVERIFY(bench.asks());
        QCOMPARE(bench.plan.length(), 512U);
        bench.plan.setChoice(99);
        QCOMPARE(bench.plan.length(), 3000U);
        bench.plan.accept();
        QCOMPARE(bench.settings.contextLengthOf(bench.path), 0);
    }

    void asksWhereMemoryIsShort()
    {
        if (memoryIsEndless()) {
            QSKIP("this machine's memory holds any context that a file may claim");
        }
        Bench bench;
        QVERIFY(bench.write(kEndless));
        QVERIFY(bench.asks());
        // The default is offered, with the reason; half of the memory more is allowed, and doubted.
        QVERIFY(bench.plan.length() < kEndless);
        QVERIFY(!bench.plan.isDoubtful());
        QVERIFY(bench.plan.advice().contains(QLocale().toString(kEndless)));
        const quint32 offered = bench.plan.length();
        bench.plan.setChoice(bench.plan.choices() - 1);
        QVERIFY(bench.plan.length() > offered);
        QVERIFY(bench.plan.isDoubtful());
        // Left: nothing is loaded, nothing kept.
        bench.plan.dismiss();
        QVERIFY(!bench.plan.isAsking());
        QVERIFY(bench.decided.isEmpty());
        QCOMPARE(bench.plan.length(), 0U);
        bench.plan.accept();
        QVERIFY(bench.decided.isEmpty());
        // Somebody who has chosen is not asked again.
        bench.settings.setContextLengthOf(bench.path, 1024);
        QVERIFY(!bench.asks());
        QCOMPARE(bench.decided.size(), 1);
    }

    void nothingOfADeviceOnTheCpu()
    {
        Bench bench;
        QVERIFY(bench.write(2048));
        bench.settings.setAskContext(true);
        QVERIFY(bench.asks());
        QVERIFY(!bench.plan.hasDevice());
        QVERIFY(bench.plan.deviceText().isEmpty() && bench.plan.layersText().isEmpty());
        QVERIFY(bench.plan.deviceName().isEmpty());
        QCOMPARE(bench.plan.allLayers(), 0);
        bench.plan.setLayers(3);
        bench.plan.accept();
        QVERIFY(!bench.settings.deviceLayersOf(bench.path));
    }

    void allLayersOnTheDevice()
    {
        Bench bench;
        QVERIFY(bench.write(2048));
        bench.settings.setDevice("A card");
        QVERIFY(!bench.asks()); // everything fits
        QCOMPARE(bench.decided.size(), 1);
        bench.plan.ask(bench.path);
        QTRY_VERIFY(bench.plan.isAsking());
        QVERIFY(bench.plan.hasDevice() && bench.plan.isLayersFit());
        QVERIFY(bench.plan.allLayers() >= 2);
        QCOMPARE(bench.plan.layers(), bench.plan.allLayers());
        QVERIFY(bench.plan.deviceText().startsWith("A card: all "));
        QVERIFY(bench.plan.deviceText().contains("machine's memory"));
        bench.plan.setLayers(1);
        QVERIFY(!bench.plan.isLayersFit());
        QCOMPARE(bench.plan.layersText(), QString("1 of %1 layers").arg(bench.plan.allLayers()));
        QVERIFY(bench.plan.deviceText().contains("on the CPU: "));
        bench.plan.fitLayers();
        QVERIFY(bench.plan.isLayersFit());
        QCOMPARE(bench.plan.layers(), bench.plan.allLayers());
        bench.plan.accept();
        QVERIFY(!bench.settings.deviceLayersOf(bench.path)); // the default isn't kept
    }

    void asksWhereTheDeviceIsSmall()
    {
        Bench bench;
        QVERIFY(bench.write(65536));
        bench.settings.setDevice("A card");
        bench.script.memory = bytesOf(bench, 8192) - 1; // by default it holds 8,192 tokens or more
        QVERIFY(bench.asks());
        QCOMPARE(bench.plan.length(), 8192U);
        const int all = bench.plan.allLayers();
        QCOMPARE(bench.plan.layers(), all - 1);
        QVERIFY(bench.plan.isLayersFit() && !bench.plan.isDeviceDoubtful());
        QVERIFY(bench.plan.deviceText().contains("as many as fit"));
        // Both sliders act on the same memory.
        bench.plan.setChoice(bench.plan.choices() - 1);
        QCOMPARE(bench.plan.length(), 65536U);
        QVERIFY(bench.plan.layers() < all - 1);
        bench.plan.setChoice(0);
        QCOMPARE(bench.plan.layers(), all);
        // One that was chosen stays where it is, and may be too much.
        bench.plan.setLayers(all - 1);
        bench.plan.setChoice(bench.plan.choices() - 1);
        QCOMPARE(bench.plan.layers(), all - 1);
        QVERIFY(bench.plan.isDeviceDoubtful());
        QVERIFY(bench.plan.deviceText().contains("the CPU does all the work"));
        bench.plan.setChoice(0);
        bench.plan.setLayers(-4);
        QCOMPARE(bench.plan.layers(), 0);
        bench.plan.setChoice(bench.plan.choices() - 1);
        QVERIFY(!bench.plan.isDeviceDoubtful());
        QVERIFY(bench.plan.deviceText().contains("not used"));
        bench.plan.accept();
        QCOMPARE(bench.settings.deviceLayersOf(bench.path), std::optional(0));
        QCOMPARE(bench.settings.contextLengthOf(bench.path), 0); // the default of no layers there
        // Somebody who has chosen is not asked again; asked anew, it is there.
        bench.decided.clear();
        QVERIFY(!bench.asks());
        QCOMPARE(bench.decided.size(), 1);
        bench.plan.ask(bench.path);
        QTRY_VERIFY(bench.plan.isAsking());
        QCOMPARE(bench.plan.layers(), 0);
        QVERIFY(!bench.plan.isLayersFit());
        bench.plan.setLayers(99);
        QCOMPARE(bench.plan.layers(), all);
    }

    void saysWhyAFileCannotRun()
    {
        Bench bench;
        QSignalSpy refused(&bench.plan, &LoadPlanViewModel::refused);
        bench.settings.setAskContext(true);
        bench.plan.consider(bench.path); // there is no such file
        QVERIFY(refused.wait());
        QVERIFY(tests::writeArchitecture(bench.path, "clip"));
        bench.plan.consider(bench.path);
        QVERIFY(refused.wait());
        const auto why = refused.last().first().value<app::ErrorMessage>();
        QCOMPARE(why.code, QStringLiteral("media-projector"));
        QVERIFY(!bench.plan.isAsking());
        QVERIFY(bench.decided.isEmpty()); // nobody tries to load it
    }

    void theLastFileWins()
    {
        if (memoryIsEndless()) {
            QSKIP("this machine's memory holds any context that a file may claim");
        }
        Bench bench;
        QVERIFY(bench.write(kEndless));
        QVERIFY(bench.asks());
        QSignalSpy refused(&bench.plan, &LoadPlanViewModel::refused);
        bench.plan.consider("/no/such/file");
        QVERIFY(!bench.plan.isAsking());
        QTRY_COMPARE(refused.size(), 1);
        QCOMPARE(refused.first().first().value<app::ErrorMessage>().file, QString("/no/such/file"));
        QVERIFY(bench.decided.isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestLoadPlanViewModel)
#include "tst_load_plan_view_model.moc"
