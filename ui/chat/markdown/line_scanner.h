// What a line of Markdown is, given the lines before it: the quotes and items it lies in, and the
// block it belongs to. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/markdown/block.h"

#include <QtCore/QStringView>
#include <QtCore/QVarLengthArray>

/// A character that source text never has (it is replaced before); put before something that would
/// be read as markup. The parser's output drops it.
inline constexpr char16_t kGuard = u'\uFDD0';

/// Quotes and items that a line may lie in; what opens more is text.
inline constexpr qsizetype kMaxSourceDepth = 32;

/// A quote or an item that is open.
struct SourceContainer
{
    char16_t mark = u'>'; ///< the quote mark, a bullet, or what ends an item's number
    qsizetype contentIndent = 0; ///< columns from where the container around begins
    unsigned number = 0; ///< of an item in an ordered list, as it is counted
    BlockContainer::Task task = BlockContainer::Task::None;

    [[nodiscard]] bool isItem() const { return mark != u'>'; }
    [[nodiscard]] bool isOrdered() const { return mark == u'.' || mark == u')'; }
};
using SourceContainers = QVarLengthArray<SourceContainer, 8>;

/// The block that the next line may go on with.
enum class Leaf : quint8 { None, Text, Heading, Table, Fence };

/// How a code block was opened.
struct CodeFence
{
    char16_t mark = u'`';
    qsizetype length = 0;
    qsizetype indent = 0; ///< within its container
    QString language;
};

/// What `LineScanner` finds in a line.
struct LineShape
{
    enum class Kind : quint8 {
        Blank,
        Text,
        Underline, ///< of a heading that is the paragraph before it
        Rule,
        Heading,
        FenceOpen,
        FenceLine,
        FenceClose,
        TableStart, ///< the line of dashes; the line before it is the heading row
        TableRow
    };

    Kind kind = Kind::Blank;
    qsizetype matched = 0; ///< containers of before that the line lies in
    bool sibling = false; ///< begins the next item of the list at depth `matched`
    qsizetype opened = 0; ///< containers that begin here
    qsizetype content = 0; ///< where the text begins, behind marks and indentation
    bool continues = false; ///< belongs to the same block as the line before
    quint8 level = 0; ///< of a heading
    qsizetype guardAt = -1; ///< where a guard must stand to make the rest text
    bool blankBefore =
        false; ///< md4c must see a blank line before it, to end what it would go on with
    bool idle = false; ///< of a blank line: it ends nothing, md4c needn't see it
    qsizetype dedentAt =
        -1; ///< indentation before this place means nothing: the item that it suggests has ended
    bool splitsParagraph =
        false; ///< of TableStart: the heading row is not the paragraph's first line
    qsizetype shift = -1; ///< of FenceLine: columns that replace `content` characters, where the
                          ///< indentation is wrong

    [[nodiscard]] bool isPureBlank() const
    {
        return kind == Kind::Blank && !sibling && opened == 0;
    }
};

/// A line, or the first piece of one that is too long to be anything but text or code.
enum class LineExtent : quint8 { Whole, Piece };

/// Follows the containers and blocks of Markdown line by line, as md4c 0.4.8 with
/// MD_FLAG_NOINDENTEDCODEBLOCKS sees them, so that source text can be cut where nothing is open.
///
/// It differs on purpose, and the lines it is asked about are changed to suit before md4c sees
/// them: code between fences in a list goes on to its closing fence however little it is indented;
/// a table may follow a paragraph directly; a heading or a fence ends a table.
class LineScanner
{
public:
    /// Takes the next line, without its line break.
    LineShape scan(QStringView line, LineExtent extent);

    [[nodiscard]] const SourceContainers& containers() const { return m_containers; }
    [[nodiscard]] Leaf leaf() const { return m_leaf; }
    [[nodiscard]] const CodeFence& fence() const { return m_fence; }
    /// The columns of the table that the last line belongs to.
    [[nodiscard]] const QList<Qt::Alignment>& columns() const { return m_columns; }
    /// Lines of the paragraph so far.
    [[nodiscard]] qsizetype textLines() const { return m_textLines; }
    /// The last line can't become the heading row of a table.
    void forbidHeadingRow() { m_headingCells = 0; }

private:
    struct Cursor;
    enum class Indentation : quint8 { Unknown, Right, Missing };

    void matchContainers(Cursor& cursor, LineShape& shape) const;
    bool scanFence(const Cursor& cursor, LineExtent extent, LineShape& shape);
    bool scanContainers(Cursor& cursor, LineShape& shape);
    void scanLeaf(const Cursor& cursor, LineExtent extent, LineShape& shape);
    bool scanTableStart(const Cursor& cursor, LineShape& shape);
    void endEmptyItem(Cursor& cursor, LineShape& shape);
    void settle(const Cursor& cursor, LineExtent extent, const LineShape& shape);
    void settleText(const Cursor& cursor, LineExtent extent, const LineShape& shape);

    SourceContainers m_containers;
    Leaf m_leaf = Leaf::None;
    CodeFence m_fence;
    Indentation m_codeIndentation = Indentation::Unknown;
    QList<Qt::Alignment> m_columns;
    qsizetype m_textLines = 0;
    qsizetype m_headingCells = 0; ///< of the last line, were it a heading row
    bool m_headingHasPipe = false;
    bool m_emptyItem = false; ///< the innermost item has nothing in it yet
    bool m_blankInEmptyItem = false;
    bool m_afterUnderline =
        false; ///< which is the start of a paragraph where only link definitions stand before it
};

/// Cells of a row: the stretches between "|" that are not escaped and not in code.
[[nodiscard]] qsizetype tableCells(QStringView row);
/// The row as md4c 0.4.8 must see it: with a space in each empty cell, which it would skip
/// otherwise, and without the backslash before a "|" in code, which it would show.
[[nodiscard]] QString preparedRow(QStringView row);
