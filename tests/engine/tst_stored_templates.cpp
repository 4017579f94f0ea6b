// Several chat templates in one file: its own, those for tools, those by name.
// SPDX-License-Identifier: Apache-2.0
#include "engine/chat/chat_template.h"
#include "tests/support/vocabulary_builder.h"

#include <QTest>

using namespace engine::text;
using engine::chat::ChatTemplate;
using engine::chat::TemplateOrigin;
using engine::chat::TemplateUse;

namespace {

using Found = std::optional<std::string_view>;

tests::VocabularyBuilder vocabulary()
{
    tests::VocabularyBuilder builder("llama");
    builder.token("<unk>", 2).token("<s>", 3).token("</s>", 3);
    return builder;
}

} // namespace

class TestStoredTemplates : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void byName()
    {
        auto builder = vocabulary();
        builder.text("tokenizer.chat_template.tool_use", "tools")
            .text("tokenizer.chat_template", "own")
            .text("tokenizer.chat_template.rag", "documents")
            .text("tokenizer.chat_template.", "nameless")
            .number("tokenizer.chat_template.odd", 1)
            .text("tokenizer.chat_templates", "a list of names");
        const auto loaded = builder.load();
        QVERIFY(loaded.has_value());
        const auto& stored = loaded->tokenizer->vocabulary().chatTemplates();
        QCOMPARE(stored.own, Found("own"));
        QCOMPARE(stored.named.size(), std::size_t(2));
        QCOMPARE(stored.find("rag"), Found("documents"));
        QCOMPARE(stored.find("default"), Found("own"));
        QCOMPARE(stored.find("odd"), Found());
        QCOMPARE(stored.forTools(), Found("tools"));
        const auto& known = loaded->tokenizer->vocabulary();
        QCOMPARE(ChatTemplate::forVocabulary(known)->source(), std::string("own"));
        QCOMPARE(ChatTemplate::forVocabulary(known, TemplateUse::Tools)->source(),
                 std::string("tools"));
    }

    void onlyOwn()
    {
        auto builder = vocabulary();
        const auto loaded = builder.text("tokenizer.chat_template", "own").load();
        QVERIFY(loaded.has_value());
        const auto& known = loaded->tokenizer->vocabulary();
        QCOMPARE(ChatTemplate::forVocabulary(known, TemplateUse::Tools)->source(),
                 std::string("own"));
    }

    void onlyNamed()
    {
        auto builder = vocabulary();
        builder.text("tokenizer.chat_template.rag", "documents");
        {
            auto first = builder;
            const auto loaded = first.load();
            QCOMPARE(loaded->tokenizer->vocabulary().chatTemplate(), Found("documents"));
        }
        builder.text("tokenizer.chat_template.default", "own");
        const auto loaded = builder.load();
        QCOMPARE(loaded->tokenizer->vocabulary().chatTemplate(), Found("own"));
    }

    void none()
    {
        auto builder = vocabulary();
        const auto loaded = builder.load();
        QVERIFY(loaded.has_value());
        const auto& known = loaded->tokenizer->vocabulary();
        QVERIFY(!known.chatTemplate() && !known.chatTemplates().forTools());
        QCOMPARE(ChatTemplate::forVocabulary(known, TemplateUse::Tools)->origin(),
                 TemplateOrigin::Plain);
    }
};

QTEST_APPLESS_MAIN(TestStoredTemplates)
#include "tst_stored_templates.moc"
