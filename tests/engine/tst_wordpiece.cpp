// WordPiece on a small vocabulary: words, accents, what stands alone, unknown words, time.
// SPDX-License-Identifier: Apache-2.0
#include "engine/text/word_characters.h"
#include "tests/support/vocabulary_builder.h"

#include <QElapsedTimer>
#include <QTest>

using namespace engine;
using namespace engine::text;

namespace {

/// [PAD] 0, [UNK] 1, [CLS] 2, [SEP] 3, then the tokens.
Result<LoadedTokenizer> wordPiece(tests::VocabularyBuilder& builder)
{
    builder.token("[PAD]", 3).token("[UNK]", 3).token("[CLS]", 3).token("[SEP]", 3);
    for (const char* text : { "▁un", "▁a", "▁hello", "able", "b", "▁,", "▁中", "▁u", "a" }) {
        builder.token(text);
    }
    builder.number("tokenizer.ggml.unknown_token_id", 1)
        .number("tokenizer.ggml.bos_token_id", 2)
        .number("tokenizer.ggml.seperator_token_id", 3);
    return builder.load();
}

} // namespace

class TestWordPiece : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void words_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QList<int>>("ids");
        using Ids = QList<int>;
        QTest::newRow("nothing") << QByteArray() << Ids {};
        QTest::newRow("spaces only") << QByteArray(" \t\n\xE3\x80\x80") << Ids {};
        QTest::newRow("one token") << QByteArray("hello") << Ids { 6 };
        QTest::newRow("case and accents") << QByteArray("HÉLLO") << Ids { 6 };
        QTest::newRow("pieces") << QByteArray("unable") << Ids { 4, 7 };
        QTest::newRow("the longest first") << QByteArray("ua") << Ids { 11, 12 };
        // "▁un" fits, nothing goes on from there: the whole word is unknown.
        QTest::newRow("unknown") << QByteArray("unq hello") << Ids { 1, 6 };
        QTest::newRow("stands alone") << QByteArray("hello,hello") << Ids { 6, 9, 6 };
        QTest::newRow("ideographs") << QByteArray("a中a") << Ids { 5, 10, 5 };
        QTest::newRow("ignored") << QByteArray("he\xC2\xADllo\x01\xFF") << Ids { 6 };
    }
    void words()
    {
        QFETCH(QByteArray, text);
        QFETCH(QList<int>, ids);
        tests::VocabularyBuilder builder("bert");
        const auto loaded = wordPiece(builder);
        QVERIFY(loaded.has_value());
        const auto& tokenizer = *loaded->tokenizer;
        const auto found = tokenizer.encode(text.toStdString(), { false, false });
        QCOMPARE(QList<int>(found.begin(), found.end()), ids);
        const auto closed = tokenizer.encode(text.toStdString(), { true, false });
        QCOMPARE(closed.size(), found.size() + 2);
        QCOMPARE(closed.front(), 2);
        QCOMPARE(closed.back(), 3);
    }

    void detokenizes()
    {
        tests::VocabularyBuilder builder("bert");
        const auto loaded = wordPiece(builder);
        QVERIFY(loaded.has_value());
        const auto ids = loaded->tokenizer->encode("Hello, unable");
        QCOMPARE(loaded->tokenizer->detokenize(ids, DetokenizeMode::Text),
                 std::string("[CLS] hello , unable[SEP]"));
        QCOMPARE(loaded->tokenizer->detokenize(ids, DetokenizeMode::Clean),
                 std::string(" hello, unable"));
    }

    void saysThatTheSeparatorIsMissing()
    {
        tests::VocabularyBuilder builder("bert"); // the usual one, 102, is past the end
        const auto loaded = builder.token("[UNK]", 3).token("▁a").load();
        QVERIFY(loaded.has_value());
        QVERIFY(!loaded->tokenizer->vocabulary().addsSeparator());
        QCOMPARE(loaded->warnings.size(), std::size_t(2)); // BOS is missing too
        QCOMPARE(loaded->warnings[1].error.code, ErrorCode::AddedTokenMissing);
        QVERIFY(loaded->tokenizer->encode("x").empty()); // there is no unknown token either
    }

    void characters()
    {
        QVERIFY(unaccented(U'\u00C9') == U'E' && unaccented(U'\u1E9B') == U'\u017F');
        QVERIFY(unaccented(U'\uD55C') == 0x1112 && unaccented(U'\uD7A3') == 0x1112);
        QVERIFY(unaccented(U'\u00DF') == U'\u00DF' && unaccented(0x10FFFF) == 0x10FFFF);
        QVERIFY(lowerLetter(U'\u00C9') == U'\u00E9' && lowerLetter(U'\u2126') == U'\u03C9');
        QVERIFY(lowerLetter(U'\u0130') == U'i' && lowerLetter(U'\u1E9E') == U'\u00DF');
        QVERIFY(lowerLetter(U'\U00010400') == U'\U00010428');
        const auto is = [](char32_t c, WordCharacter kind) { return wordCharacter(c) == kind; };
        QVERIFY(is(U'\u2003', WordCharacter::Space) && is(U'\u0085', WordCharacter::Space));
        QVERIFY(is(U'\u200B', WordCharacter::Ignored) && is(0xFFFD, WordCharacter::Ignored));
        QVERIFY(is(U'$', WordCharacter::Alone) && is(U'、', WordCharacter::Alone));
        QVERIFY(is(U'\u0301', WordCharacter::Mark) && is(U'\u20DD', WordCharacter::Mark));
        QVERIFY(is(U'€', WordCharacter::Letter) && is(U'9', WordCharacter::Letter));
        QVERIFY(is(0x2B820, WordCharacter::Letter) && is(0x2B920, WordCharacter::Alone));
    }

    void longWords()
    {
        tests::VocabularyBuilder builder("bert");
        const auto loaded = wordPiece(builder);
        QVERIFY(loaded.has_value());
        constexpr std::size_t kSize = 1'000'000;
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(loaded->tokenizer->encode(std::string(kSize, 'a'), { false, false }).size(),
                 kSize);
        QCOMPARE(loaded->tokenizer->encode("x" + std::string(kSize, 'a'), { false, false }),
                 (std::vector<TokenId> { 1 }));
        QVERIFY(timer.elapsed() < 10'000);
    }
};

QTEST_APPLESS_MAIN(TestWordPiece)
#include "tst_wordpiece.moc"
