#include "ui/inspector/bookmark_model.h"

#include <algorithm>

using app::Settings;

namespace {

bool isBefore(const Settings::Bookmark& bookmark, quint64 offset)
{
    return bookmark.offset < offset;
}

} // namespace

BookmarkModel::BookmarkModel(HexViewModel& hex, QObject* parent)
    : QAbstractListModel(parent)
    , m_hex(hex)
{
    connect(&hex, &HexViewModel::fileChanged, this, &BookmarkModel::load);
    connect(&hex, &HexViewModel::cursorChanged, this, &BookmarkModel::follow);
}

void BookmarkModel::keepIn(Settings& settings)
{
    m_settings = &settings;
    load();
}

QString BookmarkModel::path() const
{
    return m_hex.file() ? QString::fromStdString(m_hex.file()->path()) : QString();
}

void BookmarkModel::load()
{
    setRemoved({});
    show(m_settings && m_hex.file() ? m_settings->bookmarksOf(path()) : Settings::Bookmarks());
}

void BookmarkModel::show(const Settings::Bookmarks& bookmarks)
{
    beginResetModel();
    m_all = bookmarks;
    const auto end = std::lower_bound(m_all.cbegin(), m_all.cend(),
                                      static_cast<quint64>(m_hex.fileSize()), isBefore);
    m_count = static_cast<int>(end - m_all.cbegin());
    endResetModel();
    Q_EMIT listChanged();
    follow();
}

void BookmarkModel::change(const Settings::Bookmarks& bookmarks)
{
    if (m_settings) {
        m_settings->setBookmarksOf(path(), bookmarks);
        show(m_settings->bookmarksOf(path()));
    } else {
        show(bookmarks);
    }
}

void BookmarkModel::follow()
{
    const auto cursor = static_cast<quint64>(m_hex.cursor());
    const auto found = std::lower_bound(m_all.cbegin(), m_all.cbegin() + m_count, cursor, isBefore);
    const auto row = static_cast<int>(found - m_all.cbegin());
    const int current = row < m_count && found->offset == cursor ? row : -1;
    if (current != m_current) {
        m_current = current;
        Q_EMIT currentChanged();
    }
}

int BookmarkModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

QVariant BookmarkModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || !has(index.row())) {
        return {};
    }
    const Settings::Bookmark& bookmark = m_all[index.row()];
    switch (role) {
    case OffsetTextRole:
        return m_hex.addressOf(bookmark.offset);
    case NameRole:
        return bookmark.name;
    case FieldRole:
        return m_hex.finder().at(bookmark.offset).name;
    default:
        return {};
    }
}

QHash<int, QByteArray> BookmarkModel::roleNames() const
{
    return { { OffsetTextRole, "offsetText" }, { NameRole, "name" }, { FieldRole, "field" } };
}

QString BookmarkModel::removedText() const
{
    return !m_removed ? QString()
        : m_removed->name.isEmpty()
        ? tr("Bookmark at %1 removed").arg(m_hex.addressOf(m_removed->offset))
        : tr("Bookmark “%1” removed").arg(m_removed->name);
}

QString BookmarkModel::nameOf(int row) const
{
    return has(row) ? m_all[row].name : QString();
}

void BookmarkModel::toggle()
{
    if (m_current >= 0) {
        remove(m_current);
    } else if (m_hex.file() && m_hex.fileSize() > 0 && !isFull()) {
        const auto cursor = static_cast<quint64>(m_hex.cursor());
        Settings::Bookmarks all = m_all;
        all.insert(std::lower_bound(all.begin(), all.end(), cursor, isBefore),
                   Settings::Bookmark { cursor, {} });
        setRemoved({});
        change(all);
    }
}

void BookmarkModel::rename(int row, const QString& name)
{
    if (has(row)) {
        Settings::Bookmarks all = m_all;
        all[row].name = name.simplified().left(Settings::kMaxBookmarkName);
        change(all);
    }
}

void BookmarkModel::remove(int row)
{
    if (has(row)) {
        Settings::Bookmarks all = m_all;
        setRemoved(all.takeAt(row));
        change(all);
    }
}

void BookmarkModel::undo()
{
    if (m_removed && !isFull()) {
        Settings::Bookmarks all = m_all;
        all.insert(std::lower_bound(all.begin(), all.end(), m_removed->offset, isBefore),
                   *m_removed);
        setRemoved({});
        change(all);
    }
}

void BookmarkModel::forgetRemoved()
{
    setRemoved({});
}

void BookmarkModel::setRemoved(const std::optional<Settings::Bookmark>& bookmark)
{
    if (bookmark != m_removed) {
        m_removed = bookmark;
        Q_EMIT removedTextChanged();
    }
}

void BookmarkModel::goTo(int row)
{
    if (has(row)) {
        m_hex.goTo(QString::number(m_all[row].offset));
    }
}

void BookmarkModel::browse(int row)
{
    if (has(row)) {
        m_hex.moveTo(static_cast<double>(m_all[row].offset), false);
    }
}

void BookmarkModel::step(bool forward)
{
    if (m_count == 0) {
        return;
    }
    const auto cursor = static_cast<quint64>(m_hex.cursor());
    const auto at = std::lower_bound(m_all.cbegin(), m_all.cbegin() + m_count, cursor, isBefore);
    const auto row = static_cast<int>(at - m_all.cbegin());
    const int next = forward ? (m_current == row ? row + 1 : row) : row - 1;
    goTo((next + m_count) % m_count);
}
