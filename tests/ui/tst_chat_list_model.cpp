// The list of chats: by day, by words, with the least change told to views.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/chat_bench.h"

#include <QAbstractItemModelTester>

namespace {

struct Bench : tests::ChatBench
{
    QAbstractItemModelTester tester { &chats,
                                      QAbstractItemModelTester::FailureReportingMode::Fatal };

    /// Three chats with one answer each: the newest question last.
    bool fill()
    {
        script->pieces = { "No", " title" };
        for (const char* question : { "The sea", "The hill", "The seaside" }) {
            chat.startAnew();
            QTest::qWait(2); // a time of its own, by which they are ordered
            if (!answer(question)) {
                return false;
            }
        }
        return QTest::qWaitFor([this] { return chats.count() == 3; }, 5000);
    }
    QString title(int row) const
    {
        return chats.data(chats.index(row), ChatListModel::TitleRole).toString();
    }
    QStringList titles() const
    {
        QStringList all;
        for (int row = 0; row < chats.count(); ++row) {
            all << title(row);
        }
        return all;
    }
};

} // namespace

class TestChatListModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void newestFirst()
    {
        Bench bench;
        QVERIFY(bench.loadModel());
        QVERIFY(bench.fill());
        QCOMPARE(bench.chats.currentRow(), 0);
        QCOMPARE(bench.chats.data(bench.chats.index(0), ChatListModel::SectionRole).toString(),
                 QString("Today"));
        QVERIFY(bench.chats.data(bench.chats.index(0), ChatListModel::CurrentRole).toBool());
        const QString oldest = bench.title(2);
        bench.chats.open(2);
        QTRY_COMPARE(bench.chats.currentRow(), 2);
        QVERIFY(bench.answer("And more"));
        QTRY_COMPARE(bench.chats.currentRow(), 0);
        QCOMPARE(bench.title(0), oldest);
    }

    // A chat that moves up leaves the rows of the others where they are.
    void tellsTheLeastChange()
    {
        Bench bench;
        QVERIFY(bench.loadModel());
        QVERIFY(bench.fill());
        QSignalSpy reset(&bench.chats, &QAbstractItemModel::modelReset);
        QSignalSpy removed(&bench.chats, &QAbstractItemModel::rowsRemoved);
        QSignalSpy counted(&bench.chats, &ChatListModel::countChanged);
        bench.chats.rename(2, "Renamed");
        QTRY_COMPARE(bench.title(2), QString("Renamed"));
        QCOMPARE(removed.size(), 0);
        bench.chats.remove(1);
        QTRY_COMPARE(bench.chats.count(), 2);
        QCOMPARE(removed.size(), 1);
        QCOMPARE(removed.first().at(1).toInt(), 1);
        QCOMPARE(removed.first().at(2).toInt(), 1);
        QCOMPARE(counted.size(), 1);
        QCOMPARE(reset.size(), 0);
    }

    void deletesAndTakesBack()
    {
        Bench bench;
        QVERIFY(bench.loadModel());
        QVERIFY(bench.fill());
        const QStringList before = bench.titles();
        bench.chats.remove(1);
        QVERIFY2(bench.chats.undoText().contains(before.at(1)), qPrintable(bench.chats.undoText()));
        QTRY_COMPARE(bench.chats.count(), 2);
        bench.chats.undoRemove();
        QVERIFY(bench.chats.undoText().isEmpty());
        QTRY_COMPARE(bench.titles(), before);
        bench.chats.remove(0);
        bench.chats.dismissUndo();
        QVERIFY(bench.chats.undoText().isEmpty());
        QTRY_COMPARE(bench.chats.count(), 2);
    }

    void findsTitlesAndMessages()
    {
        Bench bench;
        QVERIFY(bench.loadModel());
        QVERIFY(bench.fill());
        bench.chats.rename(0, "Alpha");
        bench.chats.rename(1, "Beta");
        bench.chats.rename(2, "Gamma");
        QTRY_COMPARE(bench.titles(), QStringList({ "Alpha", "Beta", "Gamma" }));
        bench.chats.setQuery("  gAMma ");
        QCOMPARE(bench.chats.query(), QString("gAMma"));
        QCOMPARE(bench.titles(), QStringList { "Gamma" }); // at once
        QCOMPARE(bench.chats.data(bench.chats.index(0), ChatListModel::SectionRole).toString(),
                 QString());
        bench.chats.setQuery("hill"); // stands in a message only
        QTRY_COMPARE(bench.titles(), QStringList { "Beta" });
        QVERIFY(bench.chats.data(bench.chats.index(0), ChatListModel::ExcerptRole)
                    .toString()
                    .contains("hill"));
        bench.chats.setQuery("nowhere");
        QTRY_COMPARE(bench.chats.count(), 0);
        QCOMPARE(bench.chats.currentRow(), -1);
        bench.chats.setQuery({});
        QCOMPARE(bench.chats.count(), 3);
    }

    void rowsThatAreNotThere()
    {
        Bench bench;
        bench.chats.open(0);
        bench.chats.rename(-1, "x");
        bench.chats.remove(5);
        QCOMPARE(bench.chats.count(), 0);
        QVERIFY(bench.chats.undoText().isEmpty());
    }
};

QTEST_MAIN(TestChatListModel)
#include "tst_chat_list_model.moc"
