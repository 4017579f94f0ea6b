// The inference service on a device that fails, or is too small: the chat goes on on the CPU from
// where it was, and says so. No device is needed. SPDX-License-Identifier: Apache-2.0
#include "app/services/inference_service.h"
#include "engine/session/device_plan.h"
#include "tests/support/conformance.h"
#include "tests/support/fake_card.h"

#include <QSignalSpy>
#include <QTest>

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

app::LoadRequest request(const std::string& device)
{
    app::LoadRequest wish;
    wish.device = device;
    wish.contextLength = 512;
    wish.cacheType = engine::session::CacheType::F32;
    return wish;
}

} // namespace

class TestSessionEngineDevice : public QObject
{
    Q_OBJECT

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
    [[nodiscard]] engine::session::DevicePlan plan()
    {
        const auto model = engine::model::Model::load(m_path.toStdString());
        const tests::FailingDevice device(m_script);
        return engine::session::planDevice((*model)->graph(), engine::session::CacheType::F32,
                                           device);
    }

private Q_SLOTS:
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
        QCOMPARE(m_script.taken, all);
        const auto* first = answer("Tell me of the sea");
        const QString text = first->text();
        QVERIFY(load(request("A card")));
        QCOMPARE(m_service->facts().placement->deviceBlocks, planned.blocks());
        QCOMPARE(m_script.taken, all);

        // It gave it up for nothing: it goes on on the CPU, and says so when it is asked next.
        auto wish = request("A card");
        wish.contextLength = 2'000'000'000; // no memory holds it
        QSignalSpy failed(m_service.get(), &InferenceService::loadFailed);
        m_service->load(m_path, wish);
        QVERIFY(failed.wait(kPatience));
        QCOMPARE(m_script.taken, std::uint64_t(0));
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
};

QTEST_GUILESS_MAIN(TestSessionEngineDevice)
#include "tst_session_engine_device.moc"
