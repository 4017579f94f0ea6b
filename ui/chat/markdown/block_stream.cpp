// Markdown into blocks while it streams in.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/block_stream.h"

#include "ui/chat/markdown/markdown_blocks.h"
#include "ui/chat/markdown/markdown_pass.h"

#include <algorithm>

qsizetype BlockStream::append(QStringView text)
{
    Q_ASSERT(!m_finished);
    m_source += text;
    QList<Block> fresh;
    const QList<SourceChunk> done = m_chunker.feed(text);
    for (const SourceChunk& chunk : done) {
        fresh += parsedOrPlain(chunk);
    }
    const qsizetype settled = fresh.size();
    SourceChunker copy = m_chunker;
    const QList<SourceChunk> rest = copy.finish();
    for (const SourceChunk& chunk : rest) {
        fresh += parsedOrPlain(chunk);
    }
    const qsizetype first = replaceFrom(m_settled, fresh);
    m_settled += settled;
    return first;
}

qsizetype BlockStream::finish()
{
    m_finished = true;
    SourceChunker rest = m_chunker;
    rest.finish();
    return rest.mayDefineLinks() ? replaceFrom(0, parseMarkdown(m_source)) : m_blocks.size();
}

qsizetype BlockStream::replaceFrom(qsizetype from, const QList<Block>& fresh)
{
    const auto [old, made] =
        std::mismatch(m_blocks.cbegin() + from, m_blocks.cend(), fresh.cbegin(), fresh.cend());
    const qsizetype same = made - fresh.cbegin();
    m_blocks.resize(from + same);
    m_blocks.append(fresh.sliced(same));
    return from + same;
}
