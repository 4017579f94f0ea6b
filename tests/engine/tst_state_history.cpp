// Copies of recurrent states: where a runner can go back to, and how many are kept.
// SPDX-License-Identifier: Apache-2.0
#include "engine/session/state_history.h"

#include <QTest>

#include <cstring>

using namespace engine;
using session::StateHistory;
using Keep = StateHistory::Keep;

namespace {

/// Its state is one number, or it has none.
class FakeRunner final : public backend::Runner
{
public:
    explicit FakeRunner(std::uint64_t stateBytes)
        : m_stateBytes(stateBytes)
    {
    }

    Result<void> run(const backend::Batch& /*batch*/, std::stop_token /*stop*/) override
    {
        return {};
    }
    std::span<float> logits() override { return {}; }
    std::uint64_t stateBytes() const override { return m_stateBytes; }
    void saveState(std::span<std::byte> out) const override
    {
        std::memcpy(out.data(), &number, sizeof number);
    }
    void restoreState(std::span<const std::byte> saved) override
    {
        std::memcpy(&number, saved.data(), sizeof number);
    }
    std::uint64_t memoryBytes() const override { return 0; }
    int threads() const override { return 1; }
    void startProfile() override { }
    std::uint32_t mostRows() const override { return 1; }
    Result<void> writeSlot(model::Slot /*slot*/, std::span<const float> /*rows*/) override
    {
        return {};
    }
    Result<void> readSlot(model::Slot /*slot*/, std::span<float> /*rows*/) override { return {}; }
    std::vector<backend::OpTime> profile() const override { return {}; }

    std::uint64_t number = 0;

private:
    std::uint64_t m_stateBytes;
};

/// Moves on to a position and saves there; the number is the position.
void advance(FakeRunner& runner, StateHistory& history, std::size_t position, Keep keep)
{
    runner.number = position;
    history.moveTo(position);
    history.save(keep);
}

} // namespace

class TestStateHistory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void withoutStates()
    {
        FakeRunner runner(0);
        StateHistory history(runner);
        QVERIFY(!history.isNeeded());
        history.moveTo(10);
        history.save(Keep::Long);
        history.lose();
        QCOMPARE(history.reachable(7), std::size_t(7));
        history.goTo(7);
        QCOMPARE(history.bytes(), std::uint64_t(0));
        QCOMPARE(session::mostStateBytes(0), std::uint64_t(0));
    }

    void goesBack()
    {
        FakeRunner runner(8);
        StateHistory history(runner);
        QVERIFY(history.isNeeded());
        QCOMPARE(history.reachable(100), std::size_t(0));
        advance(runner, history, 5, Keep::Long);
        advance(runner, history, 9, Keep::Long);
        runner.number = 12;
        history.moveTo(12); // not saved
        QCOMPARE(history.reachable(100), std::size_t(12));
        QCOMPARE(history.reachable(11), std::size_t(9));
        QCOMPARE(history.reachable(8), std::size_t(5));
        QCOMPARE(history.reachable(4), std::size_t(0));
        history.goTo(9);
        QCOMPARE(runner.number, std::uint64_t(9));
        QCOMPARE(history.reachable(100), std::size_t(9)); // what was not saved is gone
        history.goTo(5);
        QCOMPARE(runner.number, std::uint64_t(5));
        QCOMPARE(history.reachable(100), std::size_t(9));
        QCOMPARE(history.bytes(), std::uint64_t(16));
    }

    void afterAFailedRun()
    {
        FakeRunner runner(8);
        StateHistory history(runner);
        advance(runner, history, 5, Keep::Long);
        runner.number = 777;
        history.lose();
        history.save(Keep::Long); // there is nothing to save
        QCOMPARE(history.reachable(100), std::size_t(5));
        history.goTo(5);
        QCOMPARE(runner.number, std::uint64_t(5));
    }

    void forgets()
    {
        FakeRunner runner(8);
        StateHistory history(runner);
        advance(runner, history, 5, Keep::Long);
        advance(runner, history, 9, Keep::UntilNext);
        history.forgetBehind(9);
        QCOMPARE(history.reachable(100), std::size_t(9));
        history.forgetBehind(8);
        QCOMPARE(history.reachable(100), std::size_t(5));
        history.forgetBehind(4);
        QCOMPARE(history.reachable(100), std::size_t(0));
    }

    void oneUntilNext()
    {
        FakeRunner runner(8);
        StateHistory history(runner);
        for (const std::size_t position : { 3U, 6U, 9U }) {
            advance(runner, history, position, Keep::UntilNext);
        }
        history.lose();
        QCOMPARE(history.reachable(100), std::size_t(9));
        QCOMPARE(history.reachable(8), std::size_t(0));
        QCOMPARE(history.bytes(), std::uint64_t(8));
        history.goTo(9);
        QCOMPARE(runner.number, std::uint64_t(9));
    }

    void isBounded_data()
    {
        QTest::addColumn<quint64>("stateBytes");
        QTest::addColumn<int>("copies");
        QTest::newRow("small") << quint64(1000) << 8;
        QTest::newRow("medium") << quint64(100'000'000) << 5;
        QTest::newRow("large") << quint64(1'000'000'000) << 3;
    }
    void isBounded()
    {
        QFETCH(quint64, stateBytes);
        QFETCH(int, copies);
        FakeRunner runner(stateBytes); // touches 8 bytes of each copy
        StateHistory history(runner);
        for (std::size_t position = 10; position <= 200; position += 10) {
            advance(runner, history, position, Keep::Long);
        }
        advance(runner, history, 205, Keep::UntilNext);
        QCOMPARE(history.bytes(), stateBytes * quint64(copies + 1));
        QCOMPARE(history.bytes() + stateBytes, session::mostStateBytes(stateBytes));
        history.lose();
        // the last ones are kept
        const auto oldest = 200 - 10 * std::size_t(copies - 1);
        QCOMPARE(history.reachable(oldest), oldest);
        QCOMPARE(history.reachable(oldest - 1), std::size_t(0));
        history.goTo(oldest);
        QCOMPARE(runner.number, std::uint64_t(oldest));
    }

    void theSameOnce()
    {
        FakeRunner runner(8);
        StateHistory history(runner);
        advance(runner, history, 5, Keep::Long);
        history.save(Keep::Long);
        history.save(Keep::UntilNext);
        QCOMPARE(history.bytes(), std::uint64_t(8));
    }
};

QTEST_APPLESS_MAIN(TestStateHistory)
#include "tst_state_history.moc"
