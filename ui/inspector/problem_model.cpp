#include "ui/inspector/problem_model.h"

#include "app/services/error_message.h"

#include <algorithm>
#include <utility>

using engine::gguf::Problem;
using engine::gguf::Severity;

namespace {

QString nameOf(Severity severity)
{
    switch (severity) {
    case Severity::Error:
        return QStringLiteral("error");
    case Severity::Warning:
        return QStringLiteral("warning");
    case Severity::Note:
        break;
    }
    return QStringLiteral("note");
}

// Without the file's name: it stands in the header of the page already.
app::ErrorMessage messageOf(const Problem& problem)
{
    engine::Error error = problem.error;
    error.where.file.clear();
    return app::errorMessage(error);
}

} // namespace

ProblemModel::ProblemModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

void ProblemModel::setProblems(std::vector<Problem> problems)
{
    std::stable_sort(
        problems.begin(), problems.end(),
        [](const Problem& left, const Problem& right) { return left.severity < right.severity; });
    beginResetModel();
    m_problems = std::move(problems);
    endResetModel();
    Q_EMIT countChanged();
}

int ProblemModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

QVariant ProblemModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const Problem& problem = m_problems[static_cast<std::size_t>(index.row())];
    switch (role) {
    case SeverityRole:
        return nameOf(problem.severity);
    case Qt::DisplayRole:
    case WhatRole:
        return messageOf(problem).what;
    case PlaceRole:
        return messageOf(problem).where;
    case RemedyRole:
        return messageOf(problem).remedy;
    case OffsetRole:
        return problem.error.where.offset ? static_cast<double>(*problem.error.where.offset) : -1.0;
    case SubjectRole:
        return QString::fromStdString(problem.error.where.subject);
    default:
        return {};
    }
}

QHash<int, QByteArray> ProblemModel::roleNames() const
{
    return { { SeverityRole, "severity" }, { WhatRole, "what" },     { PlaceRole, "place" },
             { RemedyRole, "remedy" },     { OffsetRole, "offset" }, { SubjectRole, "subject" } };
}

engine::Where ProblemModel::whereOf(int row) const
{
    return row >= 0 && row < count() ? m_problems[static_cast<std::size_t>(row)].error.where
                                     : engine::Where {};
}

int ProblemModel::countOf(Severity severity) const
{
    return static_cast<int>(
        std::count_if(m_problems.begin(), m_problems.end(),
                      [severity](const Problem& each) { return each.severity == severity; }));
}
