// Which turns a prompt keeps: laws over random conversations.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/context_fit.h"

#include <QTest>

#include <random>

using engine::chat::Message;
using engine::chat::Role;

class TestContextFit : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsEverythingThatFits()
    {
        const std::vector<Message> messages { { Role::User, "hello" },
                                              { Role::Assistant, "hi" },
                                              { Role::User, "x" } };
        const auto fitted = app::fitPrompt(messages, 0, 100, -1, bytes);
        QVERIFY(fitted);
        QCOMPARE(fitted->leftOut, std::size_t(0));
        QCOMPARE(fitted->tokens.size(), std::size_t(8));
    }

    void refusesWhatCannotFit()
    {
        const std::vector<Message> messages { { Role::System, std::string(60, 's') },
                                              { Role::User, "old" },
                                              { Role::Assistant, "answer" },
                                              { Role::User, std::string(60, 'q') } };
        const auto fitted = app::fitPrompt(messages, 0, 100, -1, bytes);
        QVERIFY(!fitted);
        QCOMPARE(fitted.error().code, engine::ErrorCode::PromptTooLong);
        QCOMPARE(fitted.error().arguments, (std::vector<std::string> { "120", "100" }));
    }

    // More was left out than there is now: the last question stays, and nothing comes back.
    void staysBehindACutAtTheEnd()
    {
        const std::vector<Message> messages { { Role::User, "old" },
                                              { Role::Assistant, "answer" },
                                              { Role::User, "last one" },
                                              { Role::Assistant, "words" } };
        for (const std::size_t leftOut : { 3, 4, 1'000'000 }) {
            const auto fitted = app::fitPrompt(messages, leftOut, 100, -1, bytes);
            QVERIFY(fitted);
            QCOMPARE(fitted->leftOut, std::size_t(2));
            QCOMPARE(fitted->tokens.size(), std::size_t(13));
        }
    }

    void keepsRoomForTheAnswer()
    {
        QCOMPARE(app::answerReserve(8192, -1), std::size_t(1024));
        QCOMPARE(app::answerReserve(400, -1), std::size_t(100));
        QCOMPARE(app::answerReserve(8192, 24), std::size_t(24));
    }

    void passesErrorsOn()
    {
        const std::vector<Message> messages { { Role::User, "hello" } };
        const auto fitted = app::fitPrompt(messages, 0, 100, -1, [](std::span<const Message>) {
            return engine::Result<std::vector<engine::text::TokenId>>(
                engine::failure(engine::ErrorCode::TemplateRaised, { "no" }));
        });
        QVERIFY(!fitted);
        QCOMPARE(fitted.error().code, engine::ErrorCode::TemplateRaised);
    }

    // A conversation that its template is stopped for is not lost: the newest turns are asked.
    void givesATemplateLessToDo()
    {
        std::vector<Message> messages;
        for (int turn = 0; turn < 200; ++turn) {
            messages.push_back({ Role::User, std::string(50, 'u') });
            messages.push_back({ Role::Assistant, std::string(50, 'a') });
        }
        messages.push_back({ Role::User, "last" });
        const auto limited = [](std::size_t most) {
            return [most](std::span<const Message> shown) {
                auto tokens = bytes(shown);
                return tokens->size() > most
                    ? engine::failure(engine::ErrorCode::TemplateLimit, { "so much" })
                    : tokens;
            };
        };
        const auto fitted = app::fitPrompt(messages, 0, 1000, -1, limited(5000));
        QVERIFY(fitted);
        QCOMPARE(fitted->tokens.size(), std::size_t(404));
        QCOMPARE(fitted->leftOut, std::size_t(392));
        // One that fails whatever it gets says so.
        const auto none = app::fitPrompt(messages, 0, 1000, -1, limited(1));
        QVERIFY(!none);
        QCOMPARE(none.error().code, engine::ErrorCode::TemplateLimit);
    }

    void theLastQuestionStays()
    {
        const std::vector<Message> messages { { Role::System, "s" },
                                              { Role::User, "old" },
                                              { Role::Assistant, "answer" },
                                              { Role::User, "new" } };
        const auto fitted = app::fitPrompt(messages, 100, 1000, -1, bytes);
        QVERIFY(fitted);
        QCOMPARE(fitted->leftOut, std::size_t(2));
        QCOMPARE(fitted->tokens.size(), std::size_t(4));
    }

    void canBeStopped()
    {
        std::stop_source stop;
        int renders = 0;
        std::vector<Message> messages(99, { Role::User, std::string(50, 'u') });
        const auto fitted = app::fitPrompt(
            messages, 0, 1000, -1,
            [&](std::span<const Message> shown) {
                stop.request_stop();
                ++renders;
                return bytes(shown);
            },
            stop.get_token());
        QVERIFY(!fitted);
        QCOMPARE(fitted.error().code, engine::ErrorCode::Cancelled);
        QCOMPARE(renders, 1);
    }

    void holdsItsLaws()
    {
        std::mt19937 random(7);
        for (int round = 0; round < 2000; ++round) {
            const std::size_t context = 50 + random() % 2000;
            std::vector<Message> messages;
            const bool system = random() % 2 == 0;
            if (system) {
                messages.push_back({ Role::System, std::string(random() % 40, 's') });
            }
            const std::size_t turns = 1 + random() % 60;
            for (std::size_t turn = 0; turn < turns; ++turn) {
                messages.push_back({ Role::User, std::string(1 + random() % 80, 'u') });
                if (turn + 1 < turns) {
                    messages.push_back({ Role::Assistant, std::string(random() % 80, 'a') });
                }
            }
            const std::size_t before = random() % 3 == 0 ? 2 * (random() % turns) : 0;
            int renders = 0;
            std::vector<Message> kept;
            std::size_t keptSize = 0;
            const auto fitted =
                app::fitPrompt(messages, before, context, -1, [&](std::span<const Message> shown) {
                    ++renders;
                    auto tokens = bytes(shown);
                    if (tokens->size() <= context) {
                        kept.assign(shown.begin(), shown.end());
                        keptSize = tokens->size();
                    }
                    return tokens;
                });
            QVERIFY(renders <= 8);
            const std::size_t first = system ? 1 : 0;
            if (!fitted) {
                QVERIFY(messages.back().content.size()
                            + (system ? messages.front().content.size() : 0)
                        >= context);
                continue;
            }
            QVERIFY(fitted->leftOut >= before);
            QVERIFY(fitted->tokens.size() < context);
            QVERIFY(first + fitted->leftOut < messages.size());
            QCOMPARE(messages[first + fitted->leftOut].role, Role::User);
            // Nothing more than what had to go: with one turn more it would not fit into its share.
            std::vector<Message> longer(messages.begin()
                                            + static_cast<std::ptrdiff_t>(first + fitted->leftOut),
                                        messages.end());
            std::size_t size = system ? messages.front().content.size() : 0;
            for (const Message& message : longer) {
                size += message.content.size();
            }
            QCOMPARE(fitted->tokens.size(), size);
            if (fitted->leftOut > before) {
                const std::size_t more = messages[first + fitted->leftOut - 1].content.size()
                    + messages[first + fitted->leftOut - 2].content.size();
                QVERIFY(size + more > context / 2);
            }
        }
    }

private:
    static engine::Result<std::vector<engine::text::TokenId>>
    bytes(std::span<const Message> messages)
    {
        std::size_t size = 0;
        for (const Message& message : messages) {
            size += message.content.size();
        }
        return std::vector<engine::text::TokenId>(size, 1);
    }
};

QTEST_APPLESS_MAIN(TestContextFit)
#include "tst_context_fit.moc"
