// Inks of their own for stretches of a text, over the ends of lines too.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/span_highlighter.h"

#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

class TestSpanHighlighter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void highlights_data()
    {
        QTest::addColumn<QVariantList>("marks");
        QTest::addColumn<QString>("inked");
        QTest::newRow("none") << QVariantList() << "...\n....\n.";
        QTest::newRow("in a line") << QVariantList { 1, 1, 4, 2, 9, 1 } << ".x.\nxx..\nx";
        QTest::newRow("over an end") << QVariantList { 2, 3 } << "..x\nx...\n.";
        QTest::newRow("over a whole line") << QVariantList { 0, 10 } << "xxx\nxxxx\nx";
        QTest::newRow("past the end") << QVariantList { 9, 50, 80, 3 } << "...\n....\nx";
        QTest::newRow("half a pair") << QVariantList { 0, 1, 4 } << "x..\n....\n.";
    }
    void highlights()
    {
        QFETCH(QVariantList, marks);
        QTextDocument document("abc\ndefg\nh");
        SpanHighlighter highlighter;
        highlighter.setInk(Qt::red);
        highlighter.setMarks(marks);
        highlighter.setDocument(&document);
        highlighter.rehighlight();
        QStringList lines;
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
            QString line(block.length() - 1, u'.');
            for (const auto& range : block.layout()->formats()) {
                QCOMPARE(range.format.foreground().color(), QColor(Qt::red));
                line.replace(range.start, range.length, QString(range.length, u'x'));
            }
            lines << line;
        }
        QTEST(lines.join(u'\n'), "inked");
    }
};

QTEST_MAIN(TestSpanHighlighter)
#include "tst_span_highlighter.moc"
