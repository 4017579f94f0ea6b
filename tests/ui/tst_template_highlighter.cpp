// Colours of chat templates: statements, expressions, strings, comments, over several lines.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/template_highlighter.h"

#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextLayout>

namespace {

/// One letter for each character: m mark, k keyword, s string, n name, c comment, "." plain.
QString colors(const QString& text)
{
    QTextDocument document(text);
    TemplateHighlighter highlighter;
    highlighter.setMark(Qt::red);
    highlighter.setKeyword(Qt::green);
    highlighter.setString(Qt::blue);
    highlighter.setName(Qt::cyan);
    highlighter.setComment(Qt::gray);
    highlighter.setDocument(&document);
    highlighter.rehighlight();
    QString letters;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QString line(block.length() - 1, u'.');
        for (const auto& range : block.layout()->formats()) {
            const QColor color = range.format.foreground().color();
            const QChar letter = color == Qt::red ? u'm'
                : color == Qt::green              ? u'k'
                : color == Qt::blue               ? u's'
                : color == Qt::cyan               ? u'n'
                                                  : u'c';
            line.replace(range.start, range.length, QString(range.length, letter));
        }
        letters += (letters.isEmpty() && block == document.begin() ? "" : "\n") + line;
    }
    return letters;
}

} // namespace

class TestTemplateHighlighter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void highlights_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("expected");
        QTest::newRow("text") << "plain {text}"
                              << "............";
        QTest::newRow("expression") << "a {{ m }} b"
                                    << "..mm.n.mm..";
        QTest::newRow("statement") << "{% if x %}"
                                   << "mm.kk.n.mm";
        QTest::newRow("string") << "{{ 'a' + \"b\" }}"
                                << "mm.sss...sss.mm";
        QTest::newRow("string that looks like an end") << "{{ '}}' }}x"
                                                       << "mm.ssss.mm.";
        QTest::newRow("escaped quote") << "{{ 'a\\'b' }}"
                                       << "mm.ssssss.mm";
        QTest::newRow("comment") << "{# if #}x"
                                 << "cccccccc.";
        QTest::newRow("two lines") << "{% if\nx %}y"
                                   << "mm.kk\nn.mm.";
        QTest::newRow("comment over lines") << "{# a\nb #}c"
                                            << "cccc\ncccc.";
        QTest::newRow("string over lines") << "{{ 'a\nb' }}c"
                                           << "mm.ss\nss.mm.";
        QTest::newRow("other quote within") << "{{ \"'\nb\" }}c"
                                            << "mm.ss\nss.mm.";
        QTest::newRow("never closed") << "{{ a"
                                      << "mm.n";
        QTest::newRow("lone brace at the end") << "a{"
                                               << "..";
    }

    void highlights()
    {
        QFETCH(QString, text);
        QTEST(colors(text), "expected");
    }
};

QTEST_MAIN(TestTemplateHighlighter)
#include "tst_template_highlighter.moc"
