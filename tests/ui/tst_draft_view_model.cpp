// What is written and not sent: text, attachments, tokens, what a change tells.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/chat_bench.h"

#include <QFile>
#include <QUrl>

class TestDraftViewModel : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsOnlyWhatChanged()
    {
        tests::ChatBench bench;
        DraftViewModel& draft = *bench.chat.draft();
        QVERIFY(draft.isEmpty());
        QSignalSpy text(&draft, &DraftViewModel::textChanged);
        QSignalSpy attachments(&draft, &DraftViewModel::attachmentsChanged);
        QSignalSpy empty(&draft, &DraftViewModel::emptyChanged);
        draft.setText("  \n ");
        QCOMPARE(text.size(), 1);
        QVERIFY(draft.isEmpty()); // blanks are nothing to ask
        QCOMPARE(empty.size(), 0);
        draft.setText("Hi");
        draft.setText("Hi");
        QCOMPARE(text.size(), 2);
        QCOMPARE(empty.size(), 1);
        QCOMPARE(attachments.size(), 0);
        draft.attachText("a.txt", "some");
        QCOMPARE(attachments.size(), 1);
        QCOMPARE(text.size(), 2);
        draft.setText({});
        QVERIFY(!draft.isEmpty());
        draft.removeAttachment(7);
        draft.removeAttachment(-1);
        QCOMPARE(draft.attachments().size(), 1);
        draft.removeAttachment(0);
        QVERIFY(draft.isEmpty());
        QCOMPARE(empty.size(), 2);
    }

    void readsFiles()
    {
        tests::ChatBench bench;
        DraftViewModel& draft = *bench.chat.draft();
        QFile file(bench.directory.filePath("notes.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("Grüße");
        file.close();
        draft.attachFiles({ QUrl::fromLocalFile(file.fileName()) });
        QTRY_COMPARE(draft.attachments().size(), 1);
        QVERIFY2(draft.attachments().constFirst().contains("notes.txt"),
                 qPrintable(draft.attachments().constFirst()));
        QVERIFY(!draft.notice().isShown());

        draft.attachFiles({ QUrl::fromLocalFile("/no/such/file.txt") });
        QTRY_VERIFY(draft.notice().isShown());
        QCOMPARE(draft.attachments().size(), 1);
        draft.dismissNotice();
        QVERIFY(!draft.notice().isShown());
    }

    // Counts that come late are not taken for another attachment's.
    void countsWhatIsThere()
    {
        tests::ChatBench bench;
        DraftViewModel& draft = *bench.chat.draft();
        draft.attachText("a", QString(10, 'a'));
        draft.attachText("b", QString(200, 'b'));
        draft.attachText("c", QString(3000, 'c'));
        QCOMPARE(draft.tokens(), -1); // no model counts yet
        QVERIFY(bench.loadModel());
        draft.removeAttachment(1);
        QTRY_COMPARE(draft.tokens(), 3010);
        draft.setText("four");
        QTRY_COMPARE(draft.tokens(), 3014);
        QTest::qWait(50);
        QCOMPARE(draft.tokens(), 3014);
    }

    void belongsToItsChat()
    {
        tests::ChatBench bench;
        DraftViewModel& draft = *bench.chat.draft();
        QVERIFY(bench.loadModel());
        QVERIFY(bench.answer("Hi"));
        draft.setText("for the first");
        draft.attachText("a", "text");
        QSignalSpy text(&draft, &DraftViewModel::textChanged);
        bench.chat.startAnew();
        QVERIFY(text.size() >= 1);
        QVERIFY(draft.isEmpty());
        QTRY_COMPARE(draft.tokens(), 0);
        QTRY_COMPARE(bench.chats.count(), 1);
        bench.chats.open(0);
        QTRY_COMPARE(draft.text(), QString("for the first"));
        QCOMPARE(draft.attachments().size(), 1);
        QTRY_COMPARE(draft.tokens(), 17);
    }
};

QTEST_MAIN(TestDraftViewModel)
#include "tst_draft_view_model.moc"
