// Where a text may be cut without cutting what a reader sees as one character.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QStringView>

/// The last place up to `limit` (inside the text) where one character ends and the next begins;
/// looks at a few units around it only. Where marks pile up without end, a surrogate pair stays
/// whole at least.
[[nodiscard]] qsizetype characterEnd(QStringView text, qsizetype limit);
