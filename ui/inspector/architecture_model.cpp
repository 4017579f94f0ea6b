#include "ui/inspector/architecture_model.h"

#include "ui/inspector/architecture_words.h"
#include "ui/inspector/figures.h"

#include <QtCore/QVariantMap>

#include <utility>

using engine::model::Outline;
using engine::model::OutlinedTensor;
using engine::model::TensorState;

namespace {

/// Shown by debuggers.
constexpr auto kThread = "vitrine-outline";

QPoint pointOf(ArchitecturePlace place)
{
    return { place.cell, place.row };
}

QString mark(TensorState state)
{
    switch (state) {
    case TensorState::Missing:
        return QStringLiteral("error");
    case TensorState::Wrong:
    case TensorState::Unused:
        return QStringLiteral("warning");
    case TensorState::Lacking:
        return QStringLiteral("absent");
    case TensorState::Shared:
    case TensorState::Beyond:
        return QStringLiteral("note");
    case TensorState::Unmarked:
    case TensorState::Fits:
        break;
    }
    return {};
}

} // namespace

/// What the thread makes, in one piece.
struct ArchitectureModel::Shown
{
    Outline outline;
    ArchitectureRows rows; ///< all folds closed
};

ArchitectureModel::ArchitectureModel(QObject* parent)
    : QAbstractListModel(parent)
    , m_task(kThread)
{
    connect(&m_task, &app::LatestTask::changed, this, &ArchitectureModel::busyChanged);
}

void ArchitectureModel::setFile(const GgufFile& file)
{
    m_task.stop();
    m_file = file;
    show(nullptr);
    if (file) {
        begin(false);
    }
}

void ArchitectureModel::begin(bool marked)
{
    m_task.start([this, file = m_file, marked](const app::TaskControl&) {
        const auto shown = std::make_shared<Shown>();
        shown->outline = engine::model::outline(
            *file, marked ? engine::model::Marks::All : engine::model::Marks::None);
        shown->rows = ArchitectureRows(*file, shown->outline);
        return app::LatestTask::Delivery([this, shown, marked] {
            show(shown);
            if (!marked) {
                begin(true);
            }
        });
    });
}

void ArchitectureModel::show(const std::shared_ptr<const Shown>& shown)
{
    beginResetModel();
    m_shown = shown;
    m_rows = shown ? shown->rows : ArchitectureRows();
    m_summary = shown ? architecture_words::summary(shown->outline) : QString();
    m_caveat = shown ? architecture_words::caveat(shown->outline) : QString();
    endResetModel();
    Q_EMIT changed();
}

int ArchitectureModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.rows().size());
}

QVariant ArchitectureModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const auto& row = m_rows.rows()[static_cast<std::size_t>(index.row())];
    const auto& sections = m_shown->outline.sections;
    const auto& section = sections[row.section];
    switch (role) {
    case Qt::DisplayRole:
    case TitleRole:
        return row.folded == 0
            ? architecture_words::title(section)
            : architecture_words::foldTitle(section, sections[row.section + row.folded - 1]);
    case NoteRole:
        return row.folded > 0 ? QString() : architecture_words::note(*m_file, section);
    case FoldRole:
        return row.folded > 0;
    case OpenRole:
        return row.isOpen;
    case ContinuedRole:
        return row.isContinued;
    case PartsRole:
        return parts(row);
    default:
        return {};
    }
}

QVariantList ArchitectureModel::parts(const ArchitectureRows::Row& row) const
{
    QVariantList parts;
    int first = 0;
    for (const auto& slice : row.slices) {
        QVariantList cells;
        for (std::size_t at = slice.first; at < slice.first + slice.count; ++at) {
            const OutlinedTensor& tensor = slice.part->tensors[at];
            const bool isThere = tensor.number >= 0 && tensor.state != TensorState::Shared;
            const QString type = isThere
                ? figures::type(m_file->tensors()[static_cast<std::size_t>(tensor.number)])
                : QString();
            cells << QVariantMap {
                { QStringLiteral("label"), figures::printable(tensor.label, 64) },
                { QStringLiteral("type"), type },
                { QStringLiteral("state"), architecture_words::shortState(*m_file, tensor) },
                { QStringLiteral("mark"), mark(tensor.state) },
                { QStringLiteral("words"), architecture_words::sentence(*m_file, tensor) },
                { QStringLiteral("tensor"), tensor.number },
            };
        }
        const bool isWhole = slice.first + slice.count == slice.part->tensors.size();
        parts << QVariantMap {
            { QStringLiteral("title"), architecture_words::part(slice.part->part) },
            { QStringLiteral("added"), slice.part->isAdded && isWhole },
            { QStringLiteral("first"), first },
            { QStringLiteral("cells"), cells },
        };
        first += static_cast<int>(slice.count);
    }
    return parts;
}

QHash<int, QByteArray> ArchitectureModel::roleNames() const
{
    return { { TitleRole, "title" }, { NoteRole, "note" },           { FoldRole, "fold" },
             { OpenRole, "open" },   { ContinuedRole, "continued" }, { PartsRole, "parts" } };
}

QString ArchitectureModel::verdict() const
{
    if (!m_shown || m_shown->outline.measure == Outline::Measure::None) {
        return {};
    }
    const Outline& outline = m_shown->outline;
    const bool isKnown = outline.measure == Outline::Measure::Architecture;
    if (odd() == 0) {
        return isKnown ? QStringLiteral("good") : QString();
    }
    return !isKnown                           ? QStringLiteral("note")
        : outline.missing + outline.wrong > 0 ? QStringLiteral("error")
                                              : QStringLiteral("warning");
}

int ArchitectureModel::odd() const
{
    return m_shown ? static_cast<int>(m_shown->outline.missing + m_shown->outline.wrong
                                      + m_shown->outline.unused)
                   : 0;
}

int ArchitectureModel::tensorAt(int row, int cell) const
{
    const OutlinedTensor* tensor = m_rows.tensorAt({ row, cell });
    return tensor != nullptr ? tensor->number : -1;
}

QString ArchitectureModel::wordsAt(int row, int cell) const
{
    if (const OutlinedTensor* tensor = m_rows.tensorAt({ row, cell })) {
        return architecture_words::sentence(*m_file, *tensor);
    }
    const QModelIndex at = index(row);
    return at.isValid() ? data(at, TitleRole).toString() : QString();
}

QPoint ArchitectureModel::reveal(int tensor)
{
    const ArchitecturePlace place = m_rows.placeOf(tensor);
    const bool isHidden = place.row >= 0 && m_rows.tensorAt(place) == nullptr;
    return pointOf(isHidden && toggle(place.row) ? m_rows.placeOf(tensor) : place);
}

QPoint ArchitectureModel::step(int row, int cell, ArchitectureModel::Step way, int columns) const
{
    return pointOf(m_rows.step({ row, cell }, static_cast<ArchitectureRows::Step>(way), columns));
}

QPoint ArchitectureModel::nextOdd(int row, int cell, bool forward) const
{
    return pointOf(m_rows.odd({ row, cell }, forward));
}

bool ArchitectureModel::toggle(int row)
{
    const auto at = static_cast<std::size_t>(row);
    if (row < 0 || at >= m_rows.rows().size() || m_rows.rows()[at].folded == 0) {
        return false;
    }
    auto shown = m_rows.foldedRows(at);
    const int last = row + static_cast<int>(shown.size());
    if (m_rows.rows()[at].isOpen) {
        beginRemoveRows({}, row + 1, last);
        m_rows.toggle(at, std::move(shown));
        endRemoveRows();
    } else {
        beginInsertRows({}, row + 1, last);
        m_rows.toggle(at, std::move(shown));
        endInsertRows();
    }
    Q_EMIT dataChanged(index(row), index(row), { OpenRole });
    return true;
}
