// Blocks as text again: what is copied.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/markdown/block.h"

#include <QtCore/QString>

/// A place in a list of blocks: an offset in UTF-16 units into what `blockString` gives for the
/// block.
struct BlockPosition
{
    qsizetype block = 0;
    qsizetype offset = 0;

    friend auto operator<=>(const BlockPosition&, const BlockPosition&) = default;
};

/// The text that places in a block count in: its text, or a table's cells with tabs between them
/// and a line break after each row but the last.
[[nodiscard]] QString blockString(const Block& block);

/// What lies between two places as text: a blank line between paragraphs, markers before items, ">
/// " before quotes, code as it is, tables with tabs. Blocks that continue are joined again.
[[nodiscard]] QString plainText(const QList<Block>& blocks, BlockPosition from, BlockPosition to);
/// The same as Markdown: parsing it gives the blocks again (but a code block that wasn't closed
/// is). What is selected in part gives its part.
[[nodiscard]] QString markdownText(const QList<Block>& blocks, BlockPosition from,
                                   BlockPosition to);
