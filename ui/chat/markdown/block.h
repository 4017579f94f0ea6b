// One block of a message as the window shows it: plain data, made by the Markdown parser.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

/// A stretch of a block's text that looks different.
struct TextSpan
{
    enum Style : quint8 { Bold = 1, Italic = 2, Strike = 4, Code = 8, Link = 16 };

    int start = 0; ///< in UTF-16 units of the block's text
    int length = 0;
    quint8 styles = 0; ///< any of Style
    QString target; ///< with Link: where it goes, as written

    friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

/// What a block lies in: a quote, or an item of a list.
struct BlockContainer
{
    enum class Kind : quint8 { Quote, Item };
    enum class Task : quint8 { None, Open, Done };

    Kind kind = Kind::Quote;
    Task task = Task::None;
    bool first = false; ///< of an item: this is its first block, the one beside the marker
    QString marker; ///< of an item: "•" or its number with its delimiter ("3.")

    friend bool operator==(const BlockContainer&, const BlockContainer&) = default;
};

/// Text with its looks.
struct StyledText
{
    QString text; ///< as it is read: no Markdown in it
    QList<TextSpan> spans; ///< ascending; they don't overlap

    friend bool operator==(const StyledText&, const StyledText&) = default;
};

/// A leaf of the document. Quotes and lists are not blocks of their own but where a block lies, so
/// that a message is a flat list of rows.
struct Block
{
    enum class Kind : quint8 { Paragraph, Heading, Code, Table, Rule };

    Kind kind = Kind::Paragraph;
    quint8 level = 0; ///< of a heading: 1 to 6
    bool continues = false; ///< goes on from the block before, which was too long for one
    bool withinLine =
        false; ///< of code that continues: in the middle of a line, not with a new one
    bool open = false; ///< of code: its closing fence is not there (yet)
    StyledText content; ///< of code: its lines, without fences and without the last line break
    QString language; ///< of code: the first word after the fence; may be empty
    QList<BlockContainer> containers; ///< outermost first
    QList<Qt::Alignment> columns; ///< of a table
    QList<QList<StyledText>> rows; ///< of a table: the heading first; each as long as `columns`

    friend bool operator==(const Block&, const Block&) = default;
};
