// The unigram tokenizer on small vocabularies: the likeliest cut, spaces, unknown text, time.
// SPDX-License-Identifier: Apache-2.0
#include "tests/support/vocabulary_builder.h"

#include <QElapsedTimer>
#include <QTest>

using namespace engine;
using namespace engine::text;

namespace {

/// <pad> 0, </s> 1, <unk> 2, then the tokens.
tests::VocabularyBuilder unigram()
{
    tests::VocabularyBuilder builder("t5");
    builder.token("<pad>", 3).token("</s>", 3).token("<unk>", 2);
    builder
        .token("▁", 1, -3) // 3
        .token("a", 1, -2.5F) // 4
        .token("b", 1, -9) // 5
        .token("c", 1, -9) // 6
        .token("ab", 1, -1) // 7
        .token("bc", 1, -2) // 8
        .token("▁a", 1, -1.5F) // 9
        .token("<tool>", 4) // 10
        .token("aa", 5, -0.5F) // 11: unused, yet taken
        .token("abcabc", 3, 0); // 12: a control token is no text
    return builder;
}

} // namespace

class TestUnigram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cuts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QList<int>>("plain"); ///< as it is
        QTest::addColumn<QList<int>>("prefixed"); ///< add_space_prefix
        QTest::addColumn<QList<int>>("merged"); ///< remove_extra_whitespaces
        using Ids = QList<int>;
        QTest::newRow("nothing") << QByteArray() << Ids {} << Ids {} << Ids {};
        // "ab" is the likeliest beginning, and still the wrong one.
        QTest::newRow("best of all")
            << QByteArray("abc") << Ids { 4, 8 } << Ids { 9, 8 } << Ids { 9, 8 };
        QTest::newRow("unused") << QByteArray("aac") << Ids { 11, 6 } << Ids { 3, 11, 6 }
                                << Ids { 3, 11, 6 };
        QTest::newRow("unknown") << QByteArray("xyza") << Ids { 2, 4 } << Ids { 3, 2, 4 }
                                 << Ids { 3, 2, 4 };
        QTest::newRow("spaces") << QByteArray("a  a ") << Ids { 4, 3, 9, 3 } << Ids { 9, 3, 9, 3 }
                                << Ids { 9, 9 };
        QTest::newRow("control") << QByteArray("abcabc") << Ids { 4, 8, 4, 8 } << Ids { 9, 8, 4, 8 }
                                 << Ids { 9, 8, 4, 8 };
        QTest::newRow("own") << QByteArray("a<tool>a") << Ids { 4, 10, 4 } << Ids { 9, 10, 9 }
                             << Ids { 9, 10, 9 };
    }
    void cuts()
    {
        QFETCH(QByteArray, text);
        QFETCH(QList<int>, plain);
        QFETCH(QList<int>, prefixed);
        QFETCH(QList<int>, merged);
        const auto ids = [&](const char* flag) {
            auto builder = unigram();
            if (flag) {
                builder.flag(flag, true);
            }
            const auto loaded = builder.load();
            const auto found = loaded->tokenizer->encode(text.toStdString(), { false, false });
            const auto closed = loaded->tokenizer->encode(text.toStdString());
            QList<int> list(found.begin(), found.end());
            const bool ends = closed.size() == found.size() + 1 && closed.back() == 1;
            return ends ? list : QList<int> { -1 };
        };
        QCOMPARE(ids(nullptr), plain);
        QCOMPARE(ids("tokenizer.ggml.add_space_prefix"), prefixed);
        QCOMPARE(ids("tokenizer.ggml.remove_extra_whitespaces"), merged);
    }

    void detokenizes()
    {
        auto builder = unigram();
        const auto loaded = builder.flag("tokenizer.ggml.add_space_prefix", true).load();
        QVERIFY(loaded.has_value());
        const auto ids = loaded->tokenizer->encode("abc a");
        QCOMPARE(loaded->tokenizer->detokenize(ids, DetokenizeMode::Text),
                 std::string(" abc a</s>"));
        QCOMPARE(loaded->tokenizer->detokenize(ids, DetokenizeMode::Clean), std::string("abc a"));
    }

    void hostileScores()
    {
        tests::VocabularyBuilder builder("t5");
        builder.token("<pad>", 3).token("</s>", 3).token("<unk>", 2);
        builder.token("a", 1, std::numeric_limits<float>::quiet_NaN())
            .token("b", 1, std::numeric_limits<float>::infinity());
        const auto loaded = builder.load();
        QVERIFY(loaded.has_value());
        for (const char* text : { "a", "b", "ab", "xyz", "\xFF\xE2" }) {
            for (const TokenId id : loaded->tokenizer->encode(text)) {
                QVERIFY(loaded->tokenizer->vocabulary().valid(id));
            }
        }
    }

    void brokenCharsmap_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<bool>("loads");
        const auto blob = [](const char* bytes, qsizetype size) { return QByteArray(bytes, size); };
        QTest::newRow("empty") << QByteArray() << true;
        QTest::newRow("no size") << blob("\0\0", 2) << false;
        QTest::newRow("too long a trie") << blob("\x08\0\0\0\0\0\0\0", 8) << false;
        QTest::newRow("no replacements") << blob("\x04\0\0\0\0\0\0\0", 8) << false;
        QTest::newRow("half a unit") << blob("\x03\0\0\0\0\0\0\0", 8) << false;
        QTest::newRow("unfinished text") << blob("\x04\0\0\0\0\0\0\0x", 9) << false;
        QTest::newRow("wild offsets") << blob("\x04\0\0\0\0\xFF\xFF\xFF\0", 9) << true;
    }
    void brokenCharsmap()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(bool, loads);
        auto builder = unigram();
        builder.bytes("tokenizer.ggml.precompiled_charsmap", bytes.toStdString());
        const auto loaded = builder.load();
        QCOMPARE(loaded.has_value(), loads);
        if (loads) {
            QCOMPARE(loaded->tokenizer->encode("abc", { false, false }),
                     (std::vector<TokenId> { 4, 8 }));
        } else {
            QCOMPARE(loaded.error().code, ErrorCode::CharsmapBroken);
            QCOMPARE(loaded.error().where.subject,
                     std::string("tokenizer.ggml.precompiled_charsmap"));
        }
    }

    void charsmapOfAnotherType()
    {
        auto builder = unigram();
        builder.text("tokenizer.ggml.precompiled_charsmap", "x");
        const auto loaded = builder.load();
        QVERIFY(!loaded);
        QCOMPARE(loaded.error().code, ErrorCode::VocabularyKeyType);
    }

    void longTexts()
    {
        auto builder = unigram();
        builder.token(std::string(64, 'a'), 1, -4);
        const auto loaded = builder.load();
        QVERIFY(loaded.has_value());
        constexpr std::size_t kSize = 1'000'000;
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(loaded->tokenizer->encode(std::string(kSize, 'a'), { false, false }).size(),
                 kSize / 64);
        QCOMPARE(loaded->tokenizer->encode(std::string(kSize, ' '), { false, false }).size(),
                 kSize);
        QCOMPARE(loaded->tokenizer->encode(std::string(kSize, '\xFF'), { false, false }).size(),
                 std::size_t(1));
        QVERIFY(timer.elapsed() < 10'000);
    }
};

QTEST_APPLESS_MAIN(TestUnigram)
#include "tst_unigram.moc"
