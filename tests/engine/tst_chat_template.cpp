// Published chat templates, rendered byte for byte as Python does.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/conformance.h"
#include "tests/support/template_cases.h"
#include "tests/support/vocabulary_builder.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>

class TestChatTemplate : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void published_data();
    void published();
    void originFollowsTheVocabulary_data();
    void originFollowsTheVocabulary();
    void brokenTemplateOfAModel();
    void tokensOfTheVocabulary();
    void longConversation();
};

void TestChatTemplate::published_data()
{
    QTest::addColumn<QString>("folder");
    const auto pack = tests::conformanceDir("templates");
    if (!pack) {
        QSKIP(tests::missing("templates").c_str());
    }
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(*pack)) {
        if (std::filesystem::exists(entry.path() / "template.jinja")) {
            names.push_back(entry.path().filename());
        }
    }
    if (names.empty()) {
        QSKIP("the pack has no published templates (set VITRINE_CONFORMANCE_DIR)");
    }
    std::sort(names.begin(), names.end());
    for (const auto& name : names) {
        QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
}

void TestChatTemplate::published()
{
    static const QStringList kRequired = { "smollm2",         "chatml",    "llama-2-chat",
                                           "llama-3",         "llama-3.1", "mistral-7b-v0.1",
                                           "mistral-7b-v0.3", "zephyr" };
    constexpr int kSampleStep = 6;
    QFETCH(QString, folder);
    const auto path = *tests::conformanceDir("templates") / folder.toStdString();
    const std::string source = tests::readFile(path / "template.jinja");
    const auto cases = tests::readJson(path / "cases.json");
    QVERIFY2(cases.is_array() && !cases.empty(), "the cases cannot be read");
    const bool all = tests::fullRun() || kRequired.contains(folder);
    QStringList wrong;
    for (std::size_t i = 0; i < cases.size(); i += all ? 1 : kSampleStep) {
        const auto& test = cases[i];
        const auto result = tests::render(source, tests::caseVariables(test));
        const bool fails = test.contains("error");
        const bool right = fails
            ? result.slug == "template-raised" && result.message == test["error"]
            : result.slug.empty() && result.text == test["expected"];
        if (!right) {
            wrong += QString::fromStdString(test["name"].get<std::string>() + ": " + result.slug
                                            + " " + result.message + " " + result.subject);
        }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(wrong.join("\n")));
}

using engine::chat::ChatTemplate;
using engine::chat::Message;
using engine::chat::Role;
using engine::chat::TemplateOrigin;

void TestChatTemplate::originFollowsTheVocabulary_data()
{
    QTest::addColumn<QString>("own");
    QTest::addColumn<QString>("token");
    QTest::addColumn<int>("origin");
    QTest::addColumn<QString>("expected");
    QTest::newRow("own") << "{% for m in messages %}{{ m.role ~ m.content }}{% endfor %}"
                         << "<|im_end|>" << int(TemplateOrigin::Model)
                         << "systemBe «brief».userHi\nassistantYes";
    QTest::newRow("ChatML")
        << QString() << "<|im_end|>" << int(TemplateOrigin::ChatMl)
        << "<|im_start|>system\nBe «brief».<|im_end|>\n<|im_start|>user\nHi\n<|im_end|>\n"
           "<|im_start|>assistant\nYes<|im_end|>\n<|im_start|>assistant\n";
    QTest::newRow("plain") << QString() << "x" << int(TemplateOrigin::Plain)
                           << "Be «brief».\n\nUser: Hi\n\nAssistant: Yes\nAssistant:";
}

void TestChatTemplate::originFollowsTheVocabulary()
{
    QFETCH(QString, own);
    QFETCH(QString, token);
    QFETCH(int, origin);
    QFETCH(QString, expected);
    tests::VocabularyBuilder builder("llama");
    builder.token("<unk>", 2).token("<s>", 3).token("</s>", 3).token("<|im_start|>", 3);
    builder.token(token.toStdString(), 3);
    if (!own.isNull()) {
        builder.text("tokenizer.chat_template", own.toStdString());
    }
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const auto& vocabulary = loaded->tokenizer->vocabulary();
    const auto chatTemplate = ChatTemplate::forVocabulary(vocabulary);
    QVERIFY(chatTemplate.has_value());
    QCOMPARE(int(chatTemplate->origin()), origin);
    const std::vector<Message> messages = { { Role::System, "Be «brief»." },
                                            { Role::User, "Hi\n" },
                                            { Role::Assistant, "Yes" } };
    const auto parts = chatTemplate->renderMessages(messages, vocabulary);
    QVERIFY(parts.has_value());
    std::string content;
    for (const auto& part : *parts) {
        content += part.trusted ? "" : part.text;
    }
    QCOMPARE(content, std::string("Be «brief».Hi\nYes"));
    QCOMPARE(QString::fromStdString(engine::chat::joined(*parts)), expected);
}

void TestChatTemplate::brokenTemplateOfAModel()
{
    tests::VocabularyBuilder builder("llama");
    builder.token("<unk>", 2).token("a").text("tokenizer.chat_template", "\n\n{% if %}");
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const auto chatTemplate = ChatTemplate::forVocabulary(loaded->tokenizer->vocabulary());
    QVERIFY(!chatTemplate.has_value());
    QCOMPARE(chatTemplate.error().code, engine::ErrorCode::TemplateSyntax);
    QCOMPARE(chatTemplate.error().where.subject, std::string("line 3"));
}

void TestChatTemplate::tokensOfTheVocabulary()
{
    tests::VocabularyBuilder builder("llama");
    builder.token("<unk>", 2).token("<s>", 3).token("</s>", 3);
    builder.number("tokenizer.ggml.bos_token_id", 1).number("tokenizer.ggml.eos_token_id", 2);
    builder.text("tokenizer.chat_template",
                 "{{ bos_token }}|{{ messages[0].content }}|{{ eos_token }}|{{ tools is none }}|"
                 "{{ add_generation_prompt }}");
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const auto& vocabulary = loaded->tokenizer->vocabulary();
    const std::vector<Message> messages = { { Role::User, "<s>" } };
    const auto parts =
        ChatTemplate::forVocabulary(vocabulary)->renderMessages(messages, vocabulary);
    QVERIFY(parts.has_value());
    QCOMPARE(parts->size(), std::size_t(3));
    QCOMPARE(parts->at(0).text, std::string("<s>|"));
    QVERIFY(parts->at(0).trusted);
    QCOMPARE(parts->at(1).text, std::string("<s>"));
    QVERIFY(!parts->at(1).trusted);
    QCOMPARE(parts->at(2).text, std::string("|</s>|True|True"));
}

void TestChatTemplate::longConversation()
{
    const auto pack = tests::conformanceDir("templates");
    const auto file = pack ? *pack / "llama-3.1" / "template.jinja" : std::filesystem::path();
    if (!pack || !std::filesystem::exists(file)) {
        QSKIP("the pack has no published templates (set VITRINE_CONFORMANCE_DIR)");
    }
    constexpr int kMessages = 100;
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    for (int i = 0; i < kMessages; ++i) {
        messages.push_back(
            { { "role", i % 2 ? "assistant" : "user" }, { "content", std::string(800, 'x') } });
    }
    const auto variables = tests::toValue({ { "messages", messages },
                                            { "tools", nullptr },
                                            { "bos_token", "" },
                                            { "add_generation_prompt", true } });
    const auto chatTemplate = ChatTemplate::parse(tests::readFile(file));
    QVERIFY(chatTemplate.has_value());
    std::size_t size = 0;
    QBENCHMARK
    {
        const auto parts = chatTemplate->render(variables);
        QVERIFY(parts.has_value());
        size = engine::chat::joined(*parts).size();
    }
    QVERIFY(size > 80'000);
}

QTEST_APPLESS_MAIN(TestChatTemplate)
#include "tst_chat_template.moc"
