// What the lexers have in common: a place in a line with its spans, and tables of words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/chat/code/code_lexer.h"

#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

/// Words with their tokens, found by binary search.
class CodeWords
{
public:
    struct Group
    {
        CodeToken token;
        const char16_t* words; ///< separated by single spaces; must outlive the table
    };
    CodeWords(std::initializer_list<Group> groups);

    [[nodiscard]] std::optional<CodeToken> find(QStringView word) const;
    /// The same in any case of ASCII letters; the table holds small letters.
    [[nodiscard]] std::optional<CodeToken> findFolded(QStringView word) const;

private:
    std::vector<std::pair<QStringView, CodeToken>> m_words;
    qsizetype m_longest = 0;
};

/// How a quoted text ended.
enum class CodeQuote {
    Closed,
    Open, ///< at the end of the line
    Continued ///< at the end of the line, behind a backslash
};

/// A place in one line, and where the spans go. Every step moves forward: a lexer that only uses
/// these steps is linear.
class CodeScanner
{
public:
    CodeScanner(QStringView line, QList<CodeSpan>& spans);

    [[nodiscard]] bool atEnd() const { return m_at >= m_line.size(); }
    [[nodiscard]] qsizetype at() const { return m_at; }
    [[nodiscard]] QStringView line() const { return m_line; }
    [[nodiscard]] QStringView rest() const { return m_line.sliced(m_at); }
    [[nodiscard]] QStringView since(qsizetype from) const
    {
        return m_line.sliced(from, m_at - from);
    }
    /// The unit at the place, or so many further; 0 outside the line.
    [[nodiscard]] char16_t peek(qsizetype ahead = 0) const;
    [[nodiscard]] bool looksAt(QStringView text) const { return rest().startsWith(text); }
    /// What comes after white space; 0 when nothing does.
    [[nodiscard]] char16_t peekBehindSpace() const;

    /// Moves on, never past the end.
    void skip(qsizetype count = 1);
    void skipToEnd() { m_at = m_line.size(); }
    void skipSpace();
    /// Moves behind the next `text`, or to the end: false then.
    bool skipPast(QStringView text);
    /// From behind the opening quote to behind the closing one; a backslash hides what follows it.
    CodeQuote skipQuoted(char16_t quote);
    /// A character literal of at most a dozen units with its quotes; stays and returns false when
    /// this is none.
    bool skipCharacter();
    /// A number, as most languages write it (0x1F, 1_000, 1.5e-3f); `separator` may stand between
    /// digits.
    void skipNumber(char16_t separator = u'_');
    /// A name: letters, digits, underscores, and `extra`.
    QStringView skipWord(char16_t extra = u'_');

    [[nodiscard]] bool isAtNumber() const;
    [[nodiscard]] bool isAtWord(char16_t extra = u'_') const;

    /// Colours what lies between `from` and the place.
    void mark(qsizetype from, CodeToken token);
    /// The same where trailing space was passed: colours up to `end`.
    void markUpTo(qsizetype from, qsizetype end, CodeToken token);
    /// Moves on and colours.
    void take(qsizetype count, CodeToken token);
    void takeRest(CodeToken token);
    /// Passes `opening` units, then goes on behind the next `end` and colours all of it. False when
    /// the line ended first.
    bool takePast(qsizetype opening, QStringView end, CodeToken token);
    void takeNumber(CodeToken token = CodeToken::Number, char16_t separator = u'_');

private:
    QStringView m_line;
    QList<CodeSpan>& m_spans;
    qsizetype m_firstSpan;
    qsizetype m_at = 0;
};

[[nodiscard]] bool isCodeSpace(char16_t unit);
[[nodiscard]] bool isCodeDigit(char16_t unit);
[[nodiscard]] bool isCodeWordStart(char16_t unit);
[[nodiscard]] bool isCodeWordPart(char16_t unit);

/// What a name is that no table knows: called (a parenthesis follows), a type (Capitalized), or
/// plain.
[[nodiscard]] std::optional<CodeToken> codeNameToken(QStringView name, const CodeScanner& behind);

/// What a state is made of, whatever a caller hands in as one.
[[nodiscard]] constexpr quint32 codeStateBits(int state)
{
    return quint32(state) & 0x7fffffffU;
}

/// A number for a word of the text, to keep in a state: heredocs, dollar quotes, raw strings.
[[nodiscard]] quint32 codeHash(QStringView word);
