// All chats: their list, switching during an answer, removing and undoing, restarting.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_book.h"
#include "tests/app/chat_service_bench.h"

#include <QPointer>
#include <QThread>

using namespace std::chrono_literals;
using app::Chat;
using app::ChatBook;
using app::ChatId;
using app::Draft;
using app::Outcome;
using tests::textsOf;
using State = app::InferenceService::State;

namespace {

const QString kAnswer = QStringLiteral("Hello, world.");

struct Bench : tests::ChatServiceBench
{
    std::unique_ptr<ChatBook> book = std::make_unique<ChatBook>(service, *store);

    [[nodiscard]] Chat& chat() const { return book->current(); }
    bool ready()
    {
        return QTest::qWaitFor([this] { return book->isReady(); });
    }
    bool idle()
    {
        return QTest::qWaitFor([this] {
            return book->answering() == nullptr && !chat().isBusy()
                && service.state() == State::Ready;
        });
    }
    /// Asks in the current chat and waits for answer and title.
    bool answer(const QString& question) { return chat().ask(Draft { question, {} }) && idle(); }
    /// Asks, and returns once there are words.
    bool begin(const QString& question)
    {
        return chat().ask(Draft { question, {} }) && QTest::qWaitFor([this] {
                   return book->answering() != nullptr && !textOf(*book->answering()).isEmpty();
               });
    }
    /// A new chat with one answer; its id.
    ChatId newChat(const QString& question)
    {
        book->startNew();
        const ChatId id = chat().id();
        return answer(question) ? id : 0;
    }
    bool open(ChatId id)
    {
        book->open(id);
        return QTest::qWaitFor([&] { return chat().id() == id; });
    }
    /// Of the last message that is shown.
    [[nodiscard]] static QString textOf(const Chat& chat)
    {
        return chat.isEmpty() ? QString() : chat.tree().at(chat.tree().leaf()).text;
    }
    [[nodiscard]] QList<ChatId> ids() const
    {
        QList<ChatId> all;
        for (const auto& each : book->chats()) {
            all << each.id;
        }
        return all;
    }
    [[nodiscard]] QString titleOf(ChatId id) const
    {
        for (const auto& each : book->chats()) {
            if (each.id == id) {
                return each.title;
            }
        }
        return {};
    }
    void restart()
    {
        book.reset();
        store.reset();
        store = std::make_unique<app::ChatStore>(directory.path());
        book = std::make_unique<ChatBook>(service, *store);
    }
};

} // namespace

class TestChatBook : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void beginsEmpty()
    {
        Bench bench;
        QSignalSpy ready(bench.book.get(), &ChatBook::ready);
        QVERIFY(bench.ready());
        QCOMPARE(ready.size(), 1);
        QVERIFY(bench.book->chats().isEmpty());
        QVERIFY(bench.chat().isEmpty());
        QCOMPARE(bench.book->answering(), nullptr);
        QVERIFY(!bench.book->canUndoRemove());
        QSignalSpy current(bench.book.get(), &ChatBook::currentChanged);
        bench.book->startNew(); // it is new already
        bench.book->open(0);
        bench.book->open(bench.chat().id());
        bench.book->remove(bench.chat().id());
        bench.book->remove(77);
        bench.book->rename(77, "x");
        bench.book->undoRemove();
        QCOMPARE(current.size(), 0);
        QVERIFY(bench.book->chats().isEmpty());
    }

    void listsTheNewestFirst()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId first = bench.newChat("one");
        QTest::qWait(2); // another millisecond
        const ChatId second = bench.newChat("two");
        QVERIFY(first != 0 && second != 0);
        QCOMPARE(bench.ids(), (QList<ChatId> { second, first }));
        QTest::qWait(2);
        QVERIFY(bench.open(first));
        QCOMPARE(bench.ids(), (QList<ChatId> { second, first })); // looking is no news
        QVERIFY(bench.answer("more"));
        QCOMPARE(bench.ids(), (QList<ChatId> { first, second }));
    }

    void draftsJoinWhenTheyAreLeft()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId id = bench.chat().id();
        bench.chat().setDraft({ "half a thought", {} });
        QVERIFY(bench.ids().isEmpty());
        bench.book->startNew();
        QCOMPARE(bench.ids(), (QList<ChatId> { id }));
        QCOMPARE(bench.titleOf(id), QString("half a thought"));
        QVERIFY(bench.open(id));
        QCOMPARE(bench.chat().record().draft.text, QString("half a thought"));
        // Emptied and left it is nothing any more.
        bench.chat().setDraft({});
        bench.book->startNew();
        QVERIFY(bench.ids().isEmpty());
        QVERIFY(bench.stored(id).missing);
    }

    // The answer goes on, ends up in its own chat, and on disk.
    void switchesDuringAnAnswer()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId other = bench.newChat("other");
        bench.book->startNew();
        const ChatId id = bench.chat().id();
        bench.script->pieces.assign(300, "word ");
        bench.script->pieceTime = 1ms;
        QVERIFY(bench.begin("long"));
        QVERIFY(bench.open(other));
        QVERIFY(bench.book->answering() != nullptr);
        QCOMPARE(bench.book->answering()->id(), id);
        QCOMPARE(bench.textOf(bench.chat()), kAnswer);
        QVERIFY(!bench.chat().ask({ "not now", {} })); // one at a time
        const QPointer<Chat> left = bench.book->answering();
        QVERIFY(bench.idle());
        QCOMPARE(bench.textOf(bench.chat()), kAnswer); // nothing of it is here
        QTRY_VERIFY(!left); // done, title included
        const QString whole = QString("word ").repeated(300);
        const auto stored = bench.stored(id);
        QCOMPARE(textsOf(stored.messages), (QStringList { "long", whole }));
        QCOMPARE(stored.messages[1].outcome->finish, Outcome::Finish::End);
        QCOMPARE(stored.chat.titleOrigin, app::ChatRecord::TitleOrigin::Model);
        QCOMPARE(bench.titleOf(id), stored.chat.title);
        QVERIFY(bench.open(id));
        QCOMPARE(bench.textOf(bench.chat()), whole);
    }

    void comesBackDuringAnAnswer()
    {
        Bench bench;
        bench.answerSlowly();
        QVERIFY(bench.ready() && bench.load());
        QVERIFY(bench.begin("long"));
        Chat* chat = &bench.chat();
        const ChatId id = chat->id();
        bench.book->startNew();
        QCOMPARE(bench.book->answering(), chat);
        QSignalSpy current(bench.book.get(), &ChatBook::currentChanged);
        bench.book->open(id);
        QCOMPARE(current.size(), 1); // at once: it is in memory
        QCOMPARE(&bench.chat(), chat);
        const auto before = bench.textOf(*chat).size();
        QTRY_VERIFY(bench.textOf(*chat).size() > before);
        QSignalSpy answering(bench.book.get(), &ChatBook::answeringChanged);
        chat->stop();
        QVERIFY(bench.idle());
        QVERIFY(!answering.isEmpty());
        QCOMPARE(bench.ids(), (QList<ChatId> { id }));
    }

    // The last of several chats that are opened is the one.
    void latestOpenWins()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId first = bench.newChat("one");
        const ChatId second = bench.newChat("two");
        bench.book->startNew();
        const ChatId fresh = bench.chat().id();
        QSignalSpy current(bench.book.get(), &ChatBook::currentChanged);
        bench.book->open(first);
        bench.book->open(second);
        QTRY_COMPARE(bench.chat().id(), second);
        QTest::qWait(50);
        QCOMPARE(current.size(), 1);
        QVERIFY(bench.open(first));
        bench.book->open(second);
        bench.book->startNew(); // and this is later still
        QTest::qWait(50);
        QVERIFY(bench.chat().isEmpty());
        QVERIFY(bench.chat().id() != fresh);
    }

    void openOfAMissingChat()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId id = bench.newChat("one");
        bench.book->open(4711);
        QTest::qWait(50);
        QCOMPARE(bench.chat().id(), id);
        QCOMPARE(bench.ids(), (QList<ChatId> { id }));
    }

    void renames()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId first = bench.newChat("one");
        const ChatId second = bench.newChat("two");
        bench.book->rename(second, " Second \n chat "); // the current one
        bench.book->rename(first, "First chat"); // one on disk
        bench.book->rename(first, "  ");
        QCOMPARE(bench.titleOf(first), QString("First chat"));
        QCOMPARE(bench.titleOf(second), QString("Second chat"));
        QCOMPARE(bench.stored(first).chat.title, QString("First chat"));
        QCOMPARE(bench.stored(second).chat.title, QString("Second chat"));
        // One that answers in the background.
        bench.answerSlowly();
        QVERIFY(bench.begin("more"));
        QVERIFY(bench.open(first));
        bench.book->rename(second, "While it answers");
        QCOMPARE(bench.titleOf(second), QString("While it answers"));
        bench.book->answering()->stop();
        QVERIFY(bench.idle());
        QCOMPARE(bench.stored(second).chat.title, QString("While it answers"));
    }

    // What a person wrote stays, also when the chat is being read at that moment.
    void renamesWhileItIsRead()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId id = bench.newChat("one");
        bench.book->startNew();
        bench.book->open(id);
        QThread::msleep(100); // it is read, and not here yet
        bench.book->rename(id, "Mine");
        QTRY_COMPARE(bench.chat().id(), id);
        QCOMPARE(bench.chat().record().title, QString("Mine"));
        bench.chat().setDraft({ "kept", {} });
        QCOMPARE(bench.titleOf(id), QString("Mine"));
        QCOMPARE(bench.stored(id).chat.title, QString("Mine"));
        QCOMPARE(bench.stored(id).chat.titleOrigin, app::ChatRecord::TitleOrigin::Person);
    }

    void removesTheCurrentChat()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId first = bench.newChat("one");
        QTest::qWait(2);
        const ChatId second = bench.newChat("two");
        QSignalSpy undo(bench.book.get(), &ChatBook::undoRemoveChanged);
        bench.book->remove(second);
        QCOMPARE(undo.size(), 1);
        QVERIFY(bench.book->canUndoRemove());
        QCOMPARE(bench.ids(), (QList<ChatId> { first }));
        QTRY_COMPARE(bench.chat().id(), first); // the next one
        QVERIFY(bench.stored(second).missing);
        bench.book->remove(first);
        QVERIFY(bench.ids().isEmpty());
        QVERIFY(bench.chat().isEmpty());

        bench.book->undoRemove();
        QTRY_COMPARE(bench.chat().id(), first);
        bench.book->undoRemove();
        QTRY_COMPARE(bench.chat().id(), second);
        QVERIFY(!bench.book->canUndoRemove());
        QCOMPARE(bench.ids(), (QList<ChatId> { second, first }));
        QCOMPARE(bench.textOf(bench.chat()), kAnswer);
        QCOMPARE(textsOf(bench.stored(second).messages), (QStringList { "two", kAnswer }));
    }

    void removesAnotherChat()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId first = bench.newChat("one");
        const ChatId second = bench.newChat("two");
        QSignalSpy current(bench.book.get(), &ChatBook::currentChanged);
        bench.book->remove(first);
        QTest::qWait(20);
        QCOMPARE(current.size(), 0);
        QCOMPARE(bench.ids(), (QList<ChatId> { second }));
    }

    // A chat that is being opened is removed: it does not come back by that.
    void removesWhileItIsRead()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId first = bench.newChat("one");
        const ChatId second = bench.newChat("two");
        bench.book->open(first);
        QThread::msleep(100); // it is read, and not here yet
        bench.book->remove(first);
        QTest::qWait(50);
        QCOMPARE(bench.chat().id(), second);
        QCOMPARE(bench.ids(), (QList<ChatId> { second }));
        QVERIFY(bench.stored(first).missing);
    }

    void removesDuringItsAnswer_data()
    {
        QTest::addColumn<bool>("left");
        QTest::newRow("shown") << false;
        QTest::newRow("in the background") << true;
    }

    void removesDuringItsAnswer()
    {
        QFETCH(bool, left);
        Bench bench;
        bench.answerSlowly();
        QVERIFY(bench.ready() && bench.load());
        QVERIFY(bench.begin("long"));
        const ChatId id = bench.chat().id();
        if (left) {
            bench.book->startNew();
        }
        QSignalSpy answering(bench.book.get(), &ChatBook::answeringChanged);
        bench.book->remove(id);
        QCOMPARE(bench.book->answering(), nullptr);
        QVERIFY(!answering.isEmpty());
        QVERIFY(bench.chat().isEmpty() && bench.chat().id() != id);
        QVERIFY(bench.idle());
        QVERIFY(bench.stored(id).missing);
        QVERIFY(bench.ids().isEmpty());
        // Another question can be asked at once, and does not end up there.
        bench.script->pieces = { "Short" };
        QVERIFY(bench.answer("new"));
        bench.book->undoRemove();
        QTRY_COMPARE(bench.chat().id(), id);
        QVERIFY(bench.textOf(bench.chat()).startsWith("word "));
        QCOMPARE(bench.chat().tree().path().size(), 2);
        const auto stored = bench.stored(id);
        QCOMPARE(stored.messages.size(), 2);
        QCOMPARE(stored.messages[1].outcome->finish, Outcome::Finish::Cancelled);
    }

    void restarts()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId first = bench.newChat("one");
        QTest::qWait(2);
        const ChatId second = bench.newChat("two");
        QTest::qWait(2);
        const ChatId gone = bench.newChat("gone");
        bench.book->remove(gone);
        QTRY_COMPARE(bench.chat().id(), second);
        QVERIFY(bench.open(first));
        bench.chat().setDraft({ "draft", {} });
        bench.answerSlowly();
        QVERIFY(bench.open(second));
        QVERIFY(bench.begin("unfinished"));
        const QString written = bench.textOf(bench.chat());
        const auto chats = bench.book->chats();
        bench.restart();

        QVERIFY(bench.ready());
        QCOMPARE(bench.book->chats(), chats);
        QVERIFY(bench.chat().isEmpty()); // a new one, until another is opened
        QVERIFY(!bench.book->canUndoRemove());
        QVERIFY(bench.open(second));
        QVERIFY(bench.textOf(bench.chat()).startsWith(written));
        QCOMPARE(bench.chat().tree().path().size(), 4);
        QVERIFY(bench.open(first));
        QCOMPARE(bench.chat().record().draft.text, QString("draft"));
        QCOMPARE(bench.textOf(bench.chat()), kAnswer);
        QVERIFY(bench.stored(gone).missing);
    }

    // What was written before the database was read is in the list with the rest.
    void asksBeforeItIsReady()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId first = bench.newChat("one");
        bench.restart();
        QThread::msleep(2); // another millisecond, and no event
        QVERIFY(!bench.book->isReady());
        const ChatId second = bench.chat().id();
        QVERIFY(bench.chat().ask({ "two", {} }));
        QVERIFY(bench.ready() && bench.idle());
        QCOMPARE(bench.ids(), (QList<ChatId> { second, first }));
    }

    void searches()
    {
        Bench bench;
        QVERIFY(bench.ready() && bench.load());
        const ChatId first = bench.newChat("parrots");
        QVERIFY(bench.newChat("turtles") != 0);
        QSignalSpy found(bench.book.get(), &ChatBook::found);
        bench.book->search("turt");
        bench.book->search("parrots");
        QTRY_VERIFY(!found.isEmpty());
        QTest::qWait(20);
        QCOMPARE(found.size(), 1); // the latest
        QCOMPARE(found[0][0].toString(), QString("parrots"));
        const auto hits = found[0][1].value<QList<app::ChatHit>>();
        QVERIFY(!hits.isEmpty());
        for (const auto& hit : hits) {
            QCOMPARE(hit.chat, first);
        }
    }

    // Everything ends in the middle of something.
    void endsDuringAnAnswer()
    {
        Bench bench;
        bench.answerSlowly();
        QVERIFY(bench.ready() && bench.load());
        QVERIFY(bench.begin("long"));
        const ChatId id = bench.chat().id();
        bench.book->startNew();
        bench.chat().setDraft({ "draft", {} });
        const ChatId draft = bench.chat().id();
        bench.book.reset();
        QTRY_COMPARE(bench.service.state(), State::Ready);
        QCOMPARE(bench.stored(id).messages.size(), 2);
        QCOMPARE(bench.stored(draft).chat.draft.text, QString("draft"));
    }
};

QTEST_GUILESS_MAIN(TestChatBook)
#include "tst_chat_book.moc"
