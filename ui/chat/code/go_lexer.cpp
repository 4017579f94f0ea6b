// Colours of Go.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

namespace {

enum State : int { Code, BlockComment, RawString };

class GoLine
{
public:
    GoLine(const CodeWords& words, QStringView line, int state, QList<CodeSpan>& spans)
        : m_words(words)
        , m_scanner(line, spans)
        , m_state(State(state))
    {
    }

    int lex()
    {
        if (m_state == BlockComment) {
            until(0, u"*/", BlockComment, CodeToken::Comment);
        } else if (m_state == RawString) {
            until(0, u"`", RawString, CodeToken::String);
        } else {
            m_state = Code;
        }
        while (!m_scanner.atEnd()) {
            token();
        }
        return m_state;
    }

private:
    void token()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        if (m_scanner.looksAt(u"//")) {
            m_scanner.takeRest(CodeToken::Comment);
        } else if (m_scanner.looksAt(u"/*")) {
            until(2, u"*/", BlockComment, CodeToken::Comment);
        } else if (unit == u'`') {
            until(1, u"`", RawString, CodeToken::String);
        } else if (unit == u'"') {
            m_scanner.skip();
            m_scanner.skipQuoted(u'"');
            m_scanner.mark(from, CodeToken::String);
        } else if (unit == u'\'') {
            m_scanner.skipCharacter() ? m_scanner.mark(from, CodeToken::String) : m_scanner.skip();
        } else if (m_scanner.isAtNumber()) {
            m_scanner.takeNumber();
        } else if (m_scanner.isAtWord()) {
            word();
        } else {
            m_scanner.skip();
        }
    }

    void word()
    {
        const qsizetype from = m_scanner.at();
        const QStringView word = m_scanner.skipWord();
        if (const auto token = tokenOf(word)) {
            m_scanner.mark(from, *token);
        }
        m_namesType = word == u"type";
    }

    [[nodiscard]] std::optional<CodeToken> tokenOf(QStringView word) const
    {
        if (const auto known = m_words.find(word)) {
            const bool isOwnName = *known == CodeToken::Type && m_scanner.peek() == u'.';
            return isOwnName ? std::nullopt : known; // string.x: a name of the program's own
        }
        if (m_namesType) {
            return CodeToken::Type;
        }
        return m_scanner.peekBehindSpace() == u'(' ? std::optional(CodeToken::Function)
                                                   : std::nullopt;
    }

    void until(qsizetype opening, QStringView end, State inside, CodeToken token)
    {
        m_state = m_scanner.takePast(opening, end, token) ? Code : inside;
    }

    const CodeWords& m_words;
    CodeScanner m_scanner;
    State m_state;
    bool m_namesType = false; // the next word is the name of a type
};

class GoLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return GoLine(m_words, line, stateBefore, spans).lex();
    }

private:
    const CodeWords m_words {
        { CodeToken::Keyword,
          u"break case chan const continue default defer else fallthrough for func go goto if "
          u"import "
          u"interface map package range return select struct switch type var" },
        { CodeToken::Type,
          u"any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 "
          u"int32 int64 "
          u"rune string uint uint8 uint16 uint32 uint64 uintptr" },
        { CodeToken::Literal, u"true false nil iota" },
    };
};

} // namespace

const CodeLexer& goLexer()
{
    static const GoLexer lexer;
    return lexer;
}
