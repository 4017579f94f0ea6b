#include "ui/inspector/tensor_diff_model.h"

#include "ui/inspector/diff_words.h"
#include "ui/inspector/figures.h"

#include <algorithm>
#include <cstdlib>

using engine::eval::DataDiff;
using engine::eval::DataState;
using engine::gguf::DiffState;
using engine::gguf::TensorDiff;
using engine::gguf::TensorInfo;

TensorDiffModel::TensorDiffModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

void TensorDiffModel::setFiles(const std::shared_ptr<const ComparedFiles>& files)
{
    const auto* before = selectedDiff();
    const std::string name =
        before != nullptr ? std::string(tensorOf(*before).name) : std::string();
    const auto old = m_files; // what is shown stays valid while the view lets go of it
    beginResetModel();
    m_files = files;
    m_data.clear();
    m_selected = -1;
    for (int pair = 0; !name.empty() && m_selected < 0 && pair < total(); ++pair) {
        if (tensorOf(diffAt(static_cast<std::size_t>(pair))).name == name) {
            m_selected = pair;
        }
    }
    update();
    endResetModel();
    Q_EMIT countChanged();
    Q_EMIT selectedChanged();
}

void TensorDiffModel::setData(Data data)
{
    m_data = std::move(data);
    reset();
    Q_EMIT selectedChanged();
}

int TensorDiffModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

int TensorDiffModel::total() const
{
    return m_files ? static_cast<int>(m_files->tensors.tensors.size()) : 0;
}

const TensorDiff& TensorDiffModel::diffAt(std::size_t pair) const
{
    return m_files->tensors.tensors[pair];
}

const TensorInfo* TensorDiffModel::inA(const TensorDiff& diff) const
{
    return diff.a ? &m_files->a->tensors()[*diff.a] : nullptr;
}

const TensorInfo* TensorDiffModel::inB(const TensorDiff& diff) const
{
    return diff.b ? &m_files->b->tensors()[*diff.b] : nullptr;
}

const TensorInfo& TensorDiffModel::tensorOf(const TensorDiff& diff) const
{
    return diff.a ? *inA(diff) : *inB(diff);
}

const TensorDiff* TensorDiffModel::selectedDiff() const
{
    return m_selected >= 0 && m_selected < total() ? &diffAt(static_cast<std::size_t>(m_selected))
                                                   : nullptr;
}

DataDiff TensorDiffModel::dataOf(int pair) const
{
    return pair >= 0 && pair < static_cast<int>(m_data.size())
        ? m_data[static_cast<std::size_t>(pair)]
        : DataDiff();
}

bool TensorDiffModel::isSame(std::size_t pair) const
{
    return diffAt(pair).state == DiffState::Same
        && dataOf(static_cast<int>(pair)).state != DataState::Different;
}

qint64 TensorDiffModel::sizeDifference(const TensorDiff& diff) const
{
    const auto sizeOf = [](const TensorInfo* tensor) {
        return tensor != nullptr ? static_cast<qint64>(tensor->data.size) : 0;
    };
    return sizeOf(inB(diff)) - sizeOf(inA(diff));
}

QString TensorDiffModel::shapeText(const TensorDiff& diff) const
{
    return diff.isShapeDifferent
        ? QStringLiteral("%1 → %2").arg(figures::shape(*inA(diff)), figures::shape(*inB(diff)))
        : figures::shape(tensorOf(diff));
}

QVariant TensorDiffModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const std::uint32_t pair = m_rows[static_cast<std::size_t>(index.row())];
    const TensorDiff& diff = diffAt(pair);
    const TensorInfo* a = inA(diff);
    const TensorInfo* b = inB(diff);
    switch (role) {
    case Qt::DisplayRole:
    case NameRole:
        return figures::printable(tensorOf(diff).name);
    case SymbolRole:
        return diff_words::symbol(
            isSame(pair) || diff.state != DiffState::Same ? diff.state : DiffState::Different);
    case StateRole:
        return diff_words::state(diff, dataOf(static_cast<int>(pair)));
    case SameRole:
        return isSame(pair);
    case ShapeRole:
        return shapeText(diff);
    case TypeARole:
        return a != nullptr ? figures::type(*a) : QString();
    case TypeBRole:
        return b != nullptr ? figures::type(*b) : QString();
    case SizeARole:
        return a != nullptr ? figures::size(a->data.size) : QString();
    case SizeBRole:
        return b != nullptr ? figures::size(b->data.size) : QString();
    case DifferenceRole:
        return diff_words::sizeDifference(sizeDifference(diff));
    case PairRole:
        return static_cast<int>(pair);
    default:
        return {};
    }
}

QHash<int, QByteArray> TensorDiffModel::roleNames() const
{
    return { { NameRole, "name" },       { SymbolRole, "symbolText" },
             { StateRole, "stateText" }, { SameRole, "same" },
             { ShapeRole, "shapeText" }, { TypeARole, "typeA" },
             { TypeBRole, "typeB" },     { SizeARole, "sizeA" },
             { SizeBRole, "sizeB" },     { DifferenceRole, "differenceText" },
             { PairRole, "pair" } };
}

void TensorDiffModel::setFilter(const QString& filter)
{
    if (filter != m_filterText) {
        m_filterText = filter;
        m_filter = TensorFilter(filter);
        reset();
        Q_EMIT filterChanged();
    }
}

void TensorDiffModel::setOnlyDifferences(bool only)
{
    if (only != m_isOnlyDifferences) {
        m_isOnlyDifferences = only;
        reset();
        Q_EMIT filterChanged();
    }
}

void TensorDiffModel::setSelected(int pair)
{
    const int wanted = pair < total() ? std::max(pair, -1) : -1;
    if (wanted != m_selected) {
        m_selected = wanted;
        Q_EMIT selectedChanged();
    }
}

void TensorDiffModel::sortBy(TensorDiffModel::Column column)
{
    if (column != m_column) {
        m_column = column;
        m_isDescending = column == Column::Size; // the large ones are looked for
    } else if (m_isDescending == (column == Column::Size)) {
        m_isDescending = !m_isDescending;
    } else {
        m_column = Column::File;
        m_isDescending = false;
    }
    reset();
    Q_EMIT orderChanged();
}

void TensorDiffModel::reset()
{
    beginResetModel();
    update();
    endResetModel();
    Q_EMIT countChanged();
}

bool TensorDiffModel::matches(std::size_t pair) const
{
    const TensorInfo* a = inA(diffAt(pair));
    const TensorInfo* b = inB(diffAt(pair));
    return (a != nullptr && m_filter.matches(*a)) || (b != nullptr && m_filter.matches(*b));
}

bool TensorDiffModel::before(std::uint32_t left, std::uint32_t right) const
{
    if (m_isDescending) {
        std::swap(left, right);
    }
    const TensorDiff& a = diffAt(left);
    const TensorDiff& b = diffAt(right);
    if (m_column == Column::Size) {
        return std::abs(sizeDifference(a)) < std::abs(sizeDifference(b));
    }
    // Layers by number: blk.2 before blk.10.
    const auto nameA = tensorOf(a).name;
    const auto nameB = tensorOf(b).name;
    const int layerA = figures::layer(nameA);
    const int layerB = figures::layer(nameB);
    return layerA != layerB ? layerA < layerB : nameA < nameB;
}

void TensorDiffModel::update()
{
    m_rows.clear();
    m_differences = 0;
    for (std::uint32_t pair = 0; pair < static_cast<std::uint32_t>(total()); ++pair) {
        const bool differs = !isSame(pair);
        m_differences += differs ? 1 : 0;
        if ((!m_isOnlyDifferences || differs) && matches(pair)) {
            m_rows.push_back(pair);
        }
    }
    if (m_column != Column::File) {
        std::stable_sort(
            m_rows.begin(), m_rows.end(),
            [this](std::uint32_t left, std::uint32_t right) { return before(left, right); });
    }
}

int TensorDiffModel::rowOf(int pair) const
{
    const auto found = pair < 0
        ? m_rows.end()
        : std::find(m_rows.begin(), m_rows.end(), static_cast<std::uint32_t>(pair));
    return found != m_rows.end() ? static_cast<int>(found - m_rows.begin()) : -1;
}

int TensorDiffModel::pairAt(int row) const
{
    return row >= 0 && row < count() ? static_cast<int>(m_rows[static_cast<std::size_t>(row)]) : -1;
}

int TensorDiffModel::pairOf(int tensor, bool isInA) const
{
    for (int pair = 0; tensor >= 0 && pair < total(); ++pair) {
        const TensorDiff& diff = diffAt(static_cast<std::size_t>(pair));
        if ((isInA ? diff.a : diff.b) == static_cast<std::uint32_t>(tensor)) {
            return pair;
        }
    }
    return -1;
}
