#include "ui/inspector/span_highlighter.h"

#include <QtGui/QTextBlock>
#include <QtGui/QTextCharFormat>

#include <algorithm>

SpanHighlighter::SpanHighlighter(QObject* parent)
    : QSyntaxHighlighter(parent)
{
}

void SpanHighlighter::setEdited(QQuickTextDocument* edited)
{
    m_edited = edited;
    setDocument(edited != nullptr ? edited->textDocument() : nullptr);
    Q_EMIT changed();
}

QVariantList SpanHighlighter::marks() const
{
    QVariantList marks;
    for (const Span& span : m_spans) {
        marks << span.start << span.length;
    }
    return marks;
}

void SpanHighlighter::setMarks(const QVariantList& marks)
{
    QList<Span> spans;
    for (qsizetype at = 0; at + 1 < marks.size(); at += 2) {
        spans << Span { marks[at].toInt(), marks[at + 1].toInt() };
    }
    if (spans != m_spans) {
        m_spans = spans;
        rehighlight();
        Q_EMIT changed();
    }
}

void SpanHighlighter::setInk(const QColor& ink)
{
    if (ink != m_ink) {
        m_ink = ink;
        rehighlight();
        Q_EMIT changed();
    }
}

void SpanHighlighter::highlightBlock(const QString& text)
{
    const int start = currentBlock().position();
    const int end = start + static_cast<int>(text.size());
    auto span =
        std::lower_bound(m_spans.cbegin(), m_spans.cend(), start,
                         [](const Span& each, int at) { return each.start + each.length <= at; });
    QTextCharFormat format;
    format.setForeground(m_ink);
    format.setFontWeight(QFont::DemiBold);
    for (; span != m_spans.cend() && span->start < end; ++span) {
        const int first = std::max(span->start, start);
        setFormat(first - start, std::min(span->start + span->length, end) - first, format);
    }
}
