// Markdown into blocks: what models write, as they write it, and what nobody should.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/markdown_blocks.h"

#include <QElapsedTimer>
#include <QTest>

namespace {

constexpr qsizetype kMegabyte = 1'000'000;
constexpr qsizetype kLines = 200'000; ///< bytes of lines, where not everything is tried

BlockContainer quote()
{
    return {};
}

BlockContainer item(const QString& marker, bool first = true,
                    BlockContainer::Task task = BlockContainer::Task::None)
{
    return { BlockContainer::Kind::Item, task, first, marker };
}

/// The blocks in a few words: kind, containers and text of each.
QString outline(const QList<Block>& blocks)
{
    QStringList lines;
    for (const Block& block : blocks) {
        QString line;
        for (const BlockContainer& container : block.containers) {
            const bool isQuote = container.kind == BlockContainer::Kind::Quote;
            const QString marker =
                container.marker == u"•" ? QStringLiteral("*") : container.marker;
            const QString task = container.task == BlockContainer::Task::None ? QString()
                : container.task == BlockContainer::Task::Done                ? u"[x]"_qs
                                                                              : u"[ ]"_qs;
            line += isQuote       ? QStringLiteral("> ")
                : container.first ? marker + task + u' '
                                  : QStringLiteral(". ");
        }
        switch (block.kind) {
        case Block::Kind::Paragraph:
            line += u"P ";
            break;
        case Block::Kind::Heading:
            line += QStringLiteral("H%1 ").arg(block.level);
            break;
        case Block::Kind::Code:
            line += QStringLiteral("C(%1%2) ").arg(block.language, block.open ? u"…" : u"");
            break;
        case Block::Kind::Table:
            line += QStringLiteral("T%1 ").arg(block.columns.size());
            break;
        case Block::Kind::Rule:
            line += u"R ";
            break;
        }
        line += block.continues ? u"+ " : u"";
        QStringList rows;
        for (const QList<StyledText>& row : block.rows) {
            QStringList cells;
            for (const StyledText& cell : row) {
                cells += cell.text;
            }
            rows += cells.join(u'|');
        }
        line += block.content.text + rows.join(u'/');
        lines += line.replace(u'\n', u'/').replace(QChar(QChar::LineSeparator), u'/').trimmed();
    }
    return lines.join(u'\n');
}

/// The styled stretches of one paragraph, each as "letters:text".
QString styles(const QString& markdown)
{
    const QList<Block> blocks = parseMarkdown(markdown);
    QStringList all;
    for (const Block& block : blocks) {
        for (const TextSpan& span : block.content.spans) {
            QString letters;
            letters += (span.styles & TextSpan::Bold) != 0 ? u"b" : u"";
            letters += (span.styles & TextSpan::Italic) != 0 ? u"i" : u"";
            letters += (span.styles & TextSpan::Strike) != 0 ? u"s" : u"";
            letters += (span.styles & TextSpan::Code) != 0 ? u"c" : u"";
            letters += (span.styles & TextSpan::Link) != 0 ? u"l" : u"";
            all += letters + u':' + block.content.text.mid(span.start, span.length)
                + (span.target.isEmpty() ? QString() : u"->"_qs + span.target);
        }
    }
    return all.join(u' ');
}

void checkLimits(const QList<Block>& blocks)
{
    for (const Block& block : blocks) {
        QVERIFY(block.containers.size() <= 12);
        QVERIFY(block.rows.size() <= 40);
        QVERIFY(block.columns.size() <= 64);
        QVERIFY(block.content.text.count(u'\n') < 60);
        QVERIFY(block.content.text.size() <= (block.kind == Block::Kind::Code ? 8'000 : 4'000));
        int end = 0;
        for (const TextSpan& span : block.content.spans) {
            QVERIFY(span.start >= end && span.length > 0 && span.styles != 0);
            QCOMPARE((span.styles & TextSpan::Link) != 0, !span.target.isEmpty());
            end = span.start + span.length;
        }
        QVERIFY(end <= block.content.text.size());
        for (const QList<StyledText>& row : block.rows) {
            QCOMPARE(row.size(), block.columns.size());
        }
    }
}

QString repeated(const char* text, qsizetype size)
{
    const QString part = QString::fromUtf8(text);
    return part.repeated(size / part.size() + 1);
}

} // namespace

class TestMarkdownBlocks : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void blocks_data()
    {
        QTest::addColumn<QString>("markdown");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char* name, const char* markdown, const char* wanted) {
            QTest::newRow(name) << QString::fromUtf8(markdown) << QString::fromUtf8(wanted);
        };
        row("nothing", "", "");
        row("blank", " \n\t\n\n", "");
        row("paragraph", "a\nb", "P a b");
        row("hard breaks", "a  \nb\\\nc<br>d<BR />e", "P a/b/c/d/e");
        row("escaped tag", "a\\<b> &lt;br>", "P a<b> <br>");
        row("headings", "# a\n### b ###\nc\n===\nd\n---", "H1 a\nH3 b\nH1 c\nH2 d");
        row("rule", "a\n\n---\n***", "P a\nR\nR");
        row("code", "```py x\na\n\n b\n```\nc", "C(py) a// b\nP c");
        row("open code", "```js\na", "C(js…) a");
        row("code open by its end", "```\na\n``", "C(…) a/``");
        row("tildes", "~~~~\n~~~\n```\n~~~~", "C() ~~~/```");
        row("indented is no code", "a\n\n    b\n\n    ```\n    c\n    ```", "P a\nP b\nC() c");
        row("tabs in code stay", "```\n\ta\n \t b\n```\n- ```\n  \tc\n  ```",
            "C() \ta/ \t b\n* C() \tc");
        row("html", "<b>a</b>\n<script>\nx", "P <b>a</b> <script> x");
        row("quotes", "> a\n> > b\n\nc", "> P a\n> > P b\nP c");
        row("items", "- a\n- b\n\n  c\n* d", "* P a\n* P b\n. P c\n* P d");
        row("numbers", "3. a\n3. b\n9) c", "3. P a\n4. P b\n9) P c");
        row("nested", "1. a\n   - b\n     > c\n2. d", "1. P a\n. * P b\n. . > P c\n2. P d");
        row("item in item", "- - a\n  - b", "* * P a\n. * P b");
        row("empty items", "-\n- a\n-", "* P\n* P a\n* P");
        row("text after a heading in an item", "- # a\n\n  b", "* H1 a\n. P b");
        row("text after two blank lines in an item", "1.  a\n\n\n    b", "1. P a\n. P b");
        row("text after an empty item", "-\n\n  a", "* P\nP a");
        row("task after a quote", "- [x] a\n  > b\n- [ ] c", "*[x] P a\n. > P b\n*[ ] P c");
        row("fence marks after code in a quote", "> ```\n``a", "> C()\nP ``a");
        row("tasks", "- [ ] a\n- [x] b\n- [y] c\n1. [X] d",
            "*[ ] P a\n*[x] P b\n* P [y] c\n1.[x] P d");
        row("code in item", "1. a\n   ```sh\n   ls\n     x\n   ```\n   b\n2. c",
            "1. P a\n. C(sh) ls/  x\n. P b\n2. P c");
        row("code at the margin in an item", "1. a\n   ```py\ndef f():\n    x\n\n# y\n   ```\n2. b",
            "1. P a\n. C(py) def f():/    x//# y\n2. P b");
        row("code that leaves its item", "- ```\n  a\nb\n- c\n  ```\n- d", "* C() a/b/- c\n* P d");
        row("closing fence at the margin", "- ```\n  a\n```\nb", "* C() a\nP b");
        row("code in quote", "> ```\n> a\n\nb", "> C() a\nP b");
        row("table", "| a | b |\n|---|:-:|\n| c |\n| d | e | f |\n\ng", "T2 a|b/c|/d|e\nP g");
        row("short dashes", "a | b\n-|-\nc | d", "T2 a|b/c|d");
        row("table after text", "Text:\nmore\n| a | b |\n|---|---|\n| c | d |",
            "P Text: more\nT2 a|b/c|d");
        row("table after text in a quote", "> t\n> | a | b |\n> |---|---|", "> P t\n> T2 a|b");
        row("heading row too wide", "| a | b | c |\n|---|---|\n", "T3 a|b|c");
        row("empty cells", "| a || c |\n|-|-|-|\n|| d ||", "T3 a||c/|d|");
        row("pipes in cells", "| a |\n|-|\n| `x\\|y` b\\|c |\n| \\(a|b\\) |",
            "T1 a/x|y b|c/\\(a|b\\)");
        row("break in a cell", "|a|\n|-|\n|b<br>c|", "T1 a/b/c");
        row("table ends", "|a|\n|-|\n# b\n|a|\n|-|\n```\nc\n```\n", "T1 a\nH1 b\nT1 a\nC() c");
        row("no table", "| a |\n| b |\n\na\n|---|---|", "P | a | | b |\nP a |---|---|");
        row("entities", "&amp;&lt;&auml;&#65;&#x1F600;&#0;&nope;&#10;.", "P &<äA😀\ufffd&nope; .");
        row("maths", "\\(a_1*b*\\) \\[ x \\\\ y \\] `\\(`\n\n\\[\na * b *c*\n\\]",
            "P \\(a_1*b*\\) \\[ x \\\\ y \\] \\(\nP \\[ a * b *c* \\]");
        row("carriage returns", "a\r\nb\r\rc\r\n\r\n- d\r\n- e", "P a b\nP c\n* P d\n* P e");
        row("nul", "a", "P a");
        row("pictures", "![alt](http://a.b/c.png) ![x](d.png) ![](http://e.f)", "P alt x …");
    }

    void blocks()
    {
        QFETCH(QString, markdown);
        QFETCH(QString, wanted);
        QCOMPARE(outline(parseMarkdown(markdown)), wanted);
    }

    void containers()
    {
        const QList<Block> blocks = parseMarkdown(u"> 2. [x] a\n>\n>    b");
        QCOMPARE(blocks.size(), 2);
        QCOMPARE(blocks.at(0).containers,
                 (QList<BlockContainer> {
                     quote(), item(QStringLiteral("2."), true, BlockContainer::Task::Done) }));
        QCOMPARE(blocks.at(1).containers,
                 (QList<BlockContainer> {
                     quote(), item(QStringLiteral("2."), false, BlockContainer::Task::Done) }));
    }

    void columns()
    {
        const QList<Block> blocks = parseMarkdown(u"|a|b|c|d|\n|-|:-|:-:|-:|");
        QCOMPARE(blocks.first().columns,
                 (QList<Qt::Alignment> { Qt::Alignment(), Qt::AlignLeft, Qt::AlignHCenter,
                                         Qt::AlignRight }));
    }

    void styles_data()
    {
        QTest::addColumn<QString>("markdown");
        QTest::addColumn<QString>("wanted");
        const auto row = [](const char* name, const char* markdown, const char* wanted) {
            QTest::newRow(name) << QString::fromUtf8(markdown) << QString::fromUtf8(wanted);
        };
        row("none", "a_b_c 2*3", "");
        row("emphasis", "*a* **b** ***c*** ~~d~~ `e`", "i:a b:b bi:c s:d c:e");
        row("nested", "**a *b* c**", "b:a  bi:b b: c");
        row("link", "[a *b*](http://c.d)", "l:a ->http://c.d il:b->http://c.d");
        row("mail", "[a](MAILTO:b@c.d)", "l:a->MAILTO:b@c.d");
        row("bare", "see www.a.de, http://b.de/c. x@y.de",
            "l:www.a.de->http://www.a.de l:http://b.de/c->http://b.de/c l:x@y.de->mailto:x@y.de");
        row("unsafe",
            "[a](javascript:x) [b](file:///x) [c](data:x) [d](x.md) [e](vbscript:x) [f](ftp://x)",
            "");
        row("hidden", "[a](java&#115;cript:x) [b](&#x20;http://a) [c](http://a&#8238;b)", "");
        row("picture", "![a](http://b.c)", "l:a->http://b.c");
        row("picture in link", "[![a](http://b.c)](http://d.e)", "l:a->http://d.e");
        row("picture in unsafe link", "[![a](http://b.c)](file:x)", "l:a->http://b.c");
        row("definition", "[a][b] [B]\n\n[b]: http://c.d 'e'", "l:a->http://c.d l:B->http://c.d");
        row("amp in target", "[a](http://b/?c=1&amp;d=2)", "l:a->http://b/?c=1&d=2");
        row("code takes no markup", "`**a** [b](http://c)`", "c:**a** [b](http://c)");
    }

    void styles()
    {
        QFETCH(QString, markdown);
        QFETCH(QString, wanted);
        QCOMPARE(::styles(markdown), wanted);
    }

    void longText()
    {
        const QString sentence =
            QStringLiteral("Some **bold words** and a [link](http://a.b), then more. ");
        const QList<Block> blocks =
            parseMarkdown(u"Before\n\n"_qs + sentence.repeated(200) + u"\n\nAfter"_qs);
        checkLimits(blocks);
        QString joined;
        for (const Block& block : blocks.sliced(1, blocks.size() - 2)) {
            QCOMPARE(block.continues, !joined.isEmpty());
            QVERIFY(!block.content.text.contains(u'*') && !block.content.text.contains(u']'));
            joined += block.content.text;
        }
        const QString plain =
            QStringLiteral("Some bold words and a link, then more. ").repeated(200);
        QCOMPARE(joined, plain.trimmed());
        QCOMPARE(blocks.constLast().content.text, QStringLiteral("After"));
        QVERIFY(!blocks.constLast().continues);
    }

    void longLines()
    {
        // In an item and a quote, of lines that are short themselves.
        const QList<Block> blocks = parseMarkdown(
            u"2. > "_qs + repeated("one line of many  \n   > ", 20'000) + u"\n3. z"_qs);
        checkLimits(blocks);
        QVERIFY(blocks.size() > 4);
        QString joined;
        for (const Block& block : blocks.first(blocks.size() - 1)) {
            QCOMPARE(block.containers.size(), 2);
            QCOMPARE(block.containers.first().marker, QStringLiteral("2."));
            QCOMPARE(block.containers.first().first, joined.isEmpty());
            QCOMPARE(block.continues, !joined.isEmpty());
            joined += block.content.text;
        }
        QVERIFY(joined.startsWith(u"one line of many\u2028one line"));
        QVERIFY(!joined.contains(u"manyone"));
        QCOMPARE(blocks.constLast().containers,
                 QList<BlockContainer> { item(QStringLiteral("3.")) });
    }

    void longCode()
    {
        QString lines;
        for (int line = 0; line < 500; ++line) {
            lines += QStringLiteral("\tline %1\n").arg(line);
        }
        const QList<Block> blocks = parseMarkdown(u"~~~cpp\n"_qs + lines + u"~~~\nend"_qs);
        checkLimits(blocks);
        QCOMPARE(blocks.size(), 10);
        QStringList joined;
        for (const Block& block : blocks.first(9)) {
            QCOMPARE(block.language, QStringLiteral("cpp"));
            QCOMPARE(block.continues, !joined.isEmpty());
            QVERIFY(!block.open && !block.withinLine);
            joined += block.content.text;
        }
        QCOMPARE(joined.join(u'\n') + u'\n', lines);
    }

    void longCodeLine()
    {
        const QString line = QStringLiteral("```` ").repeated(5'000);
        const QList<Block> blocks =
            parseMarkdown(u"- `````\n  "_qs + line + u"\n  next\n  `````"_qs);
        checkLimits(blocks);
        QString joined;
        for (const Block& block : blocks) {
            QCOMPARE(block.withinLine, !joined.isEmpty());
            joined += block.content.text;
        }
        QCOMPARE(joined, line + u"\nnext"_qs);
    }

    void longTable()
    {
        const QList<Block> blocks = parseMarkdown(
            u"> | a | b |\n> |:-:|--:|\n"_qs + repeated("> | *c* | d |\n", 10'000) + u"\ne"_qs);
        checkLimits(blocks);
        for (const Block& block : blocks.first(blocks.size() - 1)) {
            QCOMPARE(block.kind, Block::Kind::Table);
            QCOMPARE(block.columns, (QList<Qt::Alignment> { Qt::AlignHCenter, Qt::AlignRight }));
            QCOMPARE(block.rows.at(0).at(0).text,
                     block.continues ? QStringLiteral("c") : QStringLiteral("a"));
            QCOMPARE(block.containers, QList<BlockContainer> { quote() });
        }
    }

    // Cut, numbers count on; nested ones and those behind too.
    void longLists()
    {
        const QList<Block> blocks =
            parseMarkdown(u"4. a\n"_qs + repeated("   1. b\n", 20'000) + u"1. c"_qs);
        checkLimits(blocks);
        QCOMPARE(blocks.constLast().containers,
                 QList<BlockContainer> { item(QStringLiteral("5.")) });
        for (qsizetype at = 1; at + 1 < blocks.size(); ++at) {
            const QList<BlockContainer> wanted { item(QStringLiteral("4."), false),
                                                 item(QString::number(at) + u'.') };
            QCOMPARE(blocks.at(at).containers, wanted);
            QVERIFY(!blocks.at(at).continues);
        }
    }

    // A task stays one through all its blocks, cut or not.
    void longTasks()
    {
        const QList<Block> blocks = parseMarkdown(u"- [x] a\n"_qs + repeated("  - [ ] b\n", 20'000)
                                                  + u"\n  "_qs + repeated("c ", 10'000));
        checkLimits(blocks);
        for (const Block& block : blocks) {
            QCOMPARE(block.containers.first().task, BlockContainer::Task::Done);
            const bool inner = block.content.text == u"b";
            QCOMPARE(block.containers.size(), inner ? 2 : 1);
            QVERIFY(!inner || block.containers.last().task == BlockContainer::Task::Open);
        }
        QVERIFY(blocks.constLast().continues);
    }

    // A cut leaves whole what a reader sees as one character.
    void cutsBetweenCharacters()
    {
        const QString family = QStringLiteral("👩‍👩‍👧");
        for (const QString& character :
             { QStringLiteral("🙂"), family, QStringLiteral("e\u0301") }) {
            for (const QString& before : { QString(), QStringLiteral("a"), QStringLiteral("ab") }) {
                const QList<Block> blocks = parseMarkdown(before + character.repeated(3'000));
                checkLimits(blocks);
                QVERIFY(blocks.size() > 1);
                for (const Block& block : blocks) {
                    QVERIFY(block.content.text.endsWith(character));
                    QCOMPARE(block.content.text.count(character),
                             (block.content.text.size() - (block.continues ? 0 : before.size()))
                                 / character.size());
                }
            }
        }
    }

    void deepContainers()
    {
        QCOMPARE(parseMarkdown(repeated("> ", 60) + u"a"_qs).first().containers.size(), 12);
        QCOMPARE(parseMarkdown(repeated("- ", 100'000) + u"a"_qs).first().containers.size(), 12);
    }

    void hostile_data()
    {
        QTest::addColumn<QString>("markdown");
        const qsizetype lines =
            qEnvironmentVariableIntValue("VITRINE_TEST_FULL") == 1 ? kMegabyte : kLines;
        for (const char* text : { "> ",       ">",       "- ",       "1. ",
                                  "+ > ",     "*",       "**a ",     "_",
                                  "[",        "]",       "![",       "`",
                                  "`` ` ",    "~",       "~~",       "#",
                                  "=",        "-",       "- - x ",   "\\",
                                  "\\(",      "\\[",     "|",        "||",
                                  "|-",       "&",       "&#",       "<",
                                  "<a ",      "<http:",  "www.",     "a@",
                                  "http://a", "a.b@c.",  "[a](",     "[a](<b",
                                  "[a]: ",    "[a][",    "[a]",      "(",
                                  "!",        "a",       " ",        "\t",
                                  "🙂",     "e\u0301", "\u0301",   "*a_ ",
                                  "**a*",     "a**b",    "[*a](b)*", "[a](http://b.c \"",
                                  "$",        ":",       "a\\\n" }) {
            const QByteArray tag = QByteArray(text).replace('\n', "\\n");
            QTest::newRow(tag) << repeated(text, kMegabyte);
            QTest::addRow("%s in lines", tag.constData())
                << repeated((QByteArray(text).repeated(30) + '\n').constData(), lines);
            QTest::addRow("%s each a line", tag.constData())
                << repeated((QByteArray(text) + '\n').constData(), lines);
        }
        QTest::newRow("columns") << repeated("|a", 10'000 * 2) + u"|\n"_qs
                + repeated("|-", 10'000 * 2) + u"|\n"_qs + repeated("|b\n", 500'000);
        QTest::newRow("definition used often") << u"[a]: http://"_qs + repeated("&amp;\\*", 3'000)
                + u"\n\n"_qs + repeated("[a] ", 500'000);
        QTest::newRow("many definitions")
            << repeated("[a]: b\n", 300'000) + u"\n"_qs + repeated("[a] ", 300'000);
        QTest::newRow("deeper line by line") << [] {
            QString stairs;
            for (int depth = 0; depth < 1'000; ++depth) {
                stairs += QString(depth * 2, u' ') + u"- a\n"_qs;
            }
            return stairs;
        }();
        QTest::newRow("depth and blank lines") << repeated("- ", 60'000) + u"a\n"_qs
                + repeated("\n", 500'000) + repeated("b\n\n", 300'000);
        QTest::newRow("wide indentation")
            << repeated("-          \n", 500) + repeated(" ", 500'000) + u"a"_qs;
    }

    // In bounded time (the bound is generous: a sanitizer may be at work), within every limit.
    void hostile()
    {
        QFETCH(QString, markdown);
        QElapsedTimer clock;
        clock.start();
        const QList<Block> blocks = parseMarkdown(markdown);
        const qint64 took = clock.elapsed();
        if (took > 200) {
            qInfo("%lld ms, %lld blocks", (long long)took, (long long)blocks.size());
        }
        QVERIFY2(took < 20'000, qPrintable(QString::number(took)));
        checkLimits(blocks);
    }
};

QTEST_APPLESS_MAIN(TestMarkdownBlocks)
#include "tst_markdown_blocks.moc"
