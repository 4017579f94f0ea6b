// The blocks of one message as its rows show them: how they grow, fold and hang together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"
#include "ui/chat/markdown/block_stream.h"

#include <QtCore/QList>
#include <QtCore/QSet>
#include <QtCore/QStringList>

#include <utility>

/// A question, cut into pieces, or an answer, which may still grow. Plain data, used by one thread.
class ShownMessage
{
public:
    /// Long questions are folded, what a model thought, and long code of answers that are whole.
    explicit ShownMessage(const app::MessageRecord& message);

    [[nodiscard]] bool isQuestion() const { return m_question; }
    [[nodiscard]] const QList<Block>& blocks() const
    {
        return m_question ? m_asked : m_stream.blocks();
    }
    /// Grows when the block's text changes.
    [[nodiscard]] int revision(int block) const { return m_revisions.at(block); }

    /// What the model thought before an answer, in pieces; empty where it didn't.
    [[nodiscard]] const QStringList& thoughts() const { return m_thoughts; }
    [[nodiscard]] bool thoughtsAreFolded() const { return m_thoughtsFolded; }
    void toggleThoughts() { m_thoughtsFolded = !m_thoughtsFolded; }
    /// Adds to that; returns the first piece that differs from before.
    qsizetype appendThoughts(const QString& text);

    /// Adds text to an answer; returns the first block that may differ from before.
    qsizetype append(const QString& text);
    /// The answer is whole; returns as `append`.
    qsizetype finish();

    /// The blocks that a block's code, table or question is made of, as [first, last].
    [[nodiscard]] std::pair<int, int> chain(int block) const;
    /// The code of the whole chain, and how many lines it has; nothing for other blocks.
    [[nodiscard]] QString codeText(int block) const;
    [[nodiscard]] int codeLines(int block) const;
    /// The state of the lexer before the block's code.
    [[nodiscard]] int codeState(int block) const;

    [[nodiscard]] bool isFoldable(int block) const;
    [[nodiscard]] bool isFolded(int block) const { return m_folded.contains(chain(block).first); }
    void toggleFold(int block);
    /// Those that are not folded away.
    [[nodiscard]] QList<int> visibleBlocks() const;

private:
    qsizetype changed(qsizetype first);

    bool m_question;
    BlockStream m_stream; ///< of an answer
    QList<Block> m_asked; ///< of a question
    QStringList m_thoughts;
    bool m_thoughtsFolded = true;
    QList<int> m_revisions; ///< one a block
    QSet<int> m_folded; ///< first blocks of what is folded
    mutable QList<int> m_codeStates; ///< by block, as far as they were asked for; -1: not known
};
