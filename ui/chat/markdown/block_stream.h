// Markdown into blocks while it streams in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/markdown/block.h"
#include "ui/chat/markdown/source_chunks.h"

#include <QtCore/QStringView>

/// The blocks of a text that grows: what `parseMarkdown` gives for the text so far, at a cost that
/// depends on the last block at most. Two things differ: a block that is too long for one row may
/// be cut elsewhere, and a link that is defined below its use appears when all is there.
///
/// The blocks depend on the text alone, not on the pieces it came in. Reentrant; used by one
/// thread.
class BlockStream
{
public:
    /// Adds text and returns the index of the first block that may differ from before (the number
    /// of blocks where none does). Not to be called after `finish`.
    qsizetype append(QStringView text);
    /// Nothing follows: links defined below their use are found. Returns as `append`.
    qsizetype finish();

    /// Valid until the next call; keep no copy, it would make the next call copy them all.
    [[nodiscard]] const QList<Block>& blocks() const { return m_blocks; }
    [[nodiscard]] const QString& source() const { return m_source; }

private:
    /// Puts `fresh` in place of the blocks from `from` on.
    qsizetype replaceFrom(qsizetype from, const QList<Block>& fresh);

    SourceChunker m_chunker;
    QString m_source;
    QList<Block> m_blocks;
    qsizetype m_settled = 0; ///< blocks that stay as they are
    bool m_finished = false;
};
