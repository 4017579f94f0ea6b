// The database of chats: what is written comes back, searching, purging, and a start that stays
// quick. SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_database.h"
#include "app/services/chat_schema.h"
#include "app/services/chat_schema_text.h"
#include "app/services/chat_search.h"
#include "chat_samples.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

using app::ChatDatabase;
using app::ChatHit;
using app::ChatRecord;
using app::ChatSummary;
using app::ChatWrites;
using app::MessageRecord;
using app::StoredChat;
using tests::OtherConnection;
using tests::sampleChat;
using tests::sampleMessage;

namespace {

bool never()
{
    return false;
}

QList<qint64> messagesOf(const QList<ChatHit>& hits)
{
    QList<qint64> ids;
    for (const ChatHit& hit : hits) {
        ids << hit.message;
    }
    return ids;
}

QString reasonOf(const app::ChatResult<void>& result)
{
    return result ? QString() : result.error().reason;
}

} // namespace

class TestChatDatabase : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_path = m_directory->filePath("deep/er/chats.db");
    }

    void filesAreForThisPersonAlone()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        QVERIFY(database.isOpen() && database.isWritable() && database.isInPlace());
        const auto owner =
            QFile::ReadOwner | QFile::WriteOwner | QFile::ReadUser | QFile::WriteUser;
        QCOMPARE(QFile::permissions(m_path), owner);
        QVERIFY(QFile::exists(m_path + "-wal"));
        QCOMPARE(QFile::permissions(m_path + "-wal"), owner);
        for (const char* folder : { "deep", "deep/er" }) {
            QCOMPARE(QFile::permissions(m_directory->filePath(folder)),
                     owner | QFile::ExeOwner | QFile::ExeUser);
        }
        OtherConnection other(m_path);
        QCOMPARE(other.run("PRAGMA journal_mode").toString(), "wal");
        QCOMPARE(other.run("PRAGMA application_id").toUInt(), app::kChatApplicationId);
        QCOMPARE(other.run("PRAGMA user_version").toInt(), app::kChatSchemaVersion);
    }

    void everythingComesBack()
    {
        ChatRecord chat = sampleChat(7, "Ünï 🦜");
        chat.titleOrigin = ChatRecord::TitleOrigin::Model;
        chat.modelPath = "/m/a b.gguf";
        chat.systemPrompt = "Be\nbrief.";
        chat.sampler = { { "temperature", 0.5 }, { "topK", 40 } };
        chat.plainPrompt = true;
        chat.thinking = false;
        chat.leaf = 12;
        chat.firstSeen = 11;
        chat.draft = { "next", { { "a.txt", QString(u'x'), 5 }, { "b.txt", "", -1 } } };
        MessageRecord question = sampleMessage(7, 11, 0, QString());
        question.text = QString::fromUtf8("what?\0still", 11);
        question.attachments = { { "notes.md", "# N\n", 3 }, { QString(), "pasted", -1 } };
        MessageRecord answer = sampleMessage(7, 12, 11, "**this** \u202bשלום");
        answer.outcome->finish = app::Outcome::Finish::Length;
        answer.outcome->tokens = 42;
        answer.reasoning = "why, indeed\n\n<b>";
        {
            ChatWrites writes;
            writes.saveMessage(answer);
            writes.saveMessage(question);
            writes.saveChat(chat);
            ChatDatabase database;
            QCOMPARE(reasonOf(database.open(m_path)), QString());
            QCOMPARE(reasonOf(database.write(writes)), QString());
        }
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        const auto loaded = database.load(7);
        QVERIFY(loaded && *loaded);
        const ChatRecord& back = (*loaded)->chat;
        QCOMPARE(back.title, chat.title);
        QCOMPARE(back.titleOrigin, chat.titleOrigin);
        QCOMPARE(back.created, chat.created);
        QCOMPARE(back.updated, chat.updated);
        QCOMPARE(back.modelPath, chat.modelPath);
        QCOMPARE(back.systemPrompt, chat.systemPrompt);
        QCOMPARE(back.sampler, chat.sampler);
        QVERIFY(back.plainPrompt && !back.deleted);
        QVERIFY(back.thinking == false);
        QCOMPARE(back.leaf, chat.leaf);
        QCOMPARE(back.firstSeen, chat.firstSeen);
        QVERIFY(back.draft == chat.draft);
        const auto& messages = (*loaded)->messages;
        QCOMPARE(messages.size(), 2);
        QCOMPARE(messages[0].text, question.text);
        QCOMPARE(messages[0].role, MessageRecord::Role::User);
        QVERIFY(messages[0].attachments == question.attachments);
        QVERIFY(!messages[0].outcome);
        QCOMPARE(messages[1].text, answer.text);
        QCOMPARE(messages[1].reasoning, answer.reasoning);
        QVERIFY(messages[0].reasoning.isEmpty());
        QCOMPARE(messages[1].role, MessageRecord::Role::Assistant);
        QCOMPARE(messages[1].parent, 11);
        QCOMPARE(messages[1].model, answer.model);
        QCOMPARE(messages[1].created, answer.created);
        QVERIFY(messages[1].whole && messages[1].outcome);
        QCOMPARE(messages[1].outcome->finish, app::Outcome::Finish::Length);
        QCOMPARE(messages[1].outcome->tokens, 42U);
        const auto missing = database.load(8);
        QVERIFY(missing && !*missing);
    }

    // As version 1 of the tables left it: nothing is lost, and it is not asked what isn't there.
    void versionOneIsTakenOver_data()
    {
        QTest::addColumn<bool>("writable");
        QTest::newRow("brought up to date") << true;
        QTest::newRow("read only") << false;
    }
    void versionOneIsTakenOver()
    {
        QFETCH(bool, writable);
        QVERIFY(QDir().mkpath(QFileInfo(m_path).path()));
        {
            OtherConnection old(m_path);
            for (const QString& statement :
                 QString(app::kChatSchema).split(QLatin1String(";\n\n"), Qt::SkipEmptyParts)) {
                const QVariant failed = old.run(statement);
                QVERIFY2(failed.isNull(), qPrintable(failed.toString()));
            }
            QVERIFY(old.run(QString("PRAGMA application_id = %1").arg(app::kChatApplicationId))
                        .isNull());
            QVERIFY(old.run("PRAGMA user_version = 1").isNull());
            QVERIFY(old.run("INSERT INTO chats (id, title, title_origin, created, updated, leaf, "
                            "sampler, system_prompt, plain_prompt) VALUES (7, 'Old', 'person', 1, "
                            "2, 12, '{\"topK\":3}', 'Be brief.', 1)")
                        .isNull());
            QVERIFY(old.run("INSERT INTO messages (id, chat, role, created, text) VALUES "
                            "(11, 7, 'user', 3, 'what?')")
                        .isNull());
            QVERIFY(
                old.run("INSERT INTO messages (id, chat, parent, role, created, model, outcome, "
                        "text) VALUES (12, 7, 11, 'assistant', 4, 'M', '{\"tokens\":5}', "
                        "'<think>hm</think>so')")
                    .isNull());
            QVERIFY(old.run("INSERT INTO drafts (chat, text) VALUES (7, 'next')").isNull());
        }
        ChatDatabase database;
        QCOMPARE(reasonOf(writable ? database.open(m_path) : database.openForReading(m_path)),
                 QString());
        const auto loaded = database.load(7);
        QVERIFY(loaded && *loaded);
        const ChatRecord& chat = (*loaded)->chat;
        QCOMPARE(chat.title, QString("Old"));
        QCOMPARE(chat.systemPrompt, QString("Be brief."));
        QCOMPARE(chat.sampler[u"topK"].toInt(), 3);
        QVERIFY(chat.plainPrompt && !chat.thinking);
        QCOMPARE(chat.draft.text, QString("next"));
        const auto& messages = (*loaded)->messages;
        QCOMPARE(messages.size(), 2);
        QCOMPARE(messages[0].text, QString("what?"));
        QCOMPARE(messages[1].text, QString("<think>hm</think>so"));
        QCOMPARE(messages[1].outcome->tokens, 5U);
        QVERIFY(messages[1].reasoning.isEmpty());
        QCOMPARE(messagesOf(**database.search("what", {}, never)), QList<qint64> { 11 });
        OtherConnection other(m_path);
        QCOMPARE(other.run("PRAGMA user_version").toInt(), writable ? 2 : 1);
        if (writable) {
            MessageRecord answer = messages[1];
            answer.reasoning = "hm";
            ChatWrites writes;
            writes.saveMessage(answer);
            QCOMPARE(reasonOf(database.write(writes)), QString());
            QCOMPARE((*database.load(7))->messages[1].reasoning, QString("hm"));
        }
    }

    // Only answers are found: nobody looks for what a model thought.
    void reasoningIsNotSearched()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        MessageRecord answer = sampleMessage(1, 12, 0, "visible");
        answer.reasoning = "hidden";
        ChatWrites writes;
        writes.saveMessage(answer);
        QCOMPARE(reasonOf(database.write(writes)), QString());
        QCOMPARE(messagesOf(**database.search("visible", {}, never)), QList<qint64> { 12 });
        QVERIFY(messagesOf(**database.search("hidden", {}, never)).isEmpty());
    }

    void draftsAndAttachmentsChange()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        ChatRecord chat = sampleChat(1, "");
        const QList<QList<app::Attachment>> versions {
            { { "a", "1", -1 } }, { { "a", "1", 9 }, { "b", "2", 1 } }, { { "b", "2", 1 } }, {}
        };
        for (const auto& attachments : versions) {
            chat.draft = { "draft", attachments };
            ChatWrites writes;
            writes.saveChat(chat);
            QCOMPARE(reasonOf(database.write(writes)), QString());
            QVERIFY((**database.load(1)).chat.draft == chat.draft);
        }
        QCOMPARE(database.list()->constFirst().title, "draft");
        chat.draft = {};
        ChatWrites writes;
        writes.saveChat(chat);
        QCOMPARE(reasonOf(database.write(writes)), QString());
        QVERIFY((**database.load(1)).chat.draft.isEmpty());
        OtherConnection other(m_path);
        QCOMPARE(other.run("SELECT count(*) FROM drafts").toInt(), 0);
        QCOMPARE(other.run("SELECT count(*) FROM attachments").toInt(), 0);
    }

    void lists()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        QVERIFY(database.list()->isEmpty());
        ChatWrites writes;
        writes.saveChat(sampleChat(1, "one", 10));
        writes.saveChat(sampleChat(2, "two", 30));
        writes.saveChat(sampleChat(3, "three", 20));
        QCOMPARE(reasonOf(database.write(writes)), QString());
        ChatWrites changes;
        changes.setChatDeleted(3, true);
        changes.setChatTitle(1, "uno");
        QCOMPARE(reasonOf(database.write(changes)), QString());
        QCOMPARE(*database.list(), (QList<ChatSummary> { { 2, "two", 30 }, { 1, "uno", 10 } }));
        ChatWrites undo;
        undo.setChatDeleted(3, false);
        QCOMPARE(reasonOf(database.write(undo)), QString());
        QCOMPARE(database.list()->size(), 3);
    }

    void aMessageWithoutItsChat()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        ChatWrites writes;
        writes.saveMessage(sampleMessage(5, 51, 0, "q"));
        writes.saveMessage(sampleMessage(5, 52, 51, "a"));
        QCOMPARE(reasonOf(database.write(writes)), QString());
        QCOMPARE((**database.load(5)).messages.size(), 2);
        QCOMPARE(database.list()->size(), 1);
    }

    void allOrNothing()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        {
            OtherConnection other(m_path);
            QVERIFY(other
                        .run("CREATE TRIGGER no BEFORE INSERT ON messages WHEN new.text = 'bad' "
                             "BEGIN SELECT raise(ABORT, 'no'); END")
                        .isNull());
        }
        ChatWrites writes;
        writes.saveChat(sampleChat(1, "t"));
        writes.saveMessage(sampleMessage(1, 11, 0, "good"));
        writes.saveMessage(sampleMessage(1, 12, 11, "bad"));
        const auto written = database.write(writes);
        QVERIFY(!written);
        QVERIFY(!written.error().reason.isEmpty());
        QVERIFY(database.list()->isEmpty());
        ChatWrites fine;
        fine.saveChat(sampleChat(2, "t")); // and the transaction is over
        QCOMPARE(reasonOf(database.write(fine)), QString());
    }

    void searches()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        ChatWrites writes;
        writes.saveChat(sampleChat(1, "About parsers"));
        writes.saveChat(sampleChat(2, "Birds"));
        writes.saveMessage(sampleMessage(1, 11, 0, "How does a Parser work? \"quoted\" 100%"));
        writes.saveMessage(
            sampleMessage(1, 12, 11, "It reads tokens.\nThe max_page_count is ÄRGER"));
        writes.saveMessage(
            sampleMessage(2, 21, 0, "Was ist ein Papagei? 鹦鹉是什么 🦜🦜🦜"));
        MessageRecord streaming = sampleMessage(2, 22, 21, "parser unfinished");
        streaming.whole = false;
        writes.saveMessage(streaming);
        QCOMPARE(reasonOf(database.write(writes)), QString());
        const auto found = [&database](const QString& text) {
            return messagesOf(**database.search(text, {}, never));
        };
        QCOMPARE(found("parser"), (QList<qint64> { 0, 11 }));
        QCOMPARE(found("  WORK parser "), QList<qint64> { 11 });
        QCOMPARE(found("page_c"), QList<qint64> { 12 });
        QCOMPARE(found("ärger"), QList<qint64> { 12 });
        QCOMPARE(found("鹦鹉是"), QList<qint64> { 21 });
        QCOMPARE(found("鹦鹉"), QList<qint64> { 21 });
        QCOMPARE(found("🦜🦜🦜"), QList<qint64> { 21 });
        QCOMPARE(found("\"quoted\""), QList<qint64> { 11 });
        QCOMPARE(found("0% qu"), QList<qint64> { 11 });
        QCOMPARE(found("or AND NOT *"), QList<qint64> {});
        QCOMPARE(found("parsertoken"), QList<qint64> {});
        QCOMPARE(found(" \n\t"), QList<qint64> {});
        QCOMPARE(found(QString(100000, u'"')), QList<qint64> {});
        // What is not written yet: changed, deleted, new.
        ChatWrites unwritten;
        unwritten.saveMessage(sampleMessage(1, 11, 0, "something else"));
        unwritten.saveMessage(sampleMessage(2, 24, 21, "a parser of birdsong"));
        unwritten.setChatTitle(1, "Nothing");
        QCOMPARE(messagesOf(**database.search("parser", unwritten, never)), QList<qint64> { 24 });
        const auto stale = database.search("e", {}, [] { return true; });
        QVERIFY(stale);
    }

    void searchFollowsChanges()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        const auto found = [&database](const QString& text) {
            return messagesOf(**database.search(text, {}, never)).size();
        };
        const auto write = [&database](const MessageRecord& message) {
            ChatWrites writes;
            writes.saveMessage(message);
            return database.write(writes).has_value();
        };
        MessageRecord message = sampleMessage(1, 12, 0, "alpha");
        message.whole = false;
        QVERIFY(write(message));
        QCOMPARE(found("alpha"), 0); // while it streams it is not in the index
        message.text = "alpha beta";
        message.whole = true;
        QVERIFY(write(message));
        QCOMPARE(found("alpha beta"), 1);
        message.text = "gamma";
        QVERIFY(write(message));
        QCOMPARE(found("alpha"), 0);
        QCOMPARE(found("gamma"), 1);
        ChatWrites deleted;
        deleted.setMessageDeleted(12, true);
        QCOMPARE(reasonOf(database.write(deleted)), QString());
        QCOMPARE(found("gamma"), 0);
        QCOMPARE(reasonOf(database.purge()), QString());
        OtherConnection other(m_path);
        QCOMPARE(other.run("SELECT count(*) FROM message_search('gam')").toInt(), 0);
    }

    void excerpts()
    {
        const QString text = QString(100, u'a') + "\n\n  needle  \n" + QString(300, u'b');
        const QString excerpt = app::excerptAround(text, { "NEEDLE" });
        QVERIFY(excerpt.contains(" needle "));
        QVERIFY(excerpt.startsWith(u'…') && excerpt.endsWith(u'…'));
        QVERIFY(!excerpt.contains(u'\n'));
        QVERIFY(excerpt.size() < 170);
        QCOMPARE(app::excerptAround("short", { "short" }), "short");
        const QString parrots =
            QStringLiteral("🦜").repeated(21) + u'x' + QStringLiteral("🦜").repeated(80);
        for (const QString& cut : { app::excerptAround(parrots, { "x" }),
                                    app::excerptAround(u'y' + parrots, { "x" }) }) {
            QVERIFY(cut.isValidUtf16());
        }
    }

    void damagedSearchIsRebuilt()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        ChatWrites writes;
        writes.saveMessage(sampleMessage(1, 11, 0, "needle"));
        QCOMPARE(reasonOf(database.write(writes)), QString());
        {
            OtherConnection other(m_path);
            (void)other.run("DELETE FROM message_search_data WHERE id > 10");
        }
        const auto broken = database.search("needle", {}, never);
        QVERIFY(!broken || messagesOf(**broken).isEmpty());
        QCOMPARE(reasonOf(database.repairSearch()), QString());
        QCOMPARE(messagesOf(**database.search("needle", {}, never)), QList<qint64> { 11 });
    }

    void purges()
    {
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        ChatWrites writes;
        ChatRecord chat = sampleChat(1, "stays");
        chat.leaf = 13;
        chat.firstSeen = 12;
        writes.saveChat(chat);
        ChatRecord gone = sampleChat(2, "goes");
        gone.deleted = true;
        gone.draft = { "d", { { "a", "b", 1 } } };
        writes.saveChat(gone);
        writes.saveMessage(sampleMessage(1, 11, 0, "a"));
        writes.saveMessage(sampleMessage(1, 12, 11, "b"));
        MessageRecord attached = sampleMessage(1, 13, 12, "c");
        attached.attachments = { { "x", "y", 1 } };
        writes.saveMessage(attached);
        writes.saveMessage(sampleMessage(1, 14, 13, "d"));
        MessageRecord cut = sampleMessage(1, 16, 14, "cut sh");
        cut.whole = false;
        cut.outcome.reset();
        writes.saveMessage(cut);
        writes.saveMessage(sampleMessage(2, 21, 0, "e"));
        writes.setMessageDeleted(12, true);
        writes.setMessageDeleted(13, true);
        QCOMPARE(reasonOf(database.write(writes)), QString());
        QCOMPARE(reasonOf(database.purge()), QString());
        const StoredChat back = **database.load(1);
        QCOMPARE(back.messages.size(), 3);
        QCOMPARE(back.messages[1].id, 14);
        QCOMPARE(back.messages[1].parent, 11);
        QCOMPARE(back.chat.leaf, 11);
        QCOMPARE(back.chat.firstSeen, 11);
        QVERIFY(back.messages[2].whole);
        QCOMPARE(back.messages[2].outcome->finish, app::Outcome::Finish::Cancelled);
        QCOMPARE(messagesOf(**database.search("cut sh", {}, never)), QList<qint64> { 16 });
        QVERIFY(!*database.load(2));
        OtherConnection other(m_path);
        for (const char* table : { "attachments", "drafts" }) {
            QCOMPARE(other.run(QString("SELECT count(*) FROM ") + table).toInt(), 0);
        }
        QCOMPARE(other.run("SELECT count(*) FROM messages").toInt(), 3);
        QCOMPARE(other.run("PRAGMA integrity_check").toString(), "ok");
    }

    void whatIsDeletedIsOverwritten()
    {
        const QByteArray secret = "correct horse battery staple";
        {
            ChatDatabase database;
            QCOMPARE(reasonOf(database.open(m_path)), QString());
            ChatWrites writes;
            MessageRecord message =
                sampleMessage(1, 11, 0, QString::fromLatin1(secret).repeated(500));
            message.deleted = true;
            writes.saveMessage(message);
            QCOMPARE(reasonOf(database.write(writes)), QString());
        }
        QVERIFY(tests::bytesOf(m_path).contains(secret));
        {
            ChatDatabase database;
            QCOMPARE(reasonOf(database.open(m_path)), QString());
            QCOMPARE(reasonOf(database.purge()), QString());
        }
        QVERIFY(!tests::bytesOf(m_path).contains(secret));
    }

    void aBigStart()
    {
        constexpr int kChats = 5000;
        constexpr int kMessages = 20;
        {
            ChatDatabase database;
            QCOMPARE(reasonOf(database.open(m_path)), QString());
            ChatWrites writes;
            for (int chat = 1; chat <= kChats; ++chat) {
                writes.saveChat(sampleChat(chat, QString("Chat number %1").arg(chat), chat));
            }
            QCOMPARE(reasonOf(database.write(writes)), QString());
            OtherConnection other(m_path);
            // 100,000 messages of some 300 characters, by SQL: quicker.
            QVERIFY(
                other
                    .run(QString(
                             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n "
                             "WHERE i < %1) INSERT INTO messages (id, chat, role, created, text) "
                             "SELECT i, 1 + i / %2, 'user', i, 'message=' || i || '; ' || "
                             "substr(hex(randomblob(4)) || ' and the rest of it, ', 1, 40) || "
                             "replace(hex(zeroblob(120)), '0', 'x') FROM n")
                             .arg(kChats * kMessages - 1)
                             .arg(kMessages))
                    .isNull());
        }
        QElapsedTimer timer;
        timer.start();
        ChatDatabase database;
        QCOMPARE(reasonOf(database.open(m_path)), QString());
        const auto chats = database.list();
        const double listed = double(timer.nsecsElapsed()) / 1e6;
        QCOMPARE(reasonOf(database.purge()), QString());
        const double purged = double(timer.nsecsElapsed()) / 1e6;
        QCOMPARE(chats->size(), kChats);
        QCOMPARE(chats->constFirst().id, kChats);
        timer.start();
        const auto rare = database.search("message=77777;", {}, never);
        const double searched = double(timer.nsecsElapsed()) / 1e6;
        QCOMPARE(messagesOf(**rare), QList<qint64> { 77777 });
        timer.start();
        QCOMPARE((**database.search("message", {}, never)).size(), app::kMaxChatHits);
        const double common = double(timer.nsecsElapsed()) / 1e6;
        timer.start();
        QVERIFY((**database.search("zq", {}, never)).isEmpty());
        const double scanned = double(timer.nsecsElapsed()) / 1e6;
        qInfo("open and list %.1f ms, purge %.1f ms, search rare %.1f common %.1f short %.1f ms, "
              "%lld MB",
              listed, purged - listed, searched, common, scanned, QFileInfo(m_path).size() >> 20);
        QVERIFY(listed < 2000); // against a look at every row; the figure above is the point
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    QString m_path;
};

QTEST_GUILESS_MAIN(TestChatDatabase)
#include "tst_chat_database.moc"
