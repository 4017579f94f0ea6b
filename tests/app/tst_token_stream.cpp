// The token stream: bounded, at most 30 updates a second, whole characters, nothing lost.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/token_stream.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <limits>
#include <thread>
#include <utility>

using app::StreamUpdate;
using app::TokenStream;

namespace {

// Everything a stream hands out, with the time of each text.
struct Collected
{
    QString text;
    QString reasoning;
    std::vector<qint64> textTimes; // ms
    std::size_t tokens = 0;
    bool ended = false;
    QElapsedTimer clock;

    explicit Collected(TokenStream& stream)
    {
        clock.start();
        QObject::connect(&stream, &TokenStream::updated, &stream,
                         [this](const StreamUpdate& update) {
                             if (update.turned) {
                                 reasoning += std::exchange(text, {});
                             }
                             reasoning += update.reasoning;
                             text += update.text;
                             tokens = update.tokens;
                             if (!update.text.isEmpty()) {
                                 textTimes.push_back(clock.elapsed());
                             }
                         });
        QObject::connect(&stream, &TokenStream::ended, &stream, [this] { ended = true; });
    }
};

} // namespace

class TestTokenStream : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void twoHundredThousandTokens()
    {
        constexpr std::size_t kTokens = 200'000;
        TokenStream stream;
        Collected collected(stream);
        std::string expected;
        for (std::size_t i = 0; i < kTokens; ++i) {
            expected += i % 7 == 0 ? "\xE6\x97\xA5 " : "word ";
        }
        const auto sink = stream.sink();
        std::thread producer([sink] {
            for (std::size_t i = 0; i < kTokens; ++i) {
                sink->push(i % 7 == 0 ? "\xE6\x97\xA5 " : "word ", i + 1, {});
            }
            sink->close();
        });
        QTRY_VERIFY_WITH_TIMEOUT(collected.ended, 30'000);
        producer.join();

        QVERIFY(collected.text == QString::fromStdString(expected)); // no diff of a megabyte
        QCOMPARE(collected.tokens, kTokens);
        QVERIFY2(stream.highWaterMark() <= TokenStream::kCapacity,
                 qPrintable(QString::number(stream.highWaterMark())));
        // At most 30 a second. Counted over the whole time: a single gap looks shorter where this
        // thread had to wait between the update and the look at the clock.
        const auto& times = collected.textTimes;
        QVERIFY(times.size() > 10);
        const auto most =
            static_cast<std::size_t>(times.back() / TokenStream::kUpdateIntervalMs) + 2;
        QVERIFY2(
            times.size() <= most,
            qPrintable(QStringLiteral("%1 updates in %2 ms").arg(times.size()).arg(times.back())));
        // One wake-up a drain (and one more for the first text and the end).
        QVERIFY2(stream.wakeUps() <= times.size() + 3,
                 qPrintable(QStringLiteral("%1 wake-ups for %2 drains")
                                .arg(stream.wakeUps())
                                .arg(times.size())));
        qInfo("%zu updates in %lld ms, at most %zu bytes unread", times.size(), times.back(),
              stream.highWaterMark());
    }

    void reasoningComesApart()
    {
        constexpr std::size_t kTokens = 20'000;
        TokenStream stream;
        Collected collected(stream);
        std::thread producer([sink = stream.sink()] {
            for (std::size_t i = 0; i < kTokens; ++i) {
                if (i < kTokens / 2) {
                    sink->pushReasoning("\xE6\x97\xA5 ", i + 1, {});
                } else {
                    sink->push("word ", i + 1, {});
                }
            }
            sink->close();
        });
        QTRY_VERIFY_WITH_TIMEOUT(collected.ended, 30'000);
        producer.join();
        QVERIFY(collected.reasoning == QStringLiteral("\u65e5 ").repeated(kTokens / 2));
        QVERIFY(collected.text == QStringLiteral("word ").repeated(kTokens / 2));
        QCOMPARE(collected.tokens, kTokens);
        QVERIFY(stream.highWaterMark() <= TokenStream::kCapacity);
    }

    // What was handed out as text and what was not yet, both.
    void textTurnsOutToBeReasoning_data()
    {
        QTest::addColumn<bool>("handedOut");
        QTest::newRow("unread") << false;
        QTest::newRow("read") << true;
    }
    void textTurnsOutToBeReasoning()
    {
        QFETCH(bool, handedOut);
        TokenStream stream;
        Collected collected(stream);
        const auto sink = stream.sink();
        sink->push("one ", 1, {});
        if (handedOut) {
            QTRY_COMPARE(collected.text, QString("one "));
        }
        sink->push("two", 2, {});
        sink->turn();
        sink->pushReasoning("!", 3, {});
        sink->push("three", 4, {});
        sink->close();
        QTRY_VERIFY(collected.ended);
        QCOMPARE(collected.reasoning, QString("one two!"));
        QCOMPARE(collected.text, QString("three"));
    }

    void producerWaitsForRoom()
    {
        TokenStream stream;
        std::atomic<bool> done { false };
        const auto sink = stream.sink();
        std::thread producer([sink, &done] {
            sink->push(std::string(200 * 1024, 'a'), 1, {});
            done = true;
        });
        QThread::msleep(50); // this thread drains nothing
        QVERIFY(!done);
        QVERIFY(stream.highWaterMark() <= TokenStream::kCapacity);

        Collected collected(stream);
        QTRY_VERIFY(done);
        producer.join();
        QTRY_COMPARE(collected.text.size(), qsizetype { 200 * 1024 });
    }

    void stopFreesTheProducer()
    {
        TokenStream stream;
        std::stop_source stop;
        const auto sink = stream.sink();
        std::thread producer(
            [sink, token = stop.get_token()] { sink->push(std::string(1 << 20, 'a'), 1, token); });
        QThread::msleep(20);
        QElapsedTimer clock;
        clock.start();
        stop.request_stop();
        producer.join();
        QVERIFY(clock.elapsed() < 10'000); // it would wait forever
    }

    void destructionFreesTheProducer()
    {
        auto stream = std::make_unique<TokenStream>();
        const auto sink = stream->sink();
        std::thread producer([sink] {
            sink->push(std::string(1 << 20, 'a'), 1, {});
            sink->push("more", 2, {});
            sink->setPromptProgress(1, 2);
            sink->close();
        });
        QThread::msleep(20);
        stream.reset();
        producer.join();
        QCoreApplication::processEvents();
    }

    void firstTextComesAtOnce()
    {
        // The best of some attempts: a busy machine may keep any single one waiting.
        qint64 least = std::numeric_limits<qint64>::max();
        for (int attempt = 0; attempt < 5 && least >= TokenStream::kUpdateIntervalMs; ++attempt) {
            TokenStream stream;
            Collected collected(stream);
            stream.sink()->setPromptProgress(10, 20);
            QCoreApplication::processEvents(); // handed out: the next progress has to wait its turn
            stream.sink()->setPromptProgress(20, 20);
            QCoreApplication::processEvents();
            stream.sink()->push("first", 1, {});
            QElapsedTimer clock;
            clock.start();
            QTRY_COMPARE_WITH_TIMEOUT(collected.text, QStringLiteral("first"), 5000);
            // QTRY looks at once, then every few milliseconds.
            least = std::min(least, clock.elapsed());
        }
        QVERIFY2(least < TokenStream::kUpdateIntervalMs, qPrintable(QString::number(least)));
    }

    void onlyWholeCharacters()
    {
        const QString text = QStringLiteral("a\u00e9\u65e5\U0001F642z");
        const std::string bytes = text.toStdString();
        TokenStream stream;
        Collected collected(stream);
        std::thread producer([sink = stream.sink(), bytes] {
            std::size_t tokens = 0;
            for (const char byte : bytes) {
                sink->push({ &byte, 1 }, ++tokens, {});
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
            sink->push("\xE6\x97", ++tokens, {}); // never finished
            sink->close();
        });
        QTRY_VERIFY(collected.ended);
        producer.join();
        QCOMPARE(collected.text, text + QChar(QChar::ReplacementCharacter));
    }

    // A piece larger than the room left must not be cut inside a character.
    void longPieceIsCutAtCharacters()
    {
        QString text;
        for (int i = 0; i < 40'000; ++i) {
            text += i % 2 == 0 ? QStringLiteral("\u65e5") : QStringLiteral("\U0001F642");
        }
        TokenStream stream;
        Collected collected(stream);
        std::thread producer([sink = stream.sink(), bytes = text.toStdString()] {
            sink->push("x", 1, {});
            sink->push(bytes, 2, {});
            sink->close();
        });
        QTRY_VERIFY(collected.ended);
        producer.join();
        QVERIFY(collected.text == u'x' + text);
        QVERIFY(collected.textTimes.size() >= 2);
        QVERIFY(stream.highWaterMark() <= TokenStream::kCapacity);
    }

    void progressAndSpeed()
    {
        TokenStream stream;
        StreamUpdate last;
        bool ended = false;
        connect(&stream, &TokenStream::updated, this,
                [&last](const StreamUpdate& update) { last = update; });
        connect(&stream, &TokenStream::ended, this, [&ended] { ended = true; });
        std::thread producer([sink = stream.sink()] {
            sink->setPromptProgress(0, 50);
            sink->setPromptProgress(50, 50);
            for (std::size_t i = 1; i <= 11; ++i) {
                sink->push("t", i, {});
                std::this_thread::sleep_for(std::chrono::milliseconds(10));
            }
            sink->close();
        });
        QTRY_VERIFY(ended);
        producer.join();
        QCOMPARE(last.promptDone, std::size_t { 50 });
        QCOMPARE(last.promptTotal, std::size_t { 50 });
        QCOMPARE(last.tokens, std::size_t { 11 });
        // Ten tokens in at least 100 ms.
        QVERIFY2(last.tokensPerSecond > 1 && last.tokensPerSecond <= 100.5,
                 qPrintable(QString::number(last.tokensPerSecond)));
    }

    void emptyStreamEndsAtOnce()
    {
        TokenStream stream;
        QSignalSpy ended(&stream, &TokenStream::ended);
        stream.sink()->close();
        stream.sink()->close();
        QTRY_COMPARE(ended.size(), 1);
        QTest::qWait(2 * TokenStream::kUpdateIntervalMs);
        QCOMPARE(ended.size(), 1);
    }
};

QTEST_GUILESS_MAIN(TestTokenStream)
#include "tst_token_stream.moc"
