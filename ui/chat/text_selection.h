// What is selected in a conversation, across its rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/conversation_model.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread. Holds places, not rows: what is selected stays selected when it is
/// scrolled away or when text arrives below it.
class TextSelection : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    Q_PROPERTY(ConversationModel* conversation READ conversation WRITE setConversation NOTIFY
                   conversationChanged)
    Q_PROPERTY(bool empty READ isEmpty NOTIFY changed)
    /// Grows with every change, for bindings on firstIn and lastIn.
    Q_PROPERTY(int revision READ revision NOTIFY changed)

public:
    explicit TextSelection(QObject* parent = nullptr);

    [[nodiscard]] ConversationModel* conversation() const { return m_model; }
    void setConversation(ConversationModel* model);
    [[nodiscard]] bool isEmpty() const { return m_anchor == m_head; }
    [[nodiscard]] int revision() const { return m_revision; }
    [[nodiscard]] TextPlace first() const { return std::min(m_anchor, m_head); }
    [[nodiscard]] TextPlace last() const { return std::max(m_anchor, m_head); }

    /// Offsets are positions in the row's text; rows without text do nothing.
    Q_INVOKABLE void begin(int row, int offset);
    Q_INVOKABLE void extend(int row, int offset);
    Q_INVOKABLE void selectWord(int row, int offset);
    Q_INVOKABLE void selectRow(int row);
    Q_INVOKABLE void selectAll();
    Q_INVOKABLE void clear();
    void select(const TextPlace& from, const TextPlace& to);

    /// The selected part of a row's text; the same twice where nothing is.
    Q_INVOKABLE [[nodiscard]] int firstIn(int row) const;
    Q_INVOKABLE [[nodiscard]] int lastIn(int row) const;

    Q_INVOKABLE [[nodiscard]] QString plainText() const;
    Q_INVOKABLE [[nodiscard]] QString markdown() const;

Q_SIGNALS:
    void conversationChanged();
    void changed();

private:
    [[nodiscard]] TextPlace placeIn(int row, int offset) const;
    [[nodiscard]] int offsetIn(int row, const TextPlace& place) const;

    QPointer<ConversationModel> m_model;
    TextPlace m_anchor;
    TextPlace m_head;
    int m_revision = 0;
};
