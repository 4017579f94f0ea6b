// A chat as rows: streaming, branches, folding, selecting, finding; item models keep their promises
// to views. SPDX-License-Identifier: Apache-2.0
#include "tests/ui/chat_bench.h"
#include "ui/chat/conversation_finder.h"
#include "ui/chat/text_selection.h"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>

using namespace std::chrono_literals;
using tests::ChatBench;

namespace {

constexpr auto kFatal = QAbstractItemModelTester::FailureReportingMode::Fatal;

const QString kAnswer =
    QStringLiteral("# Title\n\nSome *words* and a [link](https://example.org).\n\n"
                   "- one\n- two\n  - deeper\n\n> quoted\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
                   "```cpp\nint main()\n{\n}\n```\n\n---\n\nThe end.\n");

QStringList kinds(const ConversationModel& rows)
{
    QStringList all;
    for (int row = 0; row < rows.rowCount(); ++row) {
        all << rows.data(rows.index(row), ConversationModel::KindRole).toString();
    }
    return all;
}

/// What views show, to be compared between a model that grew and a fresh one.
QStringList contents(const ConversationModel& rows)
{
    QStringList all;
    for (int row = 0; row < rows.rowCount(); ++row) {
        QString line;
        for (const int role :
             { int(ConversationModel::KindRole), int(Qt::DisplayRole),
               int(ConversationModel::GapRole), int(ConversationModel::BarsRole),
               int(ConversationModel::MarkerRole), int(ConversationModel::LanguageRole),
               int(ConversationModel::FirstRole), int(ConversationModel::LastRole),
               int(ConversationModel::LinesRole) }) {
            line += rows.data(rows.index(row), role).toString() + u'|';
        }
        all << line;
    }
    return all;
}

} // namespace

class TestConversationModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsTheBlocksOfAnAnswer()
    {
        ChatBench bench;
        bench.script->pieces = { kAnswer.toStdString() };
        QVERIFY(bench.loadModel());
        QVERIFY(bench.answer("Question"));
        QCOMPARE(kinds(*bench.chat.conversation()),
                 (QStringList { "question", "heading", "paragraph", "paragraph", "paragraph",
                                "paragraph", "paragraph", "table", "code", "rule", "paragraph",
                                "footer" }));
    }

    // Rows that grew piece by piece are those of the whole, and views are told of every change.
    void growsAsTheWholeWouldBe_data()
    {
        QTest::addColumn<int>("size");
        for (const int size : { 1, 2, 3, 7, 40 }) {
            QTest::addRow("pieces of %d", size) << size;
        }
    }

    void growsAsTheWholeWouldBe()
    {
        QFETCH(int, size);
        ChatBench bench;
        const std::string text =
            (kAnswer + "Setext\n===\n\n" + QString("long words ").repeated(900)).toStdString();
        bench.script->pieces.clear();
        for (std::size_t at = 0; at < text.size(); at += static_cast<std::size_t>(size)) {
            bench.script->pieces.push_back(text.substr(at, static_cast<std::size_t>(size)));
        }
        bench.script->pieceTime = std::chrono::microseconds(400 * size / 3);
        bench.script->facts.contextLength = 1'000'000;
        QVERIFY(bench.loadModel());
        const QAbstractItemModelTester tester(bench.chat.conversation(), kFatal);
        const QAbstractItemModelTester listTester(&bench.chats, kFatal);
        QVERIFY(bench.answer("Question"));
        ConversationModel fresh;
        fresh.setChat(&bench.book.current());
        QCOMPARE(contents(*bench.chat.conversation()), contents(fresh));
    }

    void survivesBranchesAndDeletions()
    {
        ChatBench bench;
        bench.script->pieces = { kAnswer.toStdString() };
        QVERIFY(bench.loadModel());
        const QAbstractItemModelTester tester(bench.chat.conversation(), kFatal);
        const QAbstractItemModelTester listTester(&bench.chats, kFatal);
        const QAbstractItemModelTester steeringTester(&bench.steering, kFatal);
        QVERIFY(bench.answer("One"));
        QVERIFY(bench.answer("Two"));
        bench.chat.regenerate(1);
        QTRY_VERIFY(bench.chat.isIdle());
        bench.chat.showAlternative(1, -1);
        QCOMPARE(bench.count(), 4);
        bench.chat.remove(2);
        bench.chat.undo();
        QCOMPARE(bench.count(), 4);
        bench.chat.remove(0);
        bench.chat.startAnew();
        QVERIFY(bench.answer("Three"));
        QCOMPARE(bench.chats.count(), 2);
        bench.chats.open(1);
        QTRY_COMPARE(bench.chat.conversation()->messageText(0), QString("Two"));
        bench.chats.remove(1);
        QCOMPARE(bench.chats.count(), 1);
        QTRY_COMPARE(bench.chat.conversation()->messageText(0), QString("Three"));
        bench.chats.undoRemove();
        QCOMPARE(bench.chats.count(), 2);
        QTRY_COMPARE(bench.chat.conversation()->messageText(0), QString("Two"));
        bench.steering.set(0, 0.25);
        bench.steering.resetAll();
    }

    void foldsLongCode()
    {
        ChatBench bench;
        bench.script->pieces = { "```python\n" + std::string(200 * 6, ' ') + "```\n" };
        std::string code = "```python\n";
        for (int line = 0; line < 200; ++line) {
            code += "x = " + std::to_string(line) + "\n";
        }
        bench.script->pieces = { code + "```\n" };
        QVERIFY(bench.loadModel());
        QVERIFY(bench.answer("Question"));
        ConversationModel& rows = *bench.chat.conversation();
        const QAbstractItemModelTester tester(&rows, kFatal);
        QCOMPARE(rows.data(rows.index(1), ConversationModel::LinesRole).toInt(), 200);
        QVERIFY(rows.data(rows.index(1), ConversationModel::FoldableRole).toBool());
        QVERIFY(rows.codeText(1).startsWith("x = 0\nx = 1\n"));
        QVERIFY(rows.codeText(1).endsWith("x = 199"));
        QCOMPARE(rows.codeText(1).count('\n'), 199);
        const int before = rows.rowCount();
        QVERIFY(before > 4);
        rows.toggleFold(2);
        QCOMPARE(rows.rowCount(), 3);
        rows.toggleFold(1);
        QCOMPARE(rows.rowCount(), before);
    }

    void selectsAcrossRows()
    {
        ChatBench bench;
        bench.script->pieces = { "First *part* here.\n\nSecond `code` here.\n" };
        QVERIFY(bench.loadModel());
        QVERIFY(bench.answer("Asked"));
        TextSelection selection;
        selection.setConversation(bench.chat.conversation());
        QVERIFY(selection.isEmpty());
        selection.begin(1, 6);
        selection.extend(2, 11);
        QCOMPARE(selection.plainText(), QString("part here.\n\nSecond code"));
        QCOMPARE(selection.markdown(), QString("_part_ here.\n\nSecond `code`"));
        QCOMPARE(selection.firstIn(1), 6);
        QCOMPARE(selection.lastIn(2), 11);
        QCOMPARE(selection.firstIn(0), selection.lastIn(0));
        // Backwards is the same.
        selection.begin(2, 11);
        selection.extend(1, 6);
        QCOMPARE(selection.plainText(), QString("part here.\n\nSecond code"));
        selection.selectWord(1, 8);
        QCOMPARE(selection.plainText(), QString("part"));
        selection.selectAll();
        QCOMPARE(selection.plainText(), QString("Asked\n\nFirst part here.\n\nSecond code here."));
        bench.chat.remove(0);
        QVERIFY(selection.isEmpty());
    }

    void finds()
    {
        ChatBench bench;
        bench.script->pieces = { "One word.\n\nAnother WORD, and a word.\n" };
        QVERIFY(bench.loadModel());
        QVERIFY(bench.answer("A word?"));
        TextSelection selection;
        selection.setConversation(bench.chat.conversation());
        ConversationFinder finder;
        finder.setProperty("selection", QVariant::fromValue(&selection));
        finder.setText("word");
        QCOMPARE(finder.count(), 4);
        QCOMPARE(finder.go(1), 0);
        QCOMPARE(finder.current(), 1);
        QCOMPARE(finder.go(1), 1);
        QCOMPARE(finder.go(1), 2);
        QCOMPARE(selection.plainText(), QString("WORD"));
        QCOMPARE(finder.go(1), 2);
        QCOMPARE(finder.go(1), 0); // around the end
        QCOMPARE(finder.go(-1), 2);
        finder.setText("nowhere");
        QCOMPARE(finder.go(1), -1);
    }

    // A restart brings everything back: texts, branch, title, draft.
    void comesBackAfterARestart()
    {
        QTemporaryDir directory;
        QString title;
        {
            ChatBench bench;
            app::ChatStore store(directory.path());
            app::ChatBook book(bench.service, store);
            ChatViewModel chat(bench.service, book, bench.counter);
            QVERIFY(bench.loadModel());
            chat.ask("What is mmap?");
            QTRY_VERIFY(chat.isIdle());
            chat.draft()->setText("half a thou");
            title = chat.title();
            QVERIFY(store.flush());
        }
        ChatBench bench;
        app::ChatStore store(directory.path());
        app::ChatBook book(bench.service, store);
        ChatViewModel chat(bench.service, book, bench.counter);
        QTRY_COMPARE(book.chats().size(), 1);
        book.open(book.chats().constFirst().id);
        QTRY_COMPARE(chat.conversation()->messageCount(), 2);
        QCOMPARE(chat.conversation()->messageText(0), QString("What is mmap?"));
        QCOMPARE(chat.conversation()->messageText(1), QString("Hello, world."));
        QCOMPARE(chat.draft()->text(), QString("half a thou"));
        QCOMPARE(chat.title(), title);
    }

    // Many updates of a long answer are no more than 30 a second.
    void updatesAtThePaceOfTheStream()
    {
        ChatBench bench;
        bench.script->facts.contextLength = 10'000'000;
        bench.script->pieces.assign(200'000, "word ");
        QVERIFY(bench.loadModel());
        int updates = 0;
        connect(bench.chat.conversation(), &QAbstractItemModel::dataChanged, this,
                [&updates] { ++updates; });
        QElapsedTimer took;
        took.start();
        QSignalSpy answered(&bench.chat, &ChatViewModel::answered);
        bench.chat.ask("Go on");
        QVERIFY(answered.count() > 0 || answered.wait(60'000));
        // One for the start and one for the end besides.
        const double allowed = 3 + static_cast<double>(took.elapsed()) / 1000 * 31;
        QVERIFY2(updates <= allowed,
                 qPrintable(QString("%1 in %2 ms").arg(updates).arg(took.elapsed())));
        QCOMPARE(bench.lastAnswer().size(), 1'000'000);
    }
};

QTEST_MAIN(TestConversationModel)
#include "tst_conversation_model.moc"
