// Sessions of models with recurrent states: going back, other continuations, cancelled runs. What
// comes out is what a fresh session gives. SPDX-License-Identifier: Apache-2.0
#include "tests/support/reference_model.h"

#include <QTest>

#include <random>
#include <thread>

using namespace engine;
using session::ActivationMode;
using session::CacheType;
using session::Session;
using text::TokenId;

namespace {

constexpr TokenId kVocabulary = 320;
constexpr double kSame = 1e-4; // the same numbers, added up in another order
using Tokens = std::vector<TokenId>;

Tokens prompt(std::size_t length, unsigned seed)
{
    std::mt19937 random(seed);
    Tokens tokens { 1 };
    while (tokens.size() < length) {
        tokens.push_back(static_cast<TokenId>(3 + random() % (kVocabulary - 3)));
    }
    return tokens;
}

Tokens joined(Tokens first, const Tokens& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

Tokens head(const Tokens& tokens, std::size_t length)
{
    return { tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(length) };
}

Tokens tokensOf(const Session& session)
{
    return { session.tokens().begin(), session.tokens().end() };
}

std::unique_ptr<Session> open(const std::string& name)
{
    auto made = tests::referenceSession(name, { 0, CacheType::F32, ActivationMode::Q8, 2 });
    if (!made) {
        qWarning("%s", englishSentence(made.error()).c_str());
        return nullptr;
    }
    return std::move(*made);
}

/// How far the session's logits are from those after the same tokens in a session of their own.
double offFromFresh(const std::string& name, Session& session)
{
    const auto fresh = open(name);
    if (!fresh || session.logits().empty() || !fresh->prefill(session.tokens())) {
        return 1e9;
    }
    return tests::largestDifference(tests::logProbabilities(session.logits()),
                                    tests::logProbabilities(fresh->logits()));
}

} // namespace

class TestRecurrentSession : public QObject
{
    Q_OBJECT

    std::string m_name; // of the current row
    std::unique_ptr<Session> m_session;

    static void models()
    {
        QTest::addColumn<QString>("name");
        for (const auto* name : { "lfm2", "qwen35", "qwen3next" }) {
            QTest::newRow(name) << name;
        }
    }
    bool answersAsFresh() { return offFromFresh(m_name, *m_session) < kSame; }
    bool append(const Tokens& tokens)
    {
        return std::ranges::all_of(
            tokens, [&](TokenId token) { return m_session->append(token).has_value(); });
    }

private Q_SLOTS:
    void init()
    {
        const auto name = QTest::qData("name", qMetaTypeId<QString>());
        m_name = static_cast<QString*>(name)->toStdString();
        if (!tests::hasReference(m_name)) {
            QSKIP(tests::missing("architectures/" + m_name).c_str());
        }
        m_session = open(m_name);
        QVERIFY(m_session);
        QVERIFY(m_session->model().graph().isRecurrent());
    }

    void countsItsStates_data() { models(); }
    void countsItsStates()
    {
        const auto stateBytes = m_session->model().graph().stateBytes();
        const auto before = m_session->memoryBytes();
        QVERIFY(before > stateBytes);
        QVERIFY(m_session->prefill(prompt(40, 1)).has_value());
        QCOMPARE(m_session->memoryBytes(), before + 2 * stateBytes);
    }

    void samePromptAgain_data() { models(); }
    void samePromptAgain()
    {
        const auto tokens = prompt(100, 2);
        QCOMPARE(m_session->prefill(tokens).value_or(0), std::size_t(100));
        QVERIFY(answersAsFresh());
        for (const int repetition : { 1, 2 }) {
            QVERIFY(append(prompt(std::size_t(10 * repetition), 3)));
            QCOMPARE(m_session->reusable(tokens), std::size_t(99));
            QCOMPARE(m_session->prefill(tokens).value_or(0), std::size_t(1));
            QCOMPARE(tokensOf(*m_session), tokens);
            QVERIFY(answersAsFresh());
        }
    }

    void nextTurn_data() { models(); }
    void nextTurn()
    {
        auto tokens = prompt(50, 4);
        for (const unsigned turn : { 1U, 2U, 3U, 4U, 5U, 6U }) {
            QVERIFY(m_session->prefill(tokens).has_value());
            const auto answer = prompt(7, 10 + turn);
            QVERIFY(append(answer));
            const auto message = prompt(20, 20 + turn);
            tokens = joined(joined(tokens, answer), message);
            QCOMPARE(m_session->prefill(tokens).value_or(0), message.size());
            QVERIFY(answersAsFresh());
        }
    }

    // What the template writes before an answer is written otherwise once the answer is there.
    void nextTurnWithAnotherOpening_data() { models(); }
    void nextTurnWithAnotherOpening()
    {
        const auto tokens = prompt(200, 5);
        QVERIFY(m_session->prefill(tokens).has_value());
        QVERIFY(append(prompt(30, 6)));
        const auto next = joined(head(tokens, 195), Tokens(40, 9));
        QCOMPARE(m_session->prefill(next).value_or(0), next.size() - 184);
        QVERIFY(answersAsFresh());
    }

    // The last message is replaced: everything before it stays.
    void anotherMessage_data() { models(); }
    void anotherMessage()
    {
        const auto first = joined(prompt(60, 7), Tokens { 20, 21 });
        QVERIFY(m_session->prefill(head(first, 60)).has_value());
        QVERIFY(append({ 20, 21 }));
        QVERIFY(m_session->prefill(joined(first, prompt(80, 8))).has_value());
        QVERIFY(append({ 30, 31 }));
        const auto other = joined(first, Tokens(50, 9));
        QCOMPARE(m_session->prefill(other).value_or(0), std::size_t(50));
        QVERIFY(answersAsFresh());
    }

    void nothingInCommon_data() { models(); }
    void nothingInCommon()
    {
        QVERIFY(m_session->prefill(prompt(60, 9)).has_value());
        const auto other = joined({ 1, 2 }, prompt(40, 10));
        QCOMPARE(m_session->prefill(other).value_or(0), other.size());
        QVERIFY(answersAsFresh());
        QCOMPARE(m_session->prefill(head(other, 8)).value_or(0), std::size_t(8));
        QVERIFY(answersAsFresh());
    }

    // Where there was a copy once, other tokens lead to now.
    void otherTokensWhereACopyWas_data() { models(); }
    void otherTokensWhereACopyWas()
    {
        const auto first = prompt(100, 30); // copied at 84 and 99
        const auto second = joined(head(first, 50), prompt(100, 31));
        QVERIFY(m_session->prefill(first).has_value());
        QVERIFY(m_session->prefill(second).has_value());
        QVERIFY(m_session->prefill(joined(head(second, 105), { 7, 8, 9 })).has_value());
        QVERIFY(answersAsFresh());
    }

    void truncates_data() { models(); }
    void truncates()
    {
        const auto tokens = prompt(90, 11);
        for (const std::size_t length : { 1U, 30U, 74U, 89U, 90U, 0U }) {
            QVERIFY(m_session->prefill(tokens).has_value());
            m_session->truncate(length);
            QCOMPARE(tokensOf(*m_session), head(tokens, length));
            QVERIFY(m_session->append(77).has_value());
            QCOMPARE(tokensOf(*m_session), joined(head(tokens, length), { 77 }));
            QVERIFY(answersAsFresh());
        }
    }

    void logitsOfAllAreThoseOfEach_data() { models(); }
    void logitsOfAllAreThoseOfEach()
    {
        const auto tokens = prompt(70, 12);
        QVERIFY(m_session->prefill(prompt(20, 13)).has_value()); // something else was there
        const auto all = m_session->logitsOfAll(tokens);
        QVERIFY(all.has_value());
        const auto other = open(m_name);
        QVERIFY(other);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            QVERIFY(other->append(tokens[i]).has_value());
            const auto row = std::span(*all).subspan(i * kVocabulary, kVocabulary);
            QVERIFY(tests::largestDifference(tests::logProbabilities(row),
                                             tests::logProbabilities(other->logits()))
                    < kSame);
        }
    }

    // What was evaluated in earlier chunks stays usable.
    void cancelledInTheMiddle_data() { models(); }
    void cancelledInTheMiddle()
    {
        const auto tokens = prompt(400, 14);
        std::stop_source source;
        std::size_t at = 0;
        const auto result =
            m_session->prefill(tokens, source.get_token(), [&](std::size_t done, std::size_t) {
                if (done > 0) {
                    at = done;
                    source.request_stop();
                }
            });
        QVERIFY(!result && result.error().code == ErrorCode::Cancelled);
        QVERIFY(at > 0 && at < tokens.size());
        QCOMPARE(tokensOf(*m_session), head(tokens, at));
        QCOMPARE(m_session->reusable(tokens), at);
        QCOMPARE(m_session->prefill(tokens).value_or(0), tokens.size() - at);
        QVERIFY(answersAsFresh());
    }

    void cancelledWhileAnswering_data() { models(); }
    void cancelledWhileAnswering()
    {
        const auto tokens = prompt(60, 15);
        QVERIFY(m_session->prefill(tokens).has_value());
        QVERIFY(append({ 40, 41, 42 }));
        std::stop_source source;
        source.request_stop();
        QVERIFY(m_session->append(43, source.get_token()).error().code == ErrorCode::Cancelled);
        QVERIFY(m_session->logits().empty());
        QCOMPARE(tokensOf(*m_session), joined(tokens, { 40, 41, 42 }));
        QVERIFY(m_session->append(44, source.get_token()).error().code == ErrorCode::Cancelled);
        QVERIFY(m_session->append(45).has_value());
        QCOMPARE(tokensOf(*m_session), joined(tokens, { 40, 41, 42, 45 }));
        QVERIFY(answersAsFresh());
    }

    // At any moment, also between two ops.
    void cancelledAtAnyMoment_data() { models(); }
    void cancelledAtAnyMoment()
    {
        const auto tokens = prompt(400, 16);
        int cancelled = 0;
        for (const int delay : { 0, 100, 300, 1000, 3000, 10'000 }) {
            m_session->truncate(std::size_t(delay / 100));
            std::stop_source source;
            std::jthread stopper([&] {
                std::this_thread::sleep_for(std::chrono::microseconds(delay));
                source.request_stop();
            });
            // a slow start of the thread must not let all of them end first
            const auto result = m_session->prefill(tokens, source.get_token(),
                                                   [&](std::size_t done, std::size_t /*total*/) {
                                                       if (delay == 0 && done > 0) {
                                                           source.request_stop();
                                                       }
                                                   });
            stopper.join();
            cancelled += result ? 0 : 1;
            QVERIFY(m_session->prefill(tokens).has_value());
            QVERIFY(answersAsFresh());
        }
        QVERIFY(cancelled > 0);
    }

    // Whatever was done before, in whatever order.
    void anyHistory_data() { models(); }
    void anyHistory()
    {
        std::mt19937 random(17);
        for (unsigned step = 0; step < 60; ++step) {
            const auto now = tokensOf(*m_session);
            const auto common = std::min<std::size_t>(now.size(), random() % 150);
            const auto next = joined(head(now, common), prompt(1 + random() % 50, 100 + step));
            std::stop_source source;
            switch (random() % 5) {
            case 0:
                m_session->truncate(common);
                break;
            case 1:
                source.request_stop();
                QVERIFY(!m_session->prefill(next, source.get_token()));
                break;
            case 2:
                QVERIFY(append(prompt(1 + random() % 9, 200 + step)));
                break;
            default: {
                const auto reusable = m_session->reusable(next);
                QVERIFY(reusable <= next.size() - 1);
                QCOMPARE(m_session->prefill(next).value_or(0), next.size() - reusable);
                QCOMPARE(tokensOf(*m_session), next);
            }
            }
            QVERIFY(m_session->logits().empty() || answersAsFresh());
        }
    }
};

QTEST_GUILESS_MAIN(TestRecurrentSession)
#include "tst_recurrent_session.moc"
