// Line height of a TextEdit.
// SPDX-License-Identifier: Apache-2.0
#include "ui/components/line_spacing.h"

#include <QtCore/QScopedValueRollback>
#include <QtGui/QTextBlock>
#include <QtGui/QTextBlockFormat>
#include <QtGui/QTextCursor>

LineSpacing::LineSpacing(QObject* parent)
    : QObject(parent)
{
}

void LineSpacing::setDocument(QQuickTextDocument* document)
{
    if (document == m_document) {
        return;
    }
    if (m_document) {
        m_document->textDocument()->disconnect(this);
    }
    m_document = document;
    if (m_document) {
        // The format of lines is no change that anyone could want to undo.
        m_document->textDocument()->setUndoRedoEnabled(false);
        connect(m_document->textDocument(), &QTextDocument::contentsChanged, this,
                &LineSpacing::apply);
        apply();
    }
    Q_EMIT documentChanged();
}

void LineSpacing::setPercent(qreal percent)
{
    if (!qFuzzyCompare(percent, m_percent)) {
        m_percent = percent;
        apply();
        Q_EMIT percentChanged();
    }
}

void LineSpacing::apply()
{
    if (m_applying || !m_document || m_document->textDocument()->isEmpty()) {
        return;
    }
    // A text that grew at its end keeps its format; only a new text has none.
    const QTextDocument& text = *m_document->textDocument();
    const auto isSet = [this](const QTextBlock& block) {
        return block.blockFormat().lineHeightType() == QTextBlockFormat::ProportionalHeight
            && qFuzzyCompare(block.blockFormat().lineHeight(), m_percent);
    };
    if (isSet(text.firstBlock()) && isSet(text.lastBlock())) {
        return;
    }
    const QScopedValueRollback<bool> guard(m_applying, true);
    QTextCursor cursor(m_document->textDocument());
    cursor.select(QTextCursor::Document);
    QTextBlockFormat format;
    format.setLineHeight(m_percent, QTextBlockFormat::ProportionalHeight);
    cursor.mergeBlockFormat(format);
}
