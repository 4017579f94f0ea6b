// Pre-tokenizers: every row compiles, pieces are lossless, known splits, time stays linear.
// SPDX-License-Identifier: Apache-2.0
#include "engine/text/pretokenizer.h"
#include "engine/text/unicode.h"
#include "tests/support/conformance.h"

#include <QElapsedTimer>
#include <QTest>

#include <cstdlib>
#include <numeric>
#include <set>

using namespace engine::text;

namespace {

QStringList piecesOf(const PreTokenizer& tokenizer, std::string_view text)
{
    QStringList pieces;
    for (const std::size_t length : tokenizer.split(text)) {
        pieces << QString::fromUtf8(text.data(), static_cast<qsizetype>(length));
        text.remove_prefix(length);
    }
    return pieces;
}

} // namespace

class TestPreTokenizer : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void namesAreUnique();
    void splits_data();
    void splits();
    void lossless_data();
    void lossless();
    void linear_data() { lossless_data(); }
    void linear();
};

void TestPreTokenizer::namesAreUnique()
{
    std::set<std::string_view> names;
    for (const PreTokenizerRules& rules : allPreTokenizerRules()) {
        QVERIFY(names.insert(rules.name).second);
        QCOMPARE(preTokenizerRules(rules.name), &rules);
    }
    QVERIFY(names.size() >= 92);
    QVERIFY(!preTokenizerRules("zzz-unknown"));
    QVERIFY(!preTokenizerRules(""));
}

void TestPreTokenizer::splits_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QStringList>("pieces");
    const auto row = [](const char* name, const char* text, const QStringList& pieces) {
        QTest::addRow("%s: %s", name, text) << name << text << pieces;
    };
    row("gpt-2", "", {});
    row("gpt-2", "Hello world", { "Hello", " world" });
    row("gpt-2", "I'm  here", { "I", "'m", " ", " here" });
    row("gpt-2", "I'M", { "I", "'", "M" });
    row("gpt-2", "a1234b", { "a", "1234", "b" });
    row("gpt-2", "x \n\n y", { "x", " \n\n", " y" });
    row("gpt-2", "a\u180Eb", { "a", "\u180E", "b" }); // no white space since Unicode 6.3
    row("smollm", "a1234 5", { "a", "1", "2", "3", "4", " ", "5" });
    row("llama-bpe", "I'M 12345!", { "I", "'M", " ", "123", "45", "!" });
    row("llama-bpe", "x;\n\n  y", { "x", ";\n\n", " ", " y" });
    row("qwen2", "12 中文", { "1", "2", " 中文" });
    row("gpt-4o", "HelloWorld it's", { "Hello", "World", " it's" });
    row("tekken", "HelloWorld12", { "Hello", "World", "1", "2" });
    row("deepseek-v3", "中a 1234~~", { "中", "a", " ", "123", "4", "~~" });
    row("deepseek-coder", "a\nb 12", { "a", "\n", "b", " ", "1", "2" });
    row("falcon", "12345a", { "123", "45", "a" });
    row("superbpe", "1234567", { "1", "234", "567" });
    row("superbpe", "x12y", { "x", "12", "y" });
    row("tiny_aya", "1234567", { "1", "234", "567" });
    row("kimi-k2", "中文abc", { "中文", "abc" });
    row("bloom", "a, b", { "a", ",", " b" });
    row("gemma4", "a b\n\nc", { "a b", "\n\n", "c" });
    row("chameleon", "IMGIMGABZx", { "IMGIMGABZ", "x" });
    row("exaone-moe", "a b c1", { "a b c", "1" });
}

void TestPreTokenizer::splits()
{
    QFETCH(QString, name);
    QFETCH(QString, text);
    QFETCH(QStringList, pieces);
    const PreTokenizerRules* rules = preTokenizerRules(name.toStdString());
    QVERIFY(rules);
    const auto tokenizer = PreTokenizer::create(*rules);
    QVERIFY(tokenizer.has_value());
    QCOMPARE(piecesOf(*tokenizer, text.toStdString()), pieces);
}

void TestPreTokenizer::lossless_data()
{
    QTest::addColumn<const PreTokenizerRules*>("rules");
    std::set<const SplitStep*> seen; // names that share their steps split alike
    for (const PreTokenizerRules& rules : allPreTokenizerRules()) {
        if (seen.insert(rules.steps.data()).second) {
            QTest::newRow(std::string(rules.name).c_str()) << &rules;
        }
    }
}

void TestPreTokenizer::lossless()
{
    QFETCH(const PreTokenizerRules*, rules);
    const auto tokenizer = PreTokenizer::create(*rules);
    QVERIFY(tokenizer.has_value());
    std::srand(3);
    for (int round = 0; round < 300; ++round) {
        std::string bytes;
        for (int i = std::rand() % 50; i > 0; --i) {
            constexpr std::string_view kCommon = "aZ09 \n\r'.,!\t\xED\xA0\x80\xE4\xB8\xAD\xC3\xA9";
            bytes += std::rand() % 3
                ? kCommon[static_cast<std::size_t>(std::rand()) % kCommon.size()]
                : static_cast<char>(std::rand());
        }
        std::string storage;
        const std::string_view text = mendUtf8(bytes, storage);
        const auto lengths = tokenizer->split(text);
        QCOMPARE(std::accumulate(lengths.begin(), lengths.end(), std::size_t(0)), text.size());
        QVERIFY(std::find(lengths.begin(), lengths.end(), 0u) == lengths.end());
        std::size_t at = 0;
        for (const std::size_t length : lengths) {
            QVERIFY((static_cast<unsigned char>(text[at]) & 0xC0)
                    != 0x80); // never inside a character
            at += length;
        }
    }
}

void TestPreTokenizer::linear()
{
    QFETCH(const PreTokenizerRules*, rules);
    const auto tokenizer = PreTokenizer::create(*rules);
    QVERIFY(tokenizer.has_value());
#ifdef __SANITIZE_ADDRESS__
    const int count = 20'000;
#else
    const int count = tests::fullRun() ? 300'000 : 50'000;
#endif
    for (const char* unit : { "a", "A", "1", " ", "\n", "!", "é", "中", "🦙", "a ", "Aa", "éA",
                              "1a", " \n", "'s" }) {
        const QByteArray text = QByteArray(unit).repeated(count);
        for (const QByteArray& whole : { text, text + "x", text + "1" }) {
            QElapsedTimer timer;
            timer.start();
            const auto lengths =
                tokenizer->split({ whole.data(), static_cast<std::size_t>(whole.size()) });
            QVERIFY2(timer.elapsed() < 5000, unit);
            QVERIFY(!lengths.empty());
        }
    }
}

QTEST_APPLESS_MAIN(TestPreTokenizer)
#include "tst_pretokenizer.moc"
