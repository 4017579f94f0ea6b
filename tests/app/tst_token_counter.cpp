// Counting tokens: the newest text of each key counts, with the model that is there.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/token_counter.h"
#include "tests/app/scripted_engine.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

using namespace std::chrono_literals;
using app::InferenceService;
using app::TokenCounter;

namespace {

/// A service on a script; it counts a token a byte.
struct Bench
{
    std::shared_ptr<tests::Script> script = std::make_shared<tests::Script>();
    InferenceService service { tests::makeScriptedEngine(script) };

    bool load(const QString& path = QStringLiteral("/models/a.gguf"))
    {
        QSignalSpy loaded(&service, &InferenceService::loaded);
        service.load(path);
        return loaded.wait(5000);
    }
};

/// What was counted, in order: "key=tokens".
QStringList countsOf(const QSignalSpy& counted)
{
    QStringList all;
    for (const auto& each : counted) {
        all << each[0].toString() + u'=' + QString::number(each[1].toLongLong());
    }
    return all;
}

} // namespace

class TestTokenCounter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void counts()
    {
        Bench bench;
        QVERIFY(bench.load());
        TokenCounter counter(bench.service);
        QSignalSpy counted(&counter, &TokenCounter::counted);
        counter.count("draft", "Grüße");
        QVERIFY(counted.wait());
        counter.count("draft", "");
        QCOMPARE(countsOf(counted), (QStringList { "draft=7", "draft=0" }));
    }

    // A long text is counted in pieces, which add up; what is typed meanwhile doesn't wait for all.
    void longTextsLetShortOnesPass()
    {
        Bench bench;
        bench.script->countTime = 20ms;
        QVERIFY(bench.load());
        TokenCounter counter(bench.service);
        QSignalSpy counted(&counter, &TokenCounter::counted);
        QString text;
        while (text.size() < 5'000'000) {
            text += QStringLiteral("ein Wort, größer; \u65e5\U0001F642");
            text += text.size() % 2 == 0 ? u'\n' : u'x';
        }
        counter.count("file", text);
        counter.count("endless", QString(1'000'000, QChar(0x65e5))); // no place for a good cut
        counter.count("draft", "short");
        QTRY_COMPARE(counted.size(), 3);
        QCOMPARE(countsOf(counted),
                 (QStringList { "draft=5", "endless=3000000",
                                QStringLiteral("file=%1").arg(text.toUtf8().size()) }));
    }

    void withoutModel()
    {
        Bench bench;
        TokenCounter counter(bench.service);
        QSignalSpy counted(&counter, &TokenCounter::counted);
        counter.count("draft", "text");
        counter.count("draft", "");
        QCOMPARE(countsOf(counted), (QStringList { "draft=-1", "draft=-1" }));
    }

    // Typing is faster than counting: what is overtaken is not said, and the GUI thread never
    // waits.
    void newestWins()
    {
        Bench bench;
        QVERIFY(bench.load());
        TokenCounter counter(bench.service);
        QSignalSpy counted(&counter, &TokenCounter::counted);
        const QString huge(4'000'000, u'x');
        QElapsedTimer clock;
        clock.start();
        for (int size = 1; size <= 200; ++size) {
            counter.count("draft", huge + QString(size, u'y'));
        }
        counter.count("draft", "short");
        counter.count("file", "another");
        QVERIFY(clock.elapsed() < 60'000); // copies of the text, no more
        QTRY_COMPARE_WITH_TIMEOUT(counted.size(), 2, 30'000);
        QCOMPARE(countsOf(counted), (QStringList { "draft=5", "file=7" }));
        QTest::qWait(20);
        QCOMPARE(counted.size(), 2);
    }

    // An answer from the thread that is on its way already is overtaken too.
    void overtakenOnTheWay()
    {
        Bench bench;
        QVERIFY(bench.load());
        TokenCounter counter(bench.service);
        QSignalSpy counted(&counter, &TokenCounter::counted);
        counter.count("draft", "old text");
        QThread::msleep(100); // it is counted, and not handed out yet
        counter.count("draft", "");
        QTest::qWait(50);
        QCOMPARE(countsOf(counted), (QStringList { "draft=0" }));
    }

    void whileAnAnswerRuns()
    {
        Bench bench;
        bench.script->pieces.assign(100'000, "word ");
        bench.script->pieceTime = 1ms;
        QVERIFY(bench.load());
        TokenCounter counter(bench.service);
        QSignalSpy counted(&counter, &TokenCounter::counted);
        auto* generation =
            bench.service.ask({ engine::chat::Message { engine::chat::Role::User, "Hi" } });
        QTRY_VERIFY(!generation->text().isEmpty());
        counter.count("draft", "text");
        QTRY_COMPARE(countsOf(counted), (QStringList { "draft=4" }));
        QVERIFY(!generation->isFinished());
    }

    void saysThatTheModelChanged()
    {
        Bench bench;
        TokenCounter counter(bench.service);
        QSignalSpy changed(&counter, &TokenCounter::modelChanged);
        QSignalSpy counted(&counter, &TokenCounter::counted);
        QVERIFY(bench.load());
        QCOMPARE(changed.size(), 1);
        counter.count("draft", "text");
        bench.service.unload(); // what is being counted may be
        QCOMPARE(changed.size(), 2);
        QTRY_COMPARE(countsOf(counted), (QStringList { "draft=4" }));
        counter.count("draft", "text");
        QCOMPARE(countsOf(counted).constLast(), "draft=-1");
        QVERIFY(bench.load("/models/b.gguf"));
        QCOMPARE(changed.size(), 3);
    }

    void endsWhileCounting()
    {
        Bench bench;
        QVERIFY(bench.load());
        int heard = 0;
        for (int round = 0; round < 20; ++round) {
            TokenCounter counter(bench.service);
            connect(&counter, &TokenCounter::counted, this, [&] { ++heard; });
            for (int key = 0; key < 10; ++key) {
                counter.count(QString::number(key), QString(100'000, u'x'));
            }
            QThread::usleep(static_cast<unsigned long>(200 * round));
        }
        QCoreApplication::processEvents();
        QCOMPARE(heard, 0); // nothing is said for one that is gone
    }
};

QTEST_GUILESS_MAIN(TestTokenCounter)
#include "tst_token_counter.moc"
