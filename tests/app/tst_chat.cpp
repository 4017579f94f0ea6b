// One chat: asking, branches, deletions, failures, drafts, and what of it is on disk.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/chat_service_bench.h"

using namespace std::chrono_literals;
using app::Attachment;
using app::Chat;
using app::ChatRecord;
using app::Draft;
using app::MessageId;
using app::MessageRecord;
using app::Outcome;
using engine::ErrorCode;
using tests::textsOf;
using Bench = tests::OneChatBench;
using State = app::InferenceService::State;
using TitleOrigin = ChatRecord::TitleOrigin;

namespace {

const QString kAnswer = QStringLiteral("Hello, world.");
const engine::Error kError { ErrorCode::OutOfMemory, { "the cache" }, {} };

} // namespace

class TestChat : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void asks()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        QSignalSpy ended(&chat, &Chat::answerEnded);
        QSignalSpy paths(&chat, &Chat::pathChanged);
        QString grown;
        connect(&chat, &Chat::answerGrew, this, [&](const QString& added) { grown += added; });
        chat.setDraft({ "  Hi \n", {} });
        QVERIFY(chat.ask());
        QVERIFY(chat.isAnswering() && chat.generation() != nullptr);
        QVERIFY(chat.record().draft.isEmpty());
        QCOMPARE(chat.tree().path().size(), 2);
        QCOMPARE(chat.answering(), bench.id(1));
        QCOMPARE(paths[0][0].value<qsizetype>(), qsizetype { 0 });
        QVERIFY(!chat.ask({ "again", {} })); // one at a time
        QVERIFY(bench.idle());

        QCOMPARE(bench.texts(), (QStringList { "Hi", kAnswer }));
        QCOMPARE(grown, kAnswer);
        QCOMPARE(ended.size(), 1);
        QCOMPARE(ended[0][0].value<MessageId>(), bench.id(1));
        QCOMPARE(bench.at(1).model, QString("/models/a.gguf"));
        QVERIFY(bench.at(1).whole && bench.at(1).outcome);
        QCOMPARE(bench.at(1).outcome->finish, Outcome::Finish::End);
        QCOMPARE(chat.contextUsed(), std::size_t { 6 }); // "Hi", four tokens
        QCOMPARE(chat.record().modelPath, QString("/models/a.gguf"));
        QVERIFY(!chat.isAnswering());

        QVERIFY(bench.answer("More"));
        QCOMPARE(bench.prompt(), (QStringList { "U:Hi", "A:" + kAnswer, "U:More" }));
        const auto stored = bench.stored(chat.id());
        QCOMPARE(textsOf(stored.messages), (QStringList { "Hi", kAnswer, "More", kAnswer }));
        QCOMPARE(stored.chat.leaf, bench.id(3));
        QCOMPARE(stored.messages[3].outcome->tokens, std::size_t { 4 });
        QCOMPARE(stored.messages[3].parent, bench.id(2));
    }

    void nothingToAsk()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        chat.setDraft({ "text", {} });
        QVERIFY(!chat.ask()); // no model
        QCOMPARE(chat.record().draft.text, QString("text"));
        QVERIFY(bench.load());
        chat.setDraft({ " \n\t", {} });
        QVERIFY(!chat.ask());
        QCOMPARE(chat.record().draft.text, QString(" \n\t"));
        QVERIFY(!chat.ask({ "", {} }));
        QVERIFY(!chat.ask({ "  \n", {} }));
        QVERIFY(!chat.regenerate(0) && !chat.regenerate(5));
        QVERIFY(!chat.answerQuestion(0) && !chat.resend(5, "x"));
        chat.show(5);
        chat.remove(5);
        chat.undo();
        chat.stop();
        QVERIFY(chat.isEmpty() && !chat.isBusy());
        QCOMPARE(bench.script->answers.load(), 0);
    }

    void regenerates()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Hi"));
        QVERIFY(bench.answer("More"));
        const MessageId first = bench.id(1);
        QVERIFY(!chat.regenerate(bench.id(0))); // a question is none
        bench.script->pieces = { "Other" };
        QSignalSpy paths(&chat, &Chat::pathChanged);
        QVERIFY(chat.regenerate(first));
        QCOMPARE(paths[0][0].value<qsizetype>(), qsizetype { 1 });
        QVERIFY(bench.idle());
        QCOMPARE(bench.prompt(), (QStringList { "U:Hi" }));
        QCOMPARE(bench.texts(), (QStringList { "Hi", "Other" }));
        QCOMPARE(chat.tree().siblings(first), (QList<MessageId> { first, bench.id(1) }));
        QCOMPARE(bench.textsAfterRestart(), (QStringList { "Hi", "Other" }));

        chat.show(first);
        QCOMPARE(paths.last()[0].value<qsizetype>(), qsizetype { 1 });
        QCOMPARE(bench.texts(), (QStringList { "Hi", kAnswer, "More", kAnswer }));
        QCOMPARE(bench.textsAfterRestart(), bench.texts());
    }

    void resends()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Hi"));
        QVERIFY(chat.ask({ "More", { { "a.txt", "attached", 3 } } }));
        QVERIFY(bench.idle());
        const MessageId question = bench.id(2);
        QVERIFY(!chat.resend(question, " \n"));
        QVERIFY(!chat.resend(bench.id(1), "an answer"));
        QSignalSpy paths(&chat, &Chat::pathChanged);
        QVERIFY(chat.resend(question, " Less "));
        QCOMPARE(paths[0][0].value<qsizetype>(), qsizetype { 2 });
        QVERIFY(bench.idle());
        QCOMPARE(bench.texts(), (QStringList { "Hi", kAnswer, "Less", kAnswer }));
        QCOMPARE(bench.at(2).attachments.size(), 1); // what went with it still does
        QCOMPARE(chat.tree().siblings(question), (QList<MessageId> { question, bench.id(2) }));
        QCOMPARE(bench.prompt().size(), 3);
        QVERIFY(bench.prompt()[2].startsWith("U:Less"));
        QCOMPARE(bench.textsAfterRestart(), bench.texts());
        chat.show(question);
        QCOMPARE(bench.texts(), (QStringList { "Hi", kAnswer, "More", kAnswer }));
    }

    void removesAQuestion()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        for (const char* question : { "one", "two", "three" }) {
            QVERIFY(bench.answer(question));
        }
        const QStringList all = bench.texts();
        QSignalSpy paths(&chat, &Chat::pathChanged);
        chat.remove(bench.id(2));
        QCOMPARE(paths[0][0].value<qsizetype>(), qsizetype { 2 });
        QCOMPARE(bench.texts(), (QStringList { "one", kAnswer, "three", kAnswer }));
        QCOMPARE(bench.textsAfterRestart(), bench.texts());
        chat.remove(bench.id(3)); // the only answer: with its question
        QCOMPARE(bench.texts(), (QStringList { "one", kAnswer }));
        chat.remove(bench.id(0));
        QVERIFY(chat.isEmpty());
        QVERIFY(bench.textsAfterRestart().isEmpty());

        QVERIFY(chat.canUndo());
        chat.undo();
        QCOMPARE(bench.texts(), (QStringList { "one", kAnswer }));
        chat.undo();
        chat.undo();
        QVERIFY(!chat.canUndo());
        QCOMPARE(bench.texts(), all);
        QCOMPARE(bench.textsAfterRestart(), all);
        QVERIFY(bench.answer("four"));
        QCOMPARE(bench.prompt().size(), 7);
    }

    // What was asked after a deletion stays when the deletion is undone.
    void undoAfterAnotherQuestion()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("one"));
        QVERIFY(bench.answer("two"));
        chat.remove(bench.id(2));
        QVERIFY(bench.answer("three"));
        const MessageId third = bench.id(2);
        chat.undo();
        QCOMPARE(bench.texts(), (QStringList { "one", kAnswer, "two", kAnswer }));
        chat.show(third);
        QCOMPARE(bench.texts(), (QStringList { "one", kAnswer, "three", kAnswer }));
        QCOMPARE(chat.tree().siblings(third).size(), 2);
    }

    void removesAVariant()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Hi"));
        bench.script->pieces = { "Other" };
        QVERIFY(chat.regenerate(bench.id(1)));
        QVERIFY(bench.idle());
        QVERIFY(bench.answer("More"));
        const MessageId other = bench.id(1);
        chat.remove(other);
        QCOMPARE(bench.texts(), (QStringList { "Hi", kAnswer }));
        QCOMPARE(chat.tree().siblings(bench.id(1)).size(), 1);
        QCOMPARE(bench.textsAfterRestart(), bench.texts());
        chat.undo();
        QCOMPARE(bench.texts(), (QStringList { "Hi", "Other", "More", "Other" }));
        QCOMPARE(bench.textsAfterRestart(), bench.texts());
    }

    // An answer without a question, an answer to an answer: files get damaged.
    void damagedMessages()
    {
        Bench bench;
        QVERIFY(bench.load());
        MessageRecord first;
        first.id = 1;
        first.role = MessageRecord::Role::Assistant;
        first.text = "lone";
        MessageRecord second = first;
        second.id = 2;
        second.parent = 1;
        second.text = "on it";
        ChatRecord record;
        record.id = 9;
        Chat chat(record, { first, second }, bench.service, *bench.store);
        QCOMPARE(chat.tree().path(), (QList<MessageId> { 1, 2 }));
        QVERIFY(!chat.regenerate(1));
        QVERIFY(!chat.regenerate(2));
        chat.remove(1);
        chat.undo();
        QCOMPARE(chat.tree().path(), (QList<MessageId> { 1, 2 }));
        chat.remove(2);
        chat.undo();
        QCOMPARE(chat.tree().path(), (QList<MessageId> { 1, 2 }));
    }

    void stopsBeforeTheFirstWord()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        bench.script->promptSteps = 1000;
        bench.script->promptStep = 2ms;
        QVERIFY(bench.load());
        QVERIFY(chat.ask({ "Hi", {} }));
        QTRY_COMPARE(chat.generation()->phase(), app::Generation::Phase::Prompt);
        chat.stop();
        QVERIFY(bench.idle());
        QCOMPARE(bench.texts(), (QStringList { "Hi", "" }));
        QCOMPARE(bench.at(1).outcome->finish, Outcome::Finish::Cancelled);
        QCOMPARE(bench.textsAfterRestart(), bench.texts());
        // The next question: templates want questions and answers in turn.
        bench.script->promptSteps = 1;
        const MessageId empty = bench.id(1);
        QVERIFY(bench.answer("More"));
        QCOMPARE(bench.prompt(), (QStringList { "U:More" }));
        // Asked for again it is there.
        QVERIFY(chat.regenerate(empty));
        QVERIFY(bench.idle());
        QCOMPARE(bench.prompt(), (QStringList { "U:Hi" }));
        QCOMPARE(bench.texts(), (QStringList { "Hi", kAnswer }));
    }

    void stopsInTheMiddle()
    {
        Bench bench;
        bench.answerSlowly();
        QVERIFY(bench.load());
        QVERIFY(bench.begin("Hi"));
        bench.chat->stop();
        QVERIFY(bench.idle());
        QVERIFY(bench.at(1).text.startsWith("word "));
        QVERIFY(bench.at(1).whole);
        QCOMPARE(bench.at(1).outcome->finish, Outcome::Finish::Cancelled);
        QCOMPARE(bench.textsAfterRestart(), bench.texts());
    }

    // A long answer is on disk before it ends.
    void keepsWhileItGrows()
    {
        Bench bench;
        bench.answerSlowly();
        QVERIFY(bench.load());
        QVERIFY(bench.begin("Hi"));
        QTRY_VERIFY(textsOf(bench.stored(bench.chat->id()).messages).size() == 2);
        QVERIFY(bench.chat->isAnswering());
        bench.chat->stop();
        QVERIFY(bench.idle());
    }

    // As if it had not been asked, and the question is in the box again.
    void failsBeforeTheFirstWord()
    {
        Bench bench(false);
        Chat& chat = *bench.chat;
        bench.script->promptError = kError;
        QVERIFY(bench.load());
        QSignalSpy failed(&chat, &Chat::failed);
        QSignalSpy returned(&chat, &Chat::draftReturned);
        const QList<Attachment> attachments { { "a.txt", "attached", 3 } };
        chat.setDraft({ "Hi", attachments });
        QVERIFY(chat.ask());
        QVERIFY(bench.idle());
        QCOMPARE(failed.size(), 1);
        QCOMPARE(failed[0][0].value<app::ErrorMessage>().code, QString("out-of-memory"));
        QCOMPARE(returned.size(), 1);
        QVERIFY(chat.isEmpty() && !chat.isAnswering());
        QCOMPARE(chat.record().draft, (Draft { "Hi", attachments }));
        QCOMPARE(chat.record().titleOrigin, TitleOrigin::None);
        QCOMPARE(chat.summary().title, QString("Hi"));
        auto stored = bench.stored(chat.id());
        QVERIFY(stored.messages.isEmpty());
        QCOMPARE(stored.chat.draft, chat.record().draft);
        // Asked again it works.
        bench.script->promptError.reset();
        QVERIFY(chat.ask());
        QVERIFY(bench.idle());
        QCOMPARE(bench.texts(), (QStringList { "Hi", kAnswer }));
        stored = bench.stored(chat.id());
        QCOMPARE(textsOf(stored.messages), bench.texts());
        QVERIFY(stored.chat.draft.isEmpty());
    }

    // What is written meanwhile is not overwritten, and the question stays where it can be asked
    // again.
    void failureKeepsANewDraft()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        bench.script->promptError = kError;
        QVERIFY(bench.load());
        QVERIFY(bench.chat->ask({ "Hi", {} }));
        chat.setDraft({ "written meanwhile", {} });
        QSignalSpy returned(&chat, &Chat::draftReturned);
        QVERIFY(bench.idle());
        QCOMPARE(chat.record().draft.text, QString("written meanwhile"));
        QCOMPARE(returned.size(), 0);
        const auto path = chat.tree().path();
        QCOMPARE(path.size(), 2);
        QCOMPARE(chat.tree().at(path[0]).text, QString("Hi"));
        QVERIFY(chat.tree().at(path[1]).text.isEmpty());
        QCOMPARE(bench.stored(chat.id()).messages.size(), 2);
        bench.script->promptError.reset();
        QVERIFY(chat.regenerate(path[1]));
        QVERIFY(bench.idle());
        QCOMPARE(chat.tree().path().size(), 2);
        QVERIFY(!chat.tree().at(chat.tree().path()[1]).text.isEmpty());
    }

    void failureShowsTheOldBranch()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("one"));
        QVERIFY(bench.answer("two"));
        const auto path = chat.tree().path();
        bench.script->promptError = kError;
        QVERIFY(chat.regenerate(path[1]));
        QVERIFY(bench.idle());
        QCOMPARE(chat.tree().path(), path);
        QCOMPARE(chat.tree().siblings(path[1]).size(), 1);
        QVERIFY(chat.record().draft.isEmpty());
        QVERIFY(chat.resend(path[0], "changed"));
        QVERIFY(bench.idle());
        QCOMPARE(chat.tree().path(), path);
        QCOMPARE(chat.tree().siblings(path[0]).size(), 1);
        QCOMPARE(chat.record().draft.text, QString("changed"));
        const auto stored = bench.stored(chat.id());
        QCOMPARE(stored.messages.size(), 4);
        QCOMPARE(stored.chat.leaf, path[3]);
    }

    void failsInTheMiddle()
    {
        Bench bench(false);
        Chat& chat = *bench.chat;
        bench.script->answerError = kError;
        QVERIFY(bench.load());
        QSignalSpy failed(&chat, &Chat::failed);
        QVERIFY(bench.answer("Hi"));
        QCOMPARE(failed.size(), 1);
        QCOMPARE(bench.texts(), (QStringList { "Hi", kAnswer }));
        QCOMPARE(bench.at(1).outcome->finish, Outcome::Finish::Failed);
        QVERIFY(chat.record().draft.isEmpty());
        QCOMPARE(chat.record().titleOrigin, TitleOrigin::Question); // no title from that
        const auto stored = bench.stored(chat.id());
        QCOMPARE(textsOf(stored.messages), bench.texts());
        QCOMPARE(stored.messages[1].outcome->finish, Outcome::Finish::Failed);
    }

    void nothingIsDeletedWhileItAnswers()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("one"));
        chat.remove(bench.id(0));
        bench.answerSlowly();
        QVERIFY(bench.begin("two"));
        const auto path = chat.tree().path();
        chat.remove(path[0]);
        chat.undo();
        chat.show(path[0]);
        QVERIFY(!chat.regenerate(path[1]) && !chat.answerQuestion(path[0])
                && !chat.resend(path[0], "x"));
        QCOMPARE(chat.tree().path(), path);
        QVERIFY(chat.canUndo());
        chat.stop();
        QVERIFY(bench.idle());
    }

    void endsDuringAnAnswer()
    {
        Bench bench;
        bench.answerSlowly();
        QVERIFY(bench.load());
        QVERIFY(bench.begin("Hi"));
        const app::ChatId id = bench.chat->id();
        const QString written = bench.at(1).text;
        bench.chat.reset();
        QTRY_COMPARE(bench.service.state(), State::Ready);
        const auto stored = bench.stored(id);
        QCOMPARE(textsOf(stored.messages), (QStringList { "Hi", written }));
        QCOMPARE(stored.messages[1].outcome->finish, Outcome::Finish::Cancelled);
    }

    void modelChangesDuringAnAnswer_data()
    {
        QTest::addColumn<bool>("unload");
        QTest::newRow("another") << false;
        QTest::newRow("none") << true;
    }

    void modelChangesDuringAnAnswer()
    {
        QFETCH(bool, unload);
        Bench bench;
        Chat& chat = *bench.chat;
        bench.answerSlowly();
        QVERIFY(bench.load());
        QVERIFY(bench.begin("Hi"));
        if (unload) {
            bench.service.unload();
        } else {
            QVERIFY(bench.load("/models/b.gguf"));
        }
        QTRY_VERIFY(!chat.isAnswering());
        QCOMPARE(bench.at(1).outcome->finish, Outcome::Finish::Cancelled);
        QVERIFY(bench.at(1).text.startsWith("word "));
        QCOMPARE(bench.at(1).model, QString("/models/a.gguf"));
        QCOMPARE(bench.textsAfterRestart(), bench.texts());
        bench.script->pieces = { "Second" };
        QVERIFY(bench.load("/models/b.gguf"));
        QVERIFY(bench.answer("More"));
        QCOMPARE(bench.at(3).model, QString("/models/b.gguf"));
        QCOMPARE(bench.prompt().size(), 3);
    }

    void drafts()
    {
        Bench bench(false);
        Chat& chat = *bench.chat;
        QVERIFY(!chat.isKept());
        QVERIFY(bench.stored(chat.id()).missing);
        const Draft draft { "half a thought", { { "a.txt", "attached", 3 } } };
        chat.setDraft(draft);
        QVERIFY(chat.isKept() && chat.isEmpty());
        QCOMPARE(bench.stored(chat.id()).chat.draft, draft);
        QCOMPARE(chat.summary().title, QString("half a thought"));
        chat.setDraft({}); // it was nothing but that
        QVERIFY(!chat.isKept());
        QVERIFY(bench.stored(chat.id()).missing);
        chat.setDraft(draft);
        QCOMPARE(bench.stored(chat.id()).chat.draft, draft);
    }

    void restart()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        QVERIFY(bench.answer("Hi"));
        QTest::qWait(2); // another millisecond: siblings are in the order of their times
        QVERIFY(chat.regenerate(bench.id(1)));
        QVERIFY(bench.idle());
        QVERIFY(bench.answer("More"));
        chat.setDraft({ "draft", {} });
        const auto stored = bench.stored(chat.id());
        Chat again(stored.chat, stored.messages, bench.service, *bench.store);
        QCOMPARE(again.id(), chat.id());
        QCOMPARE(again.tree().path(), chat.tree().path());
        QCOMPARE(again.tree().siblings(bench.id(1)), chat.tree().siblings(bench.id(1)));
        QCOMPARE(again.record().draft, chat.record().draft);
        QCOMPARE(again.summary(), chat.summary());
        QCOMPARE(again.contextUsed(), chat.contextUsed());
        QVERIFY(again.contextUsed() > 0);
        QVERIFY(!again.canUndo());
    }
};

QTEST_GUILESS_MAIN(TestChat)
#include "tst_chat.moc"
