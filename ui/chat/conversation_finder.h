// Finds text in the conversation that is shown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/text_selection.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread. Compares without case, inside one block. The match it is at is what the
/// selection holds.
class ConversationFinder : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(TextSelection* selection MEMBER m_selection NOTIFY selectionChanged)
    Q_PROPERTY(QString text READ text WRITE setText NOTIFY textChanged)
    /// How many matches there are, and which one is shown, from 1; 0: none.
    Q_PROPERTY(int count READ count NOTIFY foundChanged)
    Q_PROPERTY(int current READ current NOTIFY foundChanged)

public:
    explicit ConversationFinder(QObject* parent = nullptr);

    [[nodiscard]] const QString& text() const { return m_text; }
    void setText(const QString& text);
    [[nodiscard]] int count() const { return static_cast<int>(m_matches.size()); }
    [[nodiscard]] int current() const { return m_current + 1; }

    /// Goes to the next match (1) or the one before (-1), around the ends. Returns its row, -1 for
    /// none.
    Q_INVOKABLE int go(int step);

Q_SIGNALS:
    void selectionChanged();
    void textChanged();
    void foundChanged();

private:
    void search();

    QPointer<TextSelection> m_selection;
    QString m_text;
    QList<TextPlace> m_matches;
    int m_current = -1;
};
