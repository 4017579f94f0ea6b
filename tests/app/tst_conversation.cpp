// A conversation becomes a prompt: BOS exactly once, no EOS, no control token out of anybody's
// text. SPDX-License-Identifier: Apache-2.0
#include "app/services/conversation.h"
#include "tests/support/conformance.h"

#include <QTest>

#include <algorithm>

using engine::chat::Message;
using engine::chat::PromptPart;
using engine::chat::Role;
using engine::text::TokenId;
using engine::text::Tokenizer;

namespace {

std::shared_ptr<const Tokenizer> tokenizerOf(const char* folder)
{
    const auto tokenizers = tests::conformanceDir("tokenizers");
    if (!tokenizers) {
        return nullptr;
    }
    const auto file = engine::gguf::GgufFile::open(*tokenizers / folder / "vocab.gguf");
    if (!file) {
        return nullptr;
    }
    const auto loaded = Tokenizer::load(*file);
    return loaded ? loaded->tokenizer : nullptr;
}

std::ptrdiff_t countOf(const std::vector<TokenId>& ids, TokenId id)
{
    return std::count(ids.begin(), ids.end(), id);
}

} // namespace

#define NEED(tokenizer, folder)                                                                    \
    const auto tokenizer = tokenizerOf(folder);                                                    \
    if (!tests::conformanceDir("tokenizers")) {                                                    \
        QSKIP(tests::missing("tokenizers").c_str());                                               \
    }                                                                                              \
    QVERIFY2(tokenizer, folder)

class TestConversation : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void bosExactlyOnce_data()
    {
        QTest::addColumn<QByteArray>("folder");
        QTest::addColumn<QByteArray>("written"); // by the template
        QTest::addColumn<int>("expected");
        QTest::newRow("spm, template writes none") << QByteArray("llama-spm") << QByteArray() << 1;
        QTest::newRow("spm, template writes it")
            << QByteArray("llama-spm") << QByteArray("<s>") << 1;
        QTest::newRow("bpe, template writes none") << QByteArray("llama-bpe") << QByteArray() << 1;
        QTest::newRow("bpe, template writes it")
            << QByteArray("llama-bpe") << QByteArray("<|begin_of_text|>") << 1;
        QTest::newRow("vocabulary wants none") << QByteArray("smollm") << QByteArray() << 0;
    }

    void bosExactlyOnce()
    {
        QFETCH(QByteArray, folder);
        QFETCH(QByteArray, written);
        QFETCH(int, expected);
        NEED(tokenizer, folder.constData());
        const std::vector<PromptPart> parts { { written.toStdString() + "Question: ", true },
                                              { "How are you?", false },
                                              { "\nAnswer:", true } };
        const auto ids = app::encodePrompt(*tokenizer, parts);
        QVERIFY(ids);
        const TokenId bos = tokenizer->vocabulary().bos();
        QCOMPARE(countOf(*ids, bos), std::ptrdiff_t { expected });
        QVERIFY(expected == 0 || ids->front() == bos);
        QVERIFY(ids->size() > 5);
    }

    // A person who types the name of a control token gets its letters, not the token.
    void typedControlTokensAreText_data()
    {
        QTest::addColumn<QByteArray>("folder");
        QTest::addColumn<QByteArray>("control");
        QTest::newRow("smollm end") << QByteArray("smollm") << QByteArray("<|im_end|>");
        QTest::newRow("smollm start") << QByteArray("smollm") << QByteArray("<|im_start|>");
        QTest::newRow("llama bos") << QByteArray("llama-spm") << QByteArray("<s>");
        QTest::newRow("llama eos") << QByteArray("llama-spm") << QByteArray("</s>");
    }

    void typedControlTokensAreText()
    {
        QFETCH(QByteArray, folder);
        QFETCH(QByteArray, control);
        NEED(tokenizer, folder.constData());
        const std::string name = control.toStdString();
        const auto id = tokenizer->vocabulary().find(name);
        QVERIFY(id);
        const auto count = [&](const std::vector<PromptPart>& parts) {
            const auto ids = app::encodePrompt(*tokenizer, parts);
            return ids ? countOf(*ids, *id) : -1;
        };
        const auto without = count({ { "a ", true }, { "b", false }, { " c", true } });
        QVERIFY(without >= 0);
        QCOMPARE(count({ { "a ", true }, { name, false }, { " c", true } }), without);
        QCOMPARE(count({ { "a ", true }, { "x" + name + "y", false }, { " c", true } }), without);
        // Nor one that begins in typed text and ends in the template's.
        QCOMPARE(count({ { "a ", true }, { name.substr(0, 1), false }, { name.substr(1), true } }),
                 without);
        // Written by the template it is the token.
        QCOMPARE(count({ { "a ", true }, { "b", false }, { name, true } }), without + 1);
    }

    // The answer follows the prompt: a vocabulary that ends every text with EOS must not end this
    // one.
    void neverEos()
    {
        NEED(tokenizer, "viking");
        const auto& vocabulary = tokenizer->vocabulary();
        QVERIFY(vocabulary.addsEos());
        const auto ids =
            app::encodePrompt(*tokenizer, std::vector<PromptPart> { { "Hello", true } });
        QVERIFY(ids);
        QVERIFY(ids->back() != vocabulary.eos());
    }

    void emptyPromptIsRefused()
    {
        NEED(tokenizer, "llama-spm");
        for (const auto& parts : { std::vector<PromptPart> {}, { { "", true }, { "", false } } }) {
            const auto ids = app::encodePrompt(*tokenizer, parts);
            QVERIFY(!ids);
            QCOMPARE(ids.error().code, engine::ErrorCode::PromptEmpty);
        }
    }

    void wholeConversation()
    {
        const auto path = tests::demoModel();
        if (!path) {
            QSKIP("the demo model is not here; packaging/run.sh fetches it");
        }
        const auto model = engine::model::Model::load(path->string());
        QVERIFY(model);
        const std::vector<Message> messages { { Role::System, "Be brief." },
                                              { Role::User, "Hi <|im_end|> there" } };
        const auto ids = app::conversationPrompt(**model, messages);
        QVERIFY(ids);
        const auto file = engine::gguf::GgufFile::open(path->string());
        const auto tokenizer = Tokenizer::load(*file)->tokenizer;
        QCOMPARE(tokenizer->detokenize(*ids, engine::text::DetokenizeMode::Text),
                 std::string("<|im_start|>system\nBe brief.<|im_end|>\n"
                             "<|im_start|>user\nHi <|im_end|> there<|im_end|>\n"
                             "<|im_start|>assistant\n"));
        QCOMPARE(countOf(*ids, *tokenizer->vocabulary().find("<|im_end|>")), std::ptrdiff_t { 2 });
    }

    // Where the model's own template is of no use.
    void plainFormat()
    {
        const auto path = tests::demoModel();
        if (!path) {
            QSKIP("the demo model is not here; packaging/run.sh fetches it");
        }
        const auto model = engine::model::Model::load(path->string());
        QVERIFY(model);
        const std::vector<Message> messages { { Role::System, "Be brief." },
                                              { Role::User, "Hi <|im_end|> there" },
                                              { Role::Assistant, "Hello." },
                                              { Role::User, "More" } };
        const auto plain = app::conversationPrompt(**model, messages, {}, app::PromptFormat::Plain);
        QVERIFY(plain);
        const auto& tokenizer = (*model)->tokenizer();
        const std::string text = tokenizer.detokenize(*plain, engine::text::DetokenizeMode::Text);
        QCOMPARE(QString::fromStdString(text),
                 QString("Be brief.\n\nUser: Hi <|im_end|> there\nAssistant: Hello.\n"
                         "User: More\nAssistant:"));
        QCOMPARE(countOf(*plain, *tokenizer.vocabulary().find("<|im_end|>")), std::ptrdiff_t { 0 });
        const auto stops =
            app::conversationOptions(**model, {}, app::PromptFormat::Plain).stopTexts;
        QCOMPARE(stops, (std::vector<std::string> { "\nUser:" }));
        QVERIFY(app::conversationOptions(**model, {}).stopTexts.empty());
    }

    void plainTemplateStopsAtTheNextQuestion()
    {
        const auto architectures = tests::conformanceDir("architectures");
        if (!architectures) {
            QSKIP(tests::missing("architectures").c_str());
        }
        const auto model =
            engine::model::Model::load((*architectures / "llama-mha" / "model.gguf").string());
        QVERIFY(model);
        QVERIFY((*model)->chatTemplate());
        QCOMPARE((*model)->chatTemplate()->origin(), engine::chat::TemplateOrigin::Plain);
        engine::session::GenerateOptions options;
        options.stopTexts = { "###" };
        const auto stops = app::conversationOptions(**model, options).stopTexts;
        QCOMPARE(stops, (std::vector<std::string> { "###", "\nUser:" }));
    }
};

QTEST_GUILESS_MAIN(TestConversation)
#include "tst_conversation.moc"
