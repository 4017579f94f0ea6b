// Reasoning between two marks, told from the answer however the text is cut.
// SPDX-License-Identifier: Apache-2.0
#include "engine/chat/pair_splitter.h"
#include "tests/support/split_parts.h"

#include <QTest>

using engine::chat::makeReasoningSplitter;
using engine::chat::ReasoningMarks;
using tests::SplitParts;

namespace {

ReasoningMarks known()
{
    ReasoningMarks marks;
    marks.certain = true;
    return marks;
}

ReasoningMarks granite()
{
    ReasoningMarks marks = known();
    marks.answerOpen = "<response>";
    marks.answerClose = "</response>";
    return marks;
}

ReasoningMarks gemma()
{
    ReasoningMarks marks;
    marks.open = "<|channel>";
    marks.close = "<channel|>";
    marks.label = "thought\n";
    marks.certain = true;
    return marks;
}

ReasoningMarks tokens()
{
    ReasoningMarks marks = known();
    marks.tokensOnly = true;
    return marks;
}

} // namespace

Q_DECLARE_METATYPE(ReasoningMarks)

class TestPairSplitter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splits_data()
    {
        QTest::addColumn<ReasoningMarks>("marks");
        QTest::addColumn<QByteArray>("prompt");
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("reasoning");
        QTest::addColumn<QByteArray>("answer");
        const QByteArray plain = "<|im_start|>assistant\n";
        const auto row = [](const char* name, const ReasoningMarks& marks, const QByteArray& prompt,
                            const char* text, const char* reasoning, const char* answer) {
            QTest::newRow(name) << marks << prompt << QByteArray(text) << QByteArray(reasoning)
                                << QByteArray(answer);
        };
        row("none", known(), plain, " Hello\nworld ", "", " Hello\nworld ");
        row("both", known(), plain, "<think>\nWhy?\n\nSo.\n</think>\n\nBecause.\n", "Why?\n\nSo.",
            "Because.\n");
        row("white space before", known(), plain, "\n <think>Why</think>So", "Why", "So");
        row("white space before, guessed", {}, plain, "\n <think>Why</think>So", "Why", "\n So");
        row("only white space", known(), plain, " \n ", "", " \n ");
        row("only white space, guessed", {}, plain, " \n ", "", " \n ");
        row("never closed", known(), plain, "<think>\nWhy? <", "Why? <", "");
        row("never closed, at a mark", known(), plain, "<think>Why?\n</thin", "Why?\n</thin", "");
        row("nothing inside", known(), plain, "<think>\n\n</think>\n\nSo.", "", "So.");
        row("opened by the prompt", known(), plain + "<think>\n", "\nWhy?\n</think>\nSo.", "Why?",
            "So.");
        row("opened by both", known(), plain + "<think>\n", "<think>\nWhy?</think>So.", "Why?",
            "So.");
        row("closed by the prompt", known(), plain + "<think>\n\n</think>\n\n", "So.\n", "",
            "So.\n");
        row("closed by the prompt, thinks anyway", known(), plain + "<think></think>\n",
            "\n<think>Why</think>So", "Why", "So");
        row("closed without an opening", known(), plain, "Why? Let me see.\n</think>\n\nSo.",
            "Why? Let me see.\n", "So.");
        row("closed twice", known(), plain, "Why?\n</think>\nSo.\n</think>\nx", "Why?\n",
            "So.\n</think>\nx");
        row("closed at the beginning", known(), plain, "</think>So.", "", "So.");
        row("closed without an opening, guessed", {}, plain, "Why?\n</think>\nSo.", "",
            "Why?\n</think>\nSo.");
        row("speaks of the mark", known(), plain, "The tag `</think>` ends it.\nSee <think>.", "",
            "The tag `</think>` ends it.\nSee <think>.");
        row("opens late", known(), plain, "Hm. <think>Why</think>", "", "Hm. <think>Why</think>");
        row("almost a mark", known(), plain, "<thinker> </thinker>", "", "<thinker> </thinker>");
        row("almost closed", known(), plain, "<think>a </thinker> </ b</think>c",
            "a </thinker> </ b", "c");
        row("a mark in a mark", known(), plain, "<think>a<</think>b", "a<", "b");
        row("ends at a begun mark", known(), plain, "So <", "", "So <");
        row("ends as a begun mark", known(), plain, "<thin", "", "<thin");
        row("answer in marks", granite(), plain,
            "<think>Why</think>\n<response>So </ </response>\n", "Why", "So </ \n");
        row("answer in marks without reasoning", granite(), plain, "<response>So</response>", "",
            "<response>So</response>");
        row("label", gemma(), "<|turn>model\n", "<|channel>thought\nWhy\n<channel|>So", "Why",
            "So");
        row("no label", gemma(), "<|turn>model\n", "<|channel>thoughtful<channel|>So", "thoughtful",
            "So");
        row("label alone", gemma(), "<|turn>model\n", "<|channel>thought\n<channel|>So", "", "So");
        row("text is no token", tokens(), plain, "<think>Why</think>So", "",
            "<think>Why</think>So");
    }
    void splits()
    {
        QFETCH(ReasoningMarks, marks);
        QFETCH(QByteArray, prompt);
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, reasoning);
        QFETCH(QByteArray, answer);
        const SplitParts parts =
            tests::splitPieces(marks, prompt.toStdString(), { text.toStdString() });
        QCOMPARE(QByteArray::fromStdString(parts.reasoning), reasoning);
        QCOMPARE(QByteArray::fromStdString(parts.answer), answer);
        std::mt19937 random(1);
        QCOMPARE(tests::cutThatDiffers(marks, prompt.toStdString(), text.toStdString(), random),
                 std::string());
    }

    void everyCutGivesTheSame()
    {
        const std::vector<std::string> words { "<think>", "</think>", "<response>", "</response>",
                                               "<",       "</",       "think>",     "\n",
                                               " ",       "a",        "word",       "\n\n" };
        const std::vector<std::string> prompts { "", "<think>\n", "<think></think>" };
        std::mt19937 random(20261130);
        for (int round = 0; round < 3000; ++round) {
            for (const auto& marks : { known(), ReasoningMarks(), granite() }) {
                const auto& prompt = prompts[random() % prompts.size()];
                const auto text = tests::textOf(words, 1 + static_cast<int>(random() % 12), random);
                const auto cut = tests::cutThatDiffers(marks, prompt, text, random);
                QVERIFY2(cut.empty(), (prompt + " / " + cut).c_str());
            }
        }
    }

    // What can't be a mark any more is handed on at once.
    void holdsBackLittle()
    {
        const auto splitter = makeReasoningSplitter(known(), "");
        QVERIFY(splitter->push("<").answer.empty());
        QCOMPARE(splitter->push("b").answer, std::string("<b"));
        QCOMPARE(splitter->push(">bold</b> ").answer, std::string(">bold</b> "));
        QVERIFY(!splitter->isReasoning());
        const auto thinking = makeReasoningSplitter(known(), "<think>");
        QVERIFY(thinking->isReasoning());
        QCOMPARE(thinking->push("a </").reasoning, std::string("a"));
        QCOMPARE(thinking->push("b ").reasoning, std::string(" </b"));
        QVERIFY(thinking->push("</think>").reasoning.empty());
        QVERIFY(!thinking->isReasoning());
    }

    // Told at once, so that a window can move what it has shown.
    void turns()
    {
        const auto splitter = makeReasoningSplitter(known(), "");
        QCOMPARE(splitter->push("Hm.\n").answer, std::string("Hm.\n"));
        const auto text = splitter->push("No.\n</think>\n\nYes.");
        QVERIFY(text.turned);
        QCOMPARE(text.reasoning, std::string("No.\n"));
        QCOMPARE(text.answer, std::string("Yes."));
    }

    void marksAsTokens()
    {
        const auto splitter = makeReasoningSplitter(tokens(), "");
        QVERIFY(splitter->isMark("<think>") && splitter->isMark("</think>"));
        QVERIFY(!splitter->isMark("<s>"));
        SplitParts parts;
        parts.add(splitter->push("\n"));
        parts.add(splitter->pushMark("<think>"));
        QVERIFY(splitter->isReasoning());
        parts.add(splitter->push("\nIs </think> a mark? "));
        parts.add(splitter->pushMark("</think>"));
        parts.add(splitter->push("\n\nNo. "));
        QCOMPARE(parts.reasoning, std::string("Is </think> a mark?"));
        QCOMPARE(parts.answer, std::string("No. "));
        // Apertus thinks again later.
        parts.add(splitter->pushMark("<think>"));
        parts.add(splitter->push("More"));
        parts.add(splitter->pushMark("</think>"));
        parts.add(splitter->push(" Yes."));
        parts.add(splitter->finish());
        QCOMPARE(parts.reasoning, std::string("Is </think> a mark?\n\nMore"));
        QCOMPARE(parts.answer, std::string("No.  Yes."));
    }

    void lonelyToken()
    {
        const auto splitter = makeReasoningSplitter(tokens(), "");
        SplitParts parts;
        parts.add(splitter->push("Hm. "));
        const auto text = splitter->pushMark("</think>");
        QVERIFY(text.turned);
        parts.add(text);
        parts.add(splitter->push(" So."));
        parts.add(splitter->pushMark("</think>"));
        parts.add(splitter->finish());
        QCOMPARE(parts.reasoning, std::string("Hm. "));
        QCOMPARE(parts.answer, std::string("So."));
    }
};

QTEST_APPLESS_MAIN(TestPairSplitter)
#include "tst_pair_splitter.moc"
