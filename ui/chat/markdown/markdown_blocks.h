// Markdown into the blocks that the window shows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/markdown/block.h"

#include <QtCore/QStringView>

/// The blocks of a whole text, in the Markdown of GitHub with these choices:
/// - raw HTML is text, except <br>, which breaks the line; maths in \( \) or $ $ is text;
/// - indentation alone makes no code (models indent prose more often); a fence may be indented;
/// - pictures become links with their alternative text; links go to http, https and mailto, others
/// are text;
/// - a soft line break becomes a space, a hard one U+2028 (QChar::LineSeparator); character
/// references are decoded;
/// - a column without alignment has Qt::Alignment();
/// - an item without content is a paragraph without text;
/// - containers are shown 12 deep, a table 64 columns wide; what lies deeper loses its innermost
/// containers.
///
/// Every block is short enough for a row of a view: text and headings have about 4,000 characters
/// at most, code 60 lines or 8,000 characters, tables 40 rows; longer ones become several blocks of
/// which all but the first `continue` (code: with the same language; tables: with the same columns
/// and without a heading row; a pair of marks that stands on both sides of such a cut is shown as
/// text). Any text is taken in time that grows with its length only.
[[nodiscard]] QList<Block> parseMarkdown(QStringView text);
