// One chat: how it is steered, what goes into the prompt and what is left out, its title.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/chat_service_bench.h"

using namespace std::chrono_literals;
using app::Chat;
using app::MessageId;
using engine::ErrorCode;
using Bench = tests::OneChatBench;
using TitleOrigin = app::ChatRecord::TitleOrigin;

namespace {

const QString kAnswer = QStringLiteral("Hello, world.");

} // namespace

class TestChatPrompt : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void steering()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        bench.script->facts.modelSampler.temperature = 0.25F;
        QVERIFY(bench.load());
        QSignalSpy steered(&chat, &Chat::steeringChanged);
        QCOMPARE(chat.sampler().temperature, 0.25F);
        chat.setSampler({ { "topK", 3 } });
        chat.setSystemPrompt("Be brief.");
        chat.setPlainPrompt(true);
        QCOMPARE(steered.size(), 3);
        chat.setSampler({ { "topK", 3 } });
        chat.setSystemPrompt("Be brief.");
        chat.setPlainPrompt(true);
        QCOMPARE(steered.size(), 3);
        QCOMPARE(chat.sampler().topK, 3);
        QCOMPARE(chat.sampler().temperature, 0.25F);
        QCOMPARE(chat.samplerDefaults().topK, engine::session::SamplerOptions {}.topK);
        QVERIFY(bench.answer("Hi"));
        QCOMPARE(bench.prompt(), (QStringList { "S:Be brief.", "U:Hi" }));
        const auto stored = bench.stored(chat.id());
        QCOMPARE(stored.chat.systemPrompt, QString("Be brief."));
        QCOMPARE(stored.chat.sampler, chat.record().sampler);
        QVERIFY(stored.chat.plainPrompt);
        chat.setSystemPrompt(" \n");
        QVERIFY(bench.answer("More"));
        QCOMPARE(bench.prompt().constFirst(), QString("U:Hi")); // blank is none
    }

    // The template fails, the plain prompt does not.
    void plainPrompt()
    {
        Bench bench;
        bench.script->promptError = engine::Error { ErrorCode::TemplateRaised, { "no" }, {} };
        QVERIFY(bench.load());
        QSignalSpy failed(bench.chat.get(), &Chat::failed);
        QVERIFY(bench.answer("Hi"));
        QCOMPARE(failed.size(), 1);
        bench.chat->setPlainPrompt(true);
        QVERIFY(bench.chat->ask());
        QVERIFY(bench.idle());
        QCOMPARE(failed.size(), 1);
        QCOMPARE(bench.texts(), (QStringList { "Hi", kAnswer }));
    }

    void attachmentsGoIntoThePrompt()
    {
        Bench bench;
        QVERIFY(bench.load());
        const QString fenced = "a\n````\nb"; // longer than a usual fence
        QVERIFY(
            bench.chat->ask({ "Look", { { "one.txt", "plain\n", 1 }, { "two.md", fenced, 1 } } }));
        QVERIFY(bench.idle());
        QCOMPARE(bench.prompt(),
                 (QStringList { "U:Look\n\n"
                                "Attached text \"one.txt\":\n```\nplain\n```\n\n"
                                "Attached text \"two.md\":\n`````\na\n````\nb\n`````" }));
        QVERIFY(bench.chat->ask({ "", { { "three.txt", "alone", 1 } } }));
        QVERIFY(bench.idle());
        QCOMPARE(bench.prompt().constLast(),
                 QString("U:Attached text \"three.txt\":\n```\nalone\n```"));
        const auto stored = bench.stored(bench.chat->id());
        QCOMPARE(stored.messages[0].attachments.size(), 2);
        QCOMPARE(stored.messages[0].attachments[1].text, fenced);
    }

    void titleIsMadeOnce()
    {
        Bench bench(false);
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        bench.script->pieces = { "Parrots", " and", " speech" };
        QVERIFY(chat.ask({ "How do parrots speak?\nSay it.", {} }));
        QCOMPARE(chat.record().title, QString("How do parrots speak?"));
        QCOMPARE(chat.record().titleOrigin, TitleOrigin::Question);
        QVERIFY(bench.idle());
        QCOMPARE(chat.record().title, QString("Parrots and speech"));
        QCOMPARE(chat.record().titleOrigin, TitleOrigin::Model);
        QCOMPARE(bench.script->answers.load(), 2);
        QCOMPARE(bench.prompt().size(), 3); // goes on from the conversation
        QCOMPARE(bench.texts().size(), 2); // and is no part of it
        QCOMPARE(bench.stored(chat.id()).chat.title, QString("Parrots and speech"));
        QVERIFY(bench.answer("More"));
        QVERIFY(chat.regenerate(bench.id(1)));
        QVERIFY(bench.idle());
        QCOMPARE(bench.script->answers.load(), 4);
        QCOMPARE(chat.record().title, QString("Parrots and speech"));
    }

    // Also while one is being made.
    void titleNeverOverAPersons()
    {
        Bench bench(false);
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        bench.script->pieces = { "Parrots" };
        bool titling = false;
        connect(&chat, &Chat::answerEnded, this, [&] {
            titling = chat.isBusy();
            chat.setTitle("  My \n title ");
        });
        QVERIFY(bench.answer("How do parrots speak?"));
        QVERIFY(titling);
        QCOMPARE(bench.script->answers.load(), 2);
        QCOMPARE(chat.record().title, QString("My title"));
        QCOMPARE(chat.record().titleOrigin, TitleOrigin::Person);
        chat.setTitle(" ");
        QCOMPARE(chat.record().title, QString("My title"));
        QCOMPARE(bench.stored(chat.id()).chat.titleOrigin, TitleOrigin::Person);
    }

    // The next question does not wait for the title.
    void titleGivesWay()
    {
        Bench bench(false);
        Chat& chat = *bench.chat;
        QVERIFY(bench.load());
        bench.script->pieceTime = 20ms;
        bool asked = false;
        const auto next = [&] { asked = asked || (chat.isBusy() && chat.ask({ "More", {} })); };
        connect(&chat, &Chat::answerEnded, this, next);
        QVERIFY(chat.ask({ "How do parrots speak?", {} }));
        QTRY_VERIFY(asked);
        QVERIFY(bench.idle());
        QCOMPARE(bench.texts(),
                 (QStringList { "How do parrots speak?", kAnswer, "More", kAnswer }));
        QCOMPARE(chat.record().title, QString("How do parrots speak?"));
        QCOMPARE(chat.record().titleOrigin, TitleOrigin::Question);
    }

    // What does not fit any more is marked, and the mark moves with the conversation.
    void marksWhatIsLeftOut()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        app::LoadRequest request;
        request.contextLength = 200;
        QVERIFY(bench.load("/models/a.gguf", request));
        chat.setSystemPrompt(QString(20, u's'));
        QSignalSpy marked(&chat, &Chat::firstSeenChanged);
        int turns = 0;
        while (chat.record().firstSeen == 0 && turns < 20) {
            QVERIFY(bench.answer(QString(20, QChar(u'a' + turns))));
            ++turns;
        }
        QVERIFY(turns > 3 && turns < 7);
        QCOMPARE(marked.size(), 1);
        const MessageId first = chat.record().firstSeen;
        const auto row = chat.tree().path().indexOf(first);
        QVERIFY(row > 0 && row % 2 == 0); // a question
        QCOMPARE(chat.tree().at(chat.tree().leaf()).outcome->leftOut,
                 static_cast<std::size_t>(row));
        std::size_t kept = 20; // the system prompt
        for (auto at = row; at + 1 < chat.tree().path().size(); ++at) {
            kept += static_cast<std::size_t>(bench.at(at).text.size());
        }
        QCOMPARE(chat.tree().at(chat.tree().leaf()).outcome->promptTokens, kept);
        QCOMPARE(bench.stored(chat.id()).chat.firstSeen, first);
        // The next question keeps the cut: its prefix is in the cache.
        QVERIFY(bench.answer("short"));
        QCOMPARE(chat.record().firstSeen, first);
        QCOMPARE(bench.prompt()[0], "S:" + QString(20, u's'));
        QCOMPARE(bench.prompt()[1], "U:" + bench.at(row).text);
        // An earlier question asked again needs no cut.
        QVERIFY(chat.regenerate(bench.id(1)));
        QVERIFY(bench.idle());
        QCOMPARE(chat.record().firstSeen, 0);
    }

    void cutIsFoundAnewForAnotherContext()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        app::LoadRequest request;
        request.contextLength = 100;
        QVERIFY(bench.load("/models/a.gguf", request));
        for (int turn = 0; turn < 5; ++turn) {
            QVERIFY(bench.answer(QString(20, QChar(u'a' + turn))));
        }
        QVERIFY(chat.record().firstSeen != 0);
        request.contextLength = 4096;
        QVERIFY(bench.load("/models/a.gguf", request));
        QVERIFY(bench.answer("all"));
        QCOMPARE(chat.record().firstSeen, 0);
        QCOMPARE(bench.prompt().size(), 11);
        QCOMPARE(bench.at(11).outcome->leftOut, std::size_t { 0 });
    }

    // After a restart nothing is in the cache: what fits is seen again.
    void cutIsFoundAnewAfterARestart()
    {
        Bench bench;
        app::LoadRequest request;
        request.contextLength = 200;
        QVERIFY(bench.load("/models/a.gguf", request));
        for (int turn = 0; turn < 5; ++turn) {
            QVERIFY(bench.answer(QString(20, QChar(u'a' + turn))));
        }
        const auto stored = bench.stored(bench.chat->id());
        QVERIFY(stored.chat.firstSeen != 0);
        bench.chat =
            std::make_unique<Chat>(stored.chat, stored.messages, bench.service, *bench.store);
        QCOMPARE(bench.chat->record().firstSeen, stored.chat.firstSeen);
        request.contextLength = 1000;
        QVERIFY(bench.load("/models/a.gguf", request));
        QVERIFY(bench.answer("all"));
        QCOMPARE(bench.prompt().size(), 11);
        QCOMPARE(bench.chat->record().firstSeen, 0);
    }

    void questionTooLong()
    {
        Bench bench;
        Chat& chat = *bench.chat;
        app::LoadRequest request;
        request.contextLength = 200;
        QVERIFY(bench.load("/models/a.gguf", request));
        QVERIFY(bench.answer("Hi"));
        QSignalSpy failed(&chat, &Chat::failed);
        QVERIFY(bench.answer(QString(300, u'x')));
        QCOMPARE(failed.size(), 1);
        const auto error = failed[0][0].value<app::ErrorMessage>();
        QVERIFY(error.what.contains("300") && error.what.contains("200"));
        QCOMPARE(chat.record().draft.text.size(), 300);
        QCOMPARE(bench.texts().size(), 2);
    }
};

QTEST_GUILESS_MAIN(TestChatPrompt)
#include "tst_chat_prompt.moc"
