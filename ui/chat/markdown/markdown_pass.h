// One pass of the Markdown parser over one part of a document.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/markdown/block.h"
#include "ui/chat/markdown/source_chunks.h"

#include <optional>

/// The blocks of a part; nothing where its links would unfold to many times its size (or memory ran
/// out).
[[nodiscard]] std::optional<QList<Block>> parseChunk(const SourceChunk& chunk);
/// The blocks of a part; one that `parseChunk` refuses as it was written, in paragraphs.
[[nodiscard]] QList<Block> parsedOrPlain(const SourceChunk& chunk);
