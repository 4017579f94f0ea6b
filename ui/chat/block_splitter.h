// Splits an answer into paragraphs and code blocks while it streams in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>
#include <QtCore/QStringView>

/// One block of an answer.
struct Block
{
    enum class Kind { Paragraph, Code };

    Kind kind = Kind::Paragraph;
    QString text; ///< without fences and without the last line break
    QString language; ///< first word after a code block's fence; may be empty

    friend bool operator==(const Block&, const Block&) = default;
};

/// Paragraphs end at blank lines; code stands between fences of at least three ` or ~, at any
/// indentation (models put code into lists), and its lines lose the fence's indentation.
///
/// Only the last block is parsed again when text arrives. A line that may still turn out to be a
/// fence is held back until it is whole, so that blocks never change their kind and never
/// disappear. Reentrant; used by one thread.
class BlockSplitter
{
public:
    /// Adds text and returns the index of the first block that may differ from before.
    qsizetype append(QStringView text);
    /// Nothing follows: a line held back is shown as what it is. Returns as `append`.
    qsizetype finish();
    [[nodiscard]] const QList<Block>& blocks() const { return m_blocks; }

    /// The blocks of a whole text.
    [[nodiscard]] static QList<Block> split(QStringView text);

private:
    enum class End { Open, Final };
    qsizetype parseTail(End end);

    QList<Block> m_blocks;
    QString m_tail; ///< from the start of the last block on
    bool m_tailHasBlock = false; ///< the last block begins m_tail
};
