#include "ui/inspector/array_model.h"

#include "ui/inspector/figures.h"
#include "ui/inspector/metadata_words.h"

#include <QtCore/QLocale>

#include <limits>

using app::LatestTask;
using app::TaskControl;

namespace {

constexpr std::size_t kShownText = 400;
constexpr std::uint64_t kLookAt = 4096; // elements between two looks at the stop token

/// The first element, from `from` on and around the end, whose text holds `wanted`.
int findText(const ArrayIndex& array, const std::string& wanted, int count, int from, bool forward,
             const TaskControl& control)
{
    for (int step = 0; step < count; ++step) {
        const int at = forward ? (from + step) % count : (from - step + count) % count;
        const auto element = array.at(static_cast<std::uint64_t>(at));
        const auto text = element ? element->asText() : std::nullopt;
        if (text ? text->find(wanted) != std::string_view::npos
                 : element && element->display(kShownText) == wanted) {
            return at;
        }
        if (static_cast<std::uint64_t>(step) % kLookAt == 0 && control.stop.stop_requested()) {
            break;
        }
    }
    return -1;
}

} // namespace

ArrayModel::ArrayModel(QObject* parent)
    : QAbstractListModel(parent)
    , m_indexing("vitrine-index")
    , m_finding("vitrine-find")
{
    connect(&m_indexing, &LatestTask::changed, this, &ArrayModel::busyChanged);
    connect(&m_finding, &LatestTask::changed, this, &ArrayModel::busyChanged);
}

void ArrayModel::setArray(const ArrayIndex::File& file, int metadata)
{
    m_finding.stop();
    m_indexing.stop();
    setFindNote({});
    take({}, false);
    if (!file || metadata < 0 || metadata >= static_cast<int>(file->metadata().size())
        || file->metadata()[static_cast<std::size_t>(metadata)].value.type()
            != engine::gguf::ValueType::Array) {
        return;
    }
    m_indexing.start([this, file, metadata](const TaskControl& control) {
        Arrays arrays;
        arrays.elements = ArrayIndex::make(file, static_cast<std::size_t>(metadata), control.stop);
        const auto entries = file->metadata();
        const bool isVocabulary =
            entries[static_cast<std::size_t>(metadata)].key == "tokenizer.ggml.tokens";
        for (std::size_t at = 0; isVocabulary && at < entries.size(); ++at) {
            if (entries[at].key == "tokenizer.ggml.scores") {
                arrays.scores = ArrayIndex::make(file, at, control.stop);
            } else if (entries[at].key == "tokenizer.ggml.token_type") {
                arrays.kinds = ArrayIndex::make(file, at, control.stop);
            }
        }
        return LatestTask::Delivery([this, arrays, isVocabulary] { take(arrays, isVocabulary); });
    });
}

void ArrayModel::take(const Arrays& arrays, bool isVocabulary)
{
    if (!m_arrays.elements && !arrays.elements) {
        return;
    }
    beginResetModel();
    m_arrays = arrays;
    m_isVocabulary = isVocabulary;
    constexpr std::uint64_t kMost = std::numeric_limits<int>::max() / 2;
    m_count = arrays.elements ? static_cast<int>(std::min(arrays.elements->count(), kMost)) : 0;
    endResetModel();
    Q_EMIT countChanged();
}

int ArrayModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_count;
}

QVariant ArrayModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) {
        return {};
    }
    const auto at = static_cast<std::uint64_t>(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case TextRole: {
        const auto element = m_arrays.elements->at(at);
        if (!element) {
            return QString();
        }
        const auto text = element->asText();
        return figures::printable(text ? *text : element->display(kShownText), kShownText);
    }
    case NumberRole:
        return index.row();
    case ScoreRole: {
        const auto score = m_arrays.scores ? m_arrays.scores->at(at) : std::nullopt;
        const auto number = score ? score->asNumber() : std::nullopt;
        return number ? QLocale().toString(*number, 'g', 6) : QString();
    }
    case KindRole: {
        const auto kind = m_arrays.kinds ? m_arrays.kinds->at(at) : std::nullopt;
        const auto number = kind ? kind->asInteger() : std::nullopt;
        return number ? metadata::tokenKind(*number) : QString();
    }
    default:
        return {};
    }
}

QHash<int, QByteArray> ArrayModel::roleNames() const
{
    return { { TextRole, "elementText" },
             { NumberRole, "number" },
             { ScoreRole, "score" },
             { KindRole, "kind" } };
}

void ArrayModel::find(const QString& wanted, int from, bool forward)
{
    setFindNote({});
    m_finding.stop();
    if (wanted.isEmpty() || m_count == 0) {
        return;
    }
    bool isNumber = false;
    const quint64 number = wanted.trimmed().toULongLong(&isNumber);
    if (isNumber) {
        if (number < static_cast<quint64>(m_count)) {
            Q_EMIT found(static_cast<int>(number));
        } else {
            setFindNote(m_count == 1 ? tr("There is 1 element, number 0.")
                                     : tr("There are %1 elements, counted from 0.")
                                           .arg(figures::count(static_cast<quint64>(m_count))));
        }
        return;
    }
    const bool isQuoted = wanted.size() > 2 && wanted.startsWith(u'"') && wanted.endsWith(u'"');
    const std::string text = (isQuoted ? wanted.mid(1, wanted.size() - 2) : wanted).toStdString();
    const int start = ((from % m_count) + m_count) % m_count;
    m_finding.start([this, array = m_arrays.elements, text, count = m_count, start,
                     forward](const TaskControl& control) {
        const int row = findText(*array, text, count, start, forward, control);
        return LatestTask::Delivery([this, row] {
            if (row < 0) {
                setFindNote(tr("No element has this text."));
            } else {
                Q_EMIT found(row);
            }
        });
    });
}

double ArrayModel::offsetAt(int row) const
{
    const auto element = m_arrays.elements && row >= 0
        ? m_arrays.elements->at(static_cast<std::uint64_t>(row))
        : std::nullopt;
    return element ? static_cast<double>(element->span().offset) : 0;
}

double ArrayModel::sizeAt(int row) const
{
    const auto element = m_arrays.elements && row >= 0
        ? m_arrays.elements->at(static_cast<std::uint64_t>(row))
        : std::nullopt;
    return element ? static_cast<double>(element->span().size) : 0;
}

int ArrayModel::rowAt(double offset) const
{
    const auto row = m_arrays.elements && offset >= 0
        ? m_arrays.elements->indexOf(static_cast<std::uint64_t>(offset))
        : std::nullopt;
    return row && *row < static_cast<std::uint64_t>(m_count) ? static_cast<int>(*row) : -1;
}

void ArrayModel::setFindNote(const QString& note)
{
    if (note != m_findNote) {
        m_findNote = note;
        Q_EMIT findNoteChanged();
    }
}
