// The rows of what a model thought: folded, opened, growing, apart from the answer's.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/chat_bench.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QGuiApplication>

using namespace std::chrono_literals;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

struct Bench : tests::ChatBench
{
    Bench()
    {
        script->marks.emplace().certain = true;
        script->pieces = { "<think>\n", "Hm, why?", "</think>\n\n", "So *it* is." };
        script->facts.contextLength = 1'000'000;
    }
    const ConversationModel& rows() { return *chat.conversation(); }
    QString at(int row, int role) { return rows().data(rows().index(row), role).toString(); }
    QStringList kinds()
    {
        QStringList all;
        for (int row = 0; row < rows().rowCount(); ++row) {
            all << at(row, ConversationModel::KindRole);
        }
        return all;
    }
    QString said(int row) { return at(row, ConversationModel::ThoughtRole); }
    bool folded(int row)
    {
        return rows().data(rows().index(row), ConversationModel::FoldedRole).toBool();
    }
    /// An answer that goes on thinking until it is stopped.
    bool think()
    {
        script->pieces.assign(100'000, "hm hm hm ");
        script->pieces[0] = "<think>";
        script->pieceTime = 1ms;
        chat.ask("Hi");
        return QTest::qWaitFor([this] { return kinds().contains("thinking"); });
    }
};

} // namespace

class TestConversationThoughts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void foldedOverTheAnswer()
    {
        Bench bench;
        QVERIFY(bench.loadModel());
        const QAbstractItemModelTester tester(bench.chat.conversation(), kFatal);
        QVERIFY(bench.answer("Hi"));
        QCOMPARE(bench.kinds(), (QStringList { "question", "thinking", "paragraph", "footer" }));
        QCOMPARE(bench.said(1), QString("Thought for 1 s"));
        QVERIFY(bench.folded(1));
        bench.chat.conversation()->toggleFold(1);
        QCOMPARE(bench.kinds(),
                 (QStringList { "question", "thinking", "thought", "paragraph", "footer" }));
        QVERIFY(!bench.folded(1));
        QCOMPARE(bench.said(2), QString("Hm, why?"));
        QVERIFY(bench.at(3, ConversationModel::GapRole).toInt() > 0);
        bench.chat.conversation()->toggleFold(1);
        QCOMPARE(bench.kinds(), (QStringList { "question", "thinking", "paragraph", "footer" }));
    }

    // Copying, finding and selecting see the answer alone.
    void apartFromTheAnswer()
    {
        Bench bench;
        QVERIFY(bench.loadModel());
        QVERIFY(bench.answer("Hi"));
        bench.chat.conversation()->toggleFold(1);
        const auto& rows = bench.rows();
        QCOMPARE(rows.plainText(rows.start(), rows.end()), QString("Hi\n\nSo it is."));
        QCOMPARE(rows.rowOf({ 1, 0, 0 }), 3);
        QCOMPARE(rows.place(2).message, -1);
        bench.chat.copyMessage(1);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("So *it* is."));
        bench.chat.copyReasoning(1);
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("Hm, why?"));
    }

    void growsWhileItThinks()
    {
        Bench bench;
        QVERIFY(bench.loadModel());
        const QAbstractItemModelTester tester(bench.chat.conversation(), kFatal);
        QVERIFY(bench.think());
        QCOMPARE(bench.kinds(), (QStringList { "question", "thinking", "footer" }));
        QCOMPARE(bench.said(1), QString("Thinking…"));
        bench.chat.conversation()->toggleFold(1);
        const qsizetype before = bench.said(2).size();
        QSignalSpy changes(bench.chat.conversation(), &QAbstractItemModel::dataChanged);
        QTRY_VERIFY(bench.said(2).size() > before);
        QVERIFY(!changes.isEmpty());
        QTRY_VERIFY_WITH_TIMEOUT(bench.said(1).startsWith("Thinking… 1"), 10'000);
        // Told by the clock too, for models that write a word in seconds.
        QTRY_VERIFY_WITH_TIMEOUT(std::any_of(changes.begin(), changes.end(),
                                             [](const QList<QVariant>& change) {
                                                 return change[0].toModelIndex().row() == 1
                                                     && change[1].toModelIndex().row() == 1;
                                             }),
                                 10'000);
        bench.chat.stop();
        QTRY_VERIFY(bench.chat.isIdle());
        QVERIFY(bench.said(1).startsWith("Stopped while still thinking, after "));
        QVERIFY(!bench.folded(1)); // as it was left
        QVERIFY(!bench.rows()
                     .data(bench.rows().index(bench.rows().rowCount() - 1),
                           ConversationModel::StreamingRole)
                     .toBool());
    }

    // Rows that grew are those of a chat that is opened.
    void growsAsTheWholeWouldBe_data()
    {
        QTest::addColumn<int>("size");
        for (const int size : { 1, 5, 40, 4'000 }) {
            QTest::addRow("pieces of %d", size) << size;
        }
    }
    void growsAsTheWholeWouldBe()
    {
        QFETCH(int, size);
        Bench bench;
        const std::string text = "<think>" + std::string(1'700, 'x') + " "
            + QString("words and more\n").repeated(300).toStdString() + "</think>So.";
        bench.script->pieces.clear();
        for (std::size_t at = 0; at < text.size(); at += static_cast<std::size_t>(size)) {
            bench.script->pieces.push_back(text.substr(at, static_cast<std::size_t>(size)));
        }
        bench.script->pieceTime = std::chrono::microseconds(20 * size);
        QVERIFY(bench.loadModel());
        const QAbstractItemModelTester tester(bench.chat.conversation(), kFatal);
        bench.chat.ask("Hi");
        QTRY_VERIFY(bench.kinds().contains("thinking"));
        bench.chat.conversation()->toggleFold(1);
        QTRY_VERIFY(bench.chat.isIdle());
        const auto contents = [](const ConversationModel& rows) {
            QStringList all;
            for (int row = 0; row < rows.rowCount(); ++row) {
                for (const int role : { int(ConversationModel::KindRole), int(Qt::DisplayRole),
                                        int(ConversationModel::GapRole) }) {
                    all << rows.data(rows.index(row), role).toString();
                }
            }
            return all;
        };
        ConversationModel fresh;
        fresh.setChat(&bench.book.current());
        fresh.toggleFold(1);
        QCOMPARE(contents(bench.rows()), contents(fresh));
        QVERIFY(bench.kinds().count("thought") >= 3);
        for (int row = 2; bench.at(row, ConversationModel::KindRole) == "thought"; ++row) {
            QVERIFY(bench.said(row).size() < 1'700);
        }
    }

    void answerTurnsOutToBeReasoning()
    {
        Bench bench;
        bench.script->pieces = { "Hm, *so*?", "\n</think>", "\n\n", "So." };
        bench.script->pieceTime = 40ms;
        QVERIFY(bench.loadModel());
        const QAbstractItemModelTester tester(bench.chat.conversation(), kFatal);
        bench.chat.ask("Hi");
        QTRY_VERIFY(bench.kinds().contains("paragraph"));
        QTRY_VERIFY(bench.chat.isIdle());
        QCOMPARE(bench.kinds(), (QStringList { "question", "thinking", "paragraph", "footer" }));
        QCOMPARE(bench.at(2, Qt::DisplayRole), QString("So."));
        bench.chat.conversation()->toggleFold(1);
        QCOMPARE(bench.said(2).trimmed(), QString("Hm, *so*?"));
    }

    void anotherChatMeanwhile()
    {
        Bench bench;
        QVERIFY(bench.loadModel());
        QVERIFY(bench.think());
        bench.chat.startAnew();
        QCOMPARE(bench.rows().rowCount(), 0);
        QTRY_COMPARE(bench.chats.count(), 1);
        bench.chats.open(0);
        QTRY_VERIFY(bench.rows().rowCount() >= 3);
        QVERIFY(bench.said(1).startsWith("Thinking…"));
        bench.chat.stop();
        QTRY_VERIFY(bench.chat.isIdle());
    }
};

QTEST_MAIN(TestConversationThoughts)
#include "tst_conversation_thoughts.moc"
