// The generation loop on a model whose answers are written down: how an answer ends, what its text
// is, what is reported meanwhile. SPDX-License-Identifier: Apache-2.0
#include "engine/session/generate.h"
#include "tests/support/reference_model.h"
#include "tests/support/scripted_model.h"

#include <QTemporaryDir>
#include <QTest>

#include <numeric>

using namespace engine;
using namespace engine::session;
using text::TokenKind;

namespace {

enum Token : TokenId {
    kUnknown,
    kBos,
    kEos,
    kHello,
    kWor,
    kLd,
    kMark,
    kE2, // three bytes of €
    k82,
    kAC,
    kControl,
    kEot
};

const std::vector<tests::ScriptedToken> kVocabulary {
    { "<unk>", TokenKind::Unknown },
    { "<s>", TokenKind::Control },
    { "</s>", TokenKind::Control },
    { "▁Hello" },
    { "▁wor" },
    { "ld" },
    { "!" },
    { "<0xE2>", TokenKind::Byte },
    { "<0x82>", TokenKind::Byte },
    { "<0xAC>", TokenKind::Byte },
    { "<ctrl>", TokenKind::Control },
    { "<|eot_id|>", TokenKind::Control },
};

/// " Hello world!", then the end.
const tests::Script kGreeting { { kBos, kHello }, { kHello, kWor }, { kWor, kLd },
                                { kLd, kMark },   { kMark, kEos },  { kEos, kHello } };

GenerateOptions greedy()
{
    GenerateOptions options;
    options.sampler.temperature = 0.0F;
    return options;
}

/// What the callbacks were told.
struct Told
{
    std::vector<std::string> pieces;
    std::vector<std::size_t> counts;
    std::vector<std::size_t> prefill;

    [[nodiscard]] std::string text() const
    {
        return std::accumulate(pieces.begin(), pieces.end(), std::string());
    }
    GenerateCallbacks callbacks()
    {
        return { [this](std::size_t done, std::size_t) { prefill.push_back(done); },
                 [this](std::string_view text, std::size_t tokens) {
                     pieces.emplace_back(text);
                     counts.push_back(tokens);
                 } };
    }
};

} // namespace

class TestGenerate : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    int m_files = 0;

    std::unique_ptr<Session> open(const tests::Script& script, std::uint32_t context = 64)
    {
        const auto path = m_dir.filePath(QString("%1.gguf").arg(++m_files)).toStdString();
        auto model = tests::ScriptedModel::make(path, kVocabulary, script);
        if (!model) {
            qWarning("%s", englishSentence(model.error()).c_str());
            return nullptr;
        }
        auto session = Session::create(*model, { context, CacheType::F32, {}, 2 });
        return session ? std::move(*session) : nullptr;
    }

    static Generated generated(Session& session, const std::vector<TokenId>& prompt,
                               const GenerateOptions& options, Told* told = nullptr)
    {
        Told unused;
        auto result = generate(session, prompt, options, {}, (told ? told : &unused)->callbacks());
        if (!result) {
            qWarning("%s", englishSentence(result.error()).c_str());
            return {};
        }
        return *result;
    }

private Q_SLOTS:
    void endsAtTheEnd()
    {
        const auto session = open(kGreeting);
        QVERIFY(session);
        Told told;
        const auto result = generated(*session, { kBos }, greedy(), &told);
        QVERIFY(result.finish == FinishReason::End);
        QCOMPARE(result.ids, (std::vector<TokenId> { kHello, kWor, kLd, kMark }));
        QCOMPARE(result.text, std::string(" Hello world!"));
        QCOMPARE(told.text(), result.text);
        QCOMPARE(told.pieces, (std::vector<std::string> { " Hello", " wor", "ld", "!" }));
        QCOMPARE(told.counts, (std::vector<std::size_t> { 1, 2, 3, 4 }));
        QCOMPARE(told.prefill, (std::vector<std::size_t> { 0, 1 }));
    }

    // What the cache holds counts as read.
    void readsNoMoreThanAllowed()
    {
        const auto session = open(kGreeting);
        QVERIFY(session);
        GenerateOptions options = greedy();
        options.maxPrefill = 2;
        const std::vector<TokenId> prompt { kBos, kHello, kWor };
        Told told;
        auto result = generated(*session, prompt, options, &told);
        QVERIFY(result.finish == FinishReason::Length);
        QVERIFY(result.ids.empty() && told.prefill.empty());
        QCOMPARE(session->tokens().size(), std::size_t(0));

        QVERIFY(session->prefill(std::vector<TokenId> { kBos, kHello }));
        QCOMPARE(session->reusable(prompt), std::size_t(2));
        result = generated(*session, prompt, options);
        QVERIFY(result.finish == FinishReason::End);
        QCOMPARE(result.text, std::string("ld!"));
        QCOMPARE(result.timings.reusedTokens, std::size_t(2));
    }

    void endsAtOnce()
    {
        const auto session = open({ { kBos, kEos } });
        QVERIFY(session);
        const auto result = generated(*session, { kBos }, greedy());
        QVERIFY(result.finish == FinishReason::End);
        QVERIFY(result.ids.empty() && result.text.empty());
    }

    // Not only eos: the tokens that the vocabulary knows by their text end a turn too.
    void endsAtAnotherEndToken()
    {
        const auto session = open({ { kBos, kHello }, { kHello, kEot } });
        QVERIFY(session);
        const auto result = generated(*session, { kBos }, greedy());
        QVERIFY(result.finish == FinishReason::End);
        QCOMPARE(result.text, std::string(" Hello"));
    }

    void goesOnPastTheEnd()
    {
        const auto session = open(kGreeting);
        QVERIFY(session);
        auto options = greedy();
        options.ignoreEnd = true;
        options.maxTokens = 7;
        const auto result = generated(*session, { kBos }, options);
        QVERIFY(result.finish == FinishReason::Length);
        QCOMPARE(result.ids,
                 (std::vector<TokenId> { kHello, kWor, kLd, kMark, kEos, kHello, kWor }));
        QCOMPARE(result.text, std::string(" Hello world! Hello wor"));
    }

    void length_data()
    {
        QTest::addColumn<int>("most");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << 0 << "";
        QTest::newRow("one") << 1 << " Hello";
        QTest::newRow("three") << 3 << " Hello world";
        QTest::newRow("just enough") << 4 << " Hello world!";
    }
    void length()
    {
        QFETCH(int, most);
        QFETCH(QString, text);
        const auto session = open(kGreeting);
        QVERIFY(session);
        auto options = greedy();
        options.maxTokens = most;
        Told told;
        const auto result = generated(*session, { kBos }, options, &told);
        QVERIFY(result.finish == FinishReason::Length);
        QCOMPARE(result.ids.size(), std::size_t(most));
        QCOMPARE(QString::fromStdString(result.text), text);
        QCOMPARE(told.text(), result.text);
    }

    void stopTexts_data()
    {
        QTest::addColumn<QStringList>("stops");
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("tokens"); // evaluated until it was seen
        QTest::newRow("split over two") << QStringList { "world" } << " Hello " << 3;
        QTest::newRow("inside one") << QStringList { "ell" } << " H" << 1;
        QTest::newRow("across a border") << QStringList { "lo w" } << " Hel" << 2;
        QTest::newRow("the first token") << QStringList { " Hello" } << "" << 1;
        QTest::newRow("the last token") << QStringList { "!" } << " Hello world" << 4;
        QTest::newRow("one of several") << QStringList { "never", "d!" } << " Hello worl" << 4;
    }
    void stopTexts()
    {
        QFETCH(QStringList, stops);
        QFETCH(QString, text);
        QFETCH(int, tokens);
        const auto session = open(kGreeting);
        QVERIFY(session);
        auto options = greedy();
        for (const auto& stop : stops) {
            options.stopTexts.push_back(stop.toStdString());
        }
        Told told;
        const auto result = generated(*session, { kBos }, options, &told);
        QVERIFY(result.finish == FinishReason::Stop);
        QCOMPARE(QString::fromStdString(result.text), text);
        QCOMPARE(QString::fromStdString(told.text()), text);
        QCOMPARE(result.ids.size(), std::size_t(tokens));
    }

    // What might have become a stop text is text after all.
    void heldBackTextComesAtTheEnd()
    {
        const auto session = open(kGreeting);
        QVERIFY(session);
        auto options = greedy();
        options.stopTexts = { "world!?" };
        Told told;
        const auto result = generated(*session, { kBos }, options, &told);
        QVERIFY(result.finish == FinishReason::End);
        QCOMPARE(result.text, std::string(" Hello world!"));
        QCOMPARE(told.pieces.back(), std::string("world!"));
    }

    void wholeCharactersOnly()
    {
        const tests::Script bytes { { kBos, kE2 }, { kE2, k82 }, { k82, kAC }, { kAC, kEos } };
        const auto session = open(bytes);
        QVERIFY(session);
        Told told;
        auto result = generated(*session, { kBos }, greedy(), &told);
        QCOMPARE(result.text, std::string("€"));
        QCOMPARE(told.pieces, (std::vector<std::string> { "", "", "€" }));
        // cut in the middle of a character: still whole UTF-8
        auto options = greedy();
        options.maxTokens = 2;
        told = {};
        result = generated(*session, { kBos }, options, &told);
        QCOMPARE(result.text, std::string("\uFFFD"));
        QCOMPARE(told.text(), result.text);
    }

    // A stop text that begins inside a character of several tokens.
    void stopTextOfBytes()
    {
        const auto session =
            open({ { kBos, kHello }, { kHello, kE2 }, { kE2, k82 }, { k82, kAC }, { kAC, kMark } });
        QVERIFY(session);
        auto options = greedy();
        options.stopTexts = { "€!" };
        const auto result = generated(*session, { kBos }, options);
        QVERIFY(result.finish == FinishReason::Stop);
        QCOMPARE(result.text, std::string(" Hello"));
    }

    void controlTokensAreNoText()
    {
        const auto session =
            open({ { kBos, kHello }, { kHello, kControl }, { kControl, kMark }, { kMark, kEos } });
        QVERIFY(session);
        Told told;
        const auto result = generated(*session, { kBos }, greedy(), &told);
        QCOMPARE(result.ids, (std::vector<TokenId> { kHello, kControl, kMark }));
        QCOMPARE(result.text, std::string(" Hello!"));
        QCOMPARE(told.counts, (std::vector<std::size_t> { 1, 2, 3 }));
    }

    void endsWithTheContext()
    {
        const auto session = open(kGreeting, 6);
        QVERIFY(session);
        auto options = greedy();
        options.ignoreEnd = true;
        const auto result = generated(*session, { kBos, kHello }, options);
        QVERIFY(result.finish == FinishReason::Context);
        QCOMPARE(session->tokens().size(), std::size_t(6));
        // four fit after the prompt; the fifth was chosen from the last logits
        QCOMPARE(result.ids, (std::vector<TokenId> { kWor, kLd, kMark, kEos, kHello }));
        QCOMPARE(result.text, std::string(" world! Hello"));
    }

    void cancelledBefore()
    {
        const auto session = open(kGreeting);
        QVERIFY(session);
        std::stop_source source;
        source.request_stop();
        const auto result =
            generate(*session, std::vector<TokenId> { kBos }, greedy(), source.get_token());
        QVERIFY(result.has_value());
        QVERIFY(result->finish == FinishReason::Cancelled);
        QVERIFY(result->ids.empty() && result->text.empty());
        QCOMPARE(generated(*session, { kBos }, greedy()).text, std::string(" Hello world!"));
    }

    void cancelledInPrefill()
    {
        const auto session = open(kGreeting, 256);
        QVERIFY(session);
        std::stop_source source;
        GenerateCallbacks callbacks;
        callbacks.onPrefill = [&](std::size_t done, std::size_t) {
            if (done > 0) {
                source.request_stop();
            }
        };
        const std::vector<TokenId> prompt(200, kHello);
        const auto result = generate(*session, prompt, greedy(), source.get_token(), callbacks);
        QVERIFY(result.has_value());
        QVERIFY(result->finish == FinishReason::Cancelled);
        QVERIFY(result->ids.empty());
        QVERIFY(!session->tokens().empty() && session->tokens().size() < prompt.size());
    }

    void cancelledInTheAnswer()
    {
        const auto session = open(kGreeting);
        QVERIFY(session);
        std::stop_source source;
        GenerateCallbacks callbacks;
        callbacks.onText = [&](std::string_view, std::size_t tokens) {
            if (tokens == 2) {
                source.request_stop();
            }
        };
        auto options = greedy();
        options.stopTexts = { "world" }; // " wor" is held back when the stop comes
        const auto result = generate(*session, std::vector<TokenId> { kBos }, options,
                                     source.get_token(), callbacks);
        QVERIFY(result.has_value());
        QVERIFY(result->finish == FinishReason::Cancelled);
        QCOMPARE(result->ids, (std::vector<TokenId> { kHello, kWor }));
        QCOMPARE(result->text, std::string(" Hello wor"));
        QCOMPARE(generated(*session, { kBos }, greedy()).text, std::string(" Hello world!"));
    }

    void errors()
    {
        const auto session = open(kGreeting, 8);
        QVERIFY(session);
        const auto code = [&](const std::vector<TokenId>& prompt) {
            return generate(*session, prompt, greedy()).error().code;
        };
        QVERIFY(code({}) == ErrorCode::InvalidArgument);
        QVERIFY(code({ 999 }) == ErrorCode::InvalidArgument);
        QVERIFY(code(std::vector<TokenId>(9, kHello)) == ErrorCode::PromptTooLong);
    }

    // The next turn: everything but its own tokens is there already.
    void timings()
    {
        const auto session = open(kGreeting);
        QVERIFY(session);
        const auto first = generated(*session, { kBos, kHello }, greedy());
        QCOMPARE(first.timings.prefillTokens, std::size_t(2));
        QCOMPARE(first.timings.reusedTokens, std::size_t(0));
        QCOMPARE(first.timings.decodeTokens, first.ids.size());
        QVERIFY(first.timings.prefillMs > 0.0 && first.timings.decodeMs > 0.0);
        QVERIFY(first.timings.firstTokenMs >= first.timings.prefillMs);
        QVERIFY(first.timings.firstTokenMs
                <= first.timings.prefillMs + first.timings.decodeMs + 1.0);
        std::vector<TokenId> turn { kBos, kHello };
        turn.insert(turn.end(), first.ids.begin(), first.ids.end());
        turn.insert(turn.end(), { kEos, kHello });
        const auto second = generated(*session, turn, greedy());
        QCOMPARE(second.timings.reusedTokens, std::size_t(5));
        QCOMPARE(second.timings.prefillTokens, std::size_t(2));
        QCOMPARE(second.text, std::string(" world!"));
    }

    // The penalties know the prompt: what stands there is not said again.
    void penaltiesCountThePrompt()
    {
        const auto session = open(kGreeting);
        QVERIFY(session);
        auto options = greedy();
        options.maxTokens = 1;
        options.sampler.presencePenalty = 100.0F;
        const auto again = generated(*session, { kHello, kBos }, options);
        QVERIFY(again.ids != std::vector<TokenId> { kHello });
        const auto fresh = generated(*session, { kBos }, options);
        QCOMPARE(fresh.ids, (std::vector<TokenId> { kHello }));
    }

    void seedsOnARealModel()
    {
        const auto made = tests::referenceSession("llama-mha");
        QVERIFY(made.has_value());
        const auto prompt =
            tests::referenceValues("llama-mha")["greedy"]["prompt"].get<std::vector<TokenId>>();
        const auto answer = [&](std::uint64_t seed) {
            GenerateOptions options;
            options.sampler.temperature = 1.5F;
            options.sampler.seed = seed;
            options.maxTokens = 24;
            options.ignoreEnd = true;
            return generated(**made, prompt, options).ids;
        };
        QCOMPARE(answer(42).size(), std::size_t(24));
        QCOMPARE(answer(42), answer(42));
        QVERIFY(answer(42) != answer(43));
    }

    void greedyOnARealModel()
    {
        const auto made = tests::referenceSession("llama-mha", { 0, CacheType::F32, {}, 2 });
        QVERIFY(made.has_value());
        const auto expected = tests::referenceValues("llama-mha")["greedy"];
        auto options = greedy();
        options.ignoreEnd = true;
        options.maxTokens = static_cast<int>(expected["continuation"].size());
        QCOMPARE(generated(**made, expected["prompt"].get<std::vector<TokenId>>(), options).ids,
                 expected["continuation"].get<std::vector<TokenId>>());
    }

    void names()
    {
        QCOMPARE(finishReasonName(FinishReason::End), std::string_view("end"));
        QCOMPARE(finishReasonName(FinishReason::Length), std::string_view("length"));
        QCOMPARE(finishReasonName(FinishReason::Stop), std::string_view("stop"));
        QCOMPARE(finishReasonName(FinishReason::Context), std::string_view("context"));
        QCOMPARE(finishReasonName(FinishReason::Cancelled), std::string_view("cancelled"));
    }
};

QTEST_GUILESS_MAIN(TestGenerate)
#include "tst_generate.moc"
