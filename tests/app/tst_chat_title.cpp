// Titles out of what models answer.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_title.h"

#include <QTest>

class TestChatTitle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void makesATitle_data()
    {
        QTest::addColumn<QString>("answer");
        QTest::addColumn<QString>("title");
        QTest::newRow("as it is") << "Rain and clouds"
                                  << "Rain and clouds";
        QTest::newRow("quoted") << "\"Rain and clouds.\""
                                << "Rain and clouds";
        QTest::newRow("prefix, markup") << "**Title:** Rain and clouds"
                                        << "Rain and clouds";
        QTest::newRow("first line") << "Rain and clouds\n\nThis title says it."
                                    << "Rain and clouds";
        QTest::newRow("underlined heading") << "## _Rain and clouds_"
                                            << "Rain and clouds";
        QTest::newRow("words with marks") << "Rain in C# and snake_case"
                                          << "Rain in C# and snake_case";
        QTest::newRow("refusal") << "I cannot make a rain title."
                                 << "Why does rain fall?";
        QTest::newRow("sentence") << "Rain falls because of gravity. It is heavy."
                                  << "Why does rain fall?";
        QTest::newRow("nothing") << "  \n"
                                 << "Why does rain fall?";
        QTest::newRow("about something else") << "The law of the sea"
                                              << "Why does rain fall?";
    }

    void makesATitle()
    {
        QFETCH(QString, answer);
        QFETCH(QString, title);
        QCOMPARE(app::titleFromAnswer(answer, "Why does rain fall?\nPlease explain."), title);
    }

    void cutsLongQuestionsAtAWord()
    {
        const QString title = app::titleFromQuestion(QString("word ").repeated(1'000'000));
        QVERIFY(title.size() <= 61);
        QVERIFY(title.endsWith(QString("word") + QChar(0x2026)));
        // Never inside a character.
        const QString emoji = app::titleFromQuestion(QString::fromUtf8("😀").repeated(100));
        QVERIFY(emoji.isValidUtf16());
        QCOMPARE(app::titleFromQuestion("  \n "), QString());
    }

    // The prompt goes on from the conversation, so that the cache is of use.
    void goesOnFromTheConversation()
    {
        const auto request = app::titleRequest(
            { { engine::chat::Role::User, "Q" }, { engine::chat::Role::Assistant, "A" } },
            app::PromptFormat::Plain);
        QCOMPARE(request.messages.size(), std::size_t(3));
        QCOMPARE(request.messages.front().content, std::string("Q"));
        QCOMPARE(request.format, app::PromptFormat::Plain);
        QVERIFY(request.options.maxTokens > 0 && request.options.maxTokens < 64);
    }
};

QTEST_APPLESS_MAIN(TestChatTitle)
#include "tst_chat_title.moc"
