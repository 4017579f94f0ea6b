// The rows of a chat that hold what the model thought.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/conversation_model.h"
#include "ui/chat/thought_words.h"

using app::MessageRecord;

void ConversationModel::onReasoningGrew(const QString& added)
{
    const int last = messageCount() - 1;
    ShownMessage& message = *m_messages.back();
    const int first = static_cast<int>(message.appendThoughts(added));
    updateRows(last);
    if (!m_seconds.isActive()) {
        m_seconds.start();
    }
    if (!message.thoughtsAreFolded()) {
        const int row = thinkingRow(last) + 1;
        const int pieces = static_cast<int>(message.thoughts().size());
        Q_EMIT dataChanged(index(row + first), index(row + pieces - 1),
                           { Qt::DisplayRole, ThoughtRole });
    }
}

void ConversationModel::onAnswerTurned()
{
    const int last = messageCount() - 1;
    m_messages.back() = std::make_unique<ShownMessage>(record(last));
    updateRows(last);
    Q_EMIT dataChanged(index(rowsBegin(last)), index(rowsEnd(last) - 1));
    m_seconds.start();
    Q_EMIT textReplaced();
}

bool ConversationModel::isThinking(int message) const
{
    const MessageRecord& said = record(message);
    return !said.whole && said.text.isEmpty() && !said.reasoning.isEmpty();
}

int ConversationModel::thinkingRow(int message) const
{
    for (int row = rowsBegin(message); row < rowsEnd(message); ++row) {
        if (m_rows[static_cast<std::size_t>(row)].kind == Row::Kind::Thinking) {
            return row;
        }
    }
    return -1;
}

void ConversationModel::thinkingChanged(int message)
{
    if (const int row = thinkingRow(message); row >= 0) {
        Q_EMIT dataChanged(index(row), index(row), { Qt::DisplayRole, ThoughtRole });
    }
}

QString ConversationModel::thoughtOf(const Row& row) const
{
    if (row.kind == Row::Kind::Thought) {
        const QStringList& pieces = shown(row.message).thoughts();
        return pieces.value(row.block);
    }
    if (row.kind != Row::Kind::Thinking) {
        return {};
    }
    const MessageRecord& message = record(row.message);
    const auto state = isThinking(row.message) ? ThoughtState::Going
        : message.text.isEmpty()               ? ThoughtState::CutShort
                                               : ThoughtState::Done;
    return thoughtText(state, m_chat->reasoningMs(message.id));
}

QString ConversationModel::reasoningText(int message) const
{
    return message >= 0 && message < messageCount() ? record(message).reasoning : QString();
}
