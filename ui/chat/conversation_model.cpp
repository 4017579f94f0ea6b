// A chat as a flat list of rows.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/conversation_model.h"

#include "ui/chat/answer_figures.h"
#include "ui/chat/shown_message.h"

#include <algorithm>
#include <utility>

using app::MessageRecord;

namespace {

/// What rows without text say of one.
QVariant emptyBlockData(int role)
{
    switch (role) {
    case ConversationModel::RevisionRole:
    case ConversationModel::LevelRole:
    case ConversationModel::TaskRole:
    case ConversationModel::LinesRole:
        return 0;
    case ConversationModel::LanguageRole:
    case ConversationModel::BarsRole:
    case ConversationModel::MarkerRole:
        return QString();
    case ConversationModel::FirstRole:
    case ConversationModel::LastRole:
        return true;
    case ConversationModel::FoldableRole:
    case ConversationModel::FoldedRole:
        return false;
    default:
        return {};
    }
}

} // namespace

ConversationModel::ConversationModel(QObject* parent)
    : QAbstractListModel(parent)
{
    m_seconds.setInterval(1'000);
    connect(&m_seconds, &QTimer::timeout, this, [this] { thinkingChanged(messageCount() - 1); });
}

ConversationModel::~ConversationModel() = default;

int ConversationModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QHash<int, QByteArray> ConversationModel::roleNames() const
{
    return { { KindRole, "kind" },
             { MessageRole, "message" },
             { RevisionRole, "revision" },
             { GapRole, "gap" },
             { LevelRole, "level" },
             { LanguageRole, "language" },
             { BarsRole, "bars" },
             { MarkerRole, "marker" },
             { TaskRole, "task" },
             { FirstRole, "first" },
             { LastRole, "last" },
             { FoldableRole, "foldable" },
             { FoldedRole, "folded" },
             { LinesRole, "lines" },
             { AttachmentsRole, "attachments" },
             { StatisticsRole, "statistics" },
             { StreamingRole, "streaming" },
             { UnansweredRole, "unanswered" },
             { AlternativeRole, "alternative" },
             { AlternativesRole, "alternatives" },
             { LeftOutRole, "leftOut" },
             { ThoughtRole, "thought" } };
}

const MessageRecord& ConversationModel::record(int message) const
{
    return m_chat->tree().at(m_chat->tree().path().at(message));
}

QVariant ConversationModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)
        || !m_chat) {
        return {};
    }
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case KindRole:
        return kindOf(row);
    case MessageRole:
        return row.message;
    case GapRole:
        return gapOf(index.row());
    case LeftOutRole:
        return row.message;
    case Qt::DisplayRole:
        return block(index.row()) != nullptr ? blockString(*block(index.row())) : thoughtOf(row);
    case ThoughtRole:
        return thoughtOf(row);
    case FoldedRole:
        if (row.kind == Row::Kind::Thinking) {
            return shown(row.message).thoughtsAreFolded();
        }
        break;
    default:
        break;
    }
    const QVariant value = blockData(row, role);
    return value.isValid() ? value : messageData(row, role);
}

QVariant ConversationModel::blockData(const Row& row, int role) const
{
    // A view may ask once more for a row that is about to go.
    const ShownMessage& message = shown(row.message);
    const bool text = row.kind == Row::Kind::Text && row.block < message.blocks().size();
    if (!text) {
        return emptyBlockData(role);
    }
    const Block& block = message.blocks().at(row.block);
    switch (role) {
    case RevisionRole:
        return message.revision(row.block);
    case LevelRole:
        return block.level;
    case LanguageRole:
        return block.language;
    case BarsRole: {
        QString bars;
        for (const BlockContainer& container : block.containers) {
            bars += container.kind == BlockContainer::Kind::Quote ? u'q' : u'i';
        }
        return bars;
    }
    case MarkerRole: {
        const bool marked = !block.continues && !block.containers.isEmpty()
            && block.containers.constLast().kind == BlockContainer::Kind::Item
            && block.containers.constLast().first;
        return marked ? block.containers.constLast().marker : QString();
    }
    case TaskRole:
        return block.continues || block.containers.isEmpty() || !block.containers.constLast().first
            ? 0
            : static_cast<int>(block.containers.constLast().task);
    case FirstRole:
        return row.block == message.chain(row.block).first;
    case LastRole:
        return row.block == message.chain(row.block).second || message.isFolded(row.block);
    case FoldableRole:
        return message.isFoldable(row.block);
    case FoldedRole:
        return message.isFolded(row.block);
    case LinesRole:
        return message.codeLines(row.block);
    default:
        return {};
    }
}

QVariant ConversationModel::messageData(const Row& row, int role) const
{
    const MessageRecord& message = record(row.message);
    switch (role) {
    case AttachmentsRole: {
        QStringList said;
        for (const app::Attachment& attachment : message.attachments) {
            said << attachmentText(attachment);
        }
        return said;
    }
    case StatisticsRole:
        return message.outcome ? answerFigures(*message.outcome) : QString();
    case StreamingRole:
        return !message.whole;
    case UnansweredRole:
        return message.text.isEmpty();
    case AlternativeRole:
        return static_cast<int>(m_chat->tree().siblings(message.id).indexOf(message.id)) + 1;
    case AlternativesRole:
        return static_cast<int>(m_chat->tree().siblings(message.id).size());
    default:
        return {};
    }
}

void ConversationModel::setChat(app::Chat* chat)
{
    if (m_chat) {
        m_chat->disconnect(this);
    }
    m_chat = chat;
    if (m_chat) {
        connect(m_chat, &app::Chat::pathChanged, this, &ConversationModel::onPathChanged);
        connect(m_chat, &app::Chat::answerGrew, this, &ConversationModel::onAnswerGrew);
        connect(m_chat, &app::Chat::answerEnded, this, &ConversationModel::onAnswerEnded);
        connect(m_chat, &app::Chat::reasoningGrew, this, &ConversationModel::onReasoningGrew);
        connect(m_chat, &app::Chat::answerTurned, this, &ConversationModel::onAnswerTurned);
        connect(m_chat, &app::Chat::firstSeenChanged, this, &ConversationModel::onFirstSeenChanged);
    }
    reset();
}

void ConversationModel::reset()
{
    const int before = messageCount();
    beginResetModel();
    m_messages.clear();
    m_rows.clear();
    m_firstSeen = m_chat ? m_chat->record().firstSeen : 0;
    if (m_chat) {
        for (int message = 0; message < m_chat->tree().path().size(); ++message) {
            m_messages.push_back(std::make_unique<ShownMessage>(record(message)));
            const auto rows = rowsOf(message);
            m_rows.insert(m_rows.end(), rows.begin(), rows.end());
        }
    }
    endResetModel();
    m_seconds.stop();
    if (!m_messages.empty() && isThinking(messageCount() - 1)) {
        m_seconds.start();
    }
    Q_EMIT textReplaced();
    if (before != messageCount()) {
        Q_EMIT messageCountChanged();
    }
}

int ConversationModel::firstSeen() const
{
    return m_firstSeen == 0 ? -1 : static_cast<int>(m_chat->tree().path().indexOf(m_firstSeen));
}

std::vector<ConversationModel::Row> ConversationModel::rowsOf(int at) const
{
    std::vector<Row> rows;
    const ShownMessage& message = shown(at);
    if (at > 0 && at == firstSeen()) {
        rows.push_back({ at, 0, Row::Kind::Mark, {} });
    }
    if (!message.thoughts().isEmpty()) {
        rows.push_back({ at, 0, Row::Kind::Thinking, {} });
        const int pieces =
            message.thoughtsAreFolded() ? 0 : static_cast<int>(message.thoughts().size());
        for (int piece = 0; piece < pieces; ++piece) {
            rows.push_back({ at, piece, Row::Kind::Thought, {} });
        }
    }
    for (const int block : message.visibleBlocks()) {
        rows.push_back({ at, block, Row::Kind::Text, message.blocks().at(block).kind });
    }
    if (!message.isQuestion()) {
        rows.push_back({ at, 0, Row::Kind::Footer, {} });
    }
    return rows;
}

int ConversationModel::rowsBegin(int message) const
{
    const auto found =
        std::lower_bound(m_rows.begin(), m_rows.end(), message,
                         [](const Row& row, int wanted) { return row.message < wanted; });
    return static_cast<int>(std::distance(m_rows.begin(), found));
}

int ConversationModel::rowsEnd(int message) const
{
    return rowsBegin(message + 1);
}

void ConversationModel::updateRows(int message)
{
    const std::vector<Row> wanted = rowsOf(message);
    const int begin = rowsBegin(message);
    const int had = rowsEnd(message) - begin;
    const int has = static_cast<int>(wanted.size());
    int same = 0;
    while (same < std::min(had, has)
           && m_rows[static_cast<std::size_t>(begin + same)]
               == wanted[static_cast<std::size_t>(same)]) {
        ++same;
    }
    int sameAtEnd = 0;
    while (sameAtEnd < std::min(had, has) - same
           && m_rows[static_cast<std::size_t>(begin + had - 1 - sameAtEnd)]
               == wanted[static_cast<std::size_t>(has - 1 - sameAtEnd)]) {
        ++sameAtEnd;
    }
    const auto at = m_rows.begin() + begin + same;
    if (had - same - sameAtEnd > 0) {
        beginRemoveRows({}, begin + same, begin + had - sameAtEnd - 1);
        m_rows.erase(at, at + (had - same - sameAtEnd));
        endRemoveRows();
    }
    if (has - same - sameAtEnd > 0) {
        beginInsertRows({}, begin + same, begin + has - sameAtEnd - 1);
        m_rows.insert(m_rows.begin() + begin + same, wanted.begin() + same,
                      wanted.end() - sameAtEnd);
        endInsertRows();
    }
}

void ConversationModel::onPathChanged(qsizetype fromMessage)
{
    const int before = messageCount();
    const int from = static_cast<int>(std::min<qsizetype>(fromMessage, before));
    const int firstGone = rowsBegin(from);
    if (firstGone < rowCount()) {
        beginRemoveRows({}, firstGone, rowCount() - 1);
        m_rows.resize(static_cast<std::size_t>(firstGone));
        m_messages.resize(static_cast<std::size_t>(from));
        endRemoveRows();
    } else {
        m_messages.resize(static_cast<std::size_t>(from));
    }
    std::vector<std::unique_ptr<ShownMessage>> added;
    for (int message = from; message < m_chat->tree().path().size(); ++message) {
        added.push_back(std::make_unique<ShownMessage>(record(message)));
    }
    // The rows of new messages are known only once these are in place, which views see with their
    // rows only.
    std::move(added.begin(), added.end(), std::back_inserter(m_messages));
    std::vector<Row> rows;
    for (int message = from; message < messageCount(); ++message) {
        const auto more = rowsOf(message);
        rows.insert(rows.end(), more.begin(), more.end());
    }
    if (!rows.empty()) {
        beginInsertRows({}, firstGone, firstGone + static_cast<int>(rows.size()) - 1);
        m_rows.insert(m_rows.end(), rows.begin(), rows.end());
        endInsertRows();
    }
    Q_EMIT textReplaced();
    if (before != messageCount()) {
        Q_EMIT messageCountChanged();
    }
}

void ConversationModel::blocksChanged(int at, qsizetype firstChanged)
{
    updateRows(at);
    // Where a code or table goes on now, its first row is told too; the footer never depends on
    // blocks.
    const int changed = static_cast<int>(firstChanged);
    const int anchor = changed < blocks(at).size() ? shown(at).chain(changed).first : changed;
    const int first = rowOf({ at, anchor, 0 });
    const int last = rowsEnd(at) - 1;
    if (first >= 0 && first <= last) {
        Q_EMIT dataChanged(index(first), index(last));
    }
}

void ConversationModel::onAnswerGrew(const QString& added)
{
    const int last = messageCount() - 1;
    blocksChanged(last, m_messages.back()->append(added));
    if (m_seconds.isActive()) { // it thinks no more
        m_seconds.stop();
        thinkingChanged(last);
    }
}

void ConversationModel::onAnswerEnded()
{
    const int last = messageCount() - 1;
    blocksChanged(last, m_messages.back()->finish());
    m_seconds.stop();
    if (thinkingRow(last) >= 0) { // also where no text came
        Q_EMIT dataChanged(index(rowsBegin(last)), index(rowsEnd(last) - 1));
    }
}

void ConversationModel::onFirstSeenChanged()
{
    const int before = firstSeen();
    m_firstSeen = m_chat->record().firstSeen;
    for (const int message : { before, firstSeen() }) {
        if (message >= 0 && message < messageCount()) {
            updateRows(message);
        }
    }
}

app::MessageId ConversationModel::messageId(int message) const
{
    return message >= 0 && message < messageCount() ? record(message).id : 0;
}

QString ConversationModel::messageText(int message) const
{
    return message >= 0 && message < messageCount() ? record(message).text : QString();
}

bool ConversationModel::isQuestion(int message) const
{
    return message >= 0 && message < messageCount() && shown(message).isQuestion();
}

int ConversationModel::firstRow(int message) const
{
    const int row = rowsBegin(message);
    return message >= 0 && message < messageCount() && row < rowCount() ? row : -1;
}

void ConversationModel::toggleFold(int row)
{
    if (row >= 0 && row < rowCount()
        && m_rows[static_cast<std::size_t>(row)].kind == Row::Kind::Thinking) {
        const int message = m_rows[static_cast<std::size_t>(row)].message;
        m_messages[static_cast<std::size_t>(message)]->toggleThoughts();
        updateRows(message);
        Q_EMIT dataChanged(index(row), index(row), { FoldedRole });
        return;
    }
    if (block(row) == nullptr) {
        return;
    }
    const Row folded = m_rows[static_cast<std::size_t>(row)];
    ShownMessage& message = *m_messages[static_cast<std::size_t>(folded.message)];
    if (!message.isFoldable(folded.block)) {
        return;
    }
    message.toggleFold(folded.block);
    updateRows(folded.message);
    const int first = rowOf({ folded.message, message.chain(folded.block).first, 0 });
    Q_EMIT dataChanged(index(first), index(first), { FoldedRole, LastRole });
}

QString ConversationModel::codeText(int row) const
{
    const TextPlace at = place(row);
    return at.message < 0 ? QString() : shown(at.message).codeText(at.block);
}

const Block* ConversationModel::block(int row) const
{
    if (row < 0 || row >= rowCount()) {
        return nullptr;
    }
    const Row& part = m_rows[static_cast<std::size_t>(row)];
    const bool text = part.kind == Row::Kind::Text && part.block < blocks(part.message).size();
    return text ? &blocks(part.message).at(part.block) : nullptr;
}

const ShownMessage& ConversationModel::shown(int message) const
{
    return *m_messages[static_cast<std::size_t>(message)];
}

const QList<Block>& ConversationModel::blocks(int message) const
{
    return shown(message).blocks();
}

TextPlace ConversationModel::place(int row) const
{
    if (block(row) == nullptr) {
        return {};
    }
    const Row& part = m_rows[static_cast<std::size_t>(row)];
    return { part.message, part.block, 0 };
}

int ConversationModel::rowOf(const TextPlace& place) const
{
    if (place.message < 0 || place.message >= messageCount()) {
        return -1;
    }
    int found = -1;
    for (int row = rowsBegin(place.message); row < rowsEnd(place.message); ++row) {
        const Row& part = m_rows[static_cast<std::size_t>(row)];
        if (part.kind == Row::Kind::Text && part.block <= place.block) {
            found = row;
        }
    }
    return found;
}

TextPlace ConversationModel::start() const
{
    return m_messages.empty() ? TextPlace {} : TextPlace { 0, 0, 0 };
}

TextPlace ConversationModel::end() const
{
    for (int message = messageCount() - 1; message >= 0; --message) {
        const QList<Block>& all = blocks(message);
        if (!all.isEmpty()) {
            return { message, static_cast<int>(all.size()) - 1,
                     static_cast<int>(blockString(all.constLast()).size()) };
        }
    }
    return {};
}

QString ConversationModel::textBetween(const TextPlace& from, const TextPlace& to,
                                       bool markdown) const
{
    QStringList parts;
    for (int message = std::max(0, from.message);
         message <= std::min(to.message, messageCount() - 1); ++message) {
        const QList<Block>& all = blocks(message);
        if (all.isEmpty()) {
            continue;
        }
        const BlockPosition first = message == from.message
            ? BlockPosition { from.block, from.offset }
            : BlockPosition { 0, 0 };
        const BlockPosition last = message == to.message
            ? BlockPosition { to.block, to.offset }
            : BlockPosition { all.size() - 1, blockString(all.constLast()).size() };
        // A question is plain text: it has no markup to be written again.
        parts << (markdown && !isQuestion(message) ? ::markdownText(all, first, last)
                                                   : ::plainText(all, first, last));
    }
    return parts.join(QStringLiteral("\n\n"));
}

QString ConversationModel::plainText(const TextPlace& from, const TextPlace& to) const
{
    return textBetween(from, to, false);
}

QString ConversationModel::markdownText(const TextPlace& from, const TextPlace& to) const
{
    return textBetween(from, to, true);
}

void ConversationModel::reveal(const TextPlace& place)
{
    const TextPlace at = this->place(rowOf(place));
    if (at.message >= 0 && shown(at.message).isFolded(at.block)) {
        toggleFold(rowOf(place));
    }
}
