// Bookmarks of the shown file: places to come back to, kept for the next start.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/settings.h"
#include "ui/inspector/hex_view_model.h"

#include <QtCore/QAbstractListModel>
#include <QtCore/QPointer>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; the bytes outlive it. By ascending offset. Those past the end of a file
/// that became shorter are not listed, but kept.
class BookmarkModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    Q_PROPERTY(int count READ count NOTIFY listChanged)
    /// The one at the cursor; -1 for none.
    Q_PROPERTY(int current READ current NOTIFY currentChanged)
    /// What was removed last and can be brought back; empty when nothing can.
    Q_PROPERTY(QString removedText READ removedText NOTIFY removedTextChanged)
    /// There is no room for another one.
    Q_PROPERTY(bool full READ isFull NOTIFY listChanged)

public:
    enum Role {
        OffsetTextRole = Qt::UserRole + 1,
        NameRole, ///< empty when none was given
        FieldRole, ///< what lies there
    };

    explicit BookmarkModel(HexViewModel& hex, QObject* parent = nullptr);

    /// From where bookmarks come and where changes go; without it they last as long as their file
    /// is shown.
    void keepIn(app::Settings& settings);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] QString removedText() const;
    [[nodiscard]] bool isFull() const { return m_all.size() >= app::Settings::kMaxBookmarks; }

    /// As it was given; empty for none.
    [[nodiscard]] Q_INVOKABLE QString nameOf(int row) const;
    /// Sets one at the cursor, or removes the one there.
    Q_INVOKABLE void toggle();
    /// An empty name takes the old one away.
    Q_INVOKABLE void rename(int row, const QString& name);
    Q_INVOKABLE void remove(int row);
    Q_INVOKABLE void undo();
    Q_INVOKABLE void forgetRemoved();
    /// A visit, as a jump to an offset is.
    Q_INVOKABLE void goTo(int row);
    /// The same without a visit.
    Q_INVOKABLE void browse(int row);
    /// The next one behind the cursor (or before it), around the end.
    Q_INVOKABLE void step(bool forward);

Q_SIGNALS:
    void listChanged();
    void currentChanged();
    void removedTextChanged();

private:
    [[nodiscard]] bool has(int row) const { return row >= 0 && row < m_count; }
    [[nodiscard]] QString path() const;
    void load();
    void show(const app::Settings::Bookmarks& bookmarks);
    void change(const app::Settings::Bookmarks& bookmarks);
    void follow();
    void setRemoved(const std::optional<app::Settings::Bookmark>& bookmark);

    HexViewModel& m_hex;
    QPointer<app::Settings> m_settings;
    app::Settings::Bookmarks m_all;
    int m_count = 0; ///< of m_all, those within the file
    int m_current = -1;
    std::optional<app::Settings::Bookmark> m_removed;
};
