// Markdown that streams in: every prefix gives what it gives as a whole, and what is long stays
// cheap. SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/block_stream.h"
#include "ui/chat/markdown/markdown_blocks.h"

#include <QDir>
#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

namespace {

constexpr qsizetype kLongDocument = 3'000; ///< of a longer one only some prefixes are tried

QString documentText(const QString& name)
{
    QFile file(QStringLiteral(VITRINE_SOURCE_DIR "/tests/data/markdown/") + name);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList documents()
{
    return QDir(QStringLiteral(VITRINE_SOURCE_DIR "/tests/data/markdown"))
        .entryList({ QStringLiteral("*.md") });
}

bool isFullTest()
{
    return qEnvironmentVariableIntValue("VITRINE_TEST_FULL") == 1;
}

QString shown(const QList<Block>& blocks)
{
    QString lines;
    for (const Block& block : blocks) {
        lines += QStringLiteral("%1 level %2 continues %3 open %4 language %5 in")
                     .arg(int(block.kind))
                     .arg(block.level)
                     .arg(block.continues)
                     .arg(block.open)
                     .arg(block.language);
        for (const BlockContainer& container : block.containers) {
            lines += QStringLiteral(" %1%2%3%4")
                         .arg(container.kind == BlockContainer::Kind::Quote ? u">" : u"")
                         .arg(container.marker, container.first ? u"!" : u"")
                         .arg(int(container.task));
        }
        lines += u": "_qs + block.content.text.toHtmlEscaped();
        for (const TextSpan& span : block.content.spans) {
            lines += QStringLiteral(" {%1+%2 %3 %4}")
                         .arg(span.start)
                         .arg(span.length)
                         .arg(span.styles)
                         .arg(span.target);
        }
        for (const QList<StyledText>& row : block.rows) {
            for (const StyledText& cell : row) {
                lines += u" | "_qs + cell.text;
            }
        }
        lines += u'\n';
    }
    return lines;
}

QByteArray difference(QStringView prefix, const QList<Block>& got, const QList<Block>& wanted)
{
    return (u"\nafter "_qs + prefix.last(std::min<qsizetype>(prefix.size(), 200)).toString()
            + u"\ngot\n"_qs + shown(got) + u"wanted\n"_qs + shown(wanted))
        .toUtf8();
}

/// Appends and checks that what stands before the returned index is what it was.
class WatchedStream
{
public:
    void append(QStringView text) { check(m_stream.append(text)); }
    void finish() { check(m_stream.finish()); }
    [[nodiscard]] const BlockStream& stream() const { return m_stream; }
    [[nodiscard]] bool isSteady() const { return m_steady; }

private:
    void check(qsizetype first)
    {
        const QList<Block>& now = m_stream.blocks();
        m_steady = m_steady && first >= 0 && first <= now.size() && first <= m_before.size()
            && std::equal(now.cbegin(), now.cbegin() + first, m_before.cbegin())
            && (first < now.size() || first == m_before.size() || now.size() < m_before.size());
        m_before = QList<Block>(now.cbegin(), now.cend());
    }

    BlockStream m_stream;
    QList<Block> m_before;
    bool m_steady = true;
};

QList<Block> streamed(QStringView text)
{
    BlockStream stream;
    stream.append(text);
    return stream.blocks();
}

/// Text of so many random parts of constructs.
QString anything(QRandomGenerator& random, int parts)
{
    constexpr const char* kParts[] = { "- ",
                                       "* ",
                                       "1. ",
                                       "2. ",
                                       "7) ",
                                       "> ",
                                       ">",
                                       "  ",
                                       "    ",
                                       "   ",
                                       "\t",
                                       "\n",
                                       "\n",
                                       "\n",
                                       "\n\n",
                                       "\n\n",
                                       "a",
                                       "b c",
                                       "# ",
                                       "---",
                                       "***",
                                       "===",
                                       "-",
                                       "```",
                                       "```\n",
                                       "~~~",
                                       "``",
                                       "`",
                                       "| ",
                                       "|",
                                       "|-|",
                                       "|a|b|\n|-|-|\n",
                                       "[ ] ",
                                       "**",
                                       "*",
                                       "_",
                                       "[a](http://b)",
                                       "\\",
                                       "\\(",
                                       "\\)",
                                       "\\[",
                                       "\\]",
                                       "  \n",
                                       "<br>",
                                       "&amp;",
                                       "www.a.de ",
                                       "\r\n",
                                       "🙂",
                                       "é" };
    QString text;
    for (; parts > 0; --parts) {
        text += QString::fromUtf8(kParts[random.bounded(int(std::size(kParts)))]);
    }
    return text;
}

void checkLimits(const QList<Block>& blocks)
{
    for (const Block& block : blocks) {
        // In a quote the tabs that indent code become spaces.
        const qsizetype limit = block.kind != Block::Kind::Code ? 4'000
            : block.containers.isEmpty()                        ? 8'000
                                                                : 16'000;
        QVERIFY2(block.content.text.size() <= limit, shown({ block }).toUtf8());
        QVERIFY(block.content.text.count(u'\n') < 60);
        QVERIFY(block.rows.size() <= 40);
        QVERIFY(block.containers.size() <= 12);
    }
}

/// Lines of text that never end, for a shape that grows without bound.
struct Shape
{
    const char* name;
    const char* start;
    const char* more; ///< repeated
};

constexpr Shape kShapes[] = {
    { "paragraph", "", "word and **more** text, " },
    { "one word", "", "abcdefgh" },
    { "paragraph of lines", "", "word and more text\n" },
    { "paragraphs", "", "word and more text.\n\n" },
    { "code", "```cpp\n", "int value = 1; // comment\n" },
    { "code in one line", "```\n", "int value = 1; " },
    { "code in a list", "1. Do:\n   ```py\n", "   x = 1\n" },
    { "code in a quote", "> ```\n", "> x = 1\n" },
    { "list", "", "- an item of the list\n" },
    { "numbered list", "", "1. an item of the list\n" },
    { "nested list", "- top\n", "  - an item of the list\n" },
    { "one item", "- item", " goes on and on" },
    { "item of paragraphs", "- item\n", "\n  paragraph of the item\n" },
    { "quote", "", "> a line of the quote\n" },
    { "quote of paragraphs", "", "> a line of the quote\n>\n" },
    { "lazy quote", "> quote\n", "goes on without a mark\n" },
    { "table", "| a | b |\n|---|---|\n", "| cell | other *cell* |\n" },
    { "table in a list", "- | a | b |\n  |---|---|\n", "  | cell | other |\n" },
    { "row", "| a | b |\n|---|---|\n", "| cell " },
    { "headings", "", "# A heading\n" },
    { "one heading", "## ", "word and more " },
    { "rules", "", "***\n" },
    { "blank lines", "", "\n" },
    { "spaces", "", "        " },
    { "stars", "", "*" },
    { "brackets", "", "[" },
    { "backticks", "", "`" },
    { "ticks of code", "", "`a` ``b " },
    { "links", "", "[a](http://b.c) " },
    { "open links", "", "[a](<b" },
    { "definitions", "", "[a]: http://b.c\n" },
    { "quotes in quotes", "", ">" },
    { "items in items", "", "- " },
    { "angles", "", "<a" },
    { "maths", "", "\\(a_1" },
    { "dashes", "", "-" },
    { "empty items", "", "-\n" },
    { "addresses", "", "a@b." },
    { "tildes", "", "~~a~" },
    { "emphasis", "", "*a **b _c " },
    { "entities", "", "&amp;&#" },
};

} // namespace

class TestBlockStream : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void haveDocuments() { QVERIFY(documents().size() >= 50); }

    void everyPrefix_data()
    {
        QTest::addColumn<QString>("text");
        for (const QString& name : documents()) {
            QTest::newRow(qPrintable(name)) << documentText(name);
        }
    }

    // Fed in pieces, the blocks are those of the prefix fed at once; where no block is cut and no
    // link is defined apart, also those of a single pass over the prefix.
    void everyPrefix()
    {
        QFETCH(QString, text);
        QVERIFY(!text.isEmpty());
        const bool isLong = text.size() > kLongDocument && !isFullTest();
        const bool definesLinks = text.contains(u"]:");
        QRandomGenerator random(7);
        WatchedStream byCharacter;
        WatchedStream byPiece;
        qsizetype fed = 0;
        qsizetype step = 1;
        for (qsizetype length = 0; length <= text.size(); length += step) {
            const QStringView prefix = QStringView(text).first(length);
            for (qsizetype at = byCharacter.stream().source().size(); at < length; ++at) {
                byCharacter.append(prefix.sliced(at, 1));
            }
            const QList<Block>& got = byCharacter.stream().blocks();
            const QList<Block> whole = streamed(prefix);
            QVERIFY2(got == whole, difference(prefix, got, whole));
            QVERIFY2(byCharacter.isSteady(), qPrintable(prefix.toString()));
            if (length - fed >= random.bounded(1, 40)) {
                byPiece.append(prefix.sliced(fed));
                fed = length;
                QVERIFY2(byPiece.stream().blocks() == whole,
                         difference(prefix, byPiece.stream().blocks(), whole));
                QVERIFY(byPiece.isSteady());
            }
            const QList<Block> onePass = parseMarkdown(prefix);
            const bool cut = std::ranges::any_of(onePass, &Block::continues);
            QVERIFY2(definesLinks || cut || got == onePass, difference(prefix, got, onePass));
            step = isLong ? random.bounded(1, 200) : 1;
        }
    }

    // What nobody would write on purpose: parts of constructs in any order.
    void everyPrefixOfAnything()
    {
        QRandomGenerator random(uint(qEnvironmentVariableIntValue("VITRINE_TEST_SEED")));
        const int count = isFullTest() ? 50'000 : 1'000;
        for (int document = 0; document < count; ++document) {
            const QString text = anything(random, random.bounded(5, 40));
            BlockStream stream;
            for (qsizetype length = 1; length <= text.size(); ++length) {
                const QStringView prefix = QStringView(text).first(length);
                stream.append(prefix.last(1));
                const QList<Block> whole = parseMarkdown(prefix);
                QVERIFY2(stream.blocks() == whole, difference(prefix, stream.blocks(), whole));
            }
        }
    }

    // The same, so long that blocks are cut: the pieces don't matter.
    void anythingLong()
    {
        QRandomGenerator random(uint(qEnvironmentVariableIntValue("VITRINE_TEST_SEED")));
        for (int document = isFullTest() ? 2'000 : 40; document > 0; --document) {
            // A part over and over makes one block long.
            const QString again = anything(random, random.bounded(1, 4));
            const QString text =
                anything(random, 5) + again.repeated(30'000 / again.size()) + anything(random, 20);
            WatchedStream stream;
            while (stream.stream().source().size() < text.size()) {
                const qsizetype at = stream.stream().source().size();
                stream.append(QStringView(text).sliced(at).first(
                    std::min<qsizetype>(random.bounded(1, 3'000), text.size() - at)));
                const QList<Block> whole = streamed(stream.stream().source());
                QVERIFY2(stream.stream().blocks() == whole, qPrintable(again));
            }
            QVERIFY2(stream.isSteady(), qPrintable(again));
            checkLimits(stream.stream().blocks());
        }
    }

    void finishes_data() { everyPrefix_data(); }

    // At the end there is no difference left where links are defined apart either.
    void finishes()
    {
        QFETCH(QString, text);
        WatchedStream stream;
        QRandomGenerator random(11);
        for (qsizetype at = 0; at < text.size();) {
            const qsizetype size = std::min<qsizetype>(random.bounded(1, 30), text.size() - at);
            stream.append(QStringView(text).sliced(at, size));
            at += size;
        }
        stream.finish();
        QVERIFY(stream.isSteady());
        QCOMPARE(stream.stream().source(), text);
        const QList<Block> whole = parseMarkdown(text);
        if (text.contains(u"]:") || std::ranges::none_of(whole, &Block::continues)) {
            QVERIFY2(stream.stream().blocks() == whole,
                     difference(text, stream.stream().blocks(), whole));
        }
    }

    void linksDefinedBeforeAreKnown()
    {
        BlockStream stream;
        stream.append(u"[a]: http://a.example\n\nSee [a] and [b].\n\n");
        QCOMPARE(stream.blocks().size(), 1);
        QCOMPARE(stream.blocks().first().content.spans.size(), 1);
        stream.append(u"[b]: http://b.example\n");
        QCOMPARE(stream.finish(), 0);
        QCOMPARE(stream.blocks().first().content.spans.size(), 2);
    }

    void saysWhatChanged()
    {
        BlockStream stream;
        QCOMPARE(stream.append(u"one\n\ntwo"), 0);
        QCOMPARE(stream.append(u" and"), 1);
        QCOMPARE(stream.append(u"\n"), 2); // nothing to see
        QCOMPARE(stream.append(u"\nthree"), 2);
        QCOMPARE(stream.append(u"\n==="), 2); // became a heading
        QCOMPARE(stream.blocks().at(2).kind, Block::Kind::Heading);
        QCOMPARE(stream.finish(), 3);
    }

    void growsCheaply_data()
    {
        QTest::addColumn<QByteArray>("start");
        QTest::addColumn<QByteArray>("more");
        for (const Shape& shape : kShapes) {
            QTest::newRow(shape.name) << QByteArray(shape.start) << QByteArray(shape.more);
        }
    }

    // Any shape without end: blocks stay short, the work for a piece depends on the last one alone.
    void growsCheaply()
    {
        QFETCH(QByteArray, start);
        QFETCH(QByteArray, more);
        const qsizetype size = isFullTest() ? 800'000 : 100'000;
        BlockStream stream;
        stream.append(QString::fromLatin1(start));
        const QString endless = QString::fromLatin1(more.repeated(size / more.size() + 1));
        qint64 slowest = 0;
        QElapsedTimer all;
        all.start();
        for (qsizetype at = 0; at < endless.size(); at += 100) {
            QElapsedTimer clock;
            clock.start();
            const qsizetype before = stream.blocks().size();
            const qsizetype first = stream.append(QStringView(endless).mid(at, 100));
            slowest = std::max(slowest, clock.nsecsElapsed());
            QVERIFY(first >= before - 200);
        }
        qInfo("%lld appends in %lld ms, the slowest %.2f ms, %lld blocks",
              (long long)(endless.size() / 100), (long long)all.elapsed(), double(slowest) / 1e6,
              (long long)stream.blocks().size());
        QVERIFY2(all.elapsed() < 60'000, "it gets slower as the text grows");
        checkLimits(stream.blocks());
        QVERIFY(stream.blocks() == streamed(QString::fromLatin1(start) + endless));
    }
};

QTEST_APPLESS_MAIN(TestBlockStream)
#include "tst_block_stream.moc"
