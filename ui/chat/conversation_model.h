// A chat as a flat list of rows: questions, the blocks of answers, and the line below each answer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat.h"
#include "ui/chat/markdown/block_text.h"
#include "ui/chat/shown_message.h"

#include <QtCore/QAbstractListModel>
#include <QtCore/QPointer>
#include <QtCore/QTimer>
#include <QtQml/qqmlregistration.h>

#include <memory>
#include <vector>

/// A place in the text of a conversation; ordered as people read.
struct TextPlace
{
    int message = -1; ///< along the branch that is shown
    int block = 0;
    int offset = 0; ///< in the block's text, see block_text.h

    friend auto operator<=>(const TextPlace&, const TextPlace&) = default;
};

/// One row a block, so that a view makes only what can be seen, whatever the length of an answer.
/// Lives on the GUI thread. While an answer streams only its last rows change, at most as often as
/// the stream tells.
class ConversationModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Owned by ChatViewModel")
    /// Messages, not rows.
    Q_PROPERTY(int messageCount READ messageCount NOTIFY messageCountChanged)

public:
    enum Role {
        KindRole = Qt::UserRole + 1, ///< "question", "paragraph", "heading", "code", "table",
                                     ///< "rule", "footer", "mark", "thinking", "thought"
        MessageRole, ///< index along the branch
        RevisionRole, ///< grows when the row's text changes
        GapRole, ///< room above the row, in pixels at 100 %
        LevelRole, ///< of a heading
        LanguageRole, ///< of code
        BarsRole, ///< of a block: one letter a container: "q" quote, "i" item
        MarkerRole, ///< of a block: what stands before it in a list; empty inside an item
        TaskRole, ///< of a block: 0 none, 1 open, 2 done
        FirstRole, ///< the row begins its question, code or table
        LastRole, ///< the row ends it
        FoldableRole,
        FoldedRole,
        LinesRole, ///< of code: how many lines it has as a whole
        AttachmentsRole, ///< of a question: "name|size in words|tokens in words"
        StatisticsRole, ///< of a footer
        StreamingRole, ///< of a footer
        UnansweredRole, ///< of a footer: the answer has no text
        AlternativeRole, ///< of a question or footer: which sibling is shown, from 1
        AlternativesRole, ///< of how many
        LeftOutRole, ///< of the mark: how many messages stand above it
        ThoughtRole ///< of what the model thought: the line above it, or a piece
    };

    explicit ConversationModel(QObject* parent = nullptr);
    ~ConversationModel() override;

    [[nodiscard]] int messageCount() const { return static_cast<int>(m_messages.size()); }
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    /// The chat to show; it outlives that.
    void setChat(app::Chat* chat);
    [[nodiscard]] app::Chat* chat() const { return m_chat; }

    /// 0 where the index is out of range.
    [[nodiscard]] app::MessageId messageId(int message) const;
    /// As it was written.
    Q_INVOKABLE [[nodiscard]] QString messageText(int message) const;
    /// What the model thought before it.
    [[nodiscard]] QString reasoningText(int message) const;
    Q_INVOKABLE [[nodiscard]] bool isQuestion(int message) const;
    /// The first row of a message; -1 where there is none.
    Q_INVOKABLE [[nodiscard]] int firstRow(int message) const;
    Q_INVOKABLE void toggleFold(int row);
    /// The whole code that a row is part of.
    Q_INVOKABLE [[nodiscard]] QString codeText(int row) const;

    // Text.
    [[nodiscard]] const Block* block(int row) const;
    /// `message` must be there.
    [[nodiscard]] const ShownMessage& shown(int message) const;
    [[nodiscard]] const QList<Block>& blocks(int message) const;
    /// Where the row's text begins; nothing (message -1) for rows without text.
    [[nodiscard]] TextPlace place(int row) const;
    /// The row that shows a place; a row folded away is shown by the last one before it. -1 where
    /// there is none.
    [[nodiscard]] int rowOf(const TextPlace& place) const;
    [[nodiscard]] TextPlace start() const;
    [[nodiscard]] TextPlace end() const;
    [[nodiscard]] QString plainText(const TextPlace& from, const TextPlace& to) const;
    [[nodiscard]] QString markdownText(const TextPlace& from, const TextPlace& to) const;
    /// Unfolds what hides a place.
    void reveal(const TextPlace& place);

Q_SIGNALS:
    void messageCountChanged();
    /// Places found before mean something else now.
    void textReplaced();

private:
    struct Row
    {
        enum class Kind : quint8 { Mark, Thinking, Thought, Text, Footer };
        int message;
        int block; ///< of Text; of Thought: which piece
        Kind kind;
        /// Of Text. A part of the row, since a view makes another item for another kind of block.
        Block::Kind shape = Block::Kind::Paragraph;
        friend bool operator==(const Row&, const Row&) = default;
    };

    [[nodiscard]] const app::MessageRecord& record(int message) const;
    [[nodiscard]] std::vector<Row> rowsOf(int message) const;
    [[nodiscard]] int rowsBegin(int message) const;
    [[nodiscard]] int rowsEnd(int message) const;
    [[nodiscard]] QString kindOf(const Row& row) const;
    [[nodiscard]] int gapOf(int row) const;
    [[nodiscard]] int firstSeen() const;
    [[nodiscard]] QVariant blockData(const Row& row, int role) const;
    [[nodiscard]] QVariant messageData(const Row& row, int role) const;
    [[nodiscard]] QString textBetween(const TextPlace& from, const TextPlace& to,
                                      bool markdown) const;
    void reset();
    void onPathChanged(qsizetype from);
    void onAnswerGrew(const QString& added);
    void onAnswerEnded();
    void onReasoningGrew(const QString& added);
    void onAnswerTurned();
    [[nodiscard]] QString thoughtOf(const Row& row) const;
    /// The row above what was thought; -1 without one.
    [[nodiscard]] int thinkingRow(int message) const;
    void thinkingChanged(int message);
    /// Whether the model of a message thinks now.
    [[nodiscard]] bool isThinking(int message) const;
    void onFirstSeenChanged();
    void blocksChanged(int message, qsizetype firstChanged);
    /// Makes the rows of a message what they should be, telling views of the difference.
    void updateRows(int message);

    QPointer<app::Chat> m_chat;
    std::vector<std::unique_ptr<ShownMessage>> m_messages;
    std::vector<Row> m_rows;
    app::MessageId m_firstSeen = 0;
    QTimer m_seconds; ///< while the model thinks
};
