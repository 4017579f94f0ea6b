// Harmony messages: which are the answer, where it ends, however the text is cut.
// SPDX-License-Identifier: Apache-2.0
#include "engine/chat/channel_splitter.h"
#include "tests/support/split_parts.h"

#include <QTest>

using engine::chat::makeReasoningSplitter;
using engine::chat::ReasoningMarks;
using tests::SplitParts;

namespace {

ReasoningMarks channels(bool tokensOnly = false)
{
    ReasoningMarks marks;
    marks.form = ReasoningMarks::Form::Channels;
    marks.certain = true;
    marks.tokensOnly = tokensOnly;
    return marks;
}

constexpr const char* kPrompt = "<|start|>user<|message|>Why?<|end|><|start|>assistant";

} // namespace

class TestChannelSplitter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splits_data()
    {
        QTest::addColumn<QByteArray>("prompt");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("reasoning");
        QTest::addColumn<QByteArray>("answer");
        const auto row = [](const char* name, const char* prompt, const char* text,
                            const char* reasoning, const char* answer) {
            QTest::newRow(name) << QByteArray(prompt) << QByteArray(text) << QByteArray(reasoning)
                                << QByteArray(answer);
        };
        row("both", kPrompt,
            "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>"
            "So.",
            "Hm.", "So.");
        row("final alone", kPrompt, "<|channel|>final<|message|>So.", "", "So.");
        row("no channel", kPrompt, "<|message|>So.", "", "So.");
        row("two thoughts", kPrompt,
            "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>analysis<|message|>"
            "b<|end|><|start|>assistant<|channel|>final<|message|>c",
            "a\n\nb", "c");
        row("preamble", kPrompt,
            "<|channel|>commentary<|message|>First this.<|end|><|start|>assistant<|channel|>final"
            "<|message|>Then that.",
            "", "First this.\n\nThen that.");
        row("to a tool", kPrompt,
            "<|channel|>commentary to=functions.f <|constrain|>json<|message|>{}", "{}", "");
        row("to a tool, said first", kPrompt,
            " to=functions.f<|channel|>commentary <|constrain|>json<|message|>{}", "{}", "");
        row("ended inside", kPrompt, "<|channel|>analysis<|message|>Hm. <|en", "Hm. <|en", "");
        row("ended in a header", kPrompt, "<|channel|>anal", "", "");
        row("over at the final end", kPrompt,
            "<|channel|>final<|message|>So.<|end|><|start|>assistant<|channel|>final<|message|>x",
            "", "So.");
        row("no end before the next", kPrompt,
            "<|channel|>analysis<|message|>Hm.<|channel|>final<|message|>So.", "Hm.", "So.");
        row("begun by the prompt", "<|start|>assistant<|channel|>analysis<|message|>", "Hm.<|end|>",
            "Hm.", "");
        row("final by the prompt", "<|start|>assistant<|channel|>final<|message|>", "So.", "",
            "So.");
        row("another form", "<|im_start|>assistant\n", "So.", "", "So.");
        row("no header comes", kPrompt, "So.", "", "So.");
        row("no header comes, long", kPrompt, QByteArray("So. ").repeated(100).constData(), "",
            QByteArray("So. ").repeated(100).constData());
    }
    void splits()
    {
        QFETCH(QByteArray, prompt);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, reasoning);
        QFETCH(QByteArray, answer);
        const auto parts =
            tests::splitPieces(channels(), prompt.toStdString(), { text.toStdString() });
        QCOMPARE(QByteArray::fromStdString(parts.reasoning), reasoning);
        QCOMPARE(QByteArray::fromStdString(parts.answer), answer);
        std::mt19937 random(1);
        QCOMPARE(
            tests::cutThatDiffers(channels(), prompt.toStdString(), text.toStdString(), random),
            std::string());
    }

    void everyCutGivesTheSame()
    {
        const std::vector<std::string> words { "<|channel|>", "<|message|>", "<|end|>",
                                               "<|start|>",   "<|",          "final",
                                               "analysis",    "commentary",  " to=f",
                                               "assistant",   "\n",          "word " };
        std::mt19937 random(20261130);
        for (int round = 0; round < 3000; ++round) {
            const auto text = tests::textOf(words, 1 + static_cast<int>(random() % 14), random);
            const auto cut = tests::cutThatDiffers(channels(), kPrompt, text, random);
            QVERIFY2(cut.empty(), cut.c_str());
        }
    }

    // As gpt-oss' tokens come; the same words spelled as text are text.
    void marksAsTokens()
    {
        const auto splitter = makeReasoningSplitter(channels(true), kPrompt);
        SplitParts parts;
        const auto mark = [&](const char* name) {
            QVERIFY(splitter->isMark(name));
            parts.add(splitter->pushMark(name));
        };
        mark("<|channel|>");
        parts.add(splitter->push("analysis"));
        mark("<|message|>");
        QVERIFY(splitter->isReasoning());
        parts.add(splitter->push("It is <|end|>, I think."));
        QVERIFY(splitter->endsOnlyMessage("<|end|>") && !splitter->endsAnswer("<|end|>"));
        QVERIFY(!splitter->endsOnlyMessage("<|return|>") && !splitter->endsAnswer("<|return|>"));
        mark("<|end|>");
        mark("<|start|>");
        parts.add(splitter->push("assistant"));
        mark("<|channel|>");
        parts.add(splitter->push("final"));
        mark("<|message|>");
        QVERIFY(!splitter->isReasoning());
        parts.add(splitter->push("Write <|end|>."));
        QVERIFY(!splitter->isDone());
        QVERIFY(!splitter->endsOnlyMessage("<|end|>") && splitter->endsAnswer("<|end|>"));
        mark("<|end|>");
        QVERIFY(splitter->isDone());
        parts.add(splitter->finish());
        QCOMPARE(parts.reasoning, std::string("It is <|end|>, I think."));
        QCOMPARE(parts.answer, std::string("Write <|end|>."));
    }
};

QTEST_APPLESS_MAIN(TestChannelSplitter)
#include "tst_channel_splitter.moc"
