// Fills the document of a text with one row of a conversation: bold, links, colours of code,
// tables. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/conversation_model.h"
#include "ui/chat/text_look.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtQml/QQmlParserStatus>
#include <QtQml/qqmlregistration.h>
#include <QtQuick/QQuickTextDocument>

/// Characters of the document stand for those of the row's text one to one; `shift` tells positions
/// apart where a table begins with a character of its own. Lives on the GUI thread.
class BlockDocument : public QObject, public QQmlParserStatus
{
    Q_OBJECT
    Q_INTERFACES(QQmlParserStatus)
    QML_ELEMENT
    Q_PROPERTY(
        QQuickTextDocument* document MEMBER m_document WRITE setDocument NOTIFY documentChanged)
    Q_PROPERTY(ConversationModel* conversation MEMBER m_model WRITE setConversation NOTIFY
                   conversationChanged)
    Q_PROPERTY(TextLook* look MEMBER m_look WRITE setLook NOTIFY lookChanged)
    Q_PROPERTY(int row MEMBER m_row WRITE setRow NOTIFY rowChanged)
    Q_PROPERTY(int revision MEMBER m_revision WRITE setRevision NOTIFY revisionChanged)
    /// Line height, a share of the font's size.
    Q_PROPERTY(qreal lineHeight MEMBER m_lineHeight WRITE setLineHeight NOTIFY lineHeightChanged)
    /// For tables: how wide one is at least.
    Q_PROPERTY(qreal room MEMBER m_room WRITE setRoom NOTIFY roomChanged)
    /// What to mark in the text; compared without case.
    Q_PROPERTY(QString find MEMBER m_find WRITE setFind NOTIFY findChanged)
    /// For folded code: so many lines only; 0: all.
    Q_PROPERTY(int lineLimit MEMBER m_lineLimit WRITE setLineLimit NOTIFY lineLimitChanged)

    /// A position in the document is one in the text plus this.
    Q_PROPERTY(int shift READ shift NOTIFY filled)
    /// Of a table: its width, and where lines go between its rows.
    Q_PROPERTY(qreal tableWidth READ tableWidth NOTIFY filled)
    Q_PROPERTY(QList<qreal> rowLines READ rowLines NOTIFY filled)

public:
    explicit BlockDocument(QObject* parent = nullptr);

    void classBegin() override { }
    void componentComplete() override;

    void setDocument(QQuickTextDocument* document);
    void setConversation(ConversationModel* model);
    void setLook(TextLook* look);
    void setRow(int row);
    void setRevision(int revision);
    void setLineHeight(qreal height);
    void setRoom(qreal room);
    void setFind(const QString& find);
    void setLineLimit(int lines);

    [[nodiscard]] int shift() const { return m_shift; }
    [[nodiscard]] qreal tableWidth() const { return m_tableWidth; }
    [[nodiscard]] QList<qreal> rowLines() const { return m_rowLines; }

Q_SIGNALS:
    void documentChanged();
    void conversationChanged();
    void lookChanged();
    void rowChanged();
    void revisionChanged();
    void lineHeightChanged();
    void roomChanged();
    void findChanged();
    void lineLimitChanged();
    void filled();

private:
    void fill();
    void fillText(QTextDocument& document, const Block& block);
    void fillCode(QTextDocument& document, const Block& block);
    void fillTable(QTextDocument& document);
    void measureTable(const QTextDocument& document);
    void setLines(QTextDocument& document);
    void markFound(QTextDocument& document, const QString& text) const;

    QPointer<QQuickTextDocument> m_document;
    QPointer<ConversationModel> m_model;
    QPointer<TextLook> m_look;
    int m_row = -1;
    int m_revision = -1;
    qreal m_lineHeight = 1.45;
    qreal m_room = 0;
    QString m_find;
    int m_lineLimit = 0;
    int m_shift = 0;
    qreal m_tableWidth = 0;
    QList<qreal> m_rowLines;
    bool m_complete = false;
};
