// A chat as a flat list of rows.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/conversation_model.h"

#include "ui/chat/answer_figures.h"
#include "ui/chat/code/code_lexer.h"
#include "ui/chat/question_blocks.h"

#include <QtCore/QLocale>
#include <QtCore/QSet>

#include <algorithm>
#include <utility>

using app::MessageRecord;

namespace {

/// Code longer than this can be folded; longer than the second one it is, when a chat is opened.
constexpr int kFoldableLines = 20;
constexpr int kFoldedLines = 60;

} // namespace

struct ConversationModel::Message
{
    bool question = false;
    BlockStream stream; ///< of an answer
    QList<Block> asked; ///< of a question
    QList<int> revisions; ///< one a block
    QSet<int> folded; ///< first blocks of what is folded
    mutable QList<int> codeStates; ///< by block, as far as they were asked for

    [[nodiscard]] const QList<Block>& blocks() const { return question ? asked : stream.blocks(); }
};

ConversationModel::ConversationModel(QObject* parent)
    : QAbstractListModel(parent)
{
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
             { LeftOutRole, "leftOut" } };
}

const MessageRecord& ConversationModel::record(int message) const
{
    return m_chat->tree().at(m_chat->tree().path().at(message));
}

QString ConversationModel::kindOf(const Row& row) const
{
    if (row.kind == Row::Kind::Mark) {
        return QStringLiteral("mark");
    }
    if (row.kind == Row::Kind::Footer) {
        return QStringLiteral("footer");
    }
    const Message& message = *m_messages[static_cast<std::size_t>(row.message)];
    if (message.question) {
        return QStringLiteral("question");
    }
    switch (row.shape) {
    case Block::Kind::Paragraph:
        return QStringLiteral("paragraph");
    case Block::Kind::Heading:
        return QStringLiteral("heading");
    case Block::Kind::Code:
        return QStringLiteral("code");
    case Block::Kind::Table:
        return QStringLiteral("table");
    case Block::Kind::Rule:
        return QStringLiteral("rule");
    }
    return {};
}

int ConversationModel::gapOf(int at) const
{
    constexpr int kTurn = 24;
    constexpr int kParagraph = 12;
    constexpr int kItem = 6;
    constexpr int kHeading = 22;
    if (at == 0) {
        return 0;
    }
    const Row& row = m_rows[static_cast<std::size_t>(at)];
    const Row& above = m_rows[static_cast<std::size_t>(at) - 1];
    if (row.kind == Row::Kind::Footer) {
        return 8;
    }
    if (row.kind == Row::Kind::Mark || above.message != row.message
        || above.kind == Row::Kind::Mark) {
        return kTurn;
    }
    const QList<Block>& all = blocks(row.message);
    const Block& block = all.at(row.block);
    if (block.continues) {
        return 0;
    }
    if (block.kind == Block::Kind::Heading) {
        return kHeading;
    }
    const bool item = !block.containers.isEmpty()
        && block.containers.constLast().kind == BlockContainer::Kind::Item
        && block.containers.constLast().first && block.kind == Block::Kind::Paragraph;
    const bool afterItem = !all.at(above.block).containers.isEmpty();
    return item && afterItem ? kItem : kParagraph;
}

std::pair<int, int> ConversationModel::chain(int message, int block) const
{
    const QList<Block>& all = blocks(message);
    int first = block;
    while (first > 0 && all.at(first).continues) {
        --first;
    }
    int last = block;
    while (last + 1 < all.size() && all.at(last + 1).continues) {
        ++last;
    }
    return { first, last };
}

bool ConversationModel::isFoldable(const Row& row) const
{
    if (row.kind != Row::Kind::Text) {
        return false;
    }
    const auto [first, last] = chain(row.message, row.block);
    const Block& block = blocks(row.message).at(first);
    if (m_messages[static_cast<std::size_t>(row.message)]->question) {
        return last > first;
    }
    return block.kind == Block::Kind::Code
        && (last > first || block.content.text.count(u'\n') >= kFoldableLines);
}

bool ConversationModel::isFolded(const Row& row) const
{
    return row.kind == Row::Kind::Text
        && m_messages[static_cast<std::size_t>(row.message)]->folded.contains(
            chain(row.message, row.block).first);
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
        return row.kind == Row::Kind::Text ? blockString(blocks(row.message).at(row.block))
                                           : QString();
    default:
        break;
    }
    const QVariant value = blockData(row, role);
    return value.isValid() ? value : messageData(row, role);
}

QVariant ConversationModel::blockData(const Row& row, int role) const
{
    static const Block nothing;
    // A view may ask once more for a row that is about to go.
    const bool text = row.kind == Row::Kind::Text && row.block < blocks(row.message).size();
    const Block& block = text ? blocks(row.message).at(row.block) : nothing;
    const auto [first, last] = text ? chain(row.message, row.block) : std::pair<int, int> { 0, 0 };
    switch (role) {
    case RevisionRole:
        return text ? m_messages[static_cast<std::size_t>(row.message)]->revisions.at(row.block)
                    : 0;
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
        return row.block == first;
    case LastRole:
        return row.block == last || isFolded(row);
    case FoldableRole:
        return isFoldable(row);
    case FoldedRole:
        return isFolded(row);
    case LinesRole: {
        qsizetype lines = 0;
        if (block.kind == Block::Kind::Code) {
            for (int each = first; each <= last; ++each) {
                lines += blocks(row.message).at(each).content.text.count(u'\n') + 1;
            }
        }
        return static_cast<int>(lines);
    }
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
        connect(m_chat, &app::Chat::firstSeenChanged, this, &ConversationModel::onFirstSeenChanged);
    }
    reset();
}

std::unique_ptr<ConversationModel::Message> ConversationModel::makeMessage(int at) const
{
    const MessageRecord& message = record(at);
    auto made = std::make_unique<Message>();
    made->question = message.role == MessageRecord::Role::User;
    if (made->question) {
        made->asked = questionBlocks(message.text);
        if (made->asked.size() > 1) {
            made->folded.insert(0);
        }
    } else {
        made->stream.append(message.text);
        if (message.whole) {
            made->stream.finish();
        }
        const QList<Block>& all = made->stream.blocks();
        for (int first = 0; first < all.size(); ++first) {
            const bool long_ = all.at(first).content.text.count(u'\n') >= kFoldedLines - 1
                && first + 1 < all.size() && all.at(first + 1).continues;
            if (message.whole && all.at(first).kind == Block::Kind::Code && !all.at(first).continues
                && long_) {
                made->folded.insert(first);
            }
        }
    }
    made->revisions.resize(made->blocks().size());
    return made;
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
            m_messages.push_back(makeMessage(message));
            const auto rows = rowsOf(message);
            m_rows.insert(m_rows.end(), rows.begin(), rows.end());
        }
    }
    endResetModel();
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
    const Message& message = *m_messages[static_cast<std::size_t>(at)];
    if (at > 0 && at == firstSeen()) {
        rows.push_back({ at, 0, Row::Kind::Mark, {} });
    }
    const QList<Block>& all = message.blocks();
    for (int block = 0; block < all.size(); ++block) {
        rows.push_back({ at, block, Row::Kind::Text, all.at(block).kind });
        if (message.folded.contains(block)) {
            block = chain(at, block).second;
        }
    }
    if (!message.question) {
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
    std::vector<std::unique_ptr<Message>> added;
    for (int message = from; message < m_chat->tree().path().size(); ++message) {
        added.push_back(makeMessage(message));
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
    Message& message = *m_messages[static_cast<std::size_t>(at)];
    const qsizetype known = message.revisions.size();
    message.revisions.resize(message.blocks().size());
    message.codeStates.resize(std::min(message.codeStates.size(), firstChanged + 1));
    for (qsizetype block = firstChanged; block < std::min(known, message.blocks().size());
         ++block) {
        ++message.revisions[block];
    }
    updateRows(at);
    // Where a code or table goes on now, its first row is told too; the footer never depends on
    // blocks.
    const int anchor = firstChanged < message.blocks().size()
        ? chain(at, static_cast<int>(firstChanged)).first
        : static_cast<int>(firstChanged);
    const int first = rowOf({ at, anchor, 0 });
    const int last = rowsEnd(at) - 1;
    if (first >= 0 && first <= last) {
        Q_EMIT dataChanged(index(first), index(last));
    }
}

void ConversationModel::onAnswerGrew(const QString& added)
{
    const int last = messageCount() - 1;
    blocksChanged(last, m_messages.back()->stream.append(added));
}

void ConversationModel::onAnswerEnded()
{
    const int last = messageCount() - 1;
    blocksChanged(last, m_messages.back()->stream.finish());
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
    return message >= 0 && message < messageCount()
        && m_messages[static_cast<std::size_t>(message)]->question;
}

int ConversationModel::firstRow(int message) const
{
    const int row = rowsBegin(message);
    return message >= 0 && message < messageCount() && row < rowCount() ? row : -1;
}

void ConversationModel::toggleFold(int row)
{
    if (row < 0 || row >= rowCount() || !isFoldable(m_rows[static_cast<std::size_t>(row)])) {
        return;
    }
    const Row& folded = m_rows[static_cast<std::size_t>(row)];
    const int at = folded.message;
    const int first = chain(at, folded.block).first;
    Message& message = *m_messages[static_cast<std::size_t>(at)];
    if (!message.folded.remove(first)) {
        message.folded.insert(first);
    }
    updateRows(at);
    const QModelIndex changed = index(rowOf({ at, first, 0 }));
    Q_EMIT dataChanged(changed, changed, { FoldedRole, LastRole });
}

QString ConversationModel::codeText(int row) const
{
    if (block(row) == nullptr) {
        return {};
    }
    const Row& part = m_rows[static_cast<std::size_t>(row)];
    const auto [first, last] = chain(part.message, part.block);
    QString code;
    for (int each = first; each <= last; ++each) {
        const Block& piece = blocks(part.message).at(each);
        if (each > first && !piece.withinLine) {
            code += u'\n';
        }
        code += piece.content.text;
    }
    return code;
}

const Block* ConversationModel::block(int row) const
{
    if (row < 0 || row >= rowCount()
        || m_rows[static_cast<std::size_t>(row)].kind != Row::Kind::Text) {
        return nullptr;
    }
    const Row& part = m_rows[static_cast<std::size_t>(row)];
    if (part.block >= blocks(part.message).size()) {
        return nullptr;
    }
    return &blocks(part.message).at(part.block);
}

const QList<Block>& ConversationModel::blocks(int message) const
{
    return m_messages[static_cast<std::size_t>(message)]->blocks();
}

int ConversationModel::codeState(int row) const
{
    const Block* code = block(row);
    if (code == nullptr || code->kind != Block::Kind::Code) {
        return 0;
    }
    const CodeLexer* lexer = CodeLexer::forLanguage(code->language);
    if (lexer == nullptr) {
        return 0;
    }
    const Row& part = m_rows[static_cast<std::size_t>(row)];
    const Message& message = *m_messages[static_cast<std::size_t>(part.message)];
    const int first = chain(part.message, part.block).first;
    QList<int>& states = message.codeStates;
    if (states.size() <= part.block) {
        const qsizetype known = states.size();
        states.resize(part.block + 1);
        std::fill(states.begin() + known, states.end(), -1);
    }
    states[first] = 0;
    QList<CodeSpan> unused;
    for (int each = first; each < part.block; ++each) {
        if (states.at(each + 1) >= 0) {
            continue;
        }
        int state = states.at(each);
        for (const QStringView line :
             QStringView(message.blocks().at(each).content.text).split(u'\n')) {
            unused.clear();
            state = lexer->line(line, state, unused);
        }
        states[each + 1] = state;
    }
    return states.at(part.block);
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
    const int row = rowOf(place);
    if (row >= 0 && isFolded(m_rows[static_cast<std::size_t>(row)])) {
        toggleFold(row);
    }
}
