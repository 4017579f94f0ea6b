// A question as blocks: plain text, in pieces that a row can show.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/markdown/block.h"

#include <QtCore/QStringView>

/// One paragraph, or, of a long question, a short first piece (what is seen when it is folded) and
/// more that continue it. Never empty, never cut inside a character.
[[nodiscard]] QList<Block> questionBlocks(QStringView text);
