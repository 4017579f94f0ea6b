#include "ui/inspector/metadata_model.h"

#include "ui/inspector/figures.h"
#include "ui/inspector/key_words.h"
#include "ui/inspector/metadata_words.h"

#include <algorithm>

using engine::gguf::ValueType;

namespace {

constexpr std::size_t kShownText = 200;

/// The first elements of an array on one line.
QString beginningOf(const engine::gguf::Value& array)
{
    constexpr int kShownElements = 8;
    constexpr std::size_t kElementText = 24;
    QStringList shown;
    auto cursor = array.elements();
    for (auto element = cursor.next(); element && shown.size() < kShownElements;
         element = cursor.next()) {
        shown << figures::printable(element->display(kElementText), kElementText);
    }
    if (static_cast<std::uint64_t>(shown.size()) < array.count()) {
        shown << QStringLiteral("…");
    }
    return u'[' + shown.join(QStringLiteral(", ")) + u']';
}

} // namespace

MetadataModel::MetadataModel(QObject* parent)
    : QAbstractListModel(parent)
    , m_indexing("vitrine-tokens")
{
    connect(&m_indexing, &app::LatestTask::changed, this, &MetadataModel::indexingChanged);
}

void MetadataModel::setFile(const ArrayIndex::File& file)
{
    beginResetModel();
    m_file = file;
    m_vocabulary.reset();
    update();
    endResetModel();
    indexVocabulary();
    Q_EMIT countChanged();
}

void MetadataModel::indexVocabulary()
{
    if (!m_file) {
        m_indexing.stop();
        return;
    }
    m_indexing.start([this, file = m_file](const app::TaskControl& control) {
        auto vocabulary = metadata::vocabulary(file, control.stop);
        return [this, vocabulary = std::move(vocabulary)] {
            m_vocabulary = vocabulary;
            if (count() > 0) {
                Q_EMIT dataChanged(createIndex(0, 0), createIndex(count() - 1, 0), { NoteRole });
            }
            Q_EMIT vocabularyReady();
        };
    });
}

int MetadataModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : count();
}

int MetadataModel::total() const
{
    return m_file ? static_cast<int>(m_file->metadata().size()) : 0;
}

QVariant MetadataModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const std::uint32_t number = m_rows[static_cast<std::size_t>(index.row())];
    const auto& entry = m_file->metadata()[number];
    switch (role) {
    case Qt::DisplayRole:
    case KeyRole:
        return figures::printable(entry.key);
    case TypeRole:
        return figures::type(entry.value);
    case ValueRole:
        return entry.value.type() == ValueType::Array
            ? beginningOf(entry.value)
            : figures::printable(entry.value.display(kShownText), kShownText);
    case NoteRole:
        return metadata::note(entry, m_vocabulary.get());
    case AboutRole:
        return key_words::about(entry.key).text;
    case OffsetRole:
        return figures::address(*m_file, entry.span.offset);
    case SizeRole:
        return figures::size(entry.span.size);
    case EntryRole:
        return static_cast<int>(number);
    default:
        return {};
    }
}

QHash<int, QByteArray> MetadataModel::roleNames() const
{
    return { { KeyRole, "key" },     { TypeRole, "typeText" },     { ValueRole, "valueText" },
             { NoteRole, "note" },   { OffsetRole, "offsetText" }, { SizeRole, "sizeText" },
             { EntryRole, "entry" }, { AboutRole, "about" } };
}

void MetadataModel::setFilter(const QString& filter)
{
    if (filter == m_filter) {
        return;
    }
    m_filter = filter;
    Q_EMIT filterChanged();
    beginResetModel();
    update();
    endResetModel();
    Q_EMIT countChanged();
}

void MetadataModel::update()
{
    m_rows.clear();
    const std::size_t all = m_file ? m_file->metadata().size() : 0;
    for (std::size_t entry = 0; entry < all; ++entry) {
        if (matches(entry)) {
            m_rows.push_back(static_cast<std::uint32_t>(entry));
        }
    }
}

bool MetadataModel::matches(std::size_t entry) const
{
    const QString wanted = m_filter.trimmed();
    if (wanted.isEmpty()) {
        return true;
    }
    const auto& each = m_file->metadata()[entry];
    return figures::printable(each.key).contains(wanted, Qt::CaseInsensitive)
        || (each.value.type() != ValueType::Array
            && figures::printable(each.value.display(kShownText), kShownText)
                   .contains(wanted, Qt::CaseInsensitive));
}

int MetadataModel::rowOf(int entry) const
{
    const auto wanted = static_cast<std::uint32_t>(entry);
    const auto found = std::lower_bound(m_rows.begin(), m_rows.end(), wanted);
    return entry >= 0 && found != m_rows.end() && *found == wanted
        ? static_cast<int>(found - m_rows.begin())
        : -1;
}

int MetadataModel::entryAt(int row) const
{
    return row >= 0 && row < count() ? static_cast<int>(m_rows[static_cast<std::size_t>(row)]) : -1;
}
