// What is wrong with a file: how bad, what, where, and what to do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <QtCore/QAbstractListModel>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <optional>
#include <string>
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
    /// What is only worth knowing: no problem.
    Q_PROPERTY(int notes READ notes NOTIFY countChanged)
    /// Where in the shown file they are, of those of which that is known.
    Q_PROPERTY(QList<qreal> offsets READ offsets NOTIFY countChanged)

public:
    enum Role {
        SeverityRole = Qt::UserRole + 1, ///< "error", "warning" or "note"
        WhatRole,
        PlaceRole, ///< in words, without the shown file where that is only one
        RemedyRole,
        OffsetRole, ///< in the shown file or set; below 0 where nobody knows, and in another file
        SubjectRole ///< key or tensor; may be empty
    };

    using File = std::shared_ptr<const engine::gguf::GgufFile>;

    explicit ProblemModel(QObject* parent = nullptr);

    /// `file`: the shown one. Parts of its model that are not in it may have problems too.
    void setProblems(std::vector<engine::gguf::Problem> problems, File file = {});

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] int count() const { return static_cast<int>(m_problems.size()); }
    [[nodiscard]] int errors() const { return countOf(engine::gguf::Severity::Error); }
    [[nodiscard]] int warnings() const { return countOf(engine::gguf::Severity::Warning); }
    [[nodiscard]] int notes() const { return countOf(engine::gguf::Severity::Note); }

    [[nodiscard]] QList<qreal> offsets() const;

    /// The place of a problem in the shown file; nothing in it when nobody knows.
    [[nodiscard]] engine::Where whereOf(int row) const;

Q_SIGNALS:
    void countChanged();

private:
    [[nodiscard]] int countOf(engine::gguf::Severity severity) const;
    [[nodiscard]] bool isElsewhere(const engine::Where& where) const;
    [[nodiscard]] bool namesFile(const engine::Where& where) const;
    [[nodiscard]] std::optional<std::uint64_t> offsetOf(const engine::gguf::Problem& problem) const;

    File m_file;
    std::vector<engine::gguf::Problem> m_problems; ///< worst first
};
