// The list of chats beside the conversation: all of them by day, or those that a search found.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_book.h"

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; the book outlives it. Chats are named by their row.
class ChatListModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made in main")
    /// Words to look for in titles and messages; empty: all chats.
    Q_PROPERTY(QString query READ query WRITE setQuery NOTIFY queryChanged)
    /// The row of the chat that is shown; -1 when it is not in the list.
    Q_PROPERTY(int currentRow READ currentRow NOTIFY currentRowChanged)
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    /// A chat was deleted just now; empty when there is nothing to undo.
    Q_PROPERTY(QString undoText READ undoText NOTIFY undoTextChanged)

public:
    enum Role {
        TitleRole = Qt::UserRole + 1,
        SectionRole,
        CurrentRole,
        AnsweringRole,
        ExcerptRole
    };

    explicit ChatListModel(app::ChatBook& book, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] const QString& query() const { return m_query; }
    void setQuery(const QString& query);
    [[nodiscard]] int currentRow() const;
    [[nodiscard]] int count() const { return static_cast<int>(m_rows.size()); }
    [[nodiscard]] const QString& undoText() const { return m_undoText; }

    Q_INVOKABLE void open(int row);
    Q_INVOKABLE void rename(int row, const QString& title);
    Q_INVOKABLE void remove(int row);
    Q_INVOKABLE void undoRemove();
    Q_INVOKABLE void dismissUndo() { setUndoText({}); }

Q_SIGNALS:
    void queryChanged();
    void currentRowChanged();
    void countChanged();
    void undoTextChanged();

private:
    struct Row
    {
        app::ChatSummary chat;
        QString excerpt;
        friend bool operator==(const Row&, const Row&) = default;
    };

    void update();
    void show(const QList<Row>& rows);
    void marksChanged();
    void setUndoText(const QString& text);

    app::ChatBook& m_book;
    QList<Row> m_rows;
    QList<app::ChatHit> m_hits; ///< of m_query
    QString m_query;
    QString m_undoText;
};
