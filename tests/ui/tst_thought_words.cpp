// What is said of reasoning: while it goes on, afterwards, cut short; without a time.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/thought_words.h"

#include <QTest>

class TestThoughtWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void says_data()
    {
        QTest::addColumn<int>("state");
        QTest::addColumn<double>("ms");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, ThoughtState state, double ms, const char* said) {
            QTest::newRow(name) << int(state) << ms << QString(said);
        };
        row("begins", ThoughtState::Going, 0, "Thinking…");
        row("not a second yet", ThoughtState::Going, 999, "Thinking…");
        row("seconds", ThoughtState::Going, 12'900, "Thinking… 12 s");
        row("minutes", ThoughtState::Going, 125'000, "Thinking… 2 min 5 s");
        row("done", ThoughtState::Done, 12'400, "Thought for 12 s");
        row("done at once", ThoughtState::Done, 3, "Thought for 1 s");
        row("done after a minute", ThoughtState::Done, 59'600, "Thought for 1 min 0 s");
        row("nobody knows how long", ThoughtState::Done, 0, "Thought before answering");
        row("cut short", ThoughtState::CutShort, 4'000, "Stopped while still thinking, after 4 s");
        row("cut short, nobody knows", ThoughtState::CutShort, 0, "Stopped while still thinking");
    }
    void says()
    {
        QFETCH(int, state);
        QFETCH(double, ms);
        QFETCH(QString, said);
        QCOMPARE(thoughtText(static_cast<ThoughtState>(state), ms), said);
    }
};

QTEST_APPLESS_MAIN(TestThoughtWords)
#include "tst_thought_words.moc"
