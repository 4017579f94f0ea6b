// The chat store: what is saved is there again, in order, whatever the other copies of Vitrine do.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_store.h"
#include "chat_samples.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using app::ChatHit;
using app::ChatRecord;
using app::ChatStore;
using app::ChatSummary;
using app::MessageRecord;
using tests::OtherConnection;
using tests::sampleChat;
using tests::sampleMessage;

namespace {

/// What loadChat ends with.
struct Loaded
{
    bool ended = false;
    bool missing = false;
    ChatRecord chat;
    QList<MessageRecord> messages;
};

Loaded load(ChatStore& store, app::ChatId id)
{
    Loaded loaded;
    QObject context;
    QObject::connect(&store, &ChatStore::chatLoaded, &context,
                     [&](const ChatRecord& chat, const QList<MessageRecord>& messages) {
                         if (chat.id == id) {
                             loaded = { true, false, chat, messages };
                         }
                     });
    QObject::connect(&store, &ChatStore::chatMissing, &context, [&](app::ChatId missing) {
        if (missing == id) {
            loaded = { true, true, {}, {} };
        }
    });
    store.loadChat(id);
    (void)QTest::qWaitFor([&] { return loaded.ended; });
    return loaded;
}

MessageRecord streamingAnswer(const QString& text)
{
    MessageRecord answer = sampleMessage(1, 12, 11, text);
    answer.whole = false;
    answer.outcome.reset();
    return answer;
}

} // namespace

class TestChatStore : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_folder = m_directory->filePath("vitrine");
        m_file = m_folder + "/chats.db";
    }

    void usualPlace()
    {
        const QByteArray before = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", m_directory->path().toUtf8());
        {
            ChatStore store;
            QCOMPARE(store.filePath(), m_file);
        }
        before.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", before);
    }

    void opensEmpty()
    {
        ChatStore store(m_folder);
        QSignalSpy opened(&store, &ChatStore::opened);
        QSignalSpy problems(&store, &ChatStore::problemFound);
        QVERIFY(opened.wait());
        QVERIFY(opened[0][0].value<QList<ChatSummary>>().isEmpty());
        QVERIFY(load(store, 1).missing);
        QVERIFY(store.flush());
        QVERIFY(problems.isEmpty() && !store.problem());
    }

    void comesBack()
    {
        {
            ChatStore store(m_folder);
            store.saveChat(sampleChat(1, "one", 10));
            store.saveMessage(sampleMessage(1, 11, 0, "question"));
            store.saveMessage(sampleMessage(1, 12, 11, "answer"));
            store.saveChat(sampleChat(2, "two", 20));
        } // at once: written at the end
        ChatStore store(m_folder);
        QSignalSpy opened(&store, &ChatStore::opened);
        QVERIFY(opened.wait());
        QCOMPARE(opened[0][0].value<QList<ChatSummary>>(),
                 (QList<ChatSummary> { { 2, "two", 20 }, { 1, "one", 10 } }));
        const Loaded chat = load(store, 1);
        QCOMPARE(chat.chat.title, "one");
        QCOMPARE(chat.messages.size(), 2);
        QCOMPARE(chat.messages[1].text, "answer");
        QCOMPARE(chat.messages[1].parent, 11);
        QVERIFY(load(store, 3).missing);
    }

    void writtenSoon()
    {
        ChatStore store(m_folder);
        store.saveChat(sampleChat(1, "t"));
        for (int i = 0; i <= 100; ++i) {
            store.saveMessage(streamingAnswer(QString::number(i)));
        }
        QTRY_VERIFY(QFile::exists(m_file));
        OtherConnection other(m_file);
        QTRY_COMPARE(other.run("SELECT text FROM messages").toString(), "100");
        QCOMPARE(other.run("SELECT whole FROM messages").toInt(), 0);
    }

    void readsSeeWhatWasSavedBefore()
    {
        ChatStore store(m_folder);
        store.saveChat(sampleChat(1, "t"));
        store.saveMessage(sampleMessage(1, 11, 0, "first"));
        QCOMPARE(load(store, 1).messages.size(), 1);
        store.saveMessage(streamingAnswer("grows"));
        store.setChatTitle(1, "written by a person");
        const Loaded chat = load(store, 1);
        QCOMPARE(chat.messages.size(), 2);
        QVERIFY(!chat.messages[1].whole); // it still streams here
        QCOMPARE(chat.chat.title, "written by a person");
        QCOMPARE(chat.chat.titleOrigin, ChatRecord::TitleOrigin::Person);
    }

    void deletedUntilTheEnd()
    {
        {
            ChatStore store(m_folder);
            for (const app::ChatId id : { 1, 2, 3 }) {
                store.saveChat(sampleChat(id, "t"));
            }
            store.saveMessage(sampleMessage(1, 11, 0, "a"));
            store.saveMessage(sampleMessage(1, 12, 11, "b"));
            store.saveMessage(sampleMessage(1, 13, 12, "c"));
            store.saveMessage(sampleMessage(1, 14, 13, "d"));
            QVERIFY(store.flush());
            store.setMessagesDeleted({ 11, 12, 14 }, true);
            store.setChatDeleted(2, true);
            store.setChatDeleted(3, true);
            Loaded chat = load(store, 1);
            QCOMPARE(chat.messages.size(), 1);
            QCOMPARE(chat.messages[0].parent, 0);
            QVERIFY(load(store, 2).missing);
            store.setMessagesDeleted({ 14 }, false);
            store.setChatDeleted(2, false);
            QCOMPARE(load(store, 1).messages.size(), 2);
            QVERIFY(!load(store, 2).missing);
        }
        ChatStore store(m_folder);
        QSignalSpy opened(&store, &ChatStore::opened);
        QVERIFY(opened.wait());
        QCOMPARE(opened[0][0].value<QList<ChatSummary>>().size(), 2);
        const Loaded chat = load(store, 1);
        QCOMPARE(chat.messages.size(), 2);
        QCOMPARE(chat.messages[0].parent, 0);
        QCOMPARE(chat.messages[1].parent, 13);
        OtherConnection other(m_file);
        QCOMPARE(other.run("SELECT count(*) FROM messages").toInt(), 2);
        QCOMPARE(other.run("SELECT count(*) FROM chats").toInt(), 2);
    }

    void anAnswerCutShort()
    {
        {
            ChatStore store(m_folder);
            store.saveChat(sampleChat(1, "t"));
            store.saveMessage(streamingAnswer("half an ans"));
        }
        ChatStore store(m_folder);
        const Loaded chat = load(store, 1);
        QCOMPARE(chat.messages.size(), 1);
        QVERIFY(chat.messages[0].whole);
        QCOMPARE(chat.messages[0].text, "half an ans");
        QVERIFY(chat.messages[0].outcome);
        QCOMPARE(chat.messages[0].outcome->finish, app::Outcome::Finish::Cancelled);
    }

    void latestSearchWins()
    {
        ChatStore store(m_folder);
        store.saveChat(sampleChat(1, "About needles"));
        store.saveMessage(sampleMessage(1, 11, 0, "a needle and a thread"));
        QSignalSpy found(&store, &ChatStore::found);
        store.search("thread");
        store.search("needle");
        QVERIFY(found.wait());
        QTest::qWait(50);
        QCOMPARE(found.size(), 1);
        QCOMPARE(found[0][0].toString(), "needle");
        const auto hits = found[0][1].value<QList<ChatHit>>();
        QCOMPARE(hits.size(), 2);
        QCOMPARE(hits[0].message, 0);
        QCOMPARE(hits[1].message, 11);
        QCOMPARE(hits[1].excerpt, "a needle and a thread");
    }

    void twoCopies()
    {
        ChatStore first(m_folder);
        first.saveChat(sampleChat(1, "first's"));
        first.saveMessage(streamingAnswer("so far"));
        first.saveChat(sampleChat(3, "deleted"));
        first.setChatDeleted(3, true);
        QVERIFY(first.flush());

        auto second = std::make_unique<ChatStore>(m_folder);
        QSignalSpy opened(second.get(), &ChatStore::opened);
        QVERIFY(opened.wait());
        QCOMPARE(opened[0][0].value<QList<ChatSummary>>().size(), 1);
        second->saveChat(sampleChat(2, "second's"));
        QVERIFY(load(*second, 1).messages.constFirst().whole); // read only: it can't ask on there
        QVERIFY(second->flush());
        OtherConnection other(m_file);
        QCOMPARE(other.run("SELECT whole FROM messages").toInt(), 0);
        first.setChatDeleted(3, false); // not purged by the other one's start
        first.saveMessage(streamingAnswer("so far, so good"));
        QVERIFY(first.flush());
        QVERIFY(!load(first, 3).missing);
        QCOMPARE(load(*second, 1).messages.constFirst().text, "so far, so good");
        second.reset();
        QCOMPARE(load(first, 2).chat.title, "second's");
        QVERIFY(!first.problem());
    }

    void savingIsQuick()
    {
        // The GUI thread only puts things down: a megabyte of text that grows, for half a minute of
        // answers.
        ChatStore store(m_folder);
        const QString text(1 << 20, u'x');
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 60; ++i) {
            store.saveMessage(streamingAnswer(text));
        }
        const double saving = double(timer.nsecsElapsed()) / 1e6;
        timer.start();
        QVERIFY(store.flush());
        qInfo("60 saves %.2f ms, one write %.1f ms", saving, double(timer.nsecsElapsed()) / 1e6);
        QVERIFY(saving < 2000);
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    QString m_folder;
    QString m_file;
};

QTEST_GUILESS_MAIN(TestChatStore)
#include "tst_chat_store.moc"
