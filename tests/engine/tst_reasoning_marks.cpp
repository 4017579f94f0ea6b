// The marks of published models, and whether their prompts open or close the reasoning.
// SPDX-License-Identifier: Apache-2.0
#include "engine/chat/reasoning_marks.h"
#include "engine/chat/reasoning_splitter.h"
#include "engine/chat/thinking.h"
#include "tests/support/conformance.h"
#include "tests/support/vocabulary_builder.h"

#include <QTest>

#include <map>

using namespace engine::chat;
using Form = ReasoningMarks::Form;

namespace {

/// What a template of the pack should come to.
struct Expected
{
    std::string open;
    std::optional<bool> thinks = {}; ///< by default; nothing: it can't be told
    /// The answer begins in the reasoning, by default and with thinking on.
    bool inside = false;
    bool insideWhenOn = false;
};

const std::map<std::string, Expected>& expectations()
{
    static const std::map<std::string, Expected> table {
        { "apertus", { "<|inner_prefix|>", false } },
        { "apriel-1.5", { "Here are my reasoning steps:" } },
        { "bielik-11b", { "<think>", false, false, true } },
        { "command-a", { "<|START_THINKING|>" } },
        { "command-r7b", { "<|START_THINKING|>" } },
        { "deepseek-r1", { "<think>" } },
        { "deepseek-r1-0528", { "<think>" } },
        { "deepseek-r1-distill-llama", { "<think>" } },
        { "deepseek-r1-distill-qwen", { "<think>" } },
        { "deepseek-v3", { "<think>", {}, true, true } },
        { "deepseek-v3.1", { "<think>", false, false, true } },
        { "deepseek-v3.2", { "<think>", false, false, true } },
        { "exaone-deep", { "<thought>", {}, true, true } },
        { "gemma-4", { "<|channel>", false } },
        { "glm-4.6", { "<think>", true } },
        { "glm-4.7-flash", { "<think>", true, true, true } },
        { "gpt-oss", { "<|channel|>", {}, true, true } },
        { "granite-3.2", { "Here is my thought process:", false } },
        { "granite-3.3", { "<think>", false } },
        { "lfm2.5", { "<think>" } },
        { "minicpm3", { "<|thought_start|>" } },
        { "ministral-3-reasoning", { "[THINK]" } },
        { "nemotron-nano-3", { "<think>", true, true, true } },
        { "qwen3", { "<think>", true } },
        { "qwen3-next", { "<think>", {}, true, true } },
        { "qwen3.5", { "<think>", true, true, true } },
        { "qwen3.6", { "<think>", true, true, true } },
        { "qwq-32b", { "<think>", {}, true, true } },
        { "reka-edge", { "<think>", false, false, true } },
        { "seed-oss", { "<seed:think>", true } },
        { "smollm3", { "<think>", true } },
        { "stepfun-3.5", { "<think>", {}, true, true } },
    };
    return table;
}

/// A vocabulary of a few tokens with these kinds (3 control, 4 user-defined, 1 normal).
struct Tokens
{
    tests::VocabularyBuilder builder { "llama" };
    engine::text::LoadedTokenizer loaded;

    explicit Tokens(const std::vector<std::pair<std::string, int>>& tokens)
    {
        builder.token("<unk>", 2).token("<s>", 3).token("</s>", 3).byteNames();
        for (const auto& [text, kind] : tokens) {
            builder.token(text, kind);
        }
        if (auto done = builder.load()) {
            loaded = *done;
        }
    }
    [[nodiscard]] const engine::text::Vocabulary& operator*() const
    {
        return loaded.tokenizer->vocabulary();
    }
};

} // namespace

class TestReasoningMarks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void published_data()
    {
        QTest::addColumn<QString>("folder");
        const auto pack = tests::conformanceDir("templates");
        if (!pack) {
            QSKIP(tests::missing("templates").c_str());
        }
        bool any = false;
        for (const auto& entry : std::filesystem::directory_iterator(*pack)) {
            if (std::filesystem::exists(entry.path() / "template.jinja")) {
                const std::string name = entry.path().filename();
                QTest::newRow(name.c_str()) << QString::fromStdString(name);
                any = true;
            }
        }
        if (!any) {
            QSKIP("the pack has no published templates (set VITRINE_CONFORMANCE_DIR)");
        }
    }
    void published()
    {
        QFETCH(QString, folder);
        const auto path = *tests::conformanceDir("templates") / folder.toStdString();
        const std::string source = tests::readFile(path / "template.jinja");
        const Tokens none({});
        const auto marks = reasoningMarks(source, *none);
        const auto known = expectations().find(folder.toStdString());
        if (known == expectations().end()) {
            QVERIFY2(!marks.certain, marks.open.c_str());
            QCOMPARE(marks.open, std::string("<think>"));
            return;
        }
        const Expected& expected = known->second;
        QVERIFY(marks.certain && !marks.tokensOnly);
        QVERIFY((marks.form == Form::Channels) == (expected.open == "<|channel|>"));
        if (marks.form == Form::Pair) {
            QCOMPARE(marks.open, expected.open);
        }
        const auto chatTemplate = ChatTemplate::parse(source);
        QVERIFY(chatTemplate);
        const auto byDefault = thinksByDefault(*chatTemplate, *none);
        QCOMPARE(byDefault.has_value(), expected.thinks.has_value());
        QCOMPARE(byDefault.value_or(false), expected.thinks.value_or(false));
        const auto inside = [&](std::optional<bool> thinking) {
            const std::array<Message, 1> messages { Message { Role::User, "Why? <think>" } };
            RenderOptions options;
            options.thinking = thinking;
            const auto parts = chatTemplate->renderMessages(messages, *none, options);
            return parts && makeReasoningSplitter(marks, joined(*parts))->isReasoning();
        };
        QCOMPARE(inside({}), expected.inside);
        QCOMPARE(inside(true), expected.insideWhenOn);
        if (expected.thinks) {
            QVERIFY(!inside(false));
        }
    }

    void theAnswersOwnMarks()
    {
        const Tokens none({});
        auto marks = reasoningMarks("between <think></think>, <response></response>", *none);
        QCOMPARE(marks.answerOpen, std::string("<response>"));
        QCOMPARE(marks.answerClose, std::string("</response>"));
        marks = reasoningMarks("<think></think>", *none);
        QVERIFY(marks.answerOpen.empty() && marks.answerClose.empty());
        marks = reasoningMarks("[BEGIN FINAL RESPONSE] … [END FINAL RESPONSE]", *none);
        QVERIFY(marks.answerOpen.empty());
        QCOMPARE(marks.answerClose, std::string("[END FINAL RESPONSE]"));
    }

    void controlTokensAreTheMarks()
    {
        const Tokens control({ { "[THINK]", 3 }, { "[/THINK]", 3 } });
        QVERIFY(reasoningMarks("[THINK]", *control).tokensOnly);
        const Tokens half({ { "[THINK]", 3 }, { "[/THINK]", 4 } });
        QVERIFY(!reasoningMarks("[THINK]", *half).tokensOnly);
        const Tokens shown({ { "<think>", 4 }, { "</think>", 4 } });
        QVERIFY(!reasoningMarks("<think>", *shown).tokensOnly);
    }

    // A template without a word of it, as Qwen3's instruct models have.
    void vocabularyAlone()
    {
        const Tokens special({ { "<seed:think>", 4 }, { "</seed:think>", 4 } });
        const auto marks = reasoningMarks("{{ messages }}", *special);
        QCOMPARE(marks.open, std::string("<seed:think>"));
        QVERIFY(!marks.certain);
        const Tokens words({ { "<reasoning>", 1 }, { "</reasoning>", 1 } });
        QCOMPARE(reasoningMarks("", *words).open, std::string("<think>"));
    }

    void channels()
    {
        const Tokens none({});
        QVERIFY(reasoningMarks("<|channel|> <|message|>", *none).form == Form::Channels);
        QVERIFY(!reasoningMarks("<|channel|> <|message|>", *none).tokensOnly);
        QVERIFY(reasoningMarks("<|start|>", *none).form == Form::Pair);
        const Tokens harmony(
            { { "<|start|>", 3 }, { "<|channel|>", 3 }, { "<|message|>", 3 }, { "<|end|>", 3 } });
        const auto marks = reasoningMarks("<|start|>", *harmony);
        QVERIFY(marks.form == Form::Channels && marks.tokensOnly && marks.certain);
        QVERIFY(reasoningMarks("<|im_start|>", *harmony).form == Form::Pair);
    }
};

QTEST_APPLESS_MAIN(TestReasoningMarks)
#include "tst_reasoning_marks.moc"
