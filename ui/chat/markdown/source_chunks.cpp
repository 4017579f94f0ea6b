// Cuts the source of a document into parts that can be parsed one by one.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/source_chunks.h"

#include "ui/chat/markdown/character_end.h"
#include "ui/chat/markdown/maths.h"

#include <algorithm>
#include <span>
#include <utility>

namespace {

constexpr qsizetype kMaxText = 4'000;
constexpr qsizetype kMaxCode = 8'000;
constexpr qsizetype kMaxCodeLines = 60;
constexpr qsizetype kMaxRows = 40;
constexpr qsizetype kMaxTable = 16'000;
constexpr qsizetype kMaxChunk = 8'000; ///< of lines with nothing long among them
constexpr qsizetype kMaxColumns = 64;
constexpr qsizetype kAhead = 64; ///< looked at behind a cut, to keep what belongs together
constexpr qsizetype kTabStop = 4;

QString spaces(qsizetype count)
{
    return QString(count, u' ');
}

/// What stands before a line that lies in the outermost `depth` of these containers and begins
/// none.
QString prefixOf(const SourceContainers& containers, qsizetype depth)
{
    QString prefix;
    for (const SourceContainer& container : std::span(containers).first(std::size_t(depth))) {
        prefix += container.isItem() ? spaces(container.contentIndent) : QStringLiteral("> ");
    }
    return prefix;
}

QString prefixOf(const SourceContainers& containers)
{
    return prefixOf(containers, containers.size());
}

/// What begins all these containers in one line.
QString marksOf(const SourceContainers& containers)
{
    QString marks;
    for (const SourceContainer& container : containers) {
        if (!container.isItem()) {
            marks += QStringLiteral("> ");
            continue;
        }
        QString mark = container.isOrdered() ? QStringLiteral("1") : QString();
        mark += QChar(container.mark);
        marks += mark + spaces(container.contentIndent - mark.size());
    }
    return marks;
}

QString delimiterRow(const QList<Qt::Alignment>& columns)
{
    QString row = QStringLiteral("|");
    for (const Qt::Alignment alignment : columns.first(std::min(columns.size(), kMaxColumns))) {
        const bool left = alignment == Qt::AlignLeft || alignment == Qt::AlignHCenter;
        const bool right = alignment == Qt::AlignRight || alignment == Qt::AlignHCenter;
        row += QStringLiteral("%1---%2|").arg(left ? u":" : u"", right ? u":" : u"");
    }
    return row;
}

QString trimmedRight(QString text)
{
    while (text.endsWith(u' ')) {
        text.chop(1);
    }
    return text;
}

/// Follows roughly whether code, brackets or emphasis are open.
class InlineState
{
public:
    void take(QStringView text, qsizetype& at)
    {
        const QChar character = text[at];
        if (!QStringView(u"\\`*~[]()").contains(character)) {
            ++at;
            return;
        }
        if (character == u'\\') {
            at += 2;
            return;
        }
        qsizetype length = 1;
        while (at + length < text.size() && text[at + length] == character) {
            ++length;
        }
        if (character == u'`') {
            m_code = m_code == 0 ? length : m_code == length ? 0 : m_code;
        } else if (m_code == 0 && (character == u'*' || character == u'~')) {
            m_marks = m_marks ^ (character == u'*' ? length : length << 8);
        } else if (m_code == 0 && (character == u'[' || character == u'(')) {
            m_brackets += length;
        } else if (m_code == 0 && (character == u']' || character == u')')) {
            m_brackets = std::max<qsizetype>(0, m_brackets - length);
        }
        at += length;
    }
    [[nodiscard]] bool isNeutral() const { return m_code == 0 && m_marks == 0 && m_brackets == 0; }

private:
    qsizetype m_code = 0;
    qsizetype m_marks = 0;
    qsizetype m_brackets = 0;
};

/// Where to cut text of at least `limit` characters: behind a space where no markup is open, else
/// behind a space.
qsizetype textCut(QStringView text, qsizetype limit)
{
    InlineState state;
    qsizetype neutral = 0;
    qsizetype space = 0;
    for (qsizetype at = 0; at < limit;) {
        const bool isSpace = text[at].isSpace();
        state.take(text, at);
        if (isSpace && at <= limit && at >= limit / 2) {
            space = at;
            neutral = state.isNeutral() ? at : neutral;
        }
    }
    return neutral > 0 ? neutral : space > 0 ? space : characterEnd(text, limit);
}

} // namespace

SourceChunker::SourceChunker(Cuts cuts, LinkDefinitions definitions)
    : m_definitions(std::move(definitions))
    , m_cuts(cuts)
{
}

QList<SourceChunk> SourceChunker::feed(QStringView text)
{
    normalize(text);
    takeLines(Waiting::ForMore);
    return std::exchange(m_done, {});
}

QList<SourceChunk> SourceChunker::finish()
{
    takeLines(Waiting::ForNothing);
    m_chunk.endsInCode = m_scanner.leaf() == Leaf::Fence;
    emitChunk();
    return std::exchange(m_done, {});
}

void SourceChunker::normalize(QStringView text)
{
    m_pending.remove(0, std::exchange(m_pendingAt, 0));
    m_pending.reserve(m_pending.size() + text.size());
    for (const QChar character : text) {
        const bool second = m_afterReturn && character == u'\n';
        m_afterReturn = character == u'\r';
        if (second) {
            continue;
        }
        if (m_afterReturn) {
            m_pending += u'\n';
        } else if (character == u'\0' || character == QChar(kGuard)) {
            m_pending += QChar(QChar::ReplacementCharacter);
        } else {
            m_pending += character;
        }
    }
}

qsizetype SourceChunker::pieceLimit() const
{
    // A line may leave a quote, and the code in it, but not an item.
    const bool inCode = m_midLine == Leaf::None && m_scanner.leaf() == Leaf::Fence
        && std::ranges::all_of(m_scanner.containers(), &SourceContainer::isItem);
    return inCode || m_midLine == Leaf::Fence ? kMaxCode : kMaxText;
}

void SourceChunker::takeLines(Waiting waiting)
{
    while (m_pendingAt < m_pending.size()) {
        const QStringView rest = QStringView(m_pending).sliced(m_pendingAt);
        const qsizetype limit = pieceLimit();
        const QStringView window = rest.first(std::min(rest.size(), limit + kAhead));
        const qsizetype end = window.indexOf(u'\n');
        const bool ends = end >= 0 && end <= limit;
        if (!ends && end < 0 && window.size() < limit + kAhead && waiting == Waiting::ForMore) {
            return;
        }
        qsizetype size = ends ? end : std::min(window.size(), limit);
        if (!ends && window.size() > limit) {
            const QStringView whole = end < 0 ? window : window.first(end);
            size = limit == kMaxCode ? characterEnd(whole, limit) : textCut(whole, limit);
        }
        const bool last = ends || size == rest.size();
        const QStringView line = rest.first(size);
        m_pendingAt += size + (ends ? 1 : 0);
        if (m_midLine != Leaf::None) {
            addRestOfLine(line, last);
        } else {
            addLine(line, last ? LineExtent::Whole : LineExtent::Piece);
        }
    }
}

void SourceChunker::addLine(QStringView line, LineExtent extent)
{
    const bool inCode = m_scanner.leaf() == Leaf::Fence;
    if (extent == LineExtent::Piece && !inCode
        && std::ranges::all_of(line, [](QChar character) { return character.isSpace(); })) {
        return; // indentation without end: what follows it is the line
    }
    const LineScanner before = m_scanner;
    LineShape shape = m_scanner.scan(line, extent);
    const bool nothingOpen = before.leaf() == Leaf::None && !shape.isPureBlank();
    if (shape.matched == 0 && (shape.sibling || nothingOpen)) {
        if (m_cuts == Cuts::All) {
            emitChunk();
            if (shape.sibling) {
                m_chunk.lead = { m_scanner.containers().first() };
            }
        }
        m_chunkStart = m_chunk.source.size();
        m_lastLine = -1;
    }
    if (mustCutBefore(shape, line)) {
        cutBefore(shape, before);
    }
    noteDefinition(shape, line);
    if (shape.idle) {
        return;
    }
    if (shape.dedentAt >= 0) {
        QString dedented = prefixOf(m_scanner.containers(), shape.matched);
        const qsizetype shift = dedented.size() - shape.dedentAt;
        dedented += line.sliced(shape.dedentAt);
        shape.content += shift;
        shape.guardAt += shape.guardAt >= 0 ? shift : 0;
        appendLine(shape, dedented, extent);
    } else {
        appendLine(shape, line, extent);
    }
    count(shape, line.size());
    if (extent == LineExtent::Piece) {
        m_midLine = shape.kind == LineShape::Kind::FenceLine ? Leaf::Fence
            : shape.kind == LineShape::Kind::Heading         ? Leaf::Heading
                                                             : Leaf::Text;
        m_level = shape.level;
    } else {
        m_chunk.source += u'\n';
    }
}

bool SourceChunker::mustCutBefore(const LineShape& shape, QStringView line) const
{
    using Kind = LineShape::Kind;
    switch (shape.kind) {
    case Kind::FenceLine:
        return m_leafLines >= kMaxCodeLines
            || (m_leafLines > 0 && m_leafUnits + line.size() > kMaxCode);
    case Kind::TableRow:
        return m_leafLines >= kMaxRows || m_leafUnits + line.size() > kMaxTable;
    case Kind::Text:
        if (shape.continues) {
            return m_leafUnits + line.size() + 2 > kMaxText; // with a space before and one behind
        }
        break;
    default:
        if (shape.continues || shape.isPureBlank() || shape.kind == Kind::TableStart) {
            return false;
        }
    }
    return m_chunk.source.size() - m_chunkStart > kMaxChunk;
}

void SourceChunker::cutBefore(const LineShape& shape, const LineScanner& before)
{
    m_leafLines = 0;
    m_leafUnits = 0;
    if (m_cuts == Cuts::None) {
        m_tooLong = true;
        m_chunkStart = m_chunk.source.size();
        return;
    }
    const Leaf leaf = shape.continues ? before.leaf() : Leaf::None;
    if (leaf == Leaf::Text) {
        m_chunk.source += QChar(kGuard); // keeps the line break before it
        m_chunk.source += u'\n';
    }
    emitChunk();
    beginWith(before.containers());
    beginLeaf(before, leaf);
    m_chunkStart = m_chunk.source.size();
    m_lastLine = -1;
}

void SourceChunker::addRestOfLine(QStringView piece, bool ends)
{
    if (m_cuts == Cuts::None) {
        m_tooLong = true;
    } else if (!piece.isEmpty()) {
        if (m_midLine != Leaf::Fence) {
            m_chunk.source += QChar(kGuard); // keeps the spaces before it
        }
        m_chunk.source += u'\n';
        emitChunk();
        beginWith(m_scanner.containers());
        beginLeaf(m_scanner, m_midLine);
        m_chunk.withinLine = true;
        m_chunkStart = m_chunk.source.size();
        if (m_midLine == Leaf::Fence) {
            m_chunk.source += prefixOf(m_scanner.containers()) + spaces(m_scanner.fence().indent);
            m_chunk.source += QChar(kGuard);
        }
        m_leafLines = 1;
        m_leafUnits = piece.size();
    }
    m_chunk.source += piece;
    m_lastLine = -1;
    if (ends) {
        m_chunk.source += u'\n';
        m_midLine = Leaf::None;
    }
}

void SourceChunker::noteDefinition(const LineShape& shape, QStringView line)
{
    const bool text = shape.kind == LineShape::Kind::Text;
    const bool begins = text && (!shape.continues || m_afterDefinition);
    const QStringView content = line.sliced(shape.content);
    m_mayDefineLinks = m_mayDefineLinks || (text && content.contains(u"]:"));
    m_afterDefinition = begins && m_definitions.take(content);
}

void SourceChunker::count(const LineShape& shape, qsizetype units)
{
    using Kind = LineShape::Kind;
    if (shape.kind == Kind::FenceOpen || shape.kind == Kind::Blank) {
        m_leafLines = 0;
        m_leafUnits = 0;
    } else if (shape.kind == Kind::TableStart) {
        m_leafLines = 1; // the heading row
        m_leafUnits = 0;
    } else {
        m_leafLines = shape.continues ? m_leafLines + 1 : 1;
        m_leafUnits = shape.continues ? m_leafUnits + units + 1 : units;
    }
}

void SourceChunker::appendLine(const LineShape& shape, QStringView line, LineExtent extent)
{
    using Kind = LineShape::Kind;
    if (shape.blankBefore) {
        m_chunk.source += trimmedRight(prefixOf(m_scanner.containers(), shape.matched)) + u'\n';
    }
    const bool continuesCut =
        m_chunk.continues == Leaf::Text && m_chunkStart == m_chunk.source.size();
    if (continuesCut && shape.kind == Kind::Text) {
        m_chunk.source += line.sliced(shape.content);
        m_lastLine = -1;
        m_scanner.forbidHeadingRow();
        return;
    }
    if (shape.kind == Kind::FenceLine) {
        appendCodeLine(shape, line);
    } else if (shape.kind == Kind::TableStart || shape.kind == Kind::TableRow) {
        appendTableLine(shape, line);
    } else {
        appendText(shape, line, extent);
    }
}

void SourceChunker::appendText(const LineShape& shape, QStringView line, LineExtent extent)
{
    const bool isText = shape.kind == LineShape::Kind::Text;
    const bool piece = extent == LineExtent::Piece;
    m_lastLine = piece ? -1 : m_chunk.source.size();
    m_lastContent = shape.content;
    if (shape.guardAt >= 0 || (piece && isText)) {
        const qsizetype guardAt = shape.guardAt >= 0 ? shape.guardAt : shape.content;
        m_chunk.source += line.first(guardAt);
        m_chunk.source += QChar(kGuard);
        m_chunk.source += line.sliced(guardAt);
        return;
    }
    m_chunk.source += line.first(shape.content);
    const QStringView content = line.sliced(shape.content);
    const bool mayHoldMaths = isText || shape.kind == LineShape::Kind::Heading;
    m_mathsEnd = shape.continues ? m_mathsEnd : u'\0';
    m_chunk.source += mayHoldMaths ? withMathsShown(content, m_mathsEnd) : content.toString();
}

void SourceChunker::appendCodeLine(const LineShape& shape, QStringView line)
{
    m_lastLine = -1;
    QString code;
    if (shape.shift >= 0) {
        code = spaces(shape.shift);
        line = line.sliced(shape.content);
    }
    // md4c turns tabs of the indentation into spaces, those of the code itself too.
    const SourceContainers& containers = m_scanner.containers();
    const bool onlyItems = std::ranges::all_of(containers, &SourceContainer::isItem);
    if (line.contains(u'\t') && onlyItems && line.trimmed().isEmpty()) {
        line = {};
    } else if (line.contains(u'\t') && onlyItems) {
        qsizetype wanted = shape.shift >= 0 ? 0 : m_scanner.fence().indent;
        for (const SourceContainer& container : containers) {
            wanted += shape.shift >= 0 ? 0 : container.contentIndent;
        }
        qsizetype at = 0;
        for (qsizetype column = 0; at < line.size() && column < wanted && line[at].isSpace();
             ++at) {
            column = line[at] == u'\t' ? (column / kTabStop + 1) * kTabStop : column + 1;
        }
        code += line.first(at);
        code += QChar(kGuard);
        line = line.sliced(at);
    }
    m_chunk.source += code;
    m_chunk.source += line;
}

void SourceChunker::appendTableLine(const LineShape& shape, QStringView line)
{
    if (shape.kind == LineShape::Kind::TableRow) {
        m_lastLine = -1;
        char16_t none = 0;
        m_chunk.source += line.first(shape.content);
        m_chunk.source += withMathsShown(preparedRow(line.sliced(shape.content)), none);
        return;
    }
    if (m_lastLine >= 0) {
        const QString heading = m_chunk.source.sliced(m_lastLine).chopped(1);
        m_chunk.source.truncate(m_lastLine);
        if (shape.splitsParagraph) {
            const QString prefix = heading.first(m_lastContent);
            m_chunk.source += trimmedRight(prefix) + u'\n';
        }
        m_chunk.source += preparedRow(heading) + u'\n';
    }
    m_lastLine = -1;
    m_chunk.source += line.first(shape.content);
    m_chunk.source += delimiterRow(m_scanner.columns());
}

void SourceChunker::emitChunk()
{
    if (!m_chunk.source.isEmpty()) {
        if (m_cuts == Cuts::All) {
            m_chunk.definitions = m_definitions.forSource(m_chunk.source);
        }
        m_done.append(std::exchange(m_chunk, {}));
    }
    m_chunk = {};
    m_chunkStart = 0;
    m_lastLine = -1;
}

void SourceChunker::beginWith(const SourceContainers& lead)
{
    m_chunk.leadIsMade = true;
    if (lead.isEmpty()) {
        return;
    }
    m_chunk.lead = QList<SourceContainer>(lead.begin(), lead.end());
    m_chunk.source = marksOf(lead) + QChar(kGuard) + u'\n' + trimmedRight(prefixOf(lead)) + u'\n';
}

void SourceChunker::beginLeaf(const LineScanner& scanner, Leaf leaf)
{
    m_chunk.continues = leaf;
    if (leaf == Leaf::None) {
        return;
    }
    const QString prefix = prefixOf(scanner.containers());
    m_chunk.source += prefix;
    if (leaf == Leaf::Text || leaf == Leaf::Heading) {
        if (leaf == Leaf::Heading) {
            m_chunk.source += QString(m_level, u'#') + u' ';
        }
        m_chunk.source += QChar(kGuard);
        m_chunk.source += u' ';
    } else if (leaf == Leaf::Fence) {
        const CodeFence& fence = scanner.fence();
        m_chunk.source += spaces(fence.indent) + QString(fence.length, QChar(fence.mark)) + u' '
            + fence.language + u'\n';
    } else {
        const qsizetype columns = std::min(scanner.columns().size(), kMaxColumns);
        m_chunk.source += u'|' + QStringLiteral("x|").repeated(columns) + u'\n' + prefix
            + delimiterRow(scanner.columns()) + u'\n';
    }
}
