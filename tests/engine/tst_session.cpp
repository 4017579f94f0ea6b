// Prefill, append and truncate on tiny models: re-use, limits, cancelling, a file that vanishes.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/reference_model.h"
#include "tests/support/split_gguf.h"

#include <QElapsedTimer>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <thread>

using namespace engine;
using session::ActivationMode;
using session::CacheType;
using session::Session;
using session::SessionOptions;
using text::TokenId;

namespace {

constexpr TokenId kVocabulary = 320; // of all models of the pack

/// Tokens that mean nothing, the same for the same seed.
std::vector<TokenId> prompt(std::size_t length, unsigned seed)
{
    std::vector<TokenId> tokens { 1 };
    for (std::uint32_t state = seed; tokens.size() < length;) {
        state = state * 1664525U + 1013904223U;
        tokens.push_back(static_cast<TokenId>(3 + (state >> 8U) % (kVocabulary - 3)));
    }
    return tokens;
}

std::vector<TokenId> joined(std::vector<TokenId> first, const std::vector<TokenId>& second)
{
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

std::vector<TokenId> head(const std::vector<TokenId>& tokens, std::size_t length)
{
    return { tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(length) };
}

std::filesystem::path modelPath(const std::string& name)
{
    return *tests::conformanceDir("architectures") / name / "model.gguf";
}

/// A copy in the directory that may be changed.
std::string writableCopy(const QTemporaryDir& dir, const std::string& name)
{
    const auto path = dir.filePath("model.gguf").toStdString();
    std::filesystem::copy_file(modelPath(name), path);
    std::filesystem::permissions(path, std::filesystem::perms::owner_write,
                                 std::filesystem::perm_options::add);
    return path;
}

std::unique_ptr<Session> open(const std::string& path, const SessionOptions& options)
{
    auto model = model::Model::load(path);
    if (!model) {
        qWarning("%s", englishSentence(model.error()).c_str());
        return nullptr;
    }
    auto made = Session::create(*model, options);
    if (!made) {
        qWarning("%s", englishSentence(made.error()).c_str());
        return nullptr;
    }
    return std::move(*made);
}

SessionOptions floatCache(std::uint32_t context = 512, int threads = 2)
{
    return { context, CacheType::F32, ActivationMode::Q8, threads };
}

std::unique_ptr<Session> open(const SessionOptions& options = floatCache(),
                              const char* name = "llama-gqa-tied")
{
    return open(modelPath(name).string(), options);
}

double difference(std::span<const float> a, std::span<const float> b)
{
    return a.empty() || b.empty()
        ? 1e9
        : tests::largestDifference(tests::logProbabilities(a), tests::logProbabilities(b));
}

/// The logits after these tokens, evaluated in a session of their own.
std::vector<float> fromScratch(const std::vector<TokenId>& tokens)
{
    const auto session = open();
    if (!session || !session->prefill(tokens)) {
        return {};
    }
    const auto logits = session->logits();
    return { logits.begin(), logits.end() };
}

std::vector<TokenId> tokensOf(const Session& session)
{
    return { session.tokens().begin(), session.tokens().end() };
}

constexpr double kSame = 1e-4; // the same numbers, added up in another order

/// Asks for a stop from a second thread and waits until it was done.
class Stopper
{
public:
    void stopNow()
    {
        m_thread = std::jthread([this] { m_source.request_stop(); });
        m_thread.join();
    }
    void stopIn(std::chrono::microseconds delay)
    {
        m_thread = std::jthread([this, delay] {
            std::this_thread::sleep_for(delay);
            m_timer.start();
            m_source.request_stop();
        });
    }
    /// Milliseconds since the request.
    qint64 elapsed()
    {
        m_thread.join();
        return m_timer.elapsed();
    }
    [[nodiscard]] std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
    QElapsedTimer m_timer;
    std::jthread m_thread;
};

} // namespace

class TestSession : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    // The same bytes give the same numbers, whichever part was asked for.
    void answersFromSplitModels()
    {
        const QTemporaryDir folder;
        const auto prefix = folder.filePath("m").toStdString();
        QVERIFY(tests::splitFile(modelPath("llama-gqa-tied").string(), prefix, 4));
        const auto tokens = prompt(20, 7);
        const auto expected = fromScratch(tokens);
        QVERIFY(!expected.empty());
        for (const std::size_t part : { 1U, 3U }) {
            const auto session = open(tests::partPath(prefix, part, 4), floatCache());
            QVERIFY(session && session->prefill(tokens));
            QVERIFY(std::ranges::equal(session->logits(), expected));
        }
        std::filesystem::resize_file(tests::partPath(prefix, 4, 4), 100);
        const auto cut = model::Model::load(tests::partPath(prefix, 1, 4));
        QVERIFY(!cut && cut.error().where.file == tests::partPath(prefix, 4, 4));
    }

    void isEmptyAtFirst()
    {
        const auto session = open();
        QVERIFY(session);
        QVERIFY(session->tokens().empty());
        QVERIFY(session->logits().empty());
        QCOMPARE(session->contextLength(), 512U);
        QCOMPARE(session->threads(), 2);
        const auto& kv = session->model().graph().kv;
        const auto cacheBytes = kv.numbers() * 512 * 4;
        QVERIFY(session->memoryBytes() > cacheBytes);
    }

    void contextOfTheModel()
    {
        const auto session = open({});
        QVERIFY(session);
        QCOMPARE(session->contextLength(), session->model().hparams().contextLength);
        QVERIFY(session->threads() >= 1);
    }

    void contextBeyondMemory()
    {
        auto model = model::Model::load(modelPath("llama-mha").string());
        QVERIFY(model.has_value());
        const auto made = Session::create(*model, { 0xFFFF'FFFFU, CacheType::F32 });
        QVERIFY(!made.has_value());
        QVERIFY(made.error().code == ErrorCode::OutOfMemory);
        QVERIFY(englishSentence(made.error()).find("4294967295") != std::string::npos);
    }

    void reusesACommonPrefix_data()
    {
        QTest::addColumn<int>("common");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("second");
        QTest::newRow("short") << 5 << 3 << 4;
        QTest::newRow("over several chunks") << 200 << 90 << 70;
        QTest::newRow("one new token") << 100 << 0 << 1;
        QTest::newRow("nothing in common but the first") << 1 << 50 << 30;
    }
    void reusesACommonPrefix()
    {
        QFETCH(int, common);
        QFETCH(int, first);
        QFETCH(int, second);
        const auto begin = prompt(std::size_t(common), 1);
        // the second token after the common part differs for sure
        const auto one = joined(begin, std::vector<TokenId>(std::size_t(first), 7));
        const auto two = joined(begin, std::vector<TokenId>(std::size_t(second), 8));
        const auto session = open();
        QVERIFY(session);
        QCOMPARE(session->prefill(one).value_or(0), one.size());
        QVERIFY(difference(session->logits(), fromScratch(one)) < kSame);
        QCOMPARE(session->prefill(two).value_or(0), std::size_t(second));
        QCOMPARE(tokensOf(*session), two);
        QVERIFY(difference(session->logits(), fromScratch(two)) < kSame);
    }

    // The last token is evaluated again, for its logits.
    void samePromptAgain()
    {
        const auto tokens = prompt(30, 2);
        const auto session = open();
        QVERIFY(session);
        QVERIFY(session->prefill(tokens).has_value());
        QCOMPARE(session->prefill(tokens).value_or(0), std::size_t(1));
        QVERIFY(difference(session->logits(), fromScratch(tokens)) < kSame);
        QCOMPARE(session->prefill(head(tokens, 12)).value_or(0), std::size_t(1));
        QCOMPARE(session->tokens().size(), std::size_t(12));
        QVERIFY(difference(session->logits(), fromScratch(head(tokens, 12))) < kSame);
    }

    // A turn goes on where the answer ended.
    void reusesWhatWasAppended()
    {
        auto tokens = prompt(20, 3);
        const auto session = open();
        QVERIFY(session);
        QVERIFY(session->prefill(tokens).has_value());
        for (const TokenId token : { 50, 60, 70 }) {
            QVERIFY(session->append(token).has_value());
            tokens.push_back(token);
        }
        QCOMPARE(tokensOf(*session), tokens);
        QVERIFY(difference(session->logits(), fromScratch(tokens)) < kSame);
        const auto longer = joined(tokens, { 80, 90 });
        QCOMPARE(session->prefill(longer).value_or(0), std::size_t(2));
        QVERIFY(difference(session->logits(), fromScratch(longer)) < kSame);
    }

    void truncates()
    {
        const auto tokens = prompt(40, 4);
        const auto session = open();
        QVERIFY(session);
        QVERIFY(session->prefill(tokens).has_value());
        session->truncate(1000); // more than there is
        QCOMPARE(session->tokens().size(), std::size_t(40));
        QVERIFY(!session->logits().empty());
        session->truncate(25);
        QCOMPARE(tokensOf(*session), head(tokens, 25));
        QVERIFY(session->logits().empty()); // they belonged to what is gone
        QVERIFY(session->append(99).has_value());
        QVERIFY(difference(session->logits(), fromScratch(joined(head(tokens, 25), { 99 })))
                < kSame);
        session->truncate(0);
        QVERIFY(session->tokens().empty());
        QCOMPARE(session->prefill(tokens).value_or(0), tokens.size());
    }

    void halfPrecisionCache()
    {
        const auto tokens = prompt(120, 5);
        const auto half = open({ 512, CacheType::F16, ActivationMode::Q8, 2 }, "llama-mha");
        const auto full = open(floatCache(), "llama-mha");
        QVERIFY(half && full);
        QVERIFY(half->prefill(tokens).has_value() && full->prefill(tokens).has_value());
        const auto off = difference(half->logits(), full->logits());
        QVERIFY2(off > 0.0 && off < 1e-2, qPrintable(QString::number(off)));
        QVERIFY(half->append(9).has_value() && full->append(9).has_value());
        QVERIFY(difference(half->logits(), full->logits()) < 1e-2);
        QVERIFY(half->memoryBytes() < full->memoryBytes());
    }

    void contextFull()
    {
        const auto session = open(floatCache(60));
        QVERIFY(session);
        const auto tokens = prompt(60, 6);
        QVERIFY(session->prefill(head(tokens, 59)).has_value());
        QVERIFY(session->append(tokens[59]).has_value());
        QVERIFY(difference(session->logits(), fromScratch(tokens)) < kSame);
        const auto more = session->append(5);
        QVERIFY(!more.has_value());
        QVERIFY(more.error().code == ErrorCode::ContextFull);
        QVERIFY(englishSentence(more.error()).find("60") != std::string::npos);
        QCOMPARE(session->tokens().size(), std::size_t(60));
        QCOMPARE(session->prefill(tokens).value_or(0), std::size_t(1)); // just fits
        session->truncate(10);
        QVERIFY(session->append(5).has_value());
    }

    void promptTooLong()
    {
        const auto session = open(floatCache(60));
        QVERIFY(session);
        QVERIFY(session->prefill(prompt(10, 7)).has_value());
        const auto result = session->prefill(prompt(61, 7));
        QVERIFY(!result.has_value());
        QVERIFY(result.error().code == ErrorCode::PromptTooLong);
        const auto sentence = englishSentence(result.error());
        QVERIFY(sentence.find("61 tokens") != std::string::npos);
        QVERIFY(sentence.find("holds 60") != std::string::npos);
        QCOMPARE(session->tokens().size(), std::size_t(10)); // nothing was lost
        QVERIFY(session->logitsOfAll(prompt(61, 7)).error().code == ErrorCode::PromptTooLong);
    }

    void badTokens()
    {
        const auto session = open();
        QVERIFY(session);
        QVERIFY(session->prefill({}).error().code == ErrorCode::InvalidArgument);
        QVERIFY(session->logitsOfAll({}).error().code == ErrorCode::InvalidArgument);
        for (const TokenId bad : { -1, kVocabulary, 1 << 30 }) {
            const auto result = session->prefill(std::vector<TokenId> { 1, bad, 5 });
            QVERIFY(!result.has_value());
            QVERIFY(result.error().code == ErrorCode::InvalidArgument);
            QVERIFY(englishSentence(result.error()).find(std::to_string(bad)) != std::string::npos);
            QVERIFY(session->append(bad).error().code == ErrorCode::InvalidArgument);
        }
        QVERIFY(session->tokens().empty());
        QVERIFY(session->append(kVocabulary - 1).has_value());
    }

    void progressIsMonotone()
    {
        const auto session = open();
        QVERIFY(session);
        const auto first = prompt(100, 8);
        const auto tokens = joined(first, prompt(350, 9));
        QVERIFY(session->prefill(first).has_value());
        std::vector<std::size_t> steps;
        const auto evaluated =
            session->prefill(tokens, {}, [&](std::size_t done, std::size_t total) {
                steps.push_back(done);
                QCOMPARE(total, tokens.size());
                QCOMPARE(session->tokens().size(), done);
            });
        QCOMPARE(evaluated.value_or(0), std::size_t(350));
        QVERIFY(steps.size() > 2);
        QCOMPARE(steps.front(), std::size_t(100));
        QCOMPARE(steps.back(), tokens.size());
        QVERIFY(std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>())
                == steps.end());
    }

    void logitsOfAllAreThoseOfEach()
    {
        const auto tokens = prompt(70, 10);
        const auto session = open();
        QVERIFY(session);
        QVERIFY(session->prefill(prompt(20, 11)).has_value()); // something else was there
        const auto all = session->logitsOfAll(tokens);
        QVERIFY(all.has_value());
        QCOMPARE(all->size(), tokens.size() * kVocabulary);
        QCOMPARE(tokensOf(*session), tokens);
        const auto other = open();
        QVERIFY(other);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            QVERIFY(other->append(tokens[i]).has_value());
            const auto row = std::span(*all).subspan(i * kVocabulary, kVocabulary);
            QVERIFY(difference(row, other->logits()) < kSame);
        }
        QVERIFY(difference(session->logits(), other->logits()) < kSame);
    }

    void threadsDoNotChangeTheResult_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("floats") << "llama-mha";
        QTest::newRow("quantized") << "llama-256-q4_0";
    }
    void threadsDoNotChangeTheResult()
    {
        QFETCH(QString, name);
        const auto tokens = prompt(90, 12);
        std::vector<std::vector<float>> results;
        for (const int threads : { 1, 2, 5 }) {
            const auto session =
                open({ 512, CacheType::F16, ActivationMode::Q8, threads }, qPrintable(name));
            QVERIFY(session);
            QCOMPARE(session->threads(), threads);
            QVERIFY(session->prefill(tokens).has_value());
            QVERIFY(session->append(17).has_value());
            results.emplace_back(session->logits().begin(), session->logits().end());
        }
        // each number is computed by one thread, in an order that does not depend on the others
        QCOMPARE(results[1], results[0]);
        QCOMPARE(results[2], results[0]);
    }

    void cancelledBefore()
    {
        const auto session = open();
        QVERIFY(session);
        const auto tokens = prompt(100, 13);
        QVERIFY(session->prefill(head(tokens, 40)).has_value());
        Stopper stopper;
        stopper.stopNow();
        const auto result = session->prefill(tokens, stopper.token());
        QVERIFY(!result.has_value());
        QVERIFY(result.error().code == ErrorCode::Cancelled);
        QVERIFY(session->append(5, stopper.token()).error().code == ErrorCode::Cancelled);
        QVERIFY(session->logits().empty()); // those before no longer tell what comes next
        QVERIFY(session->logitsOfAll(tokens, stopper.token()).error().code == ErrorCode::Cancelled);
        QVERIFY(session->prefill(tokens).has_value());
        QVERIFY(difference(session->logits(), fromScratch(tokens)) < kSame);
    }

    // After the first chunk, for certain; what was evaluated stays.
    void cancelledInTheMiddle()
    {
        const auto session = open();
        QVERIFY(session);
        const auto tokens = prompt(400, 14);
        Stopper stopper;
        std::size_t at = 0;
        const auto result =
            session->prefill(tokens, stopper.token(), [&](std::size_t done, std::size_t) {
                if (done > 0) {
                    at = done;
                    stopper.stopNow();
                }
            });
        QVERIFY(!result.has_value());
        QVERIFY(result.error().code == ErrorCode::Cancelled);
        QVERIFY(at > 0 && at < tokens.size());
        QCOMPARE(tokensOf(*session), head(tokens, at));
        QVERIFY(session->logits().empty());
        QCOMPARE(session->prefill(tokens).value_or(0), tokens.size() - at);
        QVERIFY(difference(session->logits(), fromScratch(tokens)) < kSame);
    }

    // At any moment, also between two ops of a chunk: soon back, and the cache is sound.
    void cancelledAtAnyMoment()
    {
        const auto tokens = prompt(500, 15);
        const auto expected = fromScratch(tokens);
        const auto session = open();
        QVERIFY(session);
        int cancelled = 0;
        for (const int delay : { 0, 100, 300, 1000, 2000, 5000, 10'000, 20'000 }) {
            session->truncate(0);
            Stopper stopper;
            stopper.stopIn(std::chrono::microseconds(delay));
            const auto result = session->prefill(tokens, stopper.token());
            const auto elapsed = stopper.elapsed();
            if (!result) {
                QVERIFY(result.error().code == ErrorCode::Cancelled);
                QVERIFY2(elapsed < 500, qPrintable(QString::number(elapsed)));
                QCOMPARE(tokensOf(*session), head(tokens, session->tokens().size()));
                ++cancelled;
            }
            QVERIFY(session->prefill(tokens).has_value());
            QVERIFY(difference(session->logits(), expected) < kSame);
        }
        qInfo("%d of 8 were cancelled", cancelled);
    }

    void fileCutShort()
    {
        const QTemporaryDir dir;
        const auto path = writableCopy(dir, "llama-mha");
        const auto session = open(path, floatCache());
        QVERIFY(session);
        const auto tokens = prompt(50, 16);
        QVERIFY(session->prefill(head(tokens, 20)).has_value());
        std::filesystem::resize_file(path, 5000);
        const auto result = session->prefill(tokens);
        QVERIFY(!result.has_value());
        QVERIFY(result.error().code == ErrorCode::FileChanged);
        QVERIFY(englishSentence(result.error()).find(path) != std::string::npos);
        QVERIFY(session->logits().empty());
        QVERIFY(session->append(5).error().code == ErrorCode::FileChanged);
        QVERIFY(session->logitsOfAll(tokens).error().code == ErrorCode::FileChanged);
        // the process is alive and other models are as good as before
        QVERIFY(!fromScratch(tokens).empty());
    }

    void fileOverwritten()
    {
        const QTemporaryDir dir;
        const auto path = writableCopy(dir, "llama-mha");
        const auto session = open(path, floatCache());
        QVERIFY(session);
        std::filesystem::last_write_time(
            path, std::filesystem::file_time_type::clock::now() - std::chrono::hours(1));
        QVERIFY(session->append(5).error().code == ErrorCode::FileChanged);
    }

    // A new file under the old name leaves the mapped one alone.
    void fileReplaced()
    {
        const QTemporaryDir dir;
        const auto path = writableCopy(dir, "llama-gqa-tied");
        const auto session = open(path, floatCache());
        QVERIFY(session);
        const auto tokens = prompt(30, 17);
        QVERIFY(session->prefill(tokens).has_value());
        std::ofstream(path + ".new") << "something else";
        std::filesystem::rename(path + ".new", path);
        QVERIFY(session->append(5).has_value());
        QVERIFY(difference(session->logits(), fromScratch(joined(tokens, { 5 }))) < kSame);
    }
};

QTEST_GUILESS_MAIN(TestSession)
#include "tst_session.moc"
