// RWKV's tokenizer: escapes in token texts, the longest token first, any bytes, time.
// SPDX-License-Identifier: Apache-2.0
#include "engine/text/unicode.h"
#include "tests/support/vocabulary_builder.h"

#include <QElapsedTimer>
#include <QTest>

using namespace engine::text;

class TestRwkv : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void escapes_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("plain") << QByteArray("aé ") << QByteArray("aé ");
        QTest::newRow("named") << QByteArray("\\n\\t\\r\\\\\\'") << QByteArray("\n\t\r\\'");
        QTest::newRow("numbers") << QByteArray("\\xe4\\xB8\\x0a1") << QByteArray("\xE4\xB8\n1");
        QTest::newRow("unfinished") << QByteArray("a\\") << QByteArray("a\\");
        QTest::newRow("no number") << QByteArray("\\x4g\\x") << QByteArray("x4gx");
    }
    void escapes()
    {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, bytes);
        QCOMPARE(QByteArray::fromStdString(unescapeBytes(text.toStdString())), bytes);
    }

    void greedy()
    {
        tests::VocabularyBuilder builder("rwkv");
        builder.token("<s>", 3).token("a").token("ab").token("b").token("abc\\n").token("\\xff");
        const auto loaded = builder.load();
        QVERIFY(loaded.has_value());
        const auto& tokenizer = *loaded->tokenizer;
        using Ids = std::vector<TokenId>;
        QCOMPARE(tokenizer.encode("abab"), (Ids { 2, 2 }));
        QCOMPARE(tokenizer.encode("abc\nb"), (Ids { 4, 3 }));
        // What no token begins with is left out where there is no unknown token.
        QCOMPARE(tokenizer.encode("abc\xFF?"), (Ids { 2, 5 }));
        QCOMPARE(tokenizer.encode("<s>b", { true, true }), (Ids { 0, 3 }));
        QCOMPARE(tokenizer.detokenize(Ids { 4, 5 }, DetokenizeMode::Clean),
                 std::string("abc\n\xFF"));
    }

    void longTexts()
    {
        tests::VocabularyBuilder builder("rwkv");
        builder.token("<s>", 3).token("a").token(std::string(128, 'a'));
        const auto loaded = builder.load();
        QVERIFY(loaded.has_value());
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(loaded->tokenizer->encode(std::string(1'280'000, 'a')).size(),
                 std::size_t(10'000));
        QVERIFY(timer.elapsed() < 10'000);
    }
};

QTEST_APPLESS_MAIN(TestRwkv)
#include "tst_rwkv.moc"
