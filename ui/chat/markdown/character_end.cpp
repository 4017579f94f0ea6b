// Where a text may be cut without cutting what a reader sees as one character.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/character_end.h"

#include <QtCore/QTextBoundaryFinder>

#include <algorithm>

namespace {

constexpr qsizetype kAround = 64; ///< longer than any sequence that people write

} // namespace

qsizetype characterEnd(QStringView text, qsizetype limit)
{
    const qsizetype from = std::max<qsizetype>(0, limit - kAround);
    const qsizetype to = std::min(text.size(), limit + kAround);
    const QStringView near = text.sliced(from, to - from);
    QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, near.data(), near.size());
    finder.setPosition(limit - from);
    if (finder.isAtBoundary()) {
        return limit;
    }
    const qsizetype before = finder.toPreviousBoundary();
    if (before > 0) {
        return from + before;
    }
    // Marks without end: at least no surrogate pair is cut.
    return limit < text.size() && text[limit].isLowSurrogate() ? limit - 1 : limit;
}
