// A question as blocks.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/question_blocks.h"

#include "ui/chat/markdown/character_end.h"

#include <algorithm>

namespace {

constexpr qsizetype kWhole = 1'600; ///< not worth folding
constexpr int kWholeLines = 16;
constexpr qsizetype kFirst = 900;
constexpr int kFirstLines = 10;
constexpr qsizetype kPiece = 4'000;

/// Where to end a piece of at most `most` units and `lines` lines: at a line's end, a space, or
/// between characters.
qsizetype cut(QStringView text, qsizetype most, int lines)
{
    qsizetype end = 0;
    for (int line = 0; line < lines && end < text.size(); ++line) {
        const qsizetype next = text.indexOf(u'\n', end);
        end = next < 0 ? text.size() : next + 1;
    }
    if (end <= most) {
        return end;
    }
    const qsizetype line = text.first(most).lastIndexOf(u'\n');
    const qsizetype space = text.first(most).lastIndexOf(u' ');
    if (const qsizetype near = std::max(line, space); near >= most / 2) {
        return near + 1;
    }
    return characterEnd(text, most);
}

} // namespace

QList<Block> questionBlocks(QStringView text)
{
    QList<Block> blocks;
    const bool whole = text.size() <= kWhole && text.count(u'\n') < kWholeLines;
    qsizetype at = 0;
    do {
        const QStringView rest = text.sliced(at);
        const qsizetype length = whole ? rest.size()
            : blocks.isEmpty()         ? cut(rest, kFirst, kFirstLines)
                                       : cut(rest, kPiece, 100);
        Block block;
        block.continues = !blocks.isEmpty();
        QStringView piece = rest.first(length);
        // The end of a row ends its last line already.
        if (at + length < text.size() && piece.endsWith(u'\n')) {
            piece.chop(1);
        }
        block.content.text = piece.toString();
        blocks.append(block);
        at += length;
    } while (at < text.size());
    return blocks;
}
