// Splits an answer into paragraphs and code blocks while it streams in.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/block_splitter.h"

#include <algorithm>

namespace {

constexpr qsizetype kFenceLength = 3;

struct Fence
{
    QChar mark;
    qsizetype length = 0; ///< 0: there is none
    qsizetype indent = 0;
    QStringView info;

    [[nodiscard]] bool isOpen() const { return length > 0; }
};

qsizetype indentOf(QStringView line)
{
    qsizetype at = 0;
    while (at < line.size() && (line[at] == u' ' || line[at] == u'\t')) {
        ++at;
    }
    return at;
}

bool isMark(QChar character)
{
    return character == u'`' || character == u'~';
}

qsizetype runLength(QStringView text)
{
    qsizetype length = 0;
    while (length < text.size() && text[length] == text[0]) {
        ++length;
    }
    return length;
}

/// The fence that opens a code block in this line, if it is one.
Fence openingFence(QStringView line)
{
    const qsizetype indent = indentOf(line);
    const QStringView rest = line.sliced(indent);
    if (rest.isEmpty() || !isMark(rest[0])) {
        return {};
    }
    const qsizetype length = runLength(rest);
    const QStringView info = rest.sliced(length).trimmed();
    if (length < kFenceLength || (rest[0] == u'`' && info.contains(u'`'))) {
        return {};
    }
    return Fence { rest[0], length, indent, info };
}

bool closes(const Fence& fence, QStringView line)
{
    const QStringView rest = line.trimmed();
    return !rest.isEmpty() && rest[0] == fence.mark && runLength(rest) == rest.size()
        && rest.size() >= fence.length;
}

/// True when more characters could make an opening fence of an unfinished line.
bool mayOpen(QStringView line)
{
    const QStringView rest = line.sliced(indentOf(line));
    if (rest.isEmpty() || !isMark(rest[0])) {
        return false;
    }
    const qsizetype length = runLength(rest);
    return length == rest.size()
        || (length >= kFenceLength && !(rest[0] == u'`' && rest.sliced(length).contains(u'`')));
}

/// True when more characters could make the closing fence of an unfinished line.
bool mayClose(const Fence& fence, QStringView line)
{
    const QStringView rest = line.trimmed();
    return rest.isEmpty() || (rest[0] == fence.mark && runLength(rest) == rest.size());
}

/// The state of one pass over the tail.
class Pass
{
public:
    explicit Pass(QList<Block>& blocks)
        : m_blocks(blocks)
    {
    }

    [[nodiscard]] const Fence& fence() const { return m_fence; }
    /// Where in the tail the last block begins; negative when the pass made none.
    [[nodiscard]] qsizetype lastStart() const { return m_lastStart; }

    void line(QStringView text, qsizetype at)
    {
        if (m_fence.isOpen()) {
            codeLine(text);
        } else if (const Fence fence = openingFence(text); fence.isOpen()) {
            m_fence = fence;
            m_firstLine = true;
            m_inParagraph = false;
            begin({ Block::Kind::Code, {}, fence.info.split(u' ').first().toString() }, at);
        } else if (text.trimmed().isEmpty()) {
            m_inParagraph = false;
        } else if (m_inParagraph) {
            m_blocks.last().text += u'\n' + text.toString();
        } else {
            m_inParagraph = true;
            begin({ Block::Kind::Paragraph, text.toString(), {} }, at);
        }
    }

private:
    void codeLine(QStringView text)
    {
        if (closes(m_fence, text)) {
            m_fence = {};
            return;
        }
        QString& code = m_blocks.last().text;
        if (!m_firstLine) {
            code += u'\n';
        }
        m_firstLine = false;
        code += text.sliced(std::min(indentOf(text), m_fence.indent));
    }

    void begin(const Block& block, qsizetype at)
    {
        m_blocks.append(block);
        m_lastStart = at;
    }

    QList<Block>& m_blocks;
    Fence m_fence;
    qsizetype m_lastStart = -1;
    bool m_inParagraph = false;
    bool m_firstLine = false;
};

} // namespace

qsizetype BlockSplitter::append(QStringView text)
{
    m_tail += text;
    return parseTail(End::Open);
}

qsizetype BlockSplitter::finish()
{
    return parseTail(End::Final);
}

QList<Block> BlockSplitter::split(QStringView text)
{
    BlockSplitter splitter;
    splitter.m_tail = text.toString();
    splitter.parseTail(End::Final);
    return splitter.m_blocks;
}

qsizetype BlockSplitter::parseTail(End end)
{
    if (m_tailHasBlock) {
        m_blocks.removeLast();
    }
    const qsizetype firstChanged = m_blocks.size();
    Pass pass(m_blocks);
    const QStringView tail = m_tail;
    qsizetype at = 0;
    while (at < tail.size()) {
        const qsizetype lineEnd = tail.indexOf(u'\n', at);
        const bool whole = lineEnd >= 0;
        QStringView line = tail.sliced(at, (whole ? lineEnd : tail.size()) - at);
        if (line.endsWith(u'\r')) {
            line.chop(1);
        }
        if (!whole && end == End::Open
            && (pass.fence().isOpen() ? mayClose(pass.fence(), line) : mayOpen(line))) {
            break;
        }
        pass.line(line, at);
        at = whole ? lineEnd + 1 : tail.size();
    }
    m_tailHasBlock = pass.lastStart() >= 0;
    if (pass.lastStart() > 0) {
        m_tail.remove(0, pass.lastStart());
    }
    return firstChanged;
}
