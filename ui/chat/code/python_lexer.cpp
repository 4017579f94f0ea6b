// Colours of Python.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

#include <algorithm>

namespace {

// A state: in which string the line ended, and for an f-string whether between the braces of an
// expression and under how many brackets.
constexpr quint32 kInString = 1U << 0;
constexpr quint32 kDoubleMark = 1U << 1;
constexpr quint32 kTriple = 1U << 2;
constexpr quint32 kFormatted = 1U << 3;
constexpr quint32 kInExpression = 1U << 4;
constexpr quint32 kDepthShift = 5;
constexpr quint32 kMostDepth = 255;
constexpr int kMostNesting = 4; // of f-strings in f-strings: deeper ones are coloured as text

struct Quote
{
    char16_t mark = u'"';
    bool triple = false;
    bool formatted = false;

    [[nodiscard]] quint32 state() const
    {
        return kInString | (mark == u'"' ? kDoubleMark : 0) | (triple ? kTriple : 0)
            | (formatted ? kFormatted : 0);
    }
};

class PythonLine
{
public:
    PythonLine(const CodeWords& words, QStringView line, QList<CodeSpan>& spans)
        : m_words(words)
        , m_scanner(line, spans)
    {
    }

    int lex(quint32 state)
    {
        if ((state & kInString) != 0) {
            resume(state);
        } else {
            lineStart();
        }
        while (!m_scanner.atEnd()) {
            token(0);
        }
        return int(m_open);
    }

private:
    void resume(quint32 state)
    {
        const Quote quote { (state & kDoubleMark) != 0 ? u'"' : u'\'', (state & kTriple) != 0,
                            (state & kFormatted) != 0 };
        if (quote.formatted && (state & kInExpression) != 0) {
            if (!expression(quote, (state >> kDepthShift) & kMostDepth, 0)) {
                return;
            }
        }
        stringText(quote, 0);
    }

    void lineStart()
    {
        m_scanner.skipSpace();
        if (m_scanner.looksAt(u">>> ") || m_scanner.looksAt(u"... ")) {
            m_scanner.take(3, CodeToken::Meta);
            m_scanner.skipSpace();
        }
        const qsizetype from = m_scanner.at();
        if (m_scanner.peek() == u'@' && isCodeWordStart(m_scanner.peek(1))) {
            m_scanner.skip();
            m_scanner.skipWord(u'.');
            m_scanner.mark(from, CodeToken::Meta);
        } else if (m_scanner.isAtWord()) {
            word(0, true);
        }
    }

    void token(int nesting)
    {
        const char16_t unit = m_scanner.peek();
        if (unit == u'#') {
            m_scanner.takeRest(CodeToken::Comment);
        } else if (unit == u'"' || unit == u'\'') {
            openString(m_scanner.at(), {}, nesting);
        } else if (m_scanner.isAtNumber()) {
            m_scanner.takeNumber();
        } else if (m_scanner.isAtWord()) {
            word(nesting, false);
        } else {
            m_scanner.skip();
        }
    }

    void word(int nesting, bool isFirst)
    {
        const qsizetype from = m_scanner.at();
        const QStringView word = m_scanner.skipWord();
        const char16_t next = m_scanner.peek();
        if ((next == u'"' || next == u'\'') && isStringPrefix(word)) {
            openString(from, word, nesting);
            return;
        }
        std::optional<CodeToken> token = m_words.find(word);
        if (from > 0 && m_scanner.line()[from - 1] == u'.') {
            token.reset(); // a member of something
        }
        if (!token && isFirst && isSoftKeyword(word)) {
            token = CodeToken::Keyword;
        } else if (!token && m_namesType) {
            token = CodeToken::Type;
        } else if (!token) {
            token = codeNameToken(word, m_scanner);
        }
        m_namesType = word == u"class";
        if (token) {
            m_scanner.mark(from, *token);
        }
    }

    // match, case and type are keywords only where a statement begins with them.
    [[nodiscard]] bool isSoftKeyword(QStringView word) const
    {
        if (word != u"match" && word != u"case" && word != u"type") {
            return false;
        }
        const char16_t next = m_scanner.peekBehindSpace();
        const bool isApart = isCodeSpace(m_scanner.peek());
        return isApart && next != u'=' && next != u'.' && next != u',' && next != u':'
            && next != u'\0';
    }

    static bool isStringPrefix(QStringView word)
    {
        return word.size() <= 2 && std::all_of(word.begin(), word.end(), [](QChar unit) {
                   return QStringView(u"rRbBuUfFtT").contains(unit);
               });
    }

    void openString(qsizetype from, QStringView prefix, int nesting)
    {
        Quote quote;
        quote.mark = m_scanner.peek();
        quote.triple = m_scanner.peek(1) == quote.mark && m_scanner.peek(2) == quote.mark;
        quote.formatted =
            nesting < kMostNesting && std::any_of(prefix.begin(), prefix.end(), [](QChar unit) {
                return unit.toLower() == u'f' || unit.toLower() == u't';
            });
        m_scanner.skip(quote.triple ? 3 : 1);
        m_scanner.mark(from, CodeToken::String);
        stringText(quote, nesting);
    }

    [[nodiscard]] bool isAtEndOf(const Quote& quote) const
    {
        return m_scanner.peek() == quote.mark
            && (!quote.triple
                || (m_scanner.peek(1) == quote.mark && m_scanner.peek(2) == quote.mark));
    }

    /// From within the text of a string to behind its closing quote, or to the end of the line.
    void stringText(const Quote& quote, int nesting)
    {
        qsizetype from = m_scanner.at();
        bool isContinued = false;
        while (!m_scanner.atEnd()) {
            const char16_t unit = m_scanner.peek();
            if (isAtEndOf(quote)) {
                m_scanner.skip(quote.triple ? 3 : 1);
                m_scanner.mark(from, CodeToken::String);
                return;
            }
            const bool isDoubled = m_scanner.peek(1) == unit; // {{ and }} stand for themselves
            if (quote.formatted && unit == u'{' && !isDoubled) {
                m_scanner.mark(from, CodeToken::String);
                m_scanner.take(1, CodeToken::Keyword);
                if (!expression(quote, 0, nesting + 1)) {
                    return;
                }
                from = m_scanner.at();
                continue;
            }
            isContinued = unit == u'\\' && m_scanner.at() + 1 == m_scanner.line().size();
            m_scanner.skip(unit == u'\\' || (quote.formatted && unit == u'{') ? 2 : 1);
        }
        m_scanner.mark(from, CodeToken::String);
        if (nesting == 0 && (quote.triple || isContinued)) {
            m_open = quote.state();
        }
    }

    /// What stands between the braces of an f-string, with the closing one; false at the line's
    /// end.
    bool expression(const Quote& quote, quint32 depth, int nesting)
    {
        while (!m_scanner.atEnd()) {
            const char16_t unit = m_scanner.peek();
            if (unit == u'(' || unit == u'[' || unit == u'{') {
                depth = std::min(depth + 1, kMostDepth);
                m_scanner.skip();
            } else if (unit == u'}' && depth == 0) {
                m_scanner.take(1, CodeToken::Keyword);
                return true;
            } else if (unit == u')' || unit == u']' || unit == u'}') {
                depth -= depth > 0 ? 1 : 0;
                m_scanner.skip();
            } else if (unit == u':' && depth == 0) {
                return formatSpecifier(quote, nesting);
            } else {
                token(nesting);
            }
        }
        if (quote.triple && nesting <= 1) {
            m_open = quote.state() | kInExpression | depth << kDepthShift;
        }
        return false;
    }

    /// ":>10" and ":{width}"; true behind the closing brace or before the quote that ends the
    /// string.
    bool formatSpecifier(const Quote& quote, int nesting)
    {
        quint32 depth = 0;
        const qsizetype from = m_scanner.at();
        for (; !m_scanner.atEnd() && !isAtEndOf(quote); m_scanner.skip()) {
            if (m_scanner.peek() == u'}' && depth == 0) {
                m_scanner.mark(from, CodeToken::String);
                m_scanner.take(1, CodeToken::Keyword);
                return true;
            }
            if (m_scanner.peek() == u'{') {
                ++depth;
            } else if (m_scanner.peek() == u'}') {
                --depth;
            }
        }
        m_scanner.mark(from, CodeToken::String);
        if (m_scanner.atEnd() && quote.triple && nesting <= 1) {
            m_open = quote.state();
        }
        return !m_scanner.atEnd();
    }

    const CodeWords& m_words;
    CodeScanner m_scanner;
    quint32 m_open = 0; // the state after the line
    bool m_namesType = false; // the next word is the name of a type
};

class PythonLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return PythonLine(m_words, line, spans).lex(quint32(stateBefore));
    }

private:
    const CodeWords m_words {
        { CodeToken::Keyword,
          u"and as assert async await break class continue def del elif else except finally for "
          u"from global "
          u"if import in is lambda nonlocal not or pass raise return try while with yield" },
        { CodeToken::Type,
          u"int float str bool bytes bytearray list dict set frozenset tuple object complex" },
        { CodeToken::Literal, u"True False None Ellipsis NotImplemented" },
    };
};

} // namespace

const CodeLexer& pythonLexer()
{
    static const PythonLexer lexer;
    return lexer;
}
