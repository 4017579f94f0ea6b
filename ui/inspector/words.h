// A text on what something is for, and what is often told wrong about it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QCoreApplication>
#include <QtCore/QString>

/// Translated; a sentence or two each.
struct Words
{
    QString text;
    QString mistake; ///< what is right, where articles err; mostly empty
};

/// One row of a table of texts, in English; `mistake` may be null.
struct WordsRow
{
    const char* text;
    const char* mistake = nullptr;

    /// `context`: of the translations.
    [[nodiscard]] Words in(const char* context) const
    {
        return { QCoreApplication::translate(context, text),
                 mistake != nullptr ? QCoreApplication::translate(context, mistake) : QString() };
    }
};
