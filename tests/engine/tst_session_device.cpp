// Sessions on a device that fails: the answer goes on as on the CPU. No device is needed.
// SPDX-License-Identifier: Apache-2.0
#include "engine/session/device_plan.h"
#include "tests/support/failing_device.h"
#include "tests/support/reference_model.h"

#include <QTest>

#include <algorithm>
#include <functional>

using namespace engine;
using backend::RunnerOptions;
using session::ActivationMode;
using session::CacheType;
using session::Session;
using text::TokenId;

namespace {

constexpr std::size_t kBatch = 64; // a session's first
constexpr double kSame = 1e-4; // the same numbers, added up in another order
using Tokens = std::vector<TokenId>;

Tokens prompt(std::size_t length, unsigned seed)
{
    Tokens tokens { 1 };
    for (std::uint32_t state = seed; tokens.size() < length;) {
        state = state * 1664525U + 1013904223U;
        tokens.push_back(static_cast<TokenId>(3 + (state >> 8U) % 317));
    }
    return tokens;
}

session::SessionOptions options(std::shared_ptr<const backend::Backend> device = {})
{
    return { 0, CacheType::F32, ActivationMode::Q8, 2, std::move(device) };
}

double difference(Session& a, Session& b)
{
    return tests::largestDifference(tests::logProbabilities(a.logits()),
                                    tests::logProbabilities(b.logits()));
}

} // namespace

class TestSessionDevice : public QObject
{
    Q_OBJECT

    std::shared_ptr<const model::Model> m_model; // of the current row
    std::unique_ptr<Session> m_cpu;
    tests::DeviceScript m_script;

    [[nodiscard]] std::unique_ptr<Session> open()
    {
        auto made =
            Session::create(m_model, options(std::make_shared<tests::FailingDevice>(m_script)));
        return made ? std::move(*made) : nullptr;
    }
    static void models()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name : { "llama-gqa-tied", "lfm2", "qwen35" }) { // two of them recurrent
            QTest::newRow(name) << name;
        }
    }

private Q_SLOTS:
    void init()
    {
        m_script = {};
        const auto* row = static_cast<QString*>(QTest::qData("name", qMetaTypeId<QString>()));
        const auto name = row->toStdString();
        if (!tests::hasReference(name)) {
            QSKIP(tests::missing("architectures/" + name).c_str());
        }
        auto cpu = tests::referenceSession(name, options());
        QVERIFY(cpu.has_value());
        m_cpu = std::move(*cpu);
        m_model = m_cpu->sharedModel();
    }

    void runsOnTheDevice_data() { models(); }
    void runsOnTheDevice()
    {
        const auto session = open();
        QVERIFY(session);
        const auto tokens = prompt(100, 1);
        QCOMPARE(session->prefill(tokens).value_or(0), tokens.size());
        QVERIFY(m_cpu->prefill(tokens).has_value());
        QCOMPARE(difference(*session, *m_cpu), 0.0);
        QCOMPARE(m_script.tokens, tokens.size());
        QVERIFY(!session->fallback());
        QCOMPARE(session->deviceName(), std::string("the fake"));
        QCOMPARE(session->threads(), 0);
    }

    void failsWhileWriting_data() { models(); }
    void failsWhileWriting()
    {
        const auto session = open();
        const auto tokens = prompt(90, 2);
        QVERIFY(session->prefill(tokens).has_value() && m_cpu->prefill(tokens).has_value());
        QVERIFY(session->append(7).has_value() && m_cpu->append(7).has_value());
        m_script.runsLeft = 2;
        for (const TokenId token : { 8, 9, 10, 11, 12 }) {
            QVERIFY(session->append(token).has_value() && m_cpu->append(token).has_value());
            QVERIFY(difference(*session, *m_cpu) < kSame);
            QCOMPARE(session->tokens().size(), m_cpu->tokens().size());
        }
        QVERIFY(session->fallback() && session->fallback()->code == ErrorCode::DeviceLost);
        QCOMPARE(session->deviceName(), backend::cpuBackend().description());
        QCOMPARE(session->threads(), 2);
        QCOMPARE(m_script.runsLeft, -1); // nothing was asked of it again
        // what follows is an ordinary session
        auto longer = Tokens(session->tokens().begin(), session->tokens().end());
        longer.insert(longer.end(), { 20, 21, 22 });
        QCOMPARE(session->prefill(longer).value_or(0), std::size_t(3));
        QVERIFY(m_cpu->prefill(longer).has_value());
        QVERIFY(difference(*session, *m_cpu) < kSame);
    }

    void failsWhileReading_data() { models(); }
    void failsWhileReading()
    {
        const auto session = open();
        const auto tokens = prompt(3 * kBatch, 3);
        m_script.runsLeft = 1;
        m_script.runFails = ErrorCode::DeviceFailed;
        std::vector<std::size_t> seen;
        const auto done = session->prefill(
            tokens, {}, [&](std::size_t at, std::size_t /*total*/) { seen.push_back(at); });
        QCOMPARE(done.value_or(0), tokens.size());
        QVERIFY(m_cpu->prefill(tokens).has_value());
        QVERIFY(difference(*session, *m_cpu) < kSame);
        QVERIFY(session->fallback()->code == ErrorCode::DeviceFailed);
        QCOMPARE(std::ranges::count(seen, 0U), 2); // told twice: it begins again
        QCOMPARE(seen.back(), tokens.size());
    }

    void failsInAllLogits_data() { models(); }
    void failsInAllLogits()
    {
        const auto session = open();
        const auto tokens = prompt(100, 4);
        m_script.runsLeft = 2;
        const auto all = session->logitsOfAll(tokens);
        const auto expected = m_cpu->logitsOfAll(tokens);
        QVERIFY(all && expected);
        QVERIFY(*all == *expected);
        QVERIFY(session->fallback().has_value());
    }

    void mayBeStoppedWhileItCatchesUp_data() { models(); }
    void mayBeStoppedWhileItCatchesUp()
    {
        const auto session = open();
        const auto tokens = prompt(90, 5);
        QVERIFY(session->prefill(tokens).has_value());
        m_script.runsLeft = 0;
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = session->append(7, stop.get_token());
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
        QVERIFY(session->fallback().has_value());
        QCOMPARE(session->tokens().size(), tokens.size());
        QCOMPARE(session->reusable(tokens), std::size_t(0)); // the CPU has none of them yet
        QVERIFY(session->append(7).has_value());
        QVERIFY(m_cpu->prefill(tokens).has_value() && m_cpu->append(7).has_value());
        QVERIFY(difference(*session, *m_cpu) < kSame);
    }

    void goesBackAfterwards_data() { models(); }
    void goesBackAfterwards()
    {
        const auto session = open();
        auto tokens = prompt(80, 6);
        QVERIFY(session->prefill(tokens).has_value());
        m_script.runsLeft = 0;
        QVERIFY(session->append(7).has_value());
        tokens.resize(40);
        tokens.insert(tokens.end(), { 30, 31, 32 });
        QVERIFY(session->prefill(tokens).has_value() && m_cpu->prefill(tokens).has_value());
        QVERIFY(difference(*session, *m_cpu) < kSame);
    }

    void noRoomOnTheDevice_data() { models(); }
    void noRoomOnTheDevice()
    {
        m_script.prepareFails = ErrorCode::DeviceOutOfMemory;
        const auto session = open();
        QVERIFY(session);
        QVERIFY(session->fallback()->code == ErrorCode::DeviceOutOfMemory);
        QCOMPARE(session->deviceName(), backend::cpuBackend().description());
        const auto tokens = prompt(20, 7);
        QVERIFY(session->prefill(tokens).has_value() && m_cpu->prefill(tokens).has_value());
        QCOMPARE(difference(*session, *m_cpu), 0.0);
        QCOMPARE(m_script.runs, 0);
    }

    void leavesTheDevice_data() { models(); }
    void leavesTheDevice()
    {
        const auto session = open();
        const auto tokens = prompt(60, 9);
        QVERIFY(session->prefill(tokens).has_value());
        QVERIFY(session->placement() && session->placement()->deviceBlocks > 0);
        QVERIFY(session->leaveDevice());
        QVERIFY(!session->placement());
        QVERIFY(!session->leaveDevice()); // it is there
        QVERIFY(!session->fallback());
        QCOMPARE(session->deviceName(), backend::cpuBackend().description());
        QVERIFY(session->logits().empty());
        const int runs = m_script.runs;
        QVERIFY(session->append(7).has_value());
        QVERIFY(m_cpu->prefill(tokens).has_value() && m_cpu->append(7).has_value());
        QVERIFY(difference(*session, *m_cpu) < kSame);
        QCOMPARE(m_script.runs, runs);
    }

    /// What was placed is told as it was, though the memory is taken afterwards.
    void tellsWhatIsThere_data() { models(); }
    void tellsWhatIsThere()
    {
        auto wished = options(std::make_shared<tests::FailingDevice>(m_script));
        wished.contextLength = 512;
        const auto plan = session::planDevice(m_model->graph(), wished.cacheType, *wished.device);
        QCOMPARE(plan.blocks(), static_cast<std::uint32_t>(m_model->graph().blockStarts.size()));
        QCOMPARE(plan.fitting(512), plan.blocks()); // no bound
        m_script.memory = plan.deviceBytes(1, 512) + 1;
        const auto session = Session::create(m_model, wished);
        QVERIFY(session && !(*session)->fallback());
        QVERIFY((*session)->placement()
                == (session::Placement { plan.blocks(), 1, plan.deviceBytes(1, 512) }));
        QCOMPARE(m_script.taken.load(), plan.deviceBytes(1, 512));
        wished.deviceBlocks = plan.blocks(); // more than there is room for
        const auto refused = Session::create(m_model, wished);
        QVERIFY(refused && !(*refused)->placement());
        QVERIFY((*refused)->fallback()->code == ErrorCode::DeviceOutOfMemory);
    }

    /// What is no failure of the device stays an error.
    void otherErrorsStay_data() { models(); }
    void otherErrorsStay()
    {
        std::stop_source stop;
        stop.request_stop();
        const auto cancelled = Session::create(
            m_model, options(std::make_shared<tests::FailingDevice>(m_script)), stop.get_token());
        QVERIFY(!cancelled && cancelled.error().code == ErrorCode::Cancelled);

        const auto session = open();
        m_script.runsLeft = 0;
        m_script.runFails = ErrorCode::Cancelled;
        const auto stopped = session->prefill(prompt(20, 8));
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
        QVERIFY(!session->fallback());
    }

    void loadingIsTold_data() { models(); }
    void loadingIsTold()
    {
        double told = 0;
        const auto session =
            Session::create(m_model, options(std::make_shared<tests::FailingDevice>(m_script)), {},
                            [&](double fraction) { told = fraction; });
        QVERIFY(session.has_value());
        QCOMPARE(told, 1.0);
    }
};

QTEST_GUILESS_MAIN(TestSessionDevice)
#include "tst_session_device.moc"
