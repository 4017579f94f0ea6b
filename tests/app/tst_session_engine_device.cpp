// The inference service on a device that fails, or is too small: the chat goes on on the CPU from
// where it was, and says so. No device is needed. SPDX-License-Identifier: Apache-2.0
#include "app/services/inference_service.h"
#include "engine/session/device_plan.h"
#include "tests/support/conformance.h"
#include "tests/support/fake_card.h"

#include <QDateTime>
#include <QFile>
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdio>

using app::Generation;
using app::InferenceService;
using engine::ErrorCode;
using engine::chat::Message;
using engine::chat::Role;

namespace {

constexpr int kPatience = 60'000;
constexpr std::size_t kTokens = 24;
const auto kGoesOn = QStringLiteral("The CPU does the work in its place now.");

std::vector<Message> question(std::string text)
{
    return { { Role::User, std::move(text) } };
}

engine::session::GenerateOptions greedy()
{
    engine::session::GenerateOptions options;
    options.sampler.temperature = 0;
    options.ignoreEnd = true;
    options.maxTokens = kTokens;
    return options;
}

app::LoadRequest request(const std::string& device, std::uint32_t context = 512)
{
    app::LoadRequest wish;
    wish.device = device;
    wish.contextLength = context;
    wish.cacheType = engine::session::CacheType::F32;
    return wish;
}

} // namespace

class TestSessionEngineDevice : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_copies = 0;
    tests::DeviceScript m_script;
    std::unique_ptr<InferenceService> m_service;
    QString m_path;

    bool load(const app::LoadRequest& wish)
    {
        QSignalSpy loaded(m_service.get(), &InferenceService::loaded);
        m_service->load(m_path, wish);
        return loaded.wait(kPatience);
    }
    /// Null where it does not end.
    Generation* answer(const std::string& text)
    {
        auto* generation = m_service->ask(question(text), greedy());
        return QTest::qWaitFor([&] { return generation->isFinished(); }, kPatience) ? generation
                                                                                    : nullptr;
    }
    [[nodiscard]] bool isOnTheCpu() const
    {
        return m_service->facts().deviceName.startsWith(QStringLiteral("CPU"))
            && !m_service->facts().placement && m_service->facts().threads > 0;
    }
    /// Straight from the engine; null where that fails. `stages`: what was told on the way.
    static std::unique_ptr<app::LoadedModel>
    loadFrom(app::InferenceEngine& engine, const QString& path, const app::LoadRequest& wish,
             std::vector<engine::model::LoadStage>* stages = nullptr, std::stop_token stop = {})
    {
        auto loaded = engine.load(path.toStdString(), wish, std::move(stop),
                                  [&](engine::model::LoadStage stage, double /*fraction*/) {
                                      if (stages) {
                                          stages->push_back(stage);
                                      }
                                  });
        return loaded ? std::move(*loaded) : nullptr;
    }
    /// A file of the same contents.
    [[nodiscard]] QString copyOf(const QString& path)
    {
        const QString copy = m_folder.filePath(QString::number(++m_copies) + ".gguf");
        return QFile::copy(path, copy)
                && QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner)
            ? copy
            : QString();
    }
    [[nodiscard]] bool isWhole() const
    {
        const auto& facts = m_service->facts();
        return facts.deviceName == QStringLiteral("the fake") && facts.placement
            && facts.placement->isWhole();
    }
    [[nodiscard]] engine::session::DevicePlan plan() const
    {
        const auto model = engine::model::Model::load(m_path.toStdString());
        tests::DeviceScript script;
        const tests::FailingDevice device(script);
        return engine::session::planDevice((*model)->graph(), engine::session::CacheType::F32,
                                           device);
    }

private Q_SLOTS:
    void initTestCase()
    {
        qputenv("XDG_CACHE_HOME", m_folder.filePath(QStringLiteral("cache")).toUtf8());
    }

    void init()
    {
        const auto architectures = tests::conformanceDir("architectures");
        if (!architectures) {
            QSKIP(tests::missing("architectures").c_str());
        }
        m_path = QString::fromStdString((*architectures / "llama-256-q4_0/model.gguf").string());
        m_script = {};
        m_service =
            std::make_unique<InferenceService>(app::makeSessionEngine(tests::fakeCard(m_script)));
    }
    void cleanup() { m_service.reset(); }

    /// With the CPU alone, on the device, and where it fails in the middle: the same answer.
    void failsInAnAnswer_data()
    {
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("after");
        for (const auto code :
             { ErrorCode::DeviceLost, ErrorCode::DeviceFailed, ErrorCode::DeviceOutOfMemory }) {
            const auto name = QByteArray::number(static_cast<int>(code));
            QTest::newRow(name + " in the prompt") << static_cast<int>(code) << 0;
            QTest::newRow(name + " in the answer") << static_cast<int>(code) << 9;
        }
    }
    void failsInAnAnswer()
    {
        QFETCH(int, code);
        QFETCH(int, after);
        QVERIFY(load(request("cpu")));
        QVERIFY(isOnTheCpu());
        const auto* onCpu = answer("Tell me of the sea");
        QVERIFY(onCpu && !onCpu->outcome().error);
        const QString text = onCpu->text();
        const auto warnings = m_service->facts().warnings;

        QVERIFY(load(request("A card")));
        QCOMPARE(m_service->facts().deviceName, QStringLiteral("the fake"));
        QCOMPARE(m_service->facts().placement->deviceBlocks, m_service->facts().placement->blocks);
        m_script.runFails = static_cast<ErrorCode>(code);
        m_script.runsLeft = after;
        QSignalSpy told(m_service.get(), &InferenceService::factsChanged);
        const auto* moved = answer("Tell me of the sea");
        QVERIFY(moved && !moved->outcome().error);
        QCOMPARE(moved->text(), text);
        QCOMPARE(moved->outcome().tokens, kTokens);
        QCOMPARE(m_script.runs, after + 1); // nothing was asked of it again
        QTRY_COMPARE(told.size(), 1);
        QVERIFY(isOnTheCpu());
        QCOMPARE(m_service->facts().warnings.size(), warnings.size() + 1);
        QVERIFY(m_service->facts().warnings.constFirst().contains(kGoesOn));
        // the next question finds its beginning there, and is told nothing new
        const auto* next = answer("Tell me of the sea");
        QVERIFY(next && !next->outcome().error);
        QCOMPARE(next->text(), text);
        QVERIFY(next->outcome().reusedTokens + 1 >= next->outcome().promptTokens);
        QCOMPARE(told.size(), 1);
    }

    void noRoomAtAll()
    {
        m_script.prepareFails = ErrorCode::DeviceOutOfMemory;
        QVERIFY(load(request("A card")));
        QVERIFY(isOnTheCpu());
        QVERIFY(m_service->facts().warnings.constFirst().contains(kGoesOn));
        QVERIFY(answer("Tell me of the sea"));
        QCOMPARE(m_script.runs, 0);
    }

    void someOfTheLayers()
    {
        const auto planned = plan();
        QVERIFY(planned.blocks() >= 2);
        m_script.memory = planned.deviceBytes(1, 512) + 1;
        QVERIFY(load(request("A card")));
        QVERIFY(
            m_service->facts().placement
            == (engine::session::Placement { planned.blocks(), 1, planned.deviceBytes(1, 512) }));
        // a number that somebody chose
        m_script.memory = UINT64_MAX;
        auto wish = request("A card");
        wish.deviceLayers = 0;
        QVERIFY(load(wish));
        QCOMPARE(m_service->facts().placement->deviceBlocks, 0U);
        QCOMPARE(m_service->facts().placement->blocks, planned.blocks());
    }

    /// There is room for one model: the one before gives it up, so that the next fits as a whole.
    void makesRoom()
    {
        const auto planned = plan();
        const auto all = planned.deviceBytes(planned.blocks(), 512);
        m_script.memory = all + all / 2;
        QVERIFY(load(request("A card")));
        QCOMPARE(m_script.taken.load(), all);
        const auto* first = answer("Tell me of the sea");
        const QString text = first->text();
        QVERIFY(load(request("A card")));
        QCOMPARE(m_service->facts().placement->deviceBlocks, planned.blocks());
        QCOMPARE(m_script.taken.load(), all);

        // It gave it up for nothing: it goes on on the CPU, and says so when it is asked next.
        auto wish = request("A card");
        wish.contextLength = 2'000'000'000; // no memory holds it
        QSignalSpy failed(m_service.get(), &InferenceService::loadFailed);
        m_service->load(m_path, wish);
        QVERIFY(failed.wait(kPatience));
        QCOMPARE(m_script.taken.load(), std::uint64_t(0));
        QVERIFY(m_service->hasModel());
        QSignalSpy told(m_service.get(), &InferenceService::factsChanged);
        const int runs = m_script.runs;
        const auto* again = answer("Tell me of the sea");
        QVERIFY(again && !again->outcome().error);
        QCOMPARE(again->text(), text);
        QCOMPARE(m_script.runs, runs);
        QTRY_COMPARE(told.size(), 1);
        QVERIFY(isOnTheCpu());
        QVERIFY(
            m_service->facts().warnings.constFirst().contains(QStringLiteral("given to a model")));
    }

    /// Another context: the weights are on the device, the device and the file are open.
    void sharesWeights()
    {
        QVERIFY(load(request("cpu")));
        const QString text = answer("Tell me of the sea")->text();
        QVERIFY(load(request("A card")));
        QCOMPARE(m_script.openings, 1);
        QCOMPARE(m_script.uploads, 1);
        for (const std::uint32_t context : { 256U, 384U }) {
            QVERIFY(load(request("A card", context)));
            QVERIFY(isWhole());
            QCOMPARE(m_service->facts().contextLength, context);
            QCOMPARE(m_script.openings, 1);
            QCOMPARE(m_script.uploads, 1);
            const auto* same = answer("Tell me of the sea");
            QVERIFY(same && !same->outcome().error);
            QCOMPARE(same->text(), text);
        }
        // nothing is kept for nobody
        QSignalSpy unloaded(m_service.get(), &InferenceService::unloaded);
        m_service->unload();
        QTRY_COMPARE(m_script.taken.load(), std::uint64_t(0));
        QVERIFY(load(request("A card")));
        QCOMPARE(m_script.openings, 2);
        QCOMPARE(m_script.uploads, 2);
    }

    /// Where there is room for both caches beside one copy of the weights, nobody has to leave.
    void bothFitBesideOneCopy()
    {
        const auto planned = plan();
        const auto weights = planned.deviceBytes(planned.blocks(), 0) - planned.weights.scratch;
        const auto all = planned.deviceBytes(planned.blocks(), 512);
        m_script.memory = weights + 2 * (all - weights);
        const auto engine = app::makeSessionEngine(tests::fakeCard(m_script));
        const auto first = loadFrom(*engine, m_path, request("A card"));
        const auto second = loadFrom(*engine, m_path, request("A card"));
        for (const auto* model : { first.get(), second.get() }) {
            QVERIFY(model && model->facts().placement && model->facts().placement->isWhole());
        }
        QCOMPARE(m_script.taken.load(), m_script.memory);
    }

    /// There is room for the weights and little more: the caches of the model before go first.
    void keepsWeightsWhereItMakesRoom()
    {
        const auto planned = plan();
        const auto weights = planned.deviceBytes(planned.blocks(), 0);
        const auto all = planned.deviceBytes(planned.blocks(), 512);
        m_script.memory = all + (all - weights) / 2;
        QVERIFY(load(request("A card")));
        QVERIFY(isWhole());
        QVERIFY(load(request("A card", 500)));
        QVERIFY(isWhole());
        QCOMPARE(m_script.uploads, 1);
        QCOMPARE(m_script.taken.load(), planned.deviceBytes(planned.blocks(), 500));
        QVERIFY(m_script.mostTaken.load() <= m_script.memory);
        // the default is as long as fits beside the weights that are there
        QVERIFY(load(request("A card", 0)));
        QVERIFY(isWhole());
        QCOMPARE(m_service->facts().contextLength, m_service->facts().trainedContextLength);
        QCOMPARE(m_script.uploads, 1);
        QCOMPARE(m_script.openings, 1);
    }

    /// Some of the layers: they stay while the next model has the same ones there.
    void keepsWeightsOfSomeLayers()
    {
        const auto planned = plan();
        QVERIFY(planned.blocks() >= 2);
        m_script.memory = planned.deviceBytes(1, 512) + 1;
        QVERIFY(load(request("A card")));
        QCOMPARE(m_service->facts().placement->deviceBlocks, 1U);
        QVERIFY(load(request("A card", 511)));
        QCOMPARE(m_service->facts().placement->deviceBlocks, 1U);
        QCOMPARE(m_script.uploads, 1);
        // there is more room now, which other weights need
        m_script.memory = planned.deviceBytes(planned.blocks(), 512);
        QVERIFY(load(request("A card")));
        QVERIFY(isWhole());
        QCOMPARE(m_script.uploads, 2);
        QCOMPARE(m_script.taken.load(), m_script.memory);
    }

    /// The weights of another file need the room of those before.
    void freesWeightsOfAnotherFile()
    {
        const auto planned = plan();
        const auto weights = planned.deviceBytes(planned.blocks(), 0);
        const auto all = planned.deviceBytes(planned.blocks(), 512);
        m_script.memory = all + weights / 2;
        QVERIFY(load(request("A card")));
        const QString text = answer("Tell me of the sea")->text();
        m_path = copyOf(m_path);
        QVERIFY(load(request("A card")));
        QVERIFY(isWhole());
        QCOMPARE(m_script.uploads, 2);
        QCOMPARE(m_script.openings, 1);
        QCOMPARE(m_script.taken.load(), all);
        QCOMPARE(answer("Tell me of the sea")->text(), text);
    }

    /// Written, or replaced by another of the same name: it is read again.
    void fileChanges_data()
    {
        QTest::addColumn<bool>("isReplaced");
        QTest::newRow("written") << false;
        QTest::newRow("replaced") << true;
    }
    void fileChanges()
    {
        QFETCH(bool, isReplaced);
        const QString original = m_path;
        m_path = copyOf(original);
        QVERIFY(load(request("A card")));
        if (isReplaced) {
            const auto other = copyOf(original).toStdString();
            QCOMPARE(std::rename(other.c_str(), m_path.toStdString().c_str()), 0);
        } else {
            QFile file(m_path);
            QVERIFY(file.open(QIODevice::ReadWrite));
            QVERIFY(file.setFileTime(QDateTime::currentDateTime().addDays(-1),
                                     QFileDevice::FileModificationTime));
        }
        QVERIFY(load(request("A card", 256)));
        QVERIFY(isWhole());
        QCOMPARE(m_script.uploads, 2);
        QCOMPARE(m_script.openings, 1);
        QVERIFY(!answer("Tell me of the sea")->outcome().error);
        QVERIFY(load(request("A card")));
        QCOMPARE(m_script.uploads, 2);
    }

    /// What runs on the CPU alone is not read twice either.
    void fileStaysOpen()
    {
        using engine::model::LoadStage;
        const auto engine = app::makeSessionEngine(tests::fakeCard(m_script));
        std::vector<LoadStage> stages;
        auto loaded = loadFrom(*engine, m_path, request("cpu"), &stages);
        QVERIFY(loaded);
        QVERIFY(std::ranges::count(stages, LoadStage::Tokenizer) > 0);
        stages.clear();
        loaded = loadFrom(*engine, m_path, request("cpu", 256), &stages);
        QVERIFY(loaded);
        QVERIFY(std::ranges::all_of(stages, [](auto s) { return s == LoadStage::Weights; }));
        loaded.reset();
        stages.clear();
        loaded = loadFrom(*engine, m_path, request("cpu", 256), &stages);
        QVERIFY(std::ranges::count(stages, LoadStage::Tokenizer) > 0);
    }

    void isOpenedAnewWhereLost()
    {
        QVERIFY(load(request("A card")));
        m_script.lost = 1; // nobody noticed
        QVERIFY(load(request("A card", 256)));
        QVERIFY(isWhole());
        QCOMPARE(m_script.openings, 2);
        QCOMPARE(m_script.uploads, 2);
        m_script.lost = 2; // in an answer
        QVERIFY(!answer("Tell me of the sea")->outcome().error);
        QTRY_VERIFY(isOnTheCpu());
        QVERIFY(load(request("A card")));
        QVERIFY(isWhole());
        QCOMPARE(m_script.openings, 3);
        QVERIFY(!answer("Tell me of the sea")->outcome().error);
        QVERIFY(isWhole());
        // one that is lost at once is not opened again and again
        m_script.lost = 1'000'000;
        QVERIFY(load(request("A card", 256)));
        QVERIFY(isOnTheCpu());
        QCOMPARE(m_script.openings, 4);
        QVERIFY(m_service->facts().warnings.constFirst().contains(kGoesOn));
    }

    void isOpenedAnewWithAnotherDriver()
    {
        QVERIFY(load(request("A card")));
        m_script.driverVersion = 2;
        QVERIFY(load(request("A card", 256)));
        QVERIFY(isWhole());
        QCOMPARE(m_script.openings, 2);
        QCOMPARE(m_script.uploads, 2);
    }

    /// A self-test found meanwhile that it computes wrongly with a feature.
    void isOpenedAnewWithoutAFeature()
    {
        QVERIFY(load(request("A card")));
        QVERIFY(m_script.without.empty());
        const auto facts = tests::fakeCard(m_script).list();
        app::DeviceVerdicts verdicts;
        const auto restore = qScopeGuard([&] { verdicts.keep(facts->front(), {}); });
        verdicts.keep(facts->front(), { {}, { { "float16", "rope" } } });
        QVERIFY(load(request("A card")));
        QCOMPARE(m_script.openings, 2);
        QCOMPARE(m_script.without, std::vector<std::string> { "float16" });
        QVERIFY(load(request("A card", 256)));
        QCOMPARE(m_script.openings, 2);
        QCOMPARE(m_script.uploads, 2);
    }

    /// Loads that end with nothing, and one that nobody wants any more when it is done.
    void givenUpInBetween()
    {
        const auto planned = plan();
        const auto all = planned.deviceBytes(planned.blocks(), 512);
        m_script.memory = 3 * all;
        const auto engine = app::makeSessionEngine(tests::fakeCard(m_script));
        const auto first = loadFrom(*engine, m_path, request("A card"));
        QVERIFY(first);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!loadFrom(*engine, m_path, request("A card", 256), nullptr, stop.get_token()));
        QVERIFY(!loadFrom(*engine, m_folder.filePath("none.gguf"), request("A card")));
        QVERIFY(loadFrom(*engine, m_path, request("A card", 256))); // and dropped
        QVERIFY(loadFrom(*engine, copyOf(m_path), request("cpu")));
        QCOMPARE(m_script.uploads, 1);
        QVERIFY(loadFrom(*engine, m_path, request("A card", 256)));
        QCOMPARE(m_script.uploads, 1);
        QCOMPARE(m_script.openings, 1);
        // the first one is still known: it makes room
        m_script.memory = all;
        const auto other = loadFrom(*engine, copyOf(m_path), request("A card"));
        QVERIFY(other && other->facts().placement && other->facts().placement->isWhole());
    }

    /// On a real device, which tells of each part of the weights that it copies.
    void copiesNothingTwice()
    {
        using engine::model::LoadStage;
        const auto all = app::DeviceSource().list();
        const auto usable = [](const auto& facts) { return facts.unfit.empty(); };
        if (!all || std::ranges::none_of(*all, usable)) {
            QSKIP("this machine has no Vulkan device (install mesa-vulkan-drivers)");
        }
        qputenv("VITRINE_VULKAN_WITHOUT", "import");
        const auto restore = qScopeGuard([] { qunsetenv("VITRINE_VULKAN_WITHOUT"); });
        const auto index = std::ranges::find_if(*all, usable) - all->begin();
        const auto name = app::deviceName(*all, static_cast<std::size_t>(index));
        const auto engine = app::makeSessionEngine();
        std::vector<LoadStage> stages;
        const auto first = loadFrom(*engine, m_path, request(name), &stages);
        QVERIFY(first && first->facts().placement && first->facts().placement->isWhole());
        const auto told = [&] { return std::ranges::count(stages, LoadStage::Weights); };
        const auto toldFirst = told();
        stages.clear();
        const auto second = loadFrom(*engine, m_path, request(name, 256), &stages);
        QVERIFY(second && second->facts().placement && second->facts().placement->isWhole());
        QCOMPARE(told(), 1);
        QVERIFY(toldFirst > 2);
        stages.clear();
        const auto other = loadFrom(*engine, copyOf(m_path), request(name), &stages);
        QVERIFY(other);
        QCOMPARE(told(), toldFirst);
    }
};

QTEST_GUILESS_MAIN(TestSessionEngineDevice)
#include "tst_session_engine_device.moc"
