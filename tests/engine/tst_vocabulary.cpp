// Vocabulary: what the file says, what well-known token texts say, how fast a large one loads.
// SPDX-License-Identifier: Apache-2.0
#include "engine/text/clean_text.h"
#include "engine/text/text_index.h"
#include "engine/text/unicode.h"
#include "engine/text/vocabulary.h"
#include "tests/support/vocabulary_builder.h"

#include <QElapsedTimer>
#include <QTest>

using namespace engine;
using namespace engine::text;

namespace {

std::vector<std::string> endsOf(const Vocabulary& vocabulary)
{
    std::vector<std::string> texts;
    for (const TokenId id : vocabulary.endTokens()) {
        texts.emplace_back(vocabulary.text(id));
    }
    return texts;
}

} // namespace

class TestVocabulary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fields();
    void endTokens_data();
    void endTokens();
    void endTokensByKey();
    void controlByText();
    void largeLoadsFast();
    void textIndex();
    void byteAlphabetIsOneToOne();
    void mending_data();
    void mending();
    void cleaning_data();
    void cleaning();
};

void TestVocabulary::fields()
{
    tests::VocabularyBuilder builder("llama");
    builder.token("<unk>", 2)
        .token("<s>", 3)
        .token("</s>", 3)
        .token("a", 1, -3.5f)
        .token("a", 4, 2)
        .token("b", 99);
    builder.number("tokenizer.ggml.bos_token_id", 1)
        .flag("tokenizer.ggml.add_eos_token", true)
        .text("tokenizer.chat_template", "{{ x }}");
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const Vocabulary& vocabulary = loaded->tokenizer->vocabulary();
    QCOMPARE(vocabulary.model(), VocabularyModel::Spm);
    QCOMPARE(vocabulary.size(), 6);
    QCOMPARE(vocabulary.text(3), std::string_view("a"));
    QCOMPARE(vocabulary.score(3), -3.5f);
    QCOMPARE(vocabulary.find("a"), std::optional<TokenId>(3)); // the lowest of two
    QCOMPARE(vocabulary.kind(4), TokenKind::UserDefined);
    QCOMPARE(vocabulary.kind(5), TokenKind::Undefined);
    QVERIFY(!vocabulary.find("c"));
    QCOMPARE(vocabulary.bos(), 1);
    QCOMPARE(vocabulary.eos(), 2);
    QCOMPARE(vocabulary.unknown(), 0);
    QVERIFY(vocabulary.addsBos());
    QVERIFY(vocabulary.addsEos());
    QVERIFY(vocabulary.needsTrust(1));
    QVERIFY(!vocabulary.needsTrust(4));
    QCOMPARE(vocabulary.chatTemplate(), std::optional<std::string_view>("{{ x }}"));
    for (const TokenId outside : { -1, 6, 1 << 30 }) {
        QVERIFY(!vocabulary.valid(outside));
        QCOMPARE(vocabulary.text(outside), std::string_view());
        QCOMPARE(vocabulary.kind(outside), TokenKind::Undefined);
        QVERIFY(!vocabulary.endsGeneration(outside));
    }
    QVERIFY(std::any_of(loaded->warnings.begin(), loaded->warnings.end(),
                        [](const gguf::Problem& problem) {
                            return problem.error.code == ErrorCode::TokensRepeated;
                        }));
}

void TestVocabulary::endTokens_data()
{
    QTest::addColumn<QStringList>("tokens");
    QTest::addColumn<QStringList>("ends");
    QTest::newRow("chatml") << QStringList { "<|im_start|>", "<|im_end|>", "<|endoftext|>" }
                            << QStringList { "<|im_end|>", "<|endoftext|>" };
    QTest::newRow("llama 3") << QStringList { "<|end_of_text|>", "<|eom_id|>", "<|eot_id|>",
                                              "<|start_header_id|>" }
                             << QStringList { "<|end_of_text|>", "<|eom_id|>", "<|eot_id|>" };
    QTest::newRow("gemma") << QStringList { "<eos>", "<bos>", "<end_of_turn>" }
                           << QStringList { "<eos>", "<end_of_turn>" };
    QTest::newRow("fill in the middle")
        << QStringList { "<PAD>", "<|fim_repo|>", "<|file_sep|>", "<PRE>" }
        << QStringList { "<PAD>", "<|fim_repo|>", "<|file_sep|>" };
    QTest::newRow("gpt-oss") << QStringList { "<|return|>", "<|call|>", "<|end|>" }
                             << QStringList { "<|return|>", "<|call|>" };
    QTest::newRow("gemma 4") << QStringList { "</s>", "<|tool_response>", "<turn|>" }
                             << QStringList { "<|tool_response>", "<turn|>" };
    QTest::newRow("none") << QStringList { "x", "y" } << QStringList {};
}

void TestVocabulary::endTokens()
{
    QFETCH(QStringList, tokens);
    QFETCH(QStringList, ends);
    tests::VocabularyBuilder builder("gpt2");
    builder.text("tokenizer.ggml.pre", "gpt-2").merges({});
    for (const QString& text : tokens) {
        builder.token(text.toStdString(), 3);
    }
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    QStringList found;
    for (const std::string& text : endsOf(loaded->tokenizer->vocabulary())) {
        found << QString::fromStdString(text);
    }
    QCOMPARE(found, ends);
}

void TestVocabulary::endTokensByKey()
{
    tests::VocabularyBuilder builder("gpt2");
    builder.text("tokenizer.ggml.pre", "gpt-2")
        .merges({})
        .token("a")
        .token("b")
        .token("c")
        .token("d");
    builder.number("tokenizer.ggml.eos_token_id", 3)
        .number("tokenizer.ggml.eot_token_id", 1)
        .number("tokenizer.ggml.eom_token_id", 0);
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    QCOMPARE(endsOf(loaded->tokenizer->vocabulary()), (std::vector<std::string> { "a", "b", "d" }));
}

void TestVocabulary::controlByText()
{
    // Files that hold their end token as ordinary text: it is a control token all the same.
    tests::VocabularyBuilder builder("gpt2");
    builder.text("tokenizer.ggml.pre", "gpt-2")
        .merges({})
        .token("<|im_end|>", 1)
        .token("<", 1)
        .token("<|end|>", 4);
    const auto loaded = builder.load();
    QVERIFY(loaded.has_value());
    const Vocabulary& vocabulary = loaded->tokenizer->vocabulary();
    QCOMPARE(vocabulary.kind(0), TokenKind::Control);
    QVERIFY(vocabulary.needsTrust(0));
    QVERIFY(!vocabulary.needsTrust(1));
    QVERIFY(vocabulary.needsTrust(2));
}

void TestVocabulary::largeLoadsFast()
{
    constexpr int kTokens = 150'000;
    tests::VocabularyBuilder builder("gpt2");
    builder.text("tokenizer.ggml.pre", "llama-bpe");
    // Words over the alphabet in the order of their length; each is its first part and its last
    // letter.
    std::vector<std::string> words { "" };
    std::vector<std::string> merges;
    for (std::size_t from = 0; static_cast<int>(words.size()) <= kTokens; ++from) {
        for (char letter = 'a'; letter <= 'z' && static_cast<int>(words.size()) <= kTokens;
             ++letter) {
            words.push_back(words[from] + letter);
            if (from > 0) {
                merges.push_back(words[from] + " " + letter);
            }
        }
    }
    for (std::size_t i = 1; i < words.size(); ++i) {
        builder.token(words[i]);
    }
    builder.merges(merges);
    QElapsedTimer timer;
    timer.start();
    const auto loaded = builder.load(); // writing the bytes included
    const auto took = timer.elapsed();
    QVERIFY(loaded.has_value());
    QCOMPARE(loaded->tokenizer->vocabulary().size(), kTokens);
    QCOMPARE(loaded->tokenizer->encode("abc", { false, false }).size(), std::size_t(1));
    qInfo("150,000 tokens and %zu merges: %lld ms", merges.size(), static_cast<long long>(took));
    QVERIFY(
        took
        < 20'000); // a bound against quadratic work, loose enough for sanitizers on a busy machine
}

void TestVocabulary::textIndex()
{
    TextIndex index;
    std::vector<std::string> texts;
    for (int i = 0; i < 5000; ++i) {
        texts.push_back(std::string(static_cast<std::size_t>(i % 40), 'x') + std::to_string(i));
    }
    for (std::size_t i = 0; i < texts.size(); ++i) { // grows from nothing
        QCOMPARE(index.add(texts[i]), static_cast<std::int32_t>(i));
    }
    QCOMPARE(index.add(texts[17]), 17);
    QCOMPARE(index.size(), texts.size() + 1);
    index.add("");
    QVERIFY(!index.find(""));
    QVERIFY(!index.find("y"));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        QCOMPARE(index.find(texts[i]), std::optional(static_cast<std::int32_t>(i)));
    }
}

void TestVocabulary::byteAlphabetIsOneToOne()
{
    std::string all;
    for (unsigned byte = 0; byte < 256; ++byte) {
        const std::string letter(byteAlphabet(static_cast<unsigned char>(byte)));
        QVERIFY(all.find(letter) == std::string::npos);
        all += letter;
        const auto character = decodeCharacter(letter, 0);
        QVERIFY(character && character->length == letter.size());
        QCOMPARE(byteOfAlphabet(character->codePoint),
                 std::optional(static_cast<unsigned char>(byte)));
    }
    QCOMPARE(std::string(byteAlphabet(' ')), std::string("Ġ"));
    QCOMPARE(std::string(byteAlphabet('\n')), std::string("Ċ"));
    QVERIFY(!byteOfAlphabet(0x2581));
    QVERIFY(!byteOfAlphabet(' '));
}

void TestVocabulary::mending_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QByteArray>("text");
    const QByteArray bad = "\xEF\xBF\xBD";
    QTest::newRow("sound") << QByteArray("aé🦙") << QByteArray("aé🦙");
    QTest::newRow("bad byte") << QByteArray("a\xFF z") << "a" + bad + " z";
    QTest::newRow("cut short") << QByteArray("\xE2\x82") << bad + bad;
    QTest::newRow("overlong") << QByteArray("x\xC0\x80") << "x" + bad + bad;
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << QByteArray("\xED\xA0\x80");
    QTest::newRow("above the last")
        << QByteArray("\xF4\x90\x80\x80!") << bad + bad + bad + bad + "!";
}

void TestVocabulary::mending()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QByteArray, text);
    std::string storage = "left over";
    const std::string given = bytes.toStdString();
    QCOMPARE(QByteArray::fromStdString(std::string(mendUtf8(given, storage))), text);
}

void TestVocabulary::cleaning_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QByteArray>("clean");
    QTest::newRow("empty") << QByteArray() << QByteArray();
    QTest::newRow("marks") << QByteArray("Hello , you !") << QByteArray("Hello, you!");
    QTest::newRow("leading mark") << QByteArray(" ?") << QByteArray("?");
    QTest::newRow("two spaces") << QByteArray("a  .") << QByteArray("a .");
    QTest::newRow("lone apostrophe") << QByteArray("a ' b") << QByteArray("a'b");
    QTest::newRow("contractions") << QByteArray("I 'm we 've they 're it 's")
                                  << QByteArray("I'm we've they're it's");
    QTest::newRow("left alone") << QByteArray("I 'd do n't ; :") << QByteArray("I 'd do n't ; :");
}

void TestVocabulary::cleaning()
{
    QFETCH(QByteArray, text);
    QFETCH(QByteArray, clean);
    QCOMPARE(QByteArray::fromStdString(cleanSpaces(text.toStdString())), clean);
}

QTEST_APPLESS_MAIN(TestVocabulary)
#include "tst_vocabulary.moc"
