// The elements of one metadata array, read as they are shown; tokens with score and kind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"
#include "ui/inspector/array_index.h"

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; arrays are indexed and searched on another one.
class ArrayModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    /// The array is the vocabulary: elements have a score and a kind.
    Q_PROPERTY(bool vocabulary READ isVocabulary NOTIFY countChanged)
    /// It is being indexed or searched.
    Q_PROPERTY(bool busy READ isBusy NOTIFY busyChanged)
    /// What the latest look-up came to, where it found nothing.
    Q_PROPERTY(QString findNote READ findNote NOTIFY findNoteChanged)

public:
    enum Role {
        TextRole = Qt::UserRole + 1,
        NumberRole, ///< place in the array, from 0
        ScoreRole,
        KindRole
    };

    explicit ArrayModel(QObject* parent = nullptr);

    /// Entry `metadata` of the file; no rows where it is no array.
    void setArray(const ArrayIndex::File& file, int metadata);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return m_count; }
    [[nodiscard]] bool isVocabulary() const { return m_isVocabulary; }
    [[nodiscard]] bool isBusy() const { return m_indexing.isRunning() || m_finding.isRunning(); }
    [[nodiscard]] const QString& findNote() const { return m_findNote; }

    /// Looks for an element from `from` on, around the end: digits are its number, other text (or
    /// text in "quotes") part of it. Ends with `found` or a note.
    Q_INVOKABLE void find(const QString& wanted, int from, bool forward);
    /// Where an element lies in the file; offset and size, 0 without one.
    Q_INVOKABLE double offsetAt(int row) const;
    Q_INVOKABLE double sizeAt(int row) const;
    /// The element that holds a byte of the file; -1 for none.
    Q_INVOKABLE int rowAt(double offset) const;

Q_SIGNALS:
    void countChanged();
    void busyChanged();
    void findNoteChanged();
    void found(int row);

private:
    struct Arrays
    {
        std::shared_ptr<const ArrayIndex> elements;
        std::shared_ptr<const ArrayIndex> scores;
        std::shared_ptr<const ArrayIndex> kinds;
    };
    void take(const Arrays& arrays, bool isVocabulary);
    void setFindNote(const QString& note);

    Arrays m_arrays;
    int m_count = 0;
    bool m_isVocabulary = false;
    QString m_findNote;
    app::LatestTask m_indexing;
    app::LatestTask m_finding;
};
