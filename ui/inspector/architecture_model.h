// The model in the file from top to bottom, as a list of sections with their tensors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"
#include "engine/gguf/gguf_file.h"
#include "ui/inspector/architecture_rows.h"

#include <QtCore/QAbstractListModel>
#include <QtCore/QPoint>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

#include <memory>

/// Lives on the GUI thread. The outline is made on a thread of its own: first of what is in the
/// file, then held against what the architecture needs. Of a place the row is y and its cell x;
/// below 0 for none.
class ArchitectureModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// "llama · 30 blocks · 272 tensors · 2 missing".
    Q_PROPERTY(QString summary READ summary NOTIFY changed)
    /// Why there are no marks, or what they rest on; may be empty.
    Q_PROPERTY(QString caveat READ caveat NOTIFY changed)
    /// How it stands: "error" (missing or unusable), "warning" (not used), "note" (unlike the other
    /// blocks), "good", or empty while nobody knows.
    Q_PROPERTY(QString verdict READ verdict NOTIFY changed)
    /// Tensors that a person should look at.
    Q_PROPERTY(int odd READ odd NOTIFY changed)
    Q_PROPERTY(bool busy READ isBusy NOTIFY busyChanged)

public:
    enum Role {
        TitleRole = Qt::UserRole + 1,
        NoteRole,
        FoldRole, ///< a line that stands for blocks like the one above
        OpenRole, ///< of a fold: its blocks follow
        ContinuedRole, ///< the rest of a section that is too long for one row
        /// Lists of maps of title, added (its result is added to what came in), first (number
        /// of its first cell in the row) and cells: maps of label, type, state, mark ("", "error",
        /// "warning", "note" or "absent"), words and tensor.
        PartsRole
    };
    enum Step { Left, Right, Up, Down, First, Last };
    Q_ENUM(Step)
    using GgufFile = std::shared_ptr<const engine::gguf::GgufFile>;

    explicit ArchitectureModel(QObject* parent = nullptr);

    /// Null: none.
    void setFile(const GgufFile& file);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] const QString& summary() const { return m_summary; }
    [[nodiscard]] const QString& caveat() const { return m_caveat; }
    [[nodiscard]] QString verdict() const;
    [[nodiscard]] int odd() const;
    [[nodiscard]] bool isBusy() const { return m_task.isRunning(); }

    /// The tensor at a place, -1 for none.
    Q_INVOKABLE int tensorAt(int row, int cell) const;
    /// Everything about it in words; the title of a fold.
    Q_INVOKABLE QString wordsAt(int row, int cell) const;
    /// Where a tensor is shown; opens the fold that hides it.
    Q_INVOKABLE QPoint reveal(int tensor);
    /// The place where an arrow key leads, with so many cells side by side.
    Q_INVOKABLE QPoint step(int row, int cell, ArchitectureModel::Step way, int columns) const;
    /// The next odd tensor, or the one before; around the end.
    Q_INVOKABLE QPoint nextOdd(int row, int cell, bool forward) const;
    /// Opens or closes a fold; false where the row is none.
    Q_INVOKABLE bool toggle(int row);

Q_SIGNALS:
    /// All is new.
    void changed();
    void busyChanged();

private:
    struct Shown;
    void begin(bool marked);
    void show(const std::shared_ptr<const Shown>& shown);
    [[nodiscard]] QVariantList parts(const ArchitectureRows::Row& row) const;

    GgufFile m_file;
    std::shared_ptr<const Shown> m_shown; ///< owns what m_rows point into
    ArchitectureRows m_rows;
    QString m_summary;
    QString m_caveat;
    app::LatestTask m_task;
};
