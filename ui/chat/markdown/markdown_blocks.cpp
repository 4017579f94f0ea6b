// Markdown into the blocks that the window shows.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/markdown_blocks.h"

#include "ui/chat/markdown/markdown_pass.h"
#include "ui/chat/markdown/source_chunks.h"

namespace {

/// In parts, with the definitions of the whole text for each.
QList<Block> parseInParts(QStringView text, const LinkDefinitions& definitions)
{
    SourceChunker chunker(SourceChunker::Cuts::All, definitions);
    QList<Block> blocks;
    QList<SourceChunk> chunks = chunker.feed(text);
    chunks += chunker.finish();
    for (const SourceChunk& chunk : std::as_const(chunks)) {
        blocks += parsedOrPlain(chunk);
    }
    return blocks;
}

} // namespace

QList<Block> parseMarkdown(QStringView text)
{
    SourceChunker chunker(SourceChunker::Cuts::None);
    QList<SourceChunk> chunks = chunker.feed(text);
    chunks += chunker.finish();
    if (!chunker.isTooLong()) {
        if (chunks.isEmpty()) {
            return {};
        }
        if (auto blocks = parseChunk(chunks.first())) {
            return *std::move(blocks);
        }
    }
    return parseInParts(text, chunker.definitions());
}
