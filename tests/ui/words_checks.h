// What every explaining text has to be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/words.h"

#include <QTest>

namespace tests {

constexpr qsizetype kLongestText = 240;

/// A sentence or two: not empty, not long, with an end; what is often told wrong likewise.
inline void checkWords(const Words& words, const QString& subject)
{
    QVERIFY2(!words.text.isEmpty(), qPrintable(subject));
    for (const QString& text : { words.text, words.mistake }) {
        QVERIFY2(text.size() <= kLongestText, qPrintable(subject + ": " + text));
        QVERIFY2(text.isEmpty() || QStringLiteral(".…").contains(text.back())
                     || text.endsWith("-of-…"),
                 qPrintable(subject + ": " + text));
        QVERIFY2(text == text.simplified(), qPrintable(subject + ": " + text));
        QVERIFY2(text.isEmpty() || text.front().isUpper() || text.front().isDigit()
                     || text.startsWith("llama.cpp") || text.startsWith("scales"),
                 qPrintable(subject + ": " + text));
    }
}

} // namespace tests
