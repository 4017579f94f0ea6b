#include "ui/inspector/tensor_model.h"

#include "ui/inspector/figures.h"
#include "ui/inspector/type_totals.h"

#include <algorithm>
#include <tuple>

using engine::gguf::TensorInfo;

namespace {

constexpr qsizetype kSummedTypes = 3;

double bitsOf(const TensorInfo& tensor)
{
    const auto* type = tensor.typeInfo();
    return type != nullptr ? type->bitsPerWeight() : 0;
}

/// -1, 0 or 1.
int compare(const TensorInfo& left, const TensorInfo& right, TensorModel::Column column)
{
    const auto order = [](const auto& a, const auto& b) { return a < b ? -1 : b < a ? 1 : 0; };
    switch (column) {
    case TensorModel::File:
        break;
    case TensorModel::Name: {
        // Layers by number: blk.2 before blk.10.
        const int byLayer = order(figures::layer(left.name), figures::layer(right.name));
        return byLayer != 0 ? byLayer : order(left.name, right.name);
    }
    case TensorModel::Shape:
        return order(std::tie(left.elements, left.shape), std::tie(right.elements, right.shape));
    case TensorModel::Type:
        return order(left.typeNumber, right.typeNumber);
    case TensorModel::Bits:
        return order(bitsOf(left), bitsOf(right));
    case TensorModel::Offset:
        return order(left.data.offset, right.data.offset);
    case TensorModel::Size:
        return order(left.data.size, right.data.size);
    }
    return 0;
}

} // namespace

TensorModel::TensorModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

void TensorModel::setFile(const GgufFile& file)
{
    beginResetModel();
    m_file = file;
    update();
    endResetModel();
    Q_EMIT countChanged();
}

int TensorModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

int TensorModel::total() const
{
    return m_file ? static_cast<int>(m_file->tensors().size()) : 0;
}

QString TensorModel::layerName(const TensorInfo& tensor) const
{
    if (!m_grouped) {
        return {};
    }
    const int layer = figures::layer(tensor.name);
    return layer < 0 ? tr("Outside the layers") : tr("Layer %1").arg(layer);
}

QVariant TensorModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const std::uint32_t number = m_rows[static_cast<std::size_t>(index.row())];
    const TensorInfo& tensor = m_file->tensors()[number];
    switch (role) {
    case Qt::DisplayRole:
    case NameRole:
        return figures::printable(tensor.name);
    case ShapeRole:
        return figures::shape(tensor);
    case TypeRole:
        return figures::type(tensor);
    case BitsRole:
        return figures::bits(tensor);
    case OffsetRole:
        return figures::address(*m_file, tensor.data.offset);
    case SizeRole:
        return figures::size(tensor.data.size);
    case ShareRole:
        return figures::share(tensor.data.size, figures::sizeOf(*m_file));
    case TensorRole:
        return static_cast<int>(number);
    case LayerRole:
        return layerName(tensor);
    case BrokenRole:
        return tensor.data.size > 0 && m_file->data(tensor).empty();
    default:
        return {};
    }
}

QHash<int, QByteArray> TensorModel::roleNames() const
{
    return { { NameRole, "name" },       { ShapeRole, "shapeText" },   { TypeRole, "typeText" },
             { BitsRole, "bitsText" },   { OffsetRole, "offsetText" }, { SizeRole, "sizeText" },
             { ShareRole, "shareText" }, { TensorRole, "tensor" },     { LayerRole, "layer" },
             { BrokenRole, "broken" } };
}

void TensorModel::setFilter(const QString& filter)
{
    if (filter == m_filterText) {
        return;
    }
    m_filterText = filter;
    m_filter = TensorFilter(filter);
    reset();
    Q_EMIT filterChanged();
}

void TensorModel::setGrouped(bool grouped)
{
    if (grouped != m_grouped) {
        m_grouped = grouped;
        reset();
        Q_EMIT orderChanged();
    }
}

void TensorModel::sortBy(TensorModel::Column column)
{
    if (column != m_column) {
        m_column = column;
        // Of numbers the large ones are looked for.
        m_descending = column == Column::Size || column == Column::Bits;
    } else if (m_descending == (column == Column::Size || column == Column::Bits)) {
        m_descending = !m_descending;
    } else {
        m_column = Column::File;
        m_descending = false;
    }
    reset();
    Q_EMIT orderChanged();
}

void TensorModel::reset()
{
    beginResetModel();
    update();
    endResetModel();
    Q_EMIT countChanged();
}

bool TensorModel::before(std::uint32_t left, std::uint32_t right) const
{
    const TensorInfo& a = m_file->tensors()[left];
    const TensorInfo& b = m_file->tensors()[right];
    if (m_grouped) {
        const int layerA = figures::layer(a.name);
        const int layerB = figures::layer(b.name);
        if (layerA != layerB) {
            return layerA < layerB;
        }
    }
    const int order = compare(a, b, m_column);
    return m_descending ? order > 0 : order < 0;
}

void TensorModel::update()
{
    m_rows.clear();
    m_summary.clear();
    if (!m_file) {
        return;
    }
    const auto tensors = m_file->tensors();
    for (std::uint32_t at = 0; at < tensors.size(); ++at) {
        if (m_filter.matches(tensors[at])) {
            m_rows.push_back(at);
        }
    }
    if (m_grouped || m_column != Column::File) {
        std::stable_sort(
            m_rows.begin(), m_rows.end(),
            [this](std::uint32_t left, std::uint32_t right) { return before(left, right); });
    }
    const TypeTotals totals(*m_file, m_rows);
    QStringList shares;
    for (const TypeTotal& each : totals.types().mid(0, kSummedTypes)) {
        shares << QStringLiteral("%1 %2").arg(each.name,
                                              figures::share(each.bytes, totals.bytes()));
    }
    const auto shown = static_cast<quint64>(m_rows.size());
    m_summary =
        QStringList {
            shown == tensors.size()
                ? figures::tensors(shown)
                : tr("%1 of %2 shown").arg(figures::count(shown), figures::count(tensors.size())),
            figures::size(totals.bytes()), shares.join(QStringLiteral(", "))
        }
            .join(QStringLiteral(" · "));
}

int TensorModel::rowOf(int tensor) const
{
    const auto found = tensor < 0
        ? m_rows.end()
        : std::find(m_rows.begin(), m_rows.end(), static_cast<std::uint32_t>(tensor));
    return found != m_rows.end() ? static_cast<int>(found - m_rows.begin()) : -1;
}

int TensorModel::tensorAt(int row) const
{
    return row >= 0 && row < count() ? static_cast<int>(m_rows[static_cast<std::size_t>(row)]) : -1;
}
