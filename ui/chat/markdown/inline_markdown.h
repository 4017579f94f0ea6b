// Styled text as Markdown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/markdown/block.h"

#include <QtCore/QString>

/// Where the Markdown will stand, which decides what must be escaped.
enum class InlinePlace : quint8 { Paragraph, Heading, Cell };

/// Markdown that reads as `text`. Only in a paragraph it may have several lines.
[[nodiscard]] QString inlineMarkdown(const StyledText& text, InlinePlace place);

/// The part of `text` from `from` up to `to`.
[[nodiscard]] StyledText partOf(const StyledText& text, qsizetype from, qsizetype to);
