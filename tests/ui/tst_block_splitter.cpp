// Splitting answers into blocks: whole, and in pieces as they stream in.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/block_splitter.h"

#include <QElapsedTimer>
#include <QTest>

namespace {

Block paragraph(const QString& text)
{
    return { Block::Kind::Paragraph, text, {} };
}

Block code(const QString& text, const QString& language = {})
{
    return { Block::Kind::Code, text, language };
}

const QString kMixed = QStringLiteral(
    "Before.\nStill before.\n\n```python\ndef f(x):\n\n    return `x`\n```\nAfter "
    "`inline` and ``` in a line.\n\n\n~~~\n```\nnot closed by it\n~~~\n`start\n  ```sh\n  ls\n"
    " deeper\n  ```\n日本語 🙂\r\n```c++ title\r\nint x;\r\n````\r\nend");

} // namespace

Q_DECLARE_METATYPE(Block)

class TestBlockSplitter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splits_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<Block>>("expected");
        const auto row = [](const char* name, const char* text, const QList<Block>& blocks) {
            QTest::newRow(name) << QString::fromUtf8(text) << blocks;
        };
        row("nothing", "", {});
        row("blank lines", "\n  \n\n", {});
        row("one line", "Hello", { paragraph("Hello") });
        row("lines of a paragraph", "a\nb\n", { paragraph("a\nb") });
        row("paragraphs", "a\n\n\nb\n \nc", { paragraph("a"), paragraph("b"), paragraph("c") });
        row("windows line ends", "a\r\nb\r\n\r\nc\r\n", { paragraph("a\nb"), paragraph("c") });
        row("code", "```\nx\n```", { code("x") });
        row("code with language", "```py linenos\nx = 1\n```\n", { code("x = 1", "py") });
        row("code between text", "a\n```\nx\n```\nb",
            { paragraph("a"), code("x"), paragraph("b") });
        row("blank lines in code stay", "```\n\na\n\nb\n\n```", { code("\na\n\nb\n") });
        row("empty code", "```\n```", { code("") });
        row("never closed", "```\nx\ny", { code("x\ny") });
        row("only a fence", "```js", { code("", "js") });
        row("tildes", "~~~ js\n```\n~~~", { code("```", "js") });
        row("longer fence closes", "```\nx\n`````\ny", { code("x"), paragraph("y") });
        row("shorter fence doesn't", "````\n```\nx\n```\n````", { code("```\nx\n```") });
        row("text after a fence doesn't close", "```\n``` x\n```", { code("``` x") });
        row("inline code is no fence", "```a``` b", { paragraph("```a``` b") });
        row("two marks are no fence", "``\na", { paragraph("``\na") });
        row("indented in a list", "1. Do:\n   ```sh\n   ls\n     -l\n  x\n   ```\n2. Done",
            { paragraph("1. Do:"), code("ls\n  -l\nx", "sh"), paragraph("2. Done") });
        row("indentation of text stays", "  a\n    b", { paragraph("  a\n    b") });
    }

    void splits()
    {
        QFETCH(QString, text);
        QFETCH(QList<Block>, expected);
        const QList<Block> blocks = BlockSplitter::split(text);
        QCOMPARE(blocks.size(), expected.size());
        for (qsizetype at = 0; at < blocks.size(); ++at) {
            QCOMPARE(blocks.at(at).kind, expected.at(at).kind);
            QCOMPARE(blocks.at(at).text, expected.at(at).text);
            QCOMPARE(blocks.at(at).language, expected.at(at).language);
        }
    }

    // Every prefix of a text, in pieces of every small size, gives what it gives as a whole.
    void streams_data() { splits_data(); }

    void streams()
    {
        QFETCH(QString, text);
        checkStreams(text);
        checkStreams(kMixed);
    }

    // What was shown stays: no block changes its kind, none disappears, and only the last one
    // changes.
    void showsOnlyWhatStays()
    {
        BlockSplitter splitter;
        QList<Block> before;
        for (const QChar character : kMixed) {
            const qsizetype first = splitter.append(QString(character));
            const QList<Block>& now = splitter.blocks();
            QVERIFY(now.size() >= before.size());
            QVERIFY(first >= before.size() - 1);
            for (qsizetype at = 0; at < before.size(); ++at) {
                QCOMPARE(now.at(at).kind, before.at(at).kind);
                QVERIFY(at >= first || now.at(at) == before.at(at));
                QVERIFY(now.at(at).text.startsWith(before.at(at).text));
            }
            before = now;
        }
    }

    void holdsBackPossibleFences()
    {
        BlockSplitter splitter;
        splitter.append(u"Text\n``");
        QCOMPARE(splitter.blocks(), QList<Block> { paragraph("Text") });
        splitter.append(u"`py");
        QCOMPARE(splitter.blocks(), QList<Block> { paragraph("Text") });
        splitter.append(u"\nx\n``");
        QCOMPARE(splitter.blocks(), (QList<Block> { paragraph("Text"), code("x", "py") }));
        splitter.append(u" y");
        QCOMPARE(splitter.blocks(), (QList<Block> { paragraph("Text"), code("x\n`` y", "py") }));
    }

    // Long answers: the work for each piece depends on the last block alone.
    void staysFast()
    {
        BlockSplitter splitter;
        QElapsedTimer clock;
        clock.start();
        for (int turn = 0; turn < 20'000; ++turn) {
            splitter.append(u"Some words of a paragraph that goes on.\n\n");
        }
        QCOMPARE(splitter.blocks().size(), 20'000);
        QVERIFY2(clock.elapsed() < 5'000, qPrintable(QString::number(clock.elapsed())));
    }

private:
    static void checkStreams(const QString& text)
    {
        for (qsizetype length = 0; length <= text.size(); ++length) {
            const QString prefix = text.left(length);
            const QList<Block> whole = BlockSplitter::split(prefix);
            for (const qsizetype piece : { 1, 2, 7 }) {
                BlockSplitter splitter;
                for (qsizetype at = 0; at < prefix.size(); at += piece) {
                    splitter.append(QStringView(prefix).mid(at, piece));
                }
                splitter.finish();
                QVERIFY2(splitter.blocks() == whole, qPrintable(prefix));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestBlockSplitter)
#include "tst_block_splitter.moc"
