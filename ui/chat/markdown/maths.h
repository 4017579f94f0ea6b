// Maths as models write it, \( … \) and \[ … \], which Markdown would take for escaped brackets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>
#include <QtCore/QStringView>

/// Where the maths that begins at `at` ends, behind its closing mark; negative where none begins or
/// it isn't closed in the line.
[[nodiscard]] qsizetype mathsEnd(QStringView line, qsizetype at);

/// The line with its maths escaped, so that the parser shows it as it is. `open` is the bracket
/// that ends maths left open by the lines before ("\[" alone at the start of a line does that), or
/// 0; it is set for the next line.
[[nodiscard]] QString withMathsShown(QStringView line, char16_t& open);
