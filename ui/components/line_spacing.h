// Line height of a TextEdit, which has no such property of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtGui/QTextDocument>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickTextDocument>

/// Keeps every line of a document at `percent` of the font's own height, also when its text
/// changes. Lives on the GUI thread.
class LineSpacing : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(QQuickTextDocument* document READ document WRITE setDocument NOTIFY documentChanged)
    Q_PROPERTY(qreal percent READ percent WRITE setPercent NOTIFY percentChanged)

public:
    explicit LineSpacing(QObject* parent = nullptr);

    [[nodiscard]] QQuickTextDocument* document() const { return m_document; }
    void setDocument(QQuickTextDocument* document);
    [[nodiscard]] qreal percent() const { return m_percent; }
    void setPercent(qreal percent);

Q_SIGNALS:
    void documentChanged();
    void percentChanged();

private:
    void apply();

    QPointer<QQuickTextDocument> m_document;
    qreal m_percent = 100;
    bool m_applying = false;
};
