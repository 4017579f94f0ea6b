// What is wrong with a file: how bad, what, where, and what to do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

/// Lives on the GUI thread.
class ProblemModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    Q_PROPERTY(int count READ count NOTIFY countChanged)
    Q_PROPERTY(int errors READ errors NOTIFY countChanged)
    Q_PROPERTY(int warnings READ warnings NOTIFY countChanged)

public:
    enum Role {
        SeverityRole = Qt::UserRole + 1, ///< "error", "warning" or "note"
        WhatRole,
        PlaceRole, ///< in words, without the file
        RemedyRole,
        OffsetRole, ///< below 0 where nobody knows
        SubjectRole ///< key or tensor; may be empty
    };

    explicit ProblemModel(QObject* parent = nullptr);

    void setProblems(std::vector<engine::gguf::Problem> problems);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return static_cast<int>(m_problems.size()); }
    [[nodiscard]] int errors() const { return countOf(engine::gguf::Severity::Error); }
    [[nodiscard]] int warnings() const { return countOf(engine::gguf::Severity::Warning); }

    /// The place of a problem in the file; nothing in it when nobody knows.
    [[nodiscard]] engine::Where whereOf(int row) const;

Q_SIGNALS:
    void countChanged();

private:
    [[nodiscard]] int countOf(engine::gguf::Severity severity) const;

    std::vector<engine::gguf::Problem> m_problems; ///< worst first
};
