// Gives stretches of a plain text an ink of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QPointer>
#include <QtCore/QVariantList>
#include <QtGui/QColor>
#include <QtGui/QSyntaxHighlighter>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickTextDocument>

/// Works on the document of a TextEdit.
class SpanHighlighter : public QSyntaxHighlighter
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument* edited READ edited WRITE setEdited NOTIFY changed)
    /// Start and length of each stretch, one after the other, ascending.
    Q_PROPERTY(QVariantList marks READ marks WRITE setMarks NOTIFY changed)
    Q_PROPERTY(QColor ink READ ink WRITE setInk NOTIFY changed)

public:
    explicit SpanHighlighter(QObject* parent = nullptr);

    [[nodiscard]] QQuickTextDocument* edited() const { return m_edited; }
    void setEdited(QQuickTextDocument* edited);
    [[nodiscard]] QVariantList marks() const;
    void setMarks(const QVariantList& marks);
    [[nodiscard]] QColor ink() const { return m_ink; }
    void setInk(const QColor& ink);

Q_SIGNALS:
    void changed();

protected:
    void highlightBlock(const QString& text) override;

private:
    struct Span
    {
        int start;
        int length;
        friend bool operator==(const Span&, const Span&) = default;
    };

    QPointer<QQuickTextDocument> m_edited;
    QList<Span> m_spans;
    QColor m_ink;
};
