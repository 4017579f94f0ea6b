#include "ui/inspector/metadata_diff_model.h"

#include "ui/inspector/diff_words.h"
#include "ui/inspector/figures.h"

#include <algorithm>

using engine::gguf::DiffState;
using engine::gguf::GgufFile;
using engine::gguf::MetadataDiff;
using engine::gguf::MetadataEntry;
using engine::gguf::ValueType;

MetadataDiffModel::MetadataDiffModel(QObject* parent)
    : QAbstractListModel(parent)
{
}

void MetadataDiffModel::setFiles(const std::shared_ptr<const ComparedFiles>& files)
{
    const auto* before = selectedDiff();
    const std::string key = before != nullptr ? std::string(entryOf(*before).key) : std::string();
    const auto old = m_files; // what is shown stays valid while the view lets go of it
    beginResetModel();
    m_files = files;
    m_selected = -1;
    for (int pair = 0; !key.empty() && m_selected < 0 && pair < total(); ++pair) {
        if (entryOf(m_files->metadata.entries[static_cast<std::size_t>(pair)]).key == key) {
            m_selected = pair;
        }
    }
    update();
    endResetModel();
    Q_EMIT countChanged();
    Q_EMIT selectedChanged();
}

int MetadataDiffModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

int MetadataDiffModel::total() const
{
    return m_files ? static_cast<int>(m_files->metadata.entries.size()) : 0;
}

int MetadataDiffModel::differences() const
{
    return m_files ? static_cast<int>(m_files->metadata.differences) : 0;
}

const MetadataDiff* MetadataDiffModel::selectedDiff() const
{
    return m_selected >= 0 && m_selected < total()
        ? &m_files->metadata.entries[static_cast<std::size_t>(m_selected)]
        : nullptr;
}

const MetadataEntry& MetadataDiffModel::entryOf(const MetadataDiff& diff) const
{
    return diff.a ? m_files->a->metadata()[*diff.a] : m_files->b->metadata()[*diff.b];
}

QString MetadataDiffModel::value(const GgufFile& file, std::optional<std::uint32_t> entry) const
{
    return entry ? diff_words::shortValue(file.metadata()[*entry].value) : QString();
}

QVariant MetadataDiffModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const std::uint32_t pair = m_rows[static_cast<std::size_t>(index.row())];
    const MetadataDiff& diff = m_files->metadata.entries[pair];
    switch (role) {
    case Qt::DisplayRole:
    case KeyRole:
        return figures::printable(entryOf(diff).key);
    case SymbolRole:
        return diff_words::symbol(diff.state);
    case StateRole:
        return diff_words::state(diff);
    case SameRole:
        return diff.state == DiffState::Same;
    case ValueARole:
        return value(*m_files->a, diff.a);
    case ValueBRole:
        return value(*m_files->b, diff.b);
    case NoteRole:
        return diff_words::note(*m_files, diff);
    case PairRole:
        return static_cast<int>(pair);
    default:
        return {};
    }
}

QHash<int, QByteArray> MetadataDiffModel::roleNames() const
{
    return { { KeyRole, "key" },       { SymbolRole, "symbolText" }, { StateRole, "stateText" },
             { SameRole, "same" },     { ValueARole, "valueA" },     { ValueBRole, "valueB" },
             { NoteRole, "noteText" }, { PairRole, "pair" } };
}

void MetadataDiffModel::setFilter(const QString& filter)
{
    if (filter != m_filter) {
        m_filter = filter;
        reset();
        Q_EMIT filterChanged();
    }
}

void MetadataDiffModel::setOnlyDifferences(bool only)
{
    if (only != m_isOnlyDifferences) {
        m_isOnlyDifferences = only;
        reset();
        Q_EMIT filterChanged();
    }
}

void MetadataDiffModel::setSelected(int pair)
{
    const int wanted = pair < total() ? std::max(pair, -1) : -1;
    if (wanted != m_selected) {
        m_selected = wanted;
        Q_EMIT selectedChanged();
    }
}

void MetadataDiffModel::reset()
{
    beginResetModel();
    update();
    endResetModel();
    Q_EMIT countChanged();
}

void MetadataDiffModel::update()
{
    m_rows.clear();
    const QString wanted = m_filter.trimmed();
    for (std::uint32_t pair = 0; pair < static_cast<std::uint32_t>(total()); ++pair) {
        const MetadataDiff& diff = m_files->metadata.entries[pair];
        if ((!m_isOnlyDifferences || diff.state != DiffState::Same) && matches(diff, wanted)) {
            m_rows.push_back(pair);
        }
    }
}

bool MetadataDiffModel::matches(const MetadataDiff& diff, const QString& wanted) const
{
    const auto hasIt = [&](const GgufFile& file, std::optional<std::uint32_t> entry) {
        return entry && file.metadata()[*entry].value.type() != ValueType::Array
            && value(file, entry).contains(wanted, Qt::CaseInsensitive);
    };
    return wanted.isEmpty()
        || figures::printable(entryOf(diff).key).contains(wanted, Qt::CaseInsensitive)
        || hasIt(*m_files->a, diff.a) || hasIt(*m_files->b, diff.b);
}

int MetadataDiffModel::rowOf(int pair) const
{
    const auto wanted = static_cast<std::uint32_t>(pair);
    const auto found = std::lower_bound(m_rows.begin(), m_rows.end(), wanted);
    return pair >= 0 && found != m_rows.end() && *found == wanted
        ? static_cast<int>(found - m_rows.begin())
        : -1;
}

int MetadataDiffModel::pairAt(int row) const
{
    return row >= 0 && row < count() ? static_cast<int>(m_rows[static_cast<std::size_t>(row)]) : -1;
}
