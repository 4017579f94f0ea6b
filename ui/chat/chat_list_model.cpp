// The list of chats.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/chat_list_model.h"

#include <QtCore/QDateTime>
#include <QtCore/QLocale>

#include <algorithm>

namespace {

QString sectionOf(qint64 updated)
{
    const QDate day = QDateTime::fromMSecsSinceEpoch(updated).date();
    const qint64 days = day.daysTo(QDate::currentDate());
    if (days <= 0) {
        return ChatListModel::tr("Today");
    }
    if (days == 1) {
        return ChatListModel::tr("Yesterday");
    }
    if (days < 7) {
        return ChatListModel::tr("Last 7 days");
    }
    if (days < 30) {
        return ChatListModel::tr("Last 30 days");
    }
    return QLocale().toString(day, QStringLiteral("MMMM yyyy"));
}

} // namespace

ChatListModel::ChatListModel(app::ChatBook& book, QObject* parent)
    : QAbstractListModel(parent)
    , m_book(book)
{
    connect(&book, &app::ChatBook::chatsChanged, this, &ChatListModel::update);
    connect(&book, &app::ChatBook::currentChanged, this, &ChatListModel::marksChanged);
    connect(&book, &app::ChatBook::answeringChanged, this, &ChatListModel::marksChanged);
    connect(&book, &app::ChatBook::found, this,
            [this](const QString& text, const QList<app::ChatHit>& hits) {
                if (text == m_query) {
                    m_hits = hits;
                    update();
                }
            });
    update();
}

int ChatListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

QHash<int, QByteArray> ChatListModel::roleNames() const
{
    return { { TitleRole, "title" },
             { SectionRole, "section" },
             { CurrentRole, "current" },
             { AnsweringRole, "answering" },
             { ExcerptRole, "excerpt" } };
}

QVariant ChatListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Row& row = m_rows.at(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole:
        return row.chat.title.isEmpty() ? tr("New chat") : row.chat.title;
    case SectionRole:
        return m_query.isEmpty() ? sectionOf(row.chat.updated) : QString();
    case CurrentRole:
        return row.chat.id == m_book.current().id();
    case AnsweringRole:
        return m_book.answering() != nullptr && m_book.answering()->id() == row.chat.id;
    case ExcerptRole:
        return row.excerpt;
    default:
        return {};
    }
}

void ChatListModel::setQuery(const QString& query)
{
    const QString wanted = query.simplified();
    if (wanted == m_query) {
        return;
    }
    m_query = wanted;
    m_hits.clear();
    update();
    if (!m_query.isEmpty()) {
        m_book.search(m_query);
    }
    Q_EMIT queryChanged();
}

int ChatListModel::currentRow() const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(), [this](const Row& row) {
        return row.chat.id == m_book.current().id();
    });
    return found == m_rows.end() ? -1 : static_cast<int>(std::distance(m_rows.begin(), found));
}

void ChatListModel::update()
{
    QList<Row> rows;
    for (const app::ChatSummary& chat : m_book.chats()) {
        if (m_query.isEmpty() || chat.title.contains(m_query, Qt::CaseInsensitive)) {
            rows.append({ chat, {} });
        }
    }
    // Titles at once, from memory; what the messages say comes from the disk.
    for (const app::ChatHit& hit : std::as_const(m_hits)) {
        const auto sameChat = [&hit](const Row& row) { return row.chat.id == hit.chat; };
        const auto shown = std::find_if(rows.begin(), rows.end(), sameChat);
        if (shown != rows.end()) {
            if (shown->excerpt.isEmpty() && hit.message != 0) {
                shown->excerpt = hit.excerpt;
            }
            continue;
        }
        const auto& all = m_book.chats();
        const auto chat =
            std::find_if(all.begin(), all.end(),
                         [&hit](const app::ChatSummary& each) { return each.id == hit.chat; });
        if (chat != all.end()) {
            rows.append({ *chat, hit.excerpt });
        }
    }
    show(rows);
}

/// Most changes touch one row: views keep the others.
void ChatListModel::show(const QList<Row>& rows)
{
    const auto had = m_rows.size();
    qsizetype same = 0;
    while (same < std::min(had, rows.size()) && m_rows.at(same).chat.id == rows.at(same).chat.id) {
        ++same;
    }
    qsizetype sameAtEnd = 0;
    while (sameAtEnd < std::min(had, rows.size()) - same
           && m_rows.at(had - 1 - sameAtEnd).chat.id
               == rows.at(rows.size() - 1 - sameAtEnd).chat.id) {
        ++sameAtEnd;
    }
    if (had - same - sameAtEnd > 0) {
        beginRemoveRows({}, static_cast<int>(same), static_cast<int>(had - sameAtEnd) - 1);
        m_rows.remove(same, had - same - sameAtEnd);
        endRemoveRows();
    }
    if (rows.size() - same - sameAtEnd > 0) {
        beginInsertRows({}, static_cast<int>(same), static_cast<int>(rows.size() - sameAtEnd) - 1);
        m_rows = m_rows.first(same) + rows.mid(same, rows.size() - same - sameAtEnd)
            + m_rows.last(sameAtEnd);
        endInsertRows();
    }
    m_rows = rows;
    marksChanged();
    if (had != rows.size()) {
        Q_EMIT countChanged();
    }
}

void ChatListModel::marksChanged()
{
    if (!m_rows.isEmpty()) {
        Q_EMIT dataChanged(index(0), index(count() - 1));
    }
    Q_EMIT currentRowChanged();
}

void ChatListModel::open(int row)
{
    if (row >= 0 && row < count()) {
        m_book.open(m_rows.at(row).chat.id);
    }
}

void ChatListModel::rename(int row, const QString& title)
{
    if (row >= 0 && row < count()) {
        m_book.rename(m_rows.at(row).chat.id, title);
    }
}

void ChatListModel::remove(int row)
{
    if (row >= 0 && row < count()) {
        const QString title = data(index(row), TitleRole).toString();
        m_book.remove(m_rows.at(row).chat.id);
        setUndoText(tr("“%1” was deleted.").arg(title));
    }
}

void ChatListModel::undoRemove()
{
    m_book.undoRemove();
    setUndoText({});
}

void ChatListModel::setUndoText(const QString& text)
{
    if (text != m_undoText) {
        m_undoText = text;
        Q_EMIT undoTextChanged();
    }
}
