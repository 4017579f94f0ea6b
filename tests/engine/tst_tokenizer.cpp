// Tokenizers against the conformance pack, folder by folder, and against small vocabularies built
// here. SPDX-License-Identifier: Apache-2.0
#include "engine/text/tokenizer.h"
#include "tests/support/conformance.h"
#include "tests/support/vocabulary_builder.h"

#include <QElapsedTimer>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>

using namespace engine;
using namespace engine::text;
using nlohmann::ordered_json;

namespace {

constexpr const char* kFolder = "tokenizers";

std::string textOf(const ordered_json& entry, const std::string& key)
{
    const std::string encoded = key + "_b64";
    return entry.contains(encoded) ? tests::fromBase64(entry[encoded].get<std::string>())
                                   : entry[key].get<std::string>();
}

std::string show(const std::vector<TokenId>& ids)
{
    return ordered_json(ids).dump();
}

std::string show(const std::string& text)
{
    return ordered_json(text).dump(-1, ' ', true, ordered_json::error_handler_t::replace);
}

/// Counts differences and shows the first few.
class Differences
{
public:
    void add(const std::string& line)
    {
        if (++m_count <= 5) {
            qWarning("%s", line.c_str());
        }
    }
    [[nodiscard]] bool none() const { return m_count == 0; }
    [[nodiscard]] QByteArray message(std::size_t total) const
    {
        return QByteArray::fromStdString(std::to_string(m_count) + " of " + std::to_string(total)
                                         + " differ");
    }

private:
    std::size_t m_count = 0;
};

Result<LoadedTokenizer> open(const std::filesystem::path& file,
                             const TokenizerOptions& options = {})
{
    auto parsed = gguf::GgufFile::open(file.string());
    if (!parsed) {
        return tl::unexpected(parsed.error());
    }
    return Tokenizer::load(*parsed, options);
}

/// A byte-level vocabulary with ChatML's tokens and a user-defined one.
tests::VocabularyBuilder chatMl(const std::vector<std::string>& moreMerges = {})
{
    tests::VocabularyBuilder builder("gpt2");
    builder.text("tokenizer.ggml.pre", "gpt-2");
    for (const char* text : { "a", "b", "c", "h", "i", "<", "|", "m",  "_",   "e", "n",
                              "d", ">", "s", "t", "r", "Ġ", "Ċ", "hi", "Ġhi", "im" }) {
        builder.token(text);
    }
    builder.token("<|im_start|>", 3).token("<|im_end|>", 3).token("<tool>", 4);
    std::vector<std::string> merges { "h i", "Ġ hi", "i m" };
    merges.insert(merges.end(), moreMerges.begin(), moreMerges.end());
    builder.merges(merges);
    return builder;
}

std::vector<TokenId> idsOf(const Tokenizer& tokenizer, std::initializer_list<const char*> texts)
{
    std::vector<TokenId> ids;
    for (const char* text : texts) {
        ids.push_back(tokenizer.vocabulary().find(text).value_or(-2));
    }
    return ids;
}

} // namespace

class TestTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void folder_data();
    void folder();
    void preTypes();
    void unsupportedModel();
    void segmentsKeepUsersOut();
    void segmentsAllTrusted();
    void segmentsJoinText();
    void channelsNeedTrust();
    void longestFirst();
    void spmPrefixAndBytes();
    void spmWithoutBytes();
    void pieces();
    void longInput_data();
    void longInput();
    void longInputSmall();
    void brokenUtf8();
};

void TestTokenizer::folder_data()
{
    QTest::addColumn<QString>("path");
    std::vector<std::filesystem::path> paths;
    const auto folder = tests::conformanceDir(kFolder);
    if (!folder) {
        QTest::newRow("absent") << QString();
    } else {
        for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
            const std::string name = entry.path().filename().string();
            if (entry.is_directory() && name.front() != '_') {
                paths.push_back(entry.path());
            }
        }
    }
    // Kinds that the pack lacks: tiny files of ours, with what the reference makes of them.
    for (const auto& entry :
         std::filesystem::directory_iterator(tests::dataDir() / "vocabularies")) {
        if (entry.is_directory()) {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    for (const auto& path : paths) {
        QTest::newRow(path.filename().string().c_str()) << QString::fromStdString(path.string());
    }
}

void TestTokenizer::folder()
{
    QFETCH(QString, path);
    if (path.isEmpty()) {
        QSKIP(tests::missing(kFolder).c_str());
    }
    const std::filesystem::path folder = path.toStdString();
    const auto truth = tests::readJson(folder / "cases.json");
    const auto loaded = open(folder / "vocab.gguf");
    QVERIFY2(loaded, loaded ? "" : englishSentence(loaded.error()).c_str());
    const Tokenizer& tokenizer = *loaded->tokenizer;
    const Vocabulary& vocabulary = tokenizer.vocabulary();

    QCOMPARE(vocabulary.size(), truth["n_tokens"].get<int>());
    QCOMPARE(vocabulary.bos(), truth["bos"].get<int>());
    QCOMPARE(vocabulary.eos(), truth["eos"].get<int>());
    QCOMPARE(vocabulary.addsBos(), truth["add_bos"].get<bool>());
    QCOMPARE(vocabulary.addsEos(), truth["add_eos"].get<bool>());
    QCOMPARE(vocabulary.addsSeparator(), truth["add_sep"].get<bool>());
    const auto ends = vocabulary.endTokens();
    QCOMPARE(std::vector<TokenId>(ends.begin(), ends.end()),
             truth["eog"].get<std::vector<TokenId>>());

    Differences encoding;
    for (const auto& entry : truth["cases"]) {
        const std::string text = textOf(entry, "text");
        const auto expected = entry["ids"].get<std::vector<TokenId>>();
        const auto ids = tokenizer.encode(
            text, { entry["add_special"].get<bool>(), entry["parse_special"].get<bool>() });
        if (ids != expected) {
            encoding.add(entry["tag"].get<std::string>() + " " + show(text) + ": " + show(ids)
                         + " instead of " + show(expected));
        }
    }
    QVERIFY2(encoding.none(), encoding.message(truth["cases"].size()));

    Differences decoding;
    for (const auto& entry : truth["detokenize"]) {
        const auto ids = entry["ids"].get<std::vector<TokenId>>();
        for (const auto& [mode, name] : { std::pair(DetokenizeMode::Text, "text"),
                                          std::pair(DetokenizeMode::NoSpecial, "no_special"),
                                          std::pair(DetokenizeMode::Clean, "clean") }) {
            const std::string text = tokenizer.detokenize(ids, mode);
            if (text != textOf(entry, name)) {
                decoding.add(std::string(name) + " " + show(ids) + ": " + show(text)
                             + " instead of " + show(textOf(entry, name)));
            }
        }
    }
    QVERIFY2(decoding.none(), decoding.message(truth["detokenize"].size() * 3));
}

void TestTokenizer::preTypes()
{
    const auto folder = tests::conformanceDir(kFolder);
    if (!folder) {
        QSKIP(tests::missing(kFolder).c_str());
    }
    const auto truth = tests::readJson(*folder / "_pre-types" / "cases.json");
    const auto file = gguf::GgufFile::open((*folder / "_pre-types" / "vocab.gguf").string());
    QVERIFY(file.has_value());
    Differences differences;
    std::size_t total = 0;
    for (const auto& group : truth["groups"]) {
        const auto& expected = truth["ids"][group[0].get<std::string>()];
        for (const auto& entry : group) {
            const auto name = entry.get<std::string>();
            const auto loaded = Tokenizer::load(*file, { .pre = name });
            QVERIFY2(loaded, name.c_str());
            const Tokenizer& tokenizer = *loaded->tokenizer;
            const auto& flags = truth["flags"][name];
            QVERIFY2(tokenizer.vocabulary().addsBos() == flags["add_bos"].get<bool>(),
                     name.c_str());
            QVERIFY2(tokenizer.vocabulary().addsEos() == flags["add_eos"].get<bool>(),
                     name.c_str());
            QVERIFY2(tokenizer.vocabulary().addsSeparator() == flags["add_sep"].get<bool>(),
                     name.c_str());
            const auto spaced = tokenizer.encode("a !", { false, false });
            const bool cleans = tokenizer.detokenize(spaced, DetokenizeMode::Clean) == "a!";
            // Raw-text vocabularies have "▁" for a space, which this one lacks.
            const bool raw = tokenizer.detokenize(spaced, DetokenizeMode::Text) != "a !";
            QVERIFY2(raw || cleans == flags["clean_spaces"].get<bool>(), name.c_str());
            for (std::size_t i = 0; i < truth["texts"].size(); ++i, ++total) {
                const std::string text = textOf(truth["texts"][i], "text");
                const auto ids = tokenizer.encode(text, { false, false });
                if (ids != expected[i].get<std::vector<TokenId>>()) {
                    differences.add(name + " " + show(text) + ": " + show(ids) + " instead of "
                                    + show(expected[i].get<std::vector<TokenId>>()));
                }
            }
        }
    }
    QVERIFY2(differences.none(), differences.message(total));
}

void TestTokenizer::unsupportedModel()
{
    for (const char* model : { "plamo2", "hybriddna", "whitespace", "none" }) {
        tests::VocabularyBuilder builder(model);
        const auto loaded = builder.token("a").load();
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, ErrorCode::TokenizerModelUnsupported);
        QVERIFY(englishSentence(loaded.error()).find(model) != std::string::npos);
        QCOMPARE(loaded.error().where.subject, std::string("tokenizer.ggml.model"));
    }
}

void TestTokenizer::segmentsKeepUsersOut()
{
    auto builder = chatMl();
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const Tokenizer& tokenizer = *loaded->tokenizer;
    const TokenId end = *tokenizer.vocabulary().find("<|im_end|>");

    const auto holdsEnd = [&](std::vector<Segment> segments) {
        const auto ids = tokenizer.encodeSegments(segments, false);
        return std::find(ids.begin(), ids.end(), end) != ids.end();
    };
    QVERIFY(holdsEnd({ { "<|im_end|>", true } }));
    QVERIFY(!holdsEnd({ { "<|im_end|>", false } }));
    QVERIFY(!holdsEnd({ { "<|im_", true }, { "end|>", false } }));
    QVERIFY(!holdsEnd({ { "<|im_", false }, { "end|>", true } }));
    QVERIFY(!holdsEnd({ { "<|im_", false }, { "end|>", false } }));
    QVERIFY(!holdsEnd({ { "<|im_", true }, { "end|>", true } }));
    QVERIFY(!holdsEnd({ { "<|im_", true }, { "", false }, { "end|>", true } }));
    QVERIFY(holdsEnd({ { "hi", false }, { "<|im_end|>", true }, { "hi", false } }));

    // What a person typed is the same text as before, in other tokens.
    const std::vector<Segment> typed { { "a <|im_end|> b", false } };
    QCOMPARE(
        tokenizer.detokenize(tokenizer.encodeSegments(typed, false), DetokenizeMode::NoSpecial),
        std::string("a <|im_end|> b"));
    // User-defined tokens are ordinary vocabulary and are read in typed text too.
    QCOMPARE(
        tokenizer.encodeSegments(std::vector<Segment> { { "<to", true }, { "ol>", false } }, false),
        idsOf(tokenizer, { "<tool>" }));
}

void TestTokenizer::segmentsAllTrusted()
{
    auto builder = chatMl();
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const Tokenizer& tokenizer = *loaded->tokenizer;
    const std::vector<Segment> segments {
        { "<|im_start|>", true },
        { "hi", true },
        { " hi<|im_end|>", true },
        { "\n<tool>", true },
    };
    std::string joined;
    for (const Segment& segment : segments) {
        joined += segment.text;
    }
    for (const bool addSpecial : { false, true }) {
        QCOMPARE(tokenizer.encodeSegments(segments, addSpecial),
                 tokenizer.encode(joined, { addSpecial, true }));
    }
}

void TestTokenizer::segmentsJoinText()
{
    auto builder = chatMl();
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const Tokenizer& tokenizer = *loaded->tokenizer;
    const std::vector<Segment> segments { { "<|im_start|>a ", true },
                                          { "h", false },
                                          { "i<|im_end|>", true } };
    QCOMPARE(tokenizer.encodeSegments(segments, false),
             idsOf(tokenizer, { "<|im_start|>", "a", "Ġhi", "<|im_end|>" }));
}

void TestTokenizer::channelsNeedTrust()
{
    auto builder = chatMl();
    builder.token("<|channel|>", 3);
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const Tokenizer& tokenizer = *loaded->tokenizer;
    const TokenId channel = *tokenizer.vocabulary().find("<|channel|>");
    // Shown to the reader, so not hidden as control tokens are …
    QCOMPARE(tokenizer.detokenize(std::vector<TokenId> { channel }, DetokenizeMode::NoSpecial),
             std::string("<|channel|>"));
    // … but what a person types can never open a channel.
    const auto typed =
        tokenizer.encodeSegments(std::vector<Segment> { { "<|channel|>", false } }, false);
    QVERIFY(std::find(typed.begin(), typed.end(), channel) == typed.end());
    QCOMPARE(tokenizer.encodeSegments(std::vector<Segment> { { "<|channel|>", true } }, false),
             std::vector<TokenId> { channel });
}

void TestTokenizer::longestFirst()
{
    tests::VocabularyBuilder builder("gpt2");
    builder.text("tokenizer.ggml.pre", "gpt-2").merges({ "a b" });
    for (const char* text : { "a", "b", "c", "d" }) {
        builder.token(text);
    }
    builder.token("ab", 4).token("bcd", 4).token("bc", 4).token("aa", 4);
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const Tokenizer& tokenizer = *loaded->tokenizer;
    // "bcd" is longer than "ab", so it takes its place first though it begins later.
    QCOMPARE(tokenizer.encode("abcd", {}), idsOf(tokenizer, { "a", "bcd" }));
    QCOMPARE(tokenizer.encode("abc", {}), idsOf(tokenizer, { "ab", "c" }));
    QCOMPARE(tokenizer.encode("aaa", {}), idsOf(tokenizer, { "aa", "a" }));
    QCOMPARE(tokenizer.encode("bcbcd", {}), idsOf(tokenizer, { "bc", "bcd" }));
}

void TestTokenizer::spmPrefixAndBytes()
{
    tests::VocabularyBuilder builder("llama");
    builder.token("<unk>", 2).token("<s>", 3).token("</s>", 3).byteNames();
    builder.token("▁", 1, -5)
        .token("h", 1, -6)
        .token("i", 1, -7)
        .token("hi", 1, -1)
        .token("▁hi", 1, -2);
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    QVERIFY(loaded->warnings.empty());
    const Tokenizer& tokenizer = *loaded->tokenizer;
    QCOMPARE(tokenizer.encode("hi"), idsOf(tokenizer, { "<s>", "▁hi" }));
    QCOMPARE(tokenizer.encode("hi hi", { false, false }), idsOf(tokenizer, { "▁hi", "▁hi" }));
    QCOMPARE(tokenizer.encode("", { true, false }), idsOf(tokenizer, { "<s>" }));
    QCOMPARE(tokenizer.encode("é", { false, false }),
             idsOf(tokenizer, { "▁", "<0xC3>", "<0xA9>" }));
    QCOMPARE(tokenizer.encode("hi</s>hi", { false, true }),
             idsOf(tokenizer, { "▁hi", "</s>", "▁hi" }));
    const auto ids = tokenizer.encode("hi é");
    QCOMPARE(tokenizer.detokenize(ids, DetokenizeMode::Clean), std::string(" hi é"));
    QCOMPARE(tokenizer.detokenize(std::span(ids).subspan(1), DetokenizeMode::Clean),
             std::string("hi é"));
    QCOMPARE(tokenizer.detokenize(ids, DetokenizeMode::Text), std::string("<s> hi é"));
}

void TestTokenizer::spmWithoutBytes()
{
    tests::VocabularyBuilder builder("llama");
    builder.token("<unk>", 2)
        .token("<s>", 3)
        .token("</s>", 3)
        .token("▁", 1)
        .token("a", 1)
        .token("\n", 1);
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->warnings.size(), std::size_t(1));
    QCOMPARE(loaded->warnings[0].error.code, ErrorCode::ByteTokensMissing);
    const Tokenizer& tokenizer = *loaded->tokenizer;
    QCOMPARE(tokenizer.encode("a\nb", { false, false }), (std::vector<TokenId> { 3, 4, 5, 0 }));
}

void TestTokenizer::pieces()
{
    auto builder = chatMl();
    builder.token("zażółć").token("<0x0A>", 6).token("<0xZZ>", 6).token("unused", 5);
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const Tokenizer& tokenizer = *loaded->tokenizer;
    const auto piece = [&](const char* text) {
        return tokenizer.piece(*tokenizer.vocabulary().find(text));
    };
    QCOMPARE(piece("Ġhi"), std::string(" hi"));
    QCOMPARE(piece("<|im_end|>"), std::string("<|im_end|>"));
    QCOMPARE(piece("<0x0A>"), std::string("\n"));
    QCOMPARE(piece("<0xZZ>"), std::string("<0xZZ>"));
    QCOMPARE(piece("unused"), std::string());
    QCOMPARE(tokenizer.piece(-1), std::string());
    QCOMPARE(tokenizer.piece(1'000'000), std::string());
}

void TestTokenizer::longInput_data()
{
    QTest::addColumn<QString>("folder");
    std::vector<const char*> names { "llama-spm", "gpt-2", "smollm", "gpt-4o", "bert-bge" };
    if (tests::fullRun()) {
        names.insert(
            names.end(),
            { "llama-bpe", "deepseek-llm", "deepseek-v3", "falcon", "gemma-spm", "gemma4" });
    }
    for (const char* name : names) {
        QTest::newRow(name) << name;
    }
}

void TestTokenizer::longInput()
{
    QFETCH(QString, folder);
    const auto root = tests::conformanceDir(kFolder);
    if (!root) {
        QSKIP(tests::missing(kFolder).c_str());
    }
    const auto loaded = open(*root / folder.toStdString() / "vocab.gguf");
    QVERIFY(loaded.has_value());
#ifdef __SANITIZE_ADDRESS__
    constexpr std::size_t kSize = 100'000;
#else
    constexpr std::size_t kSize = 1'000'000;
#endif
    std::string letters;
    std::string emoji;
    std::string digits;
    std::string mixed;
    for (std::size_t i = 0; letters.size() < kSize; ++i) {
        letters += static_cast<char>('a' + (i * 7 + i / 11) % 26);
        digits += static_cast<char>('0' + i % 10);
        mixed += i % 3 ? static_cast<char>('!' + i % 15) : static_cast<char>('A' + i % 26);
    }
    while (emoji.size() < kSize) {
        emoji += "🦙";
    }
    std::vector<std::string> texts { letters, std::string(kSize, 'a'), emoji,
                                     std::string(kSize, ' ') };
    if (tests::fullRun()) {
        texts.insert(texts.end(),
                     { std::string(kSize, '\n'), digits, mixed, std::string(kSize, '!'),
                       std::string(kSize, '\xFF'), std::string(kSize, ' ') + "x" });
    }
    for (const std::string& text : texts) {
        QElapsedTimer timer;
        timer.start();
        const auto ids = loaded->tokenizer->encode(text, { false, true });
        const auto took = timer.elapsed();
        if (qEnvironmentVariableIsSet("VITRINE_TEST_TIMES")) {
            qInfo("%s %s: %lld ms, %zu tokens", qPrintable(folder), text.substr(0, 4).c_str(),
                  static_cast<long long>(took), ids.size());
        }
        QVERIFY2(took < 10'000, text.substr(0, 8).c_str());
        const bool isLossless =
            loaded->tokenizer->vocabulary().model() != VocabularyModel::WordPiece;
        // WordPiece drops white space and what is no character
        const bool mayVanish =
            text.front() == ' ' || text.front() == '\n' || (!isLossless && text.front() == '\xFF');
        QVERIFY(!ids.empty() || mayVanish);
        if (isLossless && text.front() != '\xFF') {
            const std::string back = loaded->tokenizer->detokenize(ids, DetokenizeMode::NoSpecial);
            QVERIFY(back == text || back == " " + text); // SentencePiece puts a space in front
        }
    }
}

void TestTokenizer::longInputSmall()
{
    // The same without the pack.
    auto builder = chatMl({ "a a", "aa aa", "aaaa aaaa" });
    builder.token("aa").token("aaaa").token("aaaaaaaa");
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const Tokenizer& tokenizer = *loaded->tokenizer;
    QElapsedTimer timer;
    timer.start();
    QCOMPARE(tokenizer.encode(std::string(1'000'000, 'a')).size(), std::size_t(125'000));
    QCOMPARE(tokenizer.encode("hihi" + std::string(1'000'000, ' ')).size(), std::size_t(1'000'002));
    QVERIFY(timer.elapsed() < 10'000);
}

void TestTokenizer::brokenUtf8()
{
    auto builder = chatMl();
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    std::srand(7);
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        for (int i = std::rand() % 40; i > 0; --i) {
            text += static_cast<char>(std::rand());
        }
        const auto ids = loaded->tokenizer->encode(text, { true, true });
        for (const TokenId id : ids) {
            QVERIFY(loaded->tokenizer->vocabulary().valid(id));
        }
    }
}

QTEST_APPLESS_MAIN(TestTokenizer)
#include "tst_tokenizer.moc"
