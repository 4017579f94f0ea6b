// Blocks as text again: what is copied.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/block_text.h"

#include "ui/chat/markdown/inline_markdown.h"

#include <algorithm>

namespace {

enum class Language : quint8 { Plain, Markdown };

/// A block, or what is selected of it, with the blocks joined that continue it.
struct Part
{
    Block block;
    bool fromStart = true; ///< its beginning is selected
    bool hasHeading = true; ///< of a table: its first row is the heading
};

/// Calls `cell(row, column, start)` with where each cell's text begins in the table's string.
template <typename Cell>
void eachCell(const Block& table, Cell cell)
{
    qsizetype start = 0;
    for (qsizetype row = 0; row < table.rows.size(); ++row) {
        for (qsizetype column = 0; column < table.rows.at(row).size(); ++column) {
            cell(row, column, start);
            start += table.rows.at(row).at(column).text.size() + 1;
        }
    }
}

/// What lies between two offsets of a block.
Part partOf(const Block& block, qsizetype from, qsizetype to)
{
    Part part { block, from == 0, !block.continues };
    if (block.kind != Block::Kind::Table) {
        part.block.content = partOf(block.content, from, to);
        return part;
    }
    part.block.rows.clear();
    qsizetype lastRow = -1;
    eachCell(block, [&](qsizetype row, qsizetype column, qsizetype start) {
        const StyledText& cell = block.rows.at(row).at(column);
        const qsizetype first = std::clamp<qsizetype>(from - start, 0, cell.text.size());
        const qsizetype last = std::clamp<qsizetype>(to - start, first, cell.text.size());
        const bool touched = from <= start + cell.text.size() && to >= start;
        if (touched && row != lastRow) {
            part.hasHeading =
                part.block.rows.isEmpty() ? row == 0 && part.hasHeading : part.hasHeading;
            part.block.rows.append(QList<StyledText>(block.columns.size()));
            lastRow = row;
        }
        if (touched && column < block.columns.size()) {
            part.block.rows.last()[column] = partOf(cell, first, last);
        }
    });
    return part;
}

/// Adds a block to the one that it continues.
void join(Block& block, const Block& next)
{
    if (block.kind == Block::Kind::Table) {
        block.rows += next.rows;
        return;
    }
    if (block.kind == Block::Kind::Code && !next.withinLine) {
        block.content.text += u'\n';
    }
    const auto shift = int(block.content.text.size());
    block.content.text += next.content.text;
    for (TextSpan span : next.content.spans) {
        span.start += shift;
        block.content.spans.append(span);
    }
}

QList<Part> selected(const QList<Block>& blocks, BlockPosition from, BlockPosition to)
{
    QList<Part> parts;
    if (blocks.isEmpty() || to < from) {
        return parts;
    }
    const qsizetype first = std::max<qsizetype>(from.block, 0);
    const qsizetype last = std::min(to.block, blocks.size() - 1);
    for (qsizetype index = first; index <= last; ++index) {
        const Block& block = blocks.at(index);
        const qsizetype size = blockString(block).size();
        const qsizetype start =
            index == from.block ? std::clamp<qsizetype>(from.offset, 0, size) : 0;
        const qsizetype end =
            index == to.block ? std::clamp<qsizetype>(to.offset, start, size) : size;
        // The end of the block before and the start of the block behind are no part of a selection.
        if (start == end && size > 0 && (first != last || from == to)) {
            continue;
        }
        const bool joins = block.continues && index > first && !parts.isEmpty()
            && parts.last().block.kind == block.kind;
        if (joins) {
            join(parts.last().block, partOf(block, start, end).block);
        } else {
            parts.append(partOf(block, start, end));
        }
    }
    return parts;
}

QString oneLine(QString text)
{
    return text.replace(QChar(QChar::LineSeparator), u' ')
        .replace(u'\n', u' ')
        .replace(u'\t', u' ');
}

/// A container that the block written last lies in.
struct Level
{
    BlockContainer::Kind kind = BlockContainer::Kind::Quote;
    qsizetype width = 0; ///< of an item's marker; 0 where it isn't selected
    QChar mark; ///< the end of it, by which lists differ
};

class BlockWriter
{
public:
    explicit BlockWriter(Language language)
        : m_language(language)
    {
    }
    void write(const Part& part);
    [[nodiscard]] const QString& text() const { return m_out; }

private:
    [[nodiscard]] QString markerOf(const BlockContainer& item) const;
    [[nodiscard]] bool isTight(const Part& part, qsizetype shared) const;
    [[nodiscard]] QString prefixTo(qsizetype depth) const;
    [[nodiscard]] QStringList linesOf(const Part& part) const;
    [[nodiscard]] QStringList codeLines(const Block& block) const;
    [[nodiscard]] QStringList tableLines(const Part& part) const;

    Language m_language;
    QList<Level> m_levels;
    Block::Kind m_lastKind = Block::Kind::Paragraph;
    QString m_out;
};

QString BlockWriter::markerOf(const BlockContainer& item) const
{
    QString marker = item.marker == u"•" ? QStringLiteral("- ") : item.marker + u' ';
    if (m_language == Language::Plain && item.task != BlockContainer::Task::None) {
        marker += item.task == BlockContainer::Task::Done ? u"[x] " : u"[ ] ";
    }
    return marker;
}

/// Whether only a line break stands before the part: it is the next item of a list, or begins a
/// list in an item.
bool BlockWriter::isTight(const Part& part, qsizetype shared) const
{
    const QList<BlockContainer>& containers = part.block.containers;
    if (shared >= containers.size() || !containers.at(shared).first || !part.fromStart
        || containers.at(shared).kind != BlockContainer::Kind::Item) {
        return false;
    }
    const QString marker = markerOf(containers.at(shared));
    if (shared < m_levels.size()) {
        const Level& before = m_levels.at(shared);
        return before.kind == BlockContainer::Kind::Item
            && before.mark == containers.at(shared).marker.back();
    }
    const bool interrupts =
        marker.startsWith(u'-') || marker.startsWith(u"1.") || marker.startsWith(u"1)");
    const bool empty =
        part.block.kind == Block::Kind::Paragraph && part.block.content.text.isEmpty();
    return shared > 0 && containers.at(shared - 1).kind == BlockContainer::Kind::Item
        && (m_language == Language::Plain
            || (interrupts && !empty && m_lastKind != Block::Kind::Table));
}

QString BlockWriter::prefixTo(qsizetype depth) const
{
    QString prefix;
    for (const Level& level : m_levels.first(depth)) {
        prefix += level.kind == BlockContainer::Kind::Quote ? QStringLiteral("> ")
                                                            : QString(level.width, u' ');
    }
    return prefix;
}

void BlockWriter::write(const Part& part)
{
    const QList<BlockContainer>& containers = part.block.containers;
    qsizetype shared = 0;
    while (shared < containers.size() && shared < m_levels.size()
           && containers.at(shared).kind == m_levels.at(shared).kind
           && !containers.at(shared).first) {
        ++shared;
    }
    if (!m_out.isEmpty()) {
        QString blank = prefixTo(shared);
        while (blank.endsWith(u' ')) {
            blank.chop(1);
        }
        m_out += isTight(part, shared) ? QStringLiteral("\n") : u'\n' + blank + u'\n';
    }
    m_levels.resize(shared);
    QString marks = prefixTo(shared);
    for (const BlockContainer& container : containers.sliced(shared)) {
        Level level { container.kind, 0, {} };
        if (container.kind == BlockContainer::Kind::Quote) {
            marks += u"> ";
        } else if (container.first && part.fromStart) {
            const QString marker = markerOf(container);
            const bool task =
                m_language == Language::Markdown && container.task != BlockContainer::Task::None;
            marks += marker;
            if (task) {
                marks += container.task == BlockContainer::Task::Done ? u"[x] " : u"[ ] ";
            }
            level.width = marker.size();
            level.mark = container.marker.back();
        }
        m_levels.append(level);
    }
    const QStringList lines = linesOf(part);
    const bool bare = m_language == Language::Plain && part.block.kind == Block::Kind::Code;
    const QString rest = bare ? QString() : prefixTo(m_levels.size());
    for (qsizetype index = 0; index < lines.size(); ++index) {
        QString line = (index > 0 ? rest : marks) + lines.at(index);
        while (lines.at(index).isEmpty() && line.endsWith(u' ')) {
            line.chop(1);
        }
        m_out += (index > 0 ? QStringLiteral("\n") : QString()) + line;
    }
    m_lastKind = part.block.kind;
}

QStringList BlockWriter::linesOf(const Part& part) const
{
    const Block& block = part.block;
    const bool markdown = m_language == Language::Markdown;
    switch (block.kind) {
    case Block::Kind::Paragraph:
    case Block::Kind::Heading:
        if (!markdown) {
            return block.content.text.split(QChar(QChar::LineSeparator));
        }
        if (block.kind == Block::Kind::Heading) {
            return { QString(block.level, u'#') + u' '
                     + inlineMarkdown(block.content, InlinePlace::Heading) };
        }
        return inlineMarkdown(block.content, InlinePlace::Paragraph).split(u'\n');
    case Block::Kind::Code:
        return markdown ? codeLines(block) : block.content.text.split(u'\n');
    case Block::Kind::Table:
        return tableLines(part);
    case Block::Kind::Rule:
        break;
    }
    return { block.containers.isEmpty() ? QStringLiteral("---") : QStringLiteral("***") };
}

QStringList BlockWriter::codeLines(const Block& block) const
{
    const QChar mark = block.language.contains(u'`') ? u'~' : u'`';
    qsizetype length = 3;
    qsizetype run = 0;
    for (const QChar character : block.content.text) {
        run = character == mark ? run + 1 : 0;
        length = std::max(length, run + 1);
    }
    const QString fence(length, mark);
    QString language = block.language;
    language.replace(u'\\', QLatin1String("\\\\")).replace(u'&', QLatin1String("&amp;"));
    QStringList lines { fence + language };
    if (!block.content.text.isEmpty()) {
        lines += block.content.text.split(u'\n');
    }
    lines += fence;
    return lines;
}

QStringList BlockWriter::tableLines(const Part& part) const
{
    const Block& table = part.block;
    const bool markdown = m_language == Language::Markdown;
    QStringList lines;
    for (const QList<StyledText>& row : table.rows) {
        QStringList cells;
        for (const StyledText& cell : row) {
            cells += markdown ? inlineMarkdown(cell, InlinePlace::Cell) : oneLine(cell.text);
        }
        lines += markdown
            ? QStringLiteral("| ") + cells.join(QStringLiteral(" | ")) + QStringLiteral(" |")
            : cells.join(u'\t');
    }
    if (!markdown) {
        return lines;
    }
    QStringList dashes;
    for (const Qt::Alignment alignment : table.columns) {
        const bool left = alignment == Qt::AlignLeft || alignment == Qt::AlignHCenter;
        const bool right = alignment == Qt::AlignRight || alignment == Qt::AlignHCenter;
        dashes += QStringLiteral("%1---%2").arg(left ? u":" : u"", right ? u":" : u"");
    }
    if (!part.hasHeading) {
        lines.prepend(QStringLiteral("|") + QStringLiteral("  |").repeated(table.columns.size()));
    }
    lines.insert(1,
                 QStringLiteral("| ") + dashes.join(QStringLiteral(" | ")) + QStringLiteral(" |"));
    return lines;
}

/// A part of one cell is text, not a table.
QString written(const QList<Block>& blocks, BlockPosition from, BlockPosition to, Language language)
{
    QList<Part> parts = selected(blocks, from, to);
    if (parts.size() == 1 && parts.first().block.kind == Block::Kind::Table
        && parts.first().block.rows.size() == 1
        && !(parts.first().fromStart && to.offset >= blockString(blocks.at(to.block)).size())) {
        QList<StyledText> filled = parts.first().block.rows.first();
        filled.removeIf([](const StyledText& cell) { return cell.text.isEmpty(); });
        if (filled.size() <= 1) {
            Block text;
            text.content = filled.isEmpty() ? StyledText() : filled.first();
            parts.first().block = text;
        }
    }
    BlockWriter writer(language);
    for (const Part& part : std::as_const(parts)) {
        writer.write(part);
    }
    return writer.text();
}

} // namespace

QString blockString(const Block& block)
{
    if (block.kind != Block::Kind::Table) {
        return block.content.text;
    }
    QStringList lines;
    for (const QList<StyledText>& row : block.rows) {
        QStringList cells;
        for (const StyledText& cell : row) {
            cells += cell.text;
        }
        lines += cells.join(u'\t');
    }
    return lines.join(u'\n');
}

QString plainText(const QList<Block>& blocks, BlockPosition from, BlockPosition to)
{
    return written(blocks, from, to, Language::Plain);
}

QString markdownText(const QList<Block>& blocks, BlockPosition from, BlockPosition to)
{
    return written(blocks, from, to, Language::Markdown);
}
