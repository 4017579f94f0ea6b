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

app::ErrorMessage messageOf(const Problem& problem, bool namesFile)
{
    engine::Error error = problem.error;
    if (!namesFile) {
        error.where.file.clear(); // its name stands in the header of the page already
    }
    return app::errorMessage(error);
}

} // namespace

ProblemModel::ProblemModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

void ProblemModel::setProblems(std::vector<Problem> problems, File file)
{
    std::stable_sort(
        problems.begin(), problems.end(),
        [](const Problem& left, const Problem& right) { return left.severity < right.severity; });
    beginResetModel();
    m_problems = std::move(problems);
    m_file = std::move(file);
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
        return messageOf(problem, namesFile(problem.error.where)).what;
    case PlaceRole:
        return messageOf(problem, namesFile(problem.error.where)).where;
    case RemedyRole:
        return messageOf(problem, namesFile(problem.error.where)).remedy;
    case OffsetRole:
        if (const auto offset = offsetOf(problem)) {
            return static_cast<double>(*offset);
        }
        return -1.0;
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

bool ProblemModel::isElsewhere(const engine::Where& where) const
{
    return m_file && !where.file.empty()
        && std::ranges::none_of(m_file->parts(),
                                [&where](const auto& part) { return part.path == where.file; });
}

bool ProblemModel::namesFile(const engine::Where& where) const
{
    return isElsewhere(where) || (m_file && m_file->hasSeveralFiles());
}

std::optional<std::uint64_t> ProblemModel::offsetOf(const Problem& problem) const
{
    const engine::Where& where = problem.error.where;
    if (m_file && m_file->set()) {
        return m_file->offsetOf(where);
    }
    return isElsewhere(where) ? std::nullopt : where.offset;
}

QList<qreal> ProblemModel::offsets() const
{
    QList<qreal> list;
    for (const Problem& problem : m_problems) {
        if (const auto offset = offsetOf(problem)) {
            list << static_cast<qreal>(*offset);
        }
    }
    return list;
}

engine::Where ProblemModel::whereOf(int row) const
{
    if (row < 0 || row >= count()) {
        return {};
    }
    const engine::Where& where = m_problems[static_cast<std::size_t>(row)].error.where;
    return isElsewhere(where) ? engine::Where {} : where;
}

int ProblemModel::countOf(Severity severity) const
{
    return static_cast<int>(
        std::count_if(m_problems.begin(), m_problems.end(),
                      [severity](const Problem& each) { return each.severity == severity; }));
}
