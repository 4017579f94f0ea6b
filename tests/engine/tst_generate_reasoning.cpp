// Reasoning and answer apart, out of the generation loop: marks as text and as tokens, prompts that
// open them, messages that end before the answer does. SPDX-License-Identifier: Apache-2.0
#include "engine/session/generate.h"
#include "tests/support/scripted_model.h"

#include <QTemporaryDir>
#include <QTest>

using namespace engine;
using namespace engine::session;
using chat::ReasoningMarks;
using text::TokenKind;

namespace {

enum Token : TokenId {
    kUnknown,
    kBos,
    kEos,
    kOpen,
    kClose,
    kBreak,
    kHm,
    kSo,
    kMark,
    kTagBegin, // "</thin", "k>"
    kTagEnd,
    kControlOpen,
    kControlClose,
    kStart,
    kChannel,
    kMessage,
    kEnd,
    kReturn,
    kAnalysis,
    kFinal,
    kAssistant,
};

const std::vector<tests::ScriptedToken> kVocabulary {
    { "<unk>", TokenKind::Unknown },
    { "<s>", TokenKind::Control },
    { "</s>", TokenKind::Control },
    { "<think>", TokenKind::UserDefined },
    { "</think>", TokenKind::UserDefined },
    { "<0x0A>", TokenKind::Byte },
    { "▁Hm" },
    { "▁So" },
    { "!" },
    { "</thin" },
    { "k>" },
    { "[THINK]", TokenKind::Control },
    { "[/THINK]", TokenKind::Control },
    { "<|start|>", TokenKind::Control },
    { "<|channel|>", TokenKind::Control },
    { "<|message|>", TokenKind::Control },
    { "<|end|>", TokenKind::Control },
    { "<|return|>", TokenKind::Control },
    { "analysis" },
    { "final" },
    { "assistant" },
};

ReasoningMarks thinkMarks()
{
    ReasoningMarks marks;
    marks.certain = true;
    return marks;
}

ReasoningMarks tokenMarks()
{
    ReasoningMarks marks = thinkMarks();
    marks.open = "[THINK]";
    marks.close = "[/THINK]";
    marks.tokensOnly = true;
    return marks;
}

ReasoningMarks channels()
{
    ReasoningMarks marks = thinkMarks();
    marks.form = ReasoningMarks::Form::Channels;
    marks.tokensOnly = true;
    return marks;
}

/// What the callbacks were told: "answer", "(reasoning)", "~" where it turned; with the number of
/// tokens at each.
struct Told
{
    std::string text;
    std::vector<std::size_t> counts;

    GenerateCallbacks callbacks()
    {
        GenerateCallbacks out;
        out.onText = [this](std::string_view piece, std::size_t tokens) {
            text += piece;
            counts.push_back(tokens);
        };
        out.onReasoning = [this](std::string_view piece, std::size_t tokens) {
            text += "(" + std::string(piece) + ")";
            counts.push_back(tokens);
        };
        out.onTurned = [this] { text += "~"; };
        return out;
    }
};

} // namespace

class TestGenerateReasoning : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    int m_files = 0;
    Told m_told;

    Generated answer(const tests::Script& script, const std::vector<TokenId>& prompt,
                     const std::optional<ReasoningMarks>& marks,
                     const std::vector<std::string>& stops = {}, int most = 24)
    {
        const auto path = m_dir.filePath(QString("%1.gguf").arg(++m_files)).toStdString();
        auto model = tests::ScriptedModel::make(path, kVocabulary, script);
        if (!model) {
            qWarning("%s", englishSentence(model.error()).c_str());
            return {};
        }
        auto session = Session::create(*model, { 64, CacheType::F32, {}, 2 });
        GenerateOptions options;
        options.sampler.temperature = 0.0F;
        options.maxTokens = most;
        options.stopTexts = stops;
        options.reasoning = marks;
        m_told = {};
        auto result = generate(**session, prompt, options, {}, m_told.callbacks());
        return result ? *result : Generated {};
    }

private Q_SLOTS:
    // "<think>\n Hm!</think> So", then the end.
    void apart()
    {
        const tests::Script script { { kBos, kOpen }, { kOpen, kBreak }, { kBreak, kHm },
                                     { kHm, kMark },  { kMark, kClose }, { kClose, kSo },
                                     { kSo, kEos } };
        const auto result = answer(script, { kBos }, thinkMarks());
        QVERIFY(result.finish == FinishReason::End);
        QCOMPARE(result.reasoning, std::string("Hm!"));
        QCOMPARE(result.text, std::string("So"));
        QCOMPARE(result.ids, (std::vector<TokenId> { kOpen, kBreak, kHm, kMark, kClose, kSo }));
        QCOMPARE(m_told.text, std::string("()()(Hm)(!)So"));
        QCOMPARE(m_told.counts, (std::vector<std::size_t> { 1, 2, 3, 4, 5, 6 }));
        QVERIFY(result.timings.reasoningMs > 0);
        QVERIFY(result.timings.reasoningMs < result.timings.decodeMs);
        // not asked for: text as it stands
        const auto raw = answer(script, { kBos }, std::nullopt);
        QCOMPARE(raw.text, std::string("<think>\n Hm!</think> So"));
        QVERIFY(raw.reasoning.empty() && raw.timings.reasoningMs == 0);
    }

    void closedByWords()
    {
        const auto result = answer({ { kOpen, kHm },
                                     { kHm, kTagBegin },
                                     { kTagBegin, kTagEnd },
                                     { kTagEnd, kSo },
                                     { kSo, kEos } },
                                   { kBos, kOpen }, thinkMarks());
        QCOMPARE(result.reasoning, std::string("Hm"));
        QCOMPARE(result.text, std::string("So"));
    }

    // The prompt ends with "<think>\n".
    void openedByThePrompt()
    {
        const tests::Script script {
            { kBreak, kHm }, { kHm, kClose }, { kClose, kSo }, { kSo, kEos }
        };
        auto result = answer(script, { kBos, kSo, kOpen, kBreak }, thinkMarks());
        QCOMPARE(result.reasoning, std::string("Hm"));
        QCOMPARE(result.text, std::string("So"));
        // the same opened and closed
        result = answer(script, { kBos, kOpen, kBreak, kClose, kBreak }, thinkMarks());
        QVERIFY(result.reasoning.empty());
        QCOMPARE(result.text, std::string("Hm</think> So"));
    }

    void endedInside()
    {
        const auto result =
            answer({ { kBos, kOpen }, { kOpen, kHm }, { kHm, kMark }, { kMark, kHm } }, { kBos },
                   thinkMarks(), {}, 5);
        QVERIFY(result.finish == FinishReason::Length);
        QCOMPARE(result.reasoning, std::string("Hm! Hm!"));
        QVERIFY(result.text.empty());
    }

    // What was given as answer is taken back.
    void closedWithoutAnOpening()
    {
        const auto result = answer(
            { { kBos, kHm }, { kHm, kBreak }, { kBreak, kClose }, { kClose, kSo }, { kSo, kEos } },
            { kBos }, thinkMarks());
        QCOMPARE(result.reasoning, std::string(" Hm\n"));
        QCOMPARE(result.text, std::string("So"));
        QCOMPARE(m_told.text, std::string(" Hm\n~So"));
        QVERIFY(result.timings.reasoningMs > 0);
    }

    // A stop text that was begun before the turn can't hold anything back behind it.
    void turnsWithTextHeld()
    {
        const auto result = answer(
            { { kBos, kHm }, { kHm, kBreak }, { kBreak, kClose }, { kClose, kSo }, { kSo, kEos } },
            { kBos }, thinkMarks(), { "Hm\n!" });
        QCOMPARE(result.reasoning, std::string(" Hm\n"));
        QCOMPARE(result.text, std::string("So"));
        QVERIFY(result.finish == FinishReason::End);
    }

    void stopTextsAreTheAnswers()
    {
        const tests::Script script { { kBos, kOpen },   { kOpen, kHm },  { kHm, kMark },
                                     { kMark, kClose }, { kClose, kSo }, { kSo, kEos } };
        auto result = answer(script, { kBos }, thinkMarks(), { "!" });
        QVERIFY(result.finish == FinishReason::End);
        QCOMPARE(result.reasoning, std::string("Hm!"));
        result = answer(script, { kBos }, thinkMarks(), { "o" });
        QVERIFY(result.finish == FinishReason::Stop);
        QCOMPARE(result.text, std::string("S"));
    }

    void marksAsControlTokens()
    {
        const auto result = answer({ { kBos, kControlOpen },
                                     { kControlOpen, kHm },
                                     { kHm, kClose }, // another family's: text
                                     { kClose, kControlClose },
                                     { kControlClose, kSo },
                                     { kSo, kEos } },
                                   { kBos }, tokenMarks());
        QCOMPARE(result.reasoning, std::string("Hm</think>"));
        QCOMPARE(result.text, std::string("So"));
    }

    // <|end|> ends the thought; <|return|>, or <|end|> behind the answer, ends it all.
    void channelsEndLate_data()
    {
        QTest::addColumn<int>("last");
        QTest::newRow("return") << int(kReturn);
        QTest::newRow("end") << int(kEnd);
        QTest::newRow("eos") << int(kEos);
    }
    void channelsEndLate()
    {
        QFETCH(int, last);
        const tests::Script script { { kAnalysis, kHm },
                                     { kHm, kEnd },
                                     { kEnd, kStart },
                                     { kStart, kAssistant },
                                     { kAssistant, kChannel },
                                     { kChannel, kFinal },
                                     { kFinal, kMessage },
                                     { kMessage, kSo },
                                     { kSo, last } };
        // The script knows one token behind each, so the body begins in the prompt.
        const std::vector<TokenId> prompt { kBos,      kStart,   kAssistant, kChannel,
                                            kAnalysis, kMessage, kAnalysis };
        const auto result = answer(script, prompt, channels());
        QVERIFY(result.finish == FinishReason::End);
        QCOMPARE(result.reasoning, std::string(" Hm"));
        QCOMPARE(result.text, std::string(" So"));
        QCOMPARE(result.ids,
                 (std::vector<TokenId> { kHm, kEnd, kStart, kAssistant, kChannel, kFinal, kMessage,
                                         kSo }));
        // A plain completion ends where the vocabulary says so.
        QCOMPARE(answer(script, prompt, std::nullopt).ids, (std::vector<TokenId> { kHm }));
    }
};

QTEST_GUILESS_MAIN(TestGenerateReasoning)
#include "tst_generate_reasoning.moc"
