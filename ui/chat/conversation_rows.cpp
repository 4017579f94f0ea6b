// What the rows of a chat are: their kinds, and the room above them.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/conversation_model.h"

QString ConversationModel::kindOf(const Row& row) const
{
    if (row.kind == Row::Kind::Mark) {
        return QStringLiteral("mark");
    }
    if (row.kind == Row::Kind::Footer) {
        return QStringLiteral("footer");
    }
    if (row.kind == Row::Kind::Thinking) {
        return QStringLiteral("thinking");
    }
    if (row.kind == Row::Kind::Thought) {
        return QStringLiteral("thought");
    }
    if (shown(row.message).isQuestion()) {
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
    if (row.kind == Row::Kind::Thought) {
        return above.kind == Row::Kind::Thinking ? kItem : 0;
    }
    if (above.kind != Row::Kind::Text) {
        return kParagraph;
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
