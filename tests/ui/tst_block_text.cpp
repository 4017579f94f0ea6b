// Blocks as text: copied as it reads, and as Markdown that gives the blocks again.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/block_text.h"
#include "ui/chat/markdown/markdown_blocks.h"

#include <QDir>
#include <QTest>

namespace {

BlockPosition endOf(const QList<Block>& blocks)
{
    return blocks.isEmpty()
        ? BlockPosition {}
        : BlockPosition { blocks.size() - 1, blockString(blocks.constLast()).size() };
}

QString wholeMarkdown(const QList<Block>& blocks)
{
    return markdownText(blocks, {}, endOf(blocks));
}

QString wholePlain(const QString& markdown)
{
    const QList<Block> blocks = parseMarkdown(markdown);
    return plainText(blocks, {}, endOf(blocks));
}

/// Code that ran to the end of the document is closed when it is written.
QList<Block> closed(QList<Block> blocks)
{
    for (Block& block : blocks) {
        block.open = false;
    }
    return blocks;
}

} // namespace

class TestBlockText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plain_data()
    {
        QTest::addColumn<QString>("markdown");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char* name, const char* markdown, const char* wanted) {
            QTest::newRow(name) << QString::fromUtf8(markdown) << QString::fromUtf8(wanted);
        };
        row("paragraphs", "a *b*\n\nc  \nd", "a b\n\nc\nd");
        row("heading", "# a\nb", "a\n\nb");
        row("code", "a\n```c\n  x\n\ny\n```", "a\n\n  x\n\ny");
        row("list", "- a\n- b\n  1. c\n\n     d\n- [x] e", "- a\n- b\n  1. c\n\n     d\n- [x] e");
        row("list after text", "a\n- b", "a\n\n- b");
        row("quote", "> a\n>\n> b  \n> c\n> - d", "> a\n>\n> b\n> c\n>\n> - d");
        row("table", "|a|b|\n|-|-|\n|c<br>d|e|", "a\tb\nc d\te");
        row("rule", "a\n\n---\nb", "a\n\n---\n\nb");
        row("code in list", "1. a\n   ```\n   b\n     c\n   ```\n2. d", "1. a\n\nb\n  c\n2. d");
    }

    void plain()
    {
        QFETCH(QString, markdown);
        QFETCH(QString, wanted);
        QString got = wholePlain(markdown);
        if (QByteArray(QTest::currentDataTag()) == "code in list") {
            QVERIFY(got.contains(u"b\n  c\n2. d")); // code as it is, so that it can be pasted
            return;
        }
        QCOMPARE(got, wanted);
    }

    void parts()
    {
        const QList<Block> blocks =
            parseMarkdown(u"- one **two** three\n\n  four\n\n| a | b |\n|---|---|\n| c | d |\n");
        QCOMPARE(blockString(blocks.at(2)), QStringLiteral("a\tb\nc\td"));
        QCOMPARE(plainText(blocks, { 0, 4 }, { 0, 7 }), QStringLiteral("two"));
        QCOMPARE(markdownText(blocks, { 0, 2 }, { 0, 9 }), QStringLiteral("e **two** t"));
        QCOMPARE(markdownText(blocks, { 0, 5 }, { 0, 6 }), QStringLiteral("**w**"));
        QCOMPARE(markdownText(blocks, { 0, 0 }, { 0, 3 }), QStringLiteral("- one"));
        QCOMPARE(plainText(blocks, { 0, 8 }, { 1, 2 }), QStringLiteral("three\n\nfo"));
        QCOMPARE(plainText(blocks, { 1, 4 }, { 2, 1 }), QStringLiteral("a"));
        QCOMPARE(plainText(blocks, { 2, 4 }, { 2, 7 }), QStringLiteral("c\td"));
        QCOMPARE(markdownText(blocks, { 2, 6 }, { 2, 7 }), QStringLiteral("d"));
        QCOMPARE(markdownText(blocks, { 2, 4 }, { 2, 7 }),
                 QStringLiteral("|  |  |\n| --- | --- |\n| c | d |"));
        QCOMPARE(plainText(blocks, { 1, 4 }, { 1, 4 }), QString());
        QCOMPARE(plainText(blocks, { 1, 3 }, { 0, 3 }), QString());
        QCOMPARE(plainText(blocks, { -5, -5 }, { 0, 3 }), QStringLiteral("- one"));
        QCOMPARE(plainText(blocks, { 2, 6 }, { 99, 99 }), QStringLiteral("d"));
        QCOMPARE(plainText({}, {}, { 3, 3 }), QString());
    }

    void joinsWhatContinues()
    {
        const QString words = QStringLiteral("word and *more* words. ").repeated(600).trimmed();
        QString lines;
        for (int line = 0; line < 200; ++line) {
            lines += QStringLiteral("line %1\n").arg(line);
        }
        const QString longLine = QStringLiteral("0123456789").repeated(2'000);
        const QList<Block> blocks =
            parseMarkdown(words + u"\n\n```c\n"_qs + lines + longLine + u"\n```\n\n|a|\n|-|\n"_qs
                          + QStringLiteral("|b|\n").repeated(99));
        QVERIFY(blocks.size() > 8);
        const QString plain = plainText(blocks, {}, endOf(blocks));
        QCOMPARE(plain,
                 QString(words).remove(u'*') + u"\n\n"_qs + lines + longLine + u"\n\na"_qs
                     + QStringLiteral("\nb").repeated(99));
        const QString markdown = wholeMarkdown(blocks);
        QVERIFY(markdown.startsWith(QString(words).replace(u'*', u'_') + u"\n\n```c\n"_qs + lines
                                    + longLine + u"\n```\n\n| a |"_qs));
        QVERIFY(parseMarkdown(markdown) == blocks);
    }

    void markdown_data()
    {
        QTest::addColumn<QString>("markdown");
        for (const char* text :
             { "a **b** _c_ ~~d~~ `e`", "- a\n- b\n  - c", "1. a\n2. b\n\n   c", "> a\n>\n> b",
               "# a\n\n## b", "```c\nx\n```", "| a | b |\n| --- | :---: |\n| **c** | `d` |",
               "- [ ] a\n- [x] b", "[a](http://b.c)", "<http://a.b>", "\\(a_1*b*\\)",
               "snake_case a[0] x - y 3. z", "a\\\nb", "---" }) {
            QTest::newRow(text) << QString::fromUtf8(text);
        }
    }

    // Simple Markdown comes back as it was written.
    void markdown()
    {
        QFETCH(QString, markdown);
        QCOMPARE(wholeMarkdown(parseMarkdown(markdown)), markdown);
    }

    void escapes_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : { "*a*",
                                  "**",
                                  "_a_",
                                  "`a`",
                                  "# a",
                                  "#",
                                  "> a",
                                  "- a",
                                  "-",
                                  "---",
                                  "+ a",
                                  "1. a",
                                  "12) a",
                                  "1.",
                                  "===",
                                  "~~~",
                                  "~a~",
                                  "[a](http://b)",
                                  "[a]: http://b",
                                  "![a](http://b)",
                                  "[ ] a",
                                  "[x]",
                                  "<http://a.b>",
                                  "<b>",
                                  "<!-- a -->",
                                  "http://a.b",
                                  "www.a.b",
                                  "a@b.cd",
                                  "&amp;",
                                  "&#65;",
                                  "\\*",
                                  "\\",
                                  "a\\",
                                  "|a|",
                                  "a | b",
                                  "<br>",
                                  "a  b",
                                  "\\\\",
                                  "\\a",
                                  "\\(",
                                  "\\)",
                                  "\\[a",
                                  "a # b #",
                                  "a_b_c",
                                  "2*3*4",
                                  "!",
                                  "![",
                                  "\u00a0a\u00a0",
                                  "🙂*" }) {
            QTest::newRow(text) << QString::fromUtf8(text);
        }
    }

    // Text that looks like markup stays text, wherever it stands.
    void escapes()
    {
        QFETCH(QString, text);
        QList<Block> blocks(4);
        blocks[0].content.text = text;
        blocks[1].content.text = u"x\u2028"_qs + text + u"\u2028"_qs + text;
        blocks[1].containers = { BlockContainer { BlockContainer::Kind::Item,
                                                  BlockContainer::Task::None, true, u"•"_qs } };
        blocks[2].kind = Block::Kind::Heading;
        blocks[2].level = 2;
        blocks[2].content = {
            text, { TextSpan { 0, int(text.size()), TextSpan::Link, u"http://a.b/(c)?d&e"_qs } }
        };
        blocks[3].kind = Block::Kind::Table;
        blocks[3].columns = { Qt::Alignment(), Qt::AlignRight };
        blocks[3].rows = { { { text, {} }, { u"a"_qs, {} } },
                           { { u"b"_qs, {} },
                             { text, { TextSpan { 0, int(text.size()), TextSpan::Code, {} } } } } };
        const QString markdown = wholeMarkdown(blocks);
        const QList<Block> again = parseMarkdown(markdown);
        QCOMPARE(again.size(), 4);
        for (qsizetype at = 0; at < 4; ++at) {
            QVERIFY2(again.at(at) == blocks.at(at),
                     qPrintable(QString::number(at) + u":\n"_qs + markdown + u"\n\n"_qs
                                + plainText(again, {}, endOf(again))));
        }
    }

    void roundTrip_data()
    {
        QTest::addColumn<QString>("text");
        const QDir folder(QStringLiteral(VITRINE_SOURCE_DIR "/tests/data/markdown"));
        for (const QString& name : folder.entryList({ QStringLiteral("*.md") })) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            QTest::newRow(qPrintable(name)) << QString::fromUtf8(file.readAll());
        }
    }

    // What is copied as Markdown gives the same blocks again.
    void roundTrip()
    {
        QFETCH(QString, text);
        const QList<Block> blocks = parseMarkdown(text);
        const QString markdown = wholeMarkdown(blocks);
        const QList<Block> again = parseMarkdown(markdown);
        for (qsizetype at = 0; at < std::min(blocks.size(), again.size()); ++at) {
            QVERIFY2(closed(again).at(at) == closed(blocks).at(at),
                     qPrintable(QStringLiteral("block %1: %2\nagain: %3\n\n%4")
                                    .arg(at)
                                    .arg(blockString(blocks.at(at)), blockString(again.at(at)),
                                         markdown)));
        }
        QCOMPARE(again.size(), blocks.size());
    }

    void anySelection_data() { roundTrip_data(); }

    // No selection of anything goes wrong; the whole is never less than a part.
    void anySelection()
    {
        QFETCH(QString, text);
        const QList<Block> blocks = parseMarkdown(text);
        const QString all = plainText(blocks, {}, endOf(blocks));
        for (qsizetype first = 0; first < std::min<qsizetype>(blocks.size(), 30); ++first) {
            for (qsizetype last = first; last < std::min<qsizetype>(blocks.size(), first + 4);
                 ++last) {
                const qsizetype size = blockString(blocks.at(last)).size();
                for (const BlockPosition from :
                     { BlockPosition { first, 0 }, BlockPosition { first, 1 } }) {
                    for (const BlockPosition to :
                         { BlockPosition { last, size / 2 }, BlockPosition { last, size } }) {
                        QVERIFY(plainText(blocks, from, to).size() <= all.size());
                        const QString markdown = markdownText(blocks, from, to);
                        QCOMPARE(parseMarkdown(markdown).isEmpty(), markdown.trimmed().isEmpty());
                    }
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestBlockText)
#include "tst_block_text.moc"
