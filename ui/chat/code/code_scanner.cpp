// What the lexers have in common: steps through a line, and tables of words.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"

#include <algorithm>
#include <array>

namespace {

constexpr qsizetype kLongestCharacter = 12; // '\u{10FFFF}'

bool isAsciiLetter(char16_t unit)
{
    return (unit >= u'a' && unit <= u'z') || (unit >= u'A' && unit <= u'Z');
}

/// What follows "1.": another point of the range 1..2, or the name of the call 1.max(2), but not
/// the end of 1.f.
bool isRangeOrCall(char16_t next, char16_t afterNext)
{
    return next == u'.'
        || (isCodeWordStart(next) && ((next | 0x20) != u'f' || isCodeWordPart(afterNext)));
}

} // namespace

CodeWords::CodeWords(std::initializer_list<Group> groups)
{
    for (const Group& group : groups) {
        for (const QStringView word : QStringView(group.words).tokenize(u' ')) {
            m_words.emplace_back(word, group.token);
            m_longest = std::max(m_longest, word.size());
        }
    }
    // A word that stands in two groups keeps the token of the first.
    std::stable_sort(m_words.begin(), m_words.end(),
                     [](const auto& one, const auto& other) { return one.first < other.first; });
}

std::optional<CodeToken> CodeWords::find(QStringView word) const
{
    if (word.size() > m_longest) {
        return std::nullopt;
    }
    const auto found = std::lower_bound(
        m_words.begin(), m_words.end(), word,
        [](const auto& entry, QStringView wanted) { return entry.first < wanted; });
    if (found == m_words.end() || found->first != word) {
        return std::nullopt;
    }
    return found->second;
}

std::optional<CodeToken> CodeWords::findFolded(QStringView word) const
{
    std::array<char16_t, 32> folded {};
    if (word.size() > m_longest || word.size() > qsizetype(folded.size())) {
        return std::nullopt;
    }
    std::transform(word.begin(), word.end(), folded.begin(), [](QChar unit) {
        const char16_t code = unit.unicode();
        return code >= u'A' && code <= u'Z' ? char16_t(code + (u'a' - u'A')) : code;
    });
    return find(QStringView(folded.data(), word.size()));
}

CodeScanner::CodeScanner(QStringView line, QList<CodeSpan>& spans)
    : m_line(line)
    , m_spans(spans)
    , m_firstSpan(spans.size())
{
}

char16_t CodeScanner::peek(qsizetype ahead) const
{
    const qsizetype at = m_at + ahead;
    return at >= 0 && at < m_line.size() ? m_line[at].unicode() : u'\0';
}

char16_t CodeScanner::peekBehindSpace() const
{
    qsizetype ahead = 0;
    while (isCodeSpace(peek(ahead))) {
        ++ahead;
    }
    return peek(ahead);
}

void CodeScanner::skip(qsizetype count)
{
    m_at = std::min(m_at + count, m_line.size());
}

void CodeScanner::skipSpace()
{
    while (isCodeSpace(peek())) {
        ++m_at;
    }
}

bool CodeScanner::skipPast(QStringView text)
{
    const qsizetype found = m_line.indexOf(text, m_at);
    m_at = found < 0 ? m_line.size() : found + text.size();
    return found >= 0;
}

CodeQuote CodeScanner::skipQuoted(char16_t quote)
{
    while (!atEnd()) {
        const char16_t unit = peek();
        if (unit == u'\\' && m_at + 1 == m_line.size()) {
            skipToEnd();
            return CodeQuote::Continued;
        }
        skip(unit == u'\\' ? 2 : 1);
        if (unit == quote) {
            return CodeQuote::Closed;
        }
    }
    return CodeQuote::Open;
}

bool CodeScanner::skipCharacter()
{
    for (qsizetype ahead = 1; ahead < kLongestCharacter; ++ahead) {
        const char16_t unit = peek(ahead);
        if (unit == u'\\') {
            ++ahead;
        } else if (unit == u'\'' && ahead > 1) {
            skip(ahead + 1);
            return true;
        } else if (unit == u'\'' || unit == u'\0') {
            return false;
        }
    }
    return false;
}

bool CodeScanner::isAtNumber() const
{
    return isCodeDigit(peek()) || (peek() == u'.' && isCodeDigit(peek(1)));
}

bool CodeScanner::isAtWord(char16_t extra) const
{
    return isCodeWordStart(peek()) || (peek() == extra && !atEnd());
}

void CodeScanner::skipNumber(char16_t separator)
{
    const bool isHex = peek() == u'0' && (peek(1) | 0x20) == u'x';
    bool hasPoint = false;
    while (!atEnd()) {
        const char16_t unit = peek();
        const char16_t next = peek(1);
        const bool isExponent = isHex ? (unit | 0x20) == u'p' : (unit | 0x20) == u'e';
        if (isExponent && (next == u'+' || next == u'-') && isCodeDigit(peek(2))) {
            skip(2);
        } else if (isCodeDigit(unit) || isAsciiLetter(unit) || unit == u'_') {
            skip();
        } else if (unit == separator && (isCodeDigit(next) || isAsciiLetter(next))) {
            skip();
        } else if (unit == u'.' && !hasPoint && !isRangeOrCall(next, peek(2))) {
            hasPoint = true;
            skip();
        } else {
            break;
        }
    }
}

QStringView CodeScanner::skipWord(char16_t extra)
{
    const qsizetype from = m_at;
    while (!atEnd() && (isCodeWordPart(peek()) || peek() == extra)) {
        ++m_at;
    }
    return since(from);
}

void CodeScanner::mark(qsizetype from, CodeToken token)
{
    markUpTo(from, m_at, token);
}

void CodeScanner::markUpTo(qsizetype from, qsizetype end, CodeToken token)
{
    if (from >= end) {
        return;
    }
    if (m_spans.size() > m_firstSpan) {
        CodeSpan& last = m_spans.last();
        if (last.token == token && last.start + last.length == from) {
            last.length = int(end - last.start);
            return;
        }
    }
    m_spans.append({ int(from), int(end - from), token });
}

void CodeScanner::take(qsizetype count, CodeToken token)
{
    const qsizetype from = m_at;
    skip(count);
    mark(from, token);
}

void CodeScanner::takeRest(CodeToken token)
{
    take(m_line.size() - m_at, token);
}

bool CodeScanner::takePast(qsizetype opening, QStringView end, CodeToken token)
{
    const qsizetype from = m_at;
    skip(opening);
    const bool isClosed = skipPast(end);
    mark(from, token);
    return isClosed;
}

void CodeScanner::takeNumber(CodeToken token, char16_t separator)
{
    const qsizetype from = m_at;
    skipNumber(separator);
    mark(from, token);
}

bool isCodeSpace(char16_t unit)
{
    return unit == u' ' || unit == u'\t' || unit == u'\r' || unit == u'\f' || unit == u'\v';
}

bool isCodeDigit(char16_t unit)
{
    return unit >= u'0' && unit <= u'9';
}

bool isCodeWordStart(char16_t unit)
{
    return isAsciiLetter(unit) || unit == u'_'
        || (unit >= 0x80 && (QChar(unit).isLetter() || QChar(unit).isSurrogate()));
}

bool isCodeWordPart(char16_t unit)
{
    return isCodeWordStart(unit) || isCodeDigit(unit)
        || (unit >= 0x80 && (QChar(unit).isLetterOrNumber() || QChar(unit).isMark()));
}

std::optional<CodeToken> codeNameToken(QStringView name, const CodeScanner& behind)
{
    if (behind.peekBehindSpace() == u'(') {
        return CodeToken::Function;
    }
    const bool isCapital = name[0].isUpper();
    if (isCapital && (name.size() == 1 || std::any_of(name.begin(), name.end(), [](QChar unit) {
                          return unit.isLower();
                      }))) {
        return CodeToken::Type;
    }
    return std::nullopt;
}

quint32 codeHash(QStringView word)
{
    // FNV-1a: spreads well enough for a handful of words, and needs no seed.
    quint32 hash = 2166136261U;
    for (const QChar unit : word) {
        hash = (hash ^ unit.unicode()) * 16777619U;
    }
    return hash ^ (hash >> 16U);
}
