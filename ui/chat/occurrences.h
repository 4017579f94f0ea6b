// Where words stand in a text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QList>
#include <QtCore/QString>

/// The places of `words`, compared without case, that don't overlap; none for no words.
[[nodiscard]] inline QList<int> occurrences(const QString& text, const QString& words)
{
    QList<int> places;
    if (words.isEmpty()) {
        return places;
    }
    for (qsizetype at = text.indexOf(words, 0, Qt::CaseInsensitive); at >= 0;
         at = text.indexOf(words, at + words.size(), Qt::CaseInsensitive)) {
        places.append(static_cast<int>(at));
    }
    return places;
}
