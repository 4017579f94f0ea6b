// Colours of CSS.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

#include <algorithm>

namespace {

// A state: whether in a comment, and how many braces are open.
constexpr quint32 kInComment = 1;
constexpr quint32 kMostBraces = 0xffff;

class StyleLine
{
public:
    StyleLine(QStringView line, quint32 state, QList<CodeSpan>& spans)
        : m_scanner(line, spans)
        , m_isInComment((state & kInComment) != 0)
        , m_braces(std::min(state >> 1, kMostBraces))
    {
    }

    int lex()
    {
        if (m_isInComment) {
            comment(0);
        }
        beginStatement();
        while (!m_scanner.atEnd()) {
            token();
        }
        return int(m_braces << 1 | (m_isInComment ? kInComment : 0));
    }

private:
    void token()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        if (m_scanner.looksAt(u"/*")) {
            comment(2);
        } else if (unit == u'"' || unit == u'\'') {
            m_scanner.skip();
            m_scanner.skipQuoted(unit);
            m_scanner.mark(from, CodeToken::String);
        } else if (unit == u'{' || unit == u'}' || unit == u';') {
            m_scanner.skip();
            if (unit == u'{') {
                m_braces = std::min(m_braces + 1, kMostBraces);
            } else if (unit == u'}' && m_braces > 0) {
                --m_braces;
            }
            beginStatement();
        } else if (unit == u'@' || unit == u'!') {
            m_isAtRule = m_isAtRule || unit == u'@';
            name(1, CodeToken::Keyword); // @media, !important
        } else if (m_isDeclaration) {
            declaration();
        } else {
            selector();
        }
    }

    /// A declaration or a selector? Decided by what ends it; each stretch of the line is looked at
    /// once.
    void beginStatement()
    {
        const QStringView rest = m_scanner.rest();
        const auto end = std::find_if(rest.begin(), rest.end(), [](QChar unit) {
            return unit == u'{' || unit == u'}' || unit == u';';
        });
        const bool opens = end != rest.end() && *end == u'{';
        const bool isList = end == rest.end() && rest.trimmed().endsWith(u',');
        m_isDeclaration = m_braces > 0 && !opens && !isList;
        m_isBehindColon = false;
        m_isAtRule = false;
    }

    void declaration()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        if (unit == u':') {
            m_isBehindColon = true;
            m_scanner.skip();
        } else if (m_isBehindColon && unit == u'#') {
            name(1, CodeToken::Number); // a colour
        } else if (m_scanner.isAtNumber() || (unit == u'-' && isCodeDigit(m_scanner.peek(1)))) {
            m_scanner.skip(unit == u'-' ? 1 : 0);
            m_scanner.skipNumber();
            m_scanner.skip(m_scanner.peek() == u'%' ? 1 : 0);
            m_scanner.mark(from, CodeToken::Number);
        } else if (m_scanner.isAtWord(u'-')) {
            const QStringView word = m_scanner.skipWord(u'-');
            if (m_scanner.peek() == u'(') {
                m_scanner.mark(from, CodeToken::Function);
                url(word);
            } else if (!m_isBehindColon || word.startsWith(u"--")) {
                m_scanner.mark(from, CodeToken::Property);
            }
        } else {
            m_scanner.skip();
        }
    }

    // An address may hold what would begin a comment.
    void url(QStringView function)
    {
        const char16_t next = m_scanner.peek(1);
        if (function.compare(u"url", Qt::CaseInsensitive) == 0 && next != u'"' && next != u'\'') {
            m_scanner.skip();
            const qsizetype from = m_scanner.at();
            while (!m_scanner.atEnd() && m_scanner.peek() != u')') {
                m_scanner.skip();
            }
            m_scanner.mark(from, CodeToken::String);
        }
    }

    void selector()
    {
        const char16_t unit = m_scanner.peek();
        if (unit == u'.' || unit == u'#') {
            name(1, CodeToken::Type);
        } else if (unit == u':' && !m_isAtRule) {
            name(m_scanner.peek(1) == u':' ? 2 : 1, CodeToken::Keyword);
        } else if (m_scanner.isAtNumber()) {
            m_scanner.takeNumber();
        } else if (m_scanner.isAtWord(u'-')) {
            const qsizetype from = m_scanner.at();
            m_scanner.skipWord(u'-');
            if (!m_isAtRule) {
                m_scanner.mark(from, CodeToken::Tag);
            } else if (m_scanner.peek() == u':') {
                m_scanner.mark(from, CodeToken::Property); // (max-width: 600px)
            }
        } else {
            m_scanner.skip();
        }
    }

    void name(qsizetype opening, CodeToken token)
    {
        const qsizetype from = m_scanner.at();
        m_scanner.skip(opening);
        m_scanner.skipWord(u'-');
        if (m_scanner.at() > from + opening) {
            m_scanner.mark(from, token);
        }
    }

    void comment(qsizetype opening)
    {
        m_isInComment = !m_scanner.takePast(opening, u"*/", CodeToken::Comment);
    }

    CodeScanner m_scanner;
    bool m_isInComment;
    quint32 m_braces;
    bool m_isDeclaration = false; // not a selector
    bool m_isAtRule = false; // its words are no selectors
    bool m_isBehindColon = false; // at the value of a declaration
};

class StyleLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return StyleLine(line, quint32(stateBefore) & ((1U << kEmbeddedStateBits) - 1), spans)
            .lex();
    }
};

} // namespace

const CodeLexer& styleLexer()
{
    static const StyleLexer lexer;
    return lexer;
}
