// What is unwritten: the newest version counts, and what is read is seen with it.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_writes.h"
#include "chat_samples.h"

#include <QTest>

using app::ChatRecord;
using app::ChatSummary;
using app::ChatWrites;
using app::MessageRecord;
using tests::sampleChat;
using tests::sampleMessage;

namespace {

QList<qint64> idsOf(const QList<MessageRecord>& messages)
{
    QList<qint64> ids;
    for (const MessageRecord& message : messages) {
        ids << message.id;
    }
    return ids;
}

} // namespace

class TestChatWrites : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void newestVersionWins()
    {
        ChatWrites writes;
        QVERIFY(writes.isEmpty());
        writes.saveMessage(sampleMessage(1, 2, 0, "a"));
        writes.saveMessage(sampleMessage(1, 2, 0, "ab"));
        QCOMPARE(writes.messages().size(), 1);
        QCOMPARE(writes.messages().constFirst().text, "ab");

        ChatWrites newer;
        newer.saveMessage(sampleMessage(1, 2, 0, "abc"));
        newer.setMessageDeleted(4, true);
        writes.setMessageDeleted(4, false);
        writes.add(newer);
        QCOMPARE(writes.messages().constFirst().text, "abc");
        QVERIFY(writes.messagesDeleted().value(4));
    }

    void marksAndRecordsInTheirOrder()
    {
        ChatWrites writes;
        writes.setChatDeleted(1, true);
        writes.saveChat(sampleChat(1, "back")); // saved after it was deleted: it is there again
        QVERIFY(writes.chatsDeleted().isEmpty());
        QVERIFY(!writes.chats().value(1).deleted);
        writes.setChatDeleted(1, true);
        writes.setChatTitle(1, "renamed");
        QVERIFY(writes.chats().value(1).deleted);
        QCOMPARE(writes.chats().value(1).title, "renamed");
        QCOMPARE(writes.chats().value(1).titleOrigin, ChatRecord::TitleOrigin::Person);
        writes.setMessageDeleted(5, true);
        writes.saveMessage(sampleMessage(1, 5, 0, "x"));
        QVERIFY(writes.messagesDeleted().isEmpty());
        writes.setMessageDeleted(5, true);
        QVERIFY(writes.messages().constFirst().deleted);
    }

    void overWhatWasRead()
    {
        ChatWrites writes;
        writes.setChatTitle(1, "new");
        writes.saveMessage(sampleMessage(1, 12, 11, "longer"));
        writes.saveMessage(sampleMessage(1, 13, 12, "added"));
        writes.saveMessage(sampleMessage(2, 21, 0, "elsewhere"));
        writes.setMessageDeleted(11, true);
        ChatRecord chat = sampleChat(1, "old");
        QList messages { sampleMessage(1, 11, 0, "q"), sampleMessage(1, 12, 11, "long") };
        writes.applyTo(chat, messages);
        QCOMPARE(chat.title, "new");
        QCOMPARE(idsOf(messages), (QList<qint64> { 11, 12, 13 }));
        QVERIFY(messages[0].deleted);
        QCOMPARE(messages[1].text, "longer");

        writes.saveChat(sampleChat(3, "third", 5000));
        writes.setChatDeleted(2, true);
        QList<ChatSummary> list { { 1, "old", 900 }, { 2, "gone", 800 } };
        writes.applyTo(list);
        QCOMPARE(list, (QList<ChatSummary> { { 3, "third", 5000 }, { 1, "new", 900 } }));
    }

    void childrenMoveUp()
    {
        ChatRecord chat = sampleChat(1, "t");
        chat.leaf = 4;
        chat.firstSeen = 2;
        QList messages { sampleMessage(1, 1, 0, "a"), sampleMessage(1, 2, 1, "b"),
                         sampleMessage(1, 3, 2, "c"), sampleMessage(1, 4, 3, "d"),
                         sampleMessage(1, 6, 4, "e"), sampleMessage(1, 8, 77, "orphan") };
        messages[1].deleted = messages[2].deleted = true;
        app::leaveOutDeleted(chat, messages);
        QCOMPARE(idsOf(messages), (QList<qint64> { 1, 4, 6, 8 }));
        QCOMPARE(messages[1].parent, 1);
        QCOMPARE(messages[2].parent, 4);
        QCOMPARE(messages[3].parent, 0);
        QCOMPARE(chat.leaf, 4);
        QCOMPARE(chat.firstSeen, 1);
    }

    void circlesAreBroken()
    {
        ChatRecord chat = sampleChat(1, "t");
        chat.leaf = 99;
        QList messages { sampleMessage(1, 1, 3, "a"), sampleMessage(1, 2, 1, "b"),
                         sampleMessage(1, 3, 2, "c"), sampleMessage(1, 5, 5, "itself"),
                         sampleMessage(1, 7, 8, "d"), sampleMessage(1, 8, 7, "e"),
                         sampleMessage(1, 9, 8, "f") };
        messages[4].deleted = messages[5].deleted = true;
        app::leaveOutDeleted(chat, messages);
        QCOMPARE(chat.leaf, 0);
        QHash<qint64, qint64> parents;
        for (const MessageRecord& message : messages) {
            parents.insert(message.id, message.parent);
        }
        for (qint64 id : parents.keys()) {
            int steps = 0;
            while (id != 0 && ++steps < 10) {
                id = parents.value(id);
            }
            QVERIFY(steps < 10);
        }
        QCOMPARE(parents.value(9), 0);
    }

    void titles()
    {
        ChatRecord chat = sampleChat(1, {});
        chat.draft.text = "  what is \tthis\nand " + QString(1000, u'x');
        QCOMPARE(app::summaryOf(chat), (ChatSummary { 1, "what is this", 1000 }));
        QCOMPARE(app::titleFor("said", "draft"), "said");
    }
};

QTEST_GUILESS_MAIN(TestChatWrites)
#include "tst_chat_writes.moc"
