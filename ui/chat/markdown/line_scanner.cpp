// What a line of Markdown is, given the lines before it: the quotes and items it lies in, and the
// block it belongs to. SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/line_scanner.h"

#include <algorithm>
#include <optional>

namespace {

constexpr qsizetype kFenceLength = 3;
constexpr qsizetype kTabStop = 4;
constexpr qsizetype kMaxDigits = 9;
constexpr qsizetype kMaxLanguage = 40;
constexpr int kMaxHeading = 6;

bool isBlank(QChar character)
{
    return character == u' ' || character == u'\t';
}

bool isDigit(QChar character)
{
    return character >= u'0' && character <= u'9';
}

qsizetype runLength(QStringView text, QChar character)
{
    qsizetype length = 0;
    while (length < text.size() && text[length] == character) {
        ++length;
    }
    return length;
}

QStringView withoutLeadingSpaces(QStringView text)
{
    return text.sliced(runLength(text, u' '));
}

/// The mark of a quote or an item.
struct Mark
{
    char16_t mark = 0;
    qsizetype width = 0;
    unsigned number = 0;
    bool endsLine = false; ///< without even a space behind it
};

std::optional<Mark> markAt(QStringView text)
{
    if (text.startsWith(u'>')) {
        return Mark { u'>', 1, 0, false };
    }
    qsizetype at = 0;
    unsigned number = 0;
    while (at < text.size() && at < kMaxDigits && isDigit(text[at])) {
        number = number * 10 + unsigned(text[at].unicode() - u'0');
        ++at;
    }
    if (at == text.size()) {
        return std::nullopt;
    }
    const char16_t mark = text[at].unicode();
    const bool isMark =
        at > 0 ? mark == u'.' || mark == u')' : mark == u'-' || mark == u'+' || mark == u'*';
    if (!isMark || (at + 1 < text.size() && !isBlank(text[at + 1]))) {
        return std::nullopt;
    }
    return Mark { mark, at + 1, number, at + 1 == text.size() };
}

bool isRule(QStringView text)
{
    const QChar mark = text[0];
    if (mark != u'-' && mark != u'_' && mark != u'*') {
        return false;
    }
    qsizetype count = 0;
    for (const QChar character : text) {
        if (character == mark) {
            ++count;
        } else if (!isBlank(character)) {
            return false;
        }
    }
    return count >= 3;
}

bool isUnderline(QStringView text)
{
    if (text[0] != u'=' && text[0] != u'-') {
        return false;
    }
    const QStringView rest = text.sliced(runLength(text, text[0]));
    return runLength(rest, u' ') == rest.size();
}

/// The level of the heading that the text is; 0: none.
quint8 headingLevel(QStringView text)
{
    const qsizetype level = runLength(text, u'#');
    const bool isHeading =
        level > 0 && level <= kMaxHeading && (level == text.size() || isBlank(text[level]));
    return isHeading ? quint8(level) : quint8(0);
}

std::optional<CodeFence> openingFence(QStringView text)
{
    const char16_t mark = text[0].unicode();
    if (mark != u'`' && mark != u'~') {
        return std::nullopt;
    }
    const qsizetype length = runLength(text, mark);
    const QStringView info = text.sliced(length).trimmed();
    if (length < kFenceLength || (mark == u'`' && info.contains(u'`'))) {
        return std::nullopt;
    }
    const auto* end =
        std::ranges::find_if(info, [](QChar character) { return character.isSpace(); });
    const qsizetype word = std::min<qsizetype>(end - info.begin(), kMaxLanguage);
    return CodeFence { mark, length, 0, info.first(word).toString() };
}

bool isClosing(const CodeFence& fence, QStringView text)
{
    const qsizetype length = runLength(text, fence.mark);
    return length >= fence.length && withoutLeadingSpaces(text.sliced(length)).isEmpty();
}

/// The alignments that a table's line of dashes gives its columns; empty where the text is no such
/// line.
QList<Qt::Alignment> alignmentsOf(QStringView text)
{
    QStringView row = text.trimmed();
    if (!row.contains(u'|')) {
        return {};
    }
    if (row.startsWith(u'|')) {
        row = row.sliced(1);
    }
    if (row.endsWith(u'|')) {
        row.chop(1);
    }
    QList<Qt::Alignment> alignments;
    for (const QStringView part : row.tokenize(u'|')) {
        QStringView cell = part.trimmed();
        const bool left = cell.startsWith(u':');
        cell = cell.sliced(left ? 1 : 0);
        const qsizetype dashes = runLength(cell, u'-');
        cell = cell.sliced(dashes);
        const bool right = cell == u":";
        if (dashes == 0 || (!cell.isEmpty() && !right)) {
            return {};
        }
        alignments.append(left && right ? Qt::AlignHCenter
                              : left    ? Qt::AlignLeft
                              : right   ? Qt::AlignRight
                                        : Qt::Alignment());
    }
    return alignments;
}

/// Where the code that begins at `at` ends, behind its marks; where it isn't closed, behind the
/// opening ones.
qsizetype codeEnd(QStringView row, qsizetype at)
{
    const qsizetype length = runLength(row.sliced(at), u'`');
    for (qsizetype close = row.indexOf(u'`', at + length); close >= 0;
         close = row.indexOf(u'`', close)) {
        const qsizetype closing = runLength(row.sliced(close), u'`');
        close += closing;
        if (closing == length) {
            return close;
        }
    }
    return at + length;
}

/// Walks a row; calls `pipe(position)` at each "|" that parts cells, and `code(from, to)` for code.
template <typename Pipe, typename Code>
void walkRow(QStringView row, Pipe pipe, Code code)
{
    qsizetype at = 0;
    while (at < row.size()) {
        if (row[at] == u'\\') {
            at += 2;
        } else if (row[at] == u'`') {
            const qsizetype end = codeEnd(row, at);
            code(at, end);
            at = end;
        } else {
            if (row[at] == u'|') {
                pipe(at);
            }
            ++at;
        }
    }
}

} // namespace

qsizetype tableCells(QStringView row)
{
    const QStringView text = row.trimmed();
    qsizetype cells = 1;
    const auto pipe = [&](qsizetype at) { cells += at > 0 && at + 1 < text.size() ? 1 : 0; };
    walkRow(text, pipe, [](qsizetype, qsizetype) {});
    return text == u"|" ? 0 : cells;
}

QString preparedRow(QStringView row)
{
    QString prepared;
    qsizetype done = 0;
    qsizetype last = -2;
    const auto pipe = [&](qsizetype at) {
        if (last == at - 1) {
            prepared += row.sliced(done, at - done);
            prepared += u' ';
            done = at;
        }
        last = at;
    };
    const auto code = [&](qsizetype from, qsizetype to) {
        prepared += row.sliced(done, from - done);
        prepared += row.sliced(from, to - from)
                        .toString()
                        .replace(QLatin1String("\\|"), QLatin1String("|"));
        done = to;
    };
    walkRow(row, pipe, code);
    prepared += row.sliced(done);
    return prepared;
}

/// A place in a line, with the columns of white space just before it that no container has taken.
struct LineScanner::Cursor
{
    QStringView line;
    qsizetype at = 0;
    qsizetype column = 0;
    qsizetype indent = 0;

    [[nodiscard]] bool atEnd() const { return at >= line.size(); }
    [[nodiscard]] QStringView rest() const { return line.sliced(at); }

    void skipBlanks()
    {
        const qsizetype from = column;
        while (at < line.size() && isBlank(line[at])) {
            column = line[at] == u'\t' ? (column / kTabStop + 1) * kTabStop : column + 1;
            ++at;
        }
        indent = column - from;
    }

    void skipMark(qsizetype width)
    {
        at += width;
        column += width;
        skipBlanks();
    }
};

LineShape LineScanner::scan(QStringView line, LineExtent extent)
{
    const bool mayIdle =
        m_leaf == Leaf::None && !m_afterUnderline && (!m_emptyItem || m_blankInEmptyItem);
    const qsizetype depth = m_containers.size();
    LineShape shape;
    Cursor cursor { line };
    cursor.skipBlanks();
    matchContainers(cursor, shape);
    if (m_leaf == Leaf::Fence) {
        if (scanFence(cursor, extent, shape)) {
            settle(cursor, extent, shape);
            return shape;
        }
        m_leaf = Leaf::None; // its quote has ended, and it with it
        shape.blankBefore =
            !cursor.atEnd(); // else md4c overlooks marks like the fence's at the start of the line
    }
    if (!cursor.atEnd()) {
        endEmptyItem(cursor, shape);
    }
    while (!cursor.atEnd()) {
        const bool fresh = shape.sibling || shape.opened > 0;
        const bool whole = extent == LineExtent::Whole;
        if (whole && !fresh && m_leaf == Leaf::Text && shape.matched == m_containers.size()
            && isUnderline(cursor.rest())) {
            shape.kind = LineShape::Kind::Underline;
            shape.continues = true;
            break;
        }
        if (whole && isRule(cursor.rest())) {
            shape.kind = LineShape::Kind::Rule;
            break;
        }
        if (!scanContainers(cursor, shape)) {
            scanLeaf(cursor, extent, shape);
            break;
        }
    }
    shape.content = cursor.at;
    settle(cursor, extent, shape);
    shape.idle = mayIdle && shape.isPureBlank() && m_containers.size() == depth;
    return shape;
}

void LineScanner::matchContainers(Cursor& cursor, LineShape& shape) const
{
    while (shape.matched < m_containers.size()) {
        const SourceContainer& container = m_containers[shape.matched];
        if (container.isItem()) {
            if (cursor.indent < container.contentIndent) {
                break;
            }
            cursor.indent -= container.contentIndent;
        } else {
            if (cursor.atEnd() || cursor.line[cursor.at] != u'>') {
                break;
            }
            cursor.skipMark(1);
            cursor.indent = std::max<qsizetype>(cursor.indent - 1, 0);
        }
        ++shape.matched;
    }
    // A blank line lies in an item however little it is indented.
    while (cursor.atEnd() && shape.matched < m_containers.size()
           && m_containers[shape.matched].isItem()) {
        ++shape.matched;
    }
}

bool LineScanner::scanFence(const Cursor& cursor, LineExtent extent, LineShape& shape)
{
    shape.content = cursor.at;
    if (!cursor.atEnd() && extent == LineExtent::Whole && isClosing(m_fence, cursor.rest())) {
        shape.kind = LineShape::Kind::FenceClose;
        shape.continues = true;
        return true;
    }
    const bool inside = shape.matched == m_containers.size();
    const bool onlyItems = std::ranges::all_of(m_containers, &SourceContainer::isItem);
    if (!inside && !onlyItems) {
        return false;
    }
    shape.kind = LineShape::Kind::FenceLine;
    shape.continues = true;
    if (cursor.atEnd() || m_containers.isEmpty() || !onlyItems) {
        return true;
    }
    // The first line of code tells whether the code is indented with its fence or stands at the
    // margin.
    if (m_codeIndentation == Indentation::Unknown) {
        m_codeIndentation = inside ? Indentation::Right : Indentation::Missing;
    }
    const bool missing = m_codeIndentation == Indentation::Missing;
    if (missing || !inside) {
        shape.shift = m_fence.indent;
        for (const SourceContainer& container : m_containers) {
            shape.shift += container.contentIndent;
        }
        shape.content = missing ? 0 : cursor.at;
        shape.matched = m_containers.size();
    }
    return true;
}

/// An item may begin with one blank line; after a second one, what would belong to it doesn't.
void LineScanner::endEmptyItem(Cursor& cursor, LineShape& shape)
{
    if (m_blankInEmptyItem && m_emptyItem && m_leaf == Leaf::None && shape.matched > 0
        && m_containers[shape.matched - 1].isItem()) {
        --shape.matched;
        shape.dedentAt = cursor.at;
        cursor.indent = 0;
    }
    m_blankInEmptyItem = false;
}

bool LineScanner::scanContainers(Cursor& cursor, LineShape& shape)
{
    const std::optional<Mark> mark = markAt(cursor.rest());
    if (!mark) {
        return false;
    }
    const bool fresh = shape.sibling || shape.opened > 0;
    const bool inside = shape.matched == m_containers.size();
    const bool sibling =
        !fresh && !inside && mark->mark != u'>' && m_containers[shape.matched].mark == mark->mark;
    if (!sibling) {
        const bool ordered = mark->mark == u'.' || mark->mark == u')';
        if (!fresh && inside && m_leaf == Leaf::Text && mark->mark != u'>'
            && (mark->endsLine || (ordered && mark->number != 1))) {
            return false;
        }
        if (shape.matched + qsizetype(shape.sibling) + shape.opened >= kMaxSourceDepth) {
            shape.guardAt = cursor.at;
            return false;
        }
    }
    const qsizetype markIndent = cursor.indent;
    cursor.skipMark(mark->width);
    SourceContainer container;
    container.mark = mark->mark;
    container.contentIndent = markIndent + mark->width + (cursor.atEnd() ? 1 : cursor.indent);
    container.number = mark->number;
    cursor.indent = 0;
    if (sibling) {
        container.number = m_containers[shape.matched].number + 1;
        // md4c looks for a task behind the mark only if the item before doesn't end with a quote.
        shape.blankBefore = shape.blankBefore || !m_containers.last().isItem();
        m_containers[shape.matched] = container;
        shape.sibling = true;
    } else {
        if (shape.opened == 0) {
            m_containers.resize(shape.matched + qsizetype(shape.sibling));
        }
        m_containers.append(container);
        ++shape.opened;
    }
    return true;
}

void LineScanner::scanLeaf(const Cursor& cursor, LineExtent extent, LineShape& shape)
{
    const bool whole = extent == LineExtent::Whole;
    const bool fresh = shape.sibling || shape.opened > 0;
    const bool inside = !fresh && shape.matched == m_containers.size();
    const bool guarded = shape.guardAt >= 0;
    const quint8 level = guarded ? quint8(0) : headingLevel(cursor.rest());
    const auto fence = guarded || !whole ? std::nullopt : openingFence(cursor.rest());
    if (m_leaf == Leaf::Table && inside) {
        const bool breaks = level > 0 || fence || !whole;
        shape.blankBefore = shape.blankBefore || breaks;
        if (!breaks) {
            shape.kind = LineShape::Kind::TableRow;
            shape.continues = true;
            return;
        }
    }
    if (level > 0) {
        shape.kind = LineShape::Kind::Heading;
        shape.level = level;
    } else if (fence) {
        shape.kind = LineShape::Kind::FenceOpen;
        m_fence = *fence;
        m_fence.indent = cursor.indent;
    } else if (guarded || !inside || !whole || !scanTableStart(cursor, shape)) {
        shape.kind = LineShape::Kind::Text;
        shape.continues = m_leaf == Leaf::Text && !fresh;
    }
}

bool LineScanner::scanTableStart(const Cursor& cursor, LineShape& shape)
{
    if (m_leaf != Leaf::Text) {
        return false;
    }
    const QList<Qt::Alignment> alignments = alignmentsOf(cursor.rest());
    if (alignments.isEmpty()) {
        return false;
    }
    const bool first = m_textLines == 1;
    const bool fits = alignments.size() == m_headingCells;
    if (m_headingCells == 0 || (m_headingHasPipe ? !first && !fits : !first || !fits)) {
        if (first) {
            shape.guardAt = cursor.at; // md4c would take any line before it for a heading row
        }
        return false;
    }
    shape.kind = LineShape::Kind::TableStart;
    shape.continues = first;
    shape.splitsParagraph = !first;
    m_columns = alignments;
    m_columns.resize(std::max(alignments.size(), m_headingCells), Qt::Alignment());
    return true;
}

void LineScanner::settle(const Cursor& cursor, LineExtent extent, const LineShape& shape)
{
    using Kind = LineShape::Kind;
    const bool fresh = shape.sibling || shape.opened > 0;
    const bool lazy = shape.kind == Kind::Text && shape.continues;
    const qsizetype before = m_containers.size();
    if (shape.opened == 0 && !lazy) {
        m_containers.resize(shape.matched + qsizetype(shape.sibling));
    }
    const bool inItem = !m_containers.isEmpty() && m_containers.last().isItem();
    if (shape.isPureBlank()) {
        m_emptyItem = m_emptyItem && m_containers.size() == before;
        m_blankInEmptyItem = m_blankInEmptyItem || (m_emptyItem && inItem);
    } else {
        m_emptyItem = fresh && shape.kind == Kind::Blank && inItem;
    }
    switch (shape.kind) {
    case Kind::Text:
        settleText(cursor, extent, shape);
        return;
    case Kind::TableStart:
    case Kind::TableRow:
        m_leaf = Leaf::Table;
        break;
    case Kind::FenceOpen:
        m_codeIndentation = Indentation::Unknown;
        m_leaf = Leaf::Fence;
        break;
    case Kind::FenceLine:
        m_leaf = Leaf::Fence;
        break;
    default:
        m_leaf = Leaf::None;
        break;
    }
    m_afterUnderline = shape.kind == Kind::Underline;
    m_textLines = 0;
    m_headingCells = 0;
}

void LineScanner::settleText(const Cursor& cursor, LineExtent extent, const LineShape& shape)
{
    const bool fresh = shape.sibling || shape.opened > 0;
    m_afterUnderline = false;
    m_textLines = shape.continues ? m_textLines + 1 : 1;
    m_leaf = Leaf::Text;
    m_headingCells = 0;
    const QStringView text = cursor.rest();
    const bool lazy = shape.continues && shape.matched < m_containers.size();
    if (extent == LineExtent::Whole && !lazy && shape.guardAt < 0) {
        m_headingHasPipe = text.contains(u'|');
        m_headingCells = m_headingHasPipe ? tableCells(text) : 1;
        if (shape.continues && markAt(text)) {
            m_headingCells = 0; // a mark that can't interrupt the paragraph would begin a list
                                // behind a blank line
        }
    }
    if (fresh && m_containers.last().isItem() && text.size() >= 3 && text[0] == u'['
        && text[2] == u']' && (text.size() == 3 || isBlank(text[3]))) {
        const QChar mark = text[1];
        m_containers.last().task = mark == u' ' ? BlockContainer::Task::Open
            : mark == u'x' || mark == u'X'      ? BlockContainer::Task::Done
                                                : BlockContainer::Task::None;
    }
}
