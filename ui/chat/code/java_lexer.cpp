// Colours of Java.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

namespace {

enum State : int { Code, BlockComment, TextBlock };

class JavaLine
{
public:
    JavaLine(const CodeWords& words, QStringView line, int state, QList<CodeSpan>& spans)
        : m_words(words)
        , m_scanner(line, spans)
        , m_state(State(state))
    {
    }

    int lex()
    {
        if (m_state == BlockComment) {
            blockComment(0);
        } else if (m_state == TextBlock) {
            textBlock(0);
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
            blockComment(2);
        } else if (m_scanner.looksAt(u"\"\"\"")) {
            textBlock(3);
        } else if (unit == u'"') {
            m_scanner.skip();
            m_scanner.skipQuoted(u'"');
            m_scanner.mark(from, CodeToken::String);
        } else if (unit == u'\'') {
            m_scanner.skipCharacter() ? m_scanner.mark(from, CodeToken::String) : m_scanner.skip();
        } else if (unit == u'@' && isCodeWordStart(m_scanner.peek(1))) {
            annotation();
        } else if (m_scanner.isAtNumber()) {
            m_scanner.takeNumber();
        } else if (m_scanner.isAtWord(u'$')) {
            word();
        } else {
            m_scanner.skip();
        }
    }

    void annotation()
    {
        const qsizetype from = m_scanner.at();
        m_scanner.skip();
        const bool isDeclaration = m_scanner.skipWord(u'.') == u"interface";
        m_scanner.mark(from, isDeclaration ? CodeToken::Keyword : CodeToken::Meta);
        m_namesType = isDeclaration;
    }

    void word()
    {
        const qsizetype from = m_scanner.at();
        const QStringView word = m_scanner.skipWord(u'$');
        std::optional<CodeToken> token = m_words.find(word);
        if (!token && m_namesType) {
            token = CodeToken::Type;
        } else if (!token) {
            token = codeNameToken(word, m_scanner);
        }
        m_namesType = word == u"class" || word == u"interface" || word == u"enum"
            || word == u"record" || word == u"new" || word == u"extends" || word == u"implements";
        if (token) {
            m_scanner.mark(from, *token);
        }
    }

    void blockComment(qsizetype opening)
    {
        m_state = m_scanner.takePast(opening, u"*/", CodeToken::Comment) ? Code : BlockComment;
    }

    void textBlock(qsizetype opening)
    {
        const qsizetype from = m_scanner.at();
        m_scanner.skip(opening);
        m_state = TextBlock;
        while (!m_scanner.atEnd() && m_state == TextBlock) {
            if (m_scanner.looksAt(u"\"\"\"")) {
                m_scanner.skip(3);
                m_state = Code;
            } else {
                m_scanner.skip(m_scanner.peek() == u'\\' ? 2 : 1);
            }
        }
        m_scanner.mark(from, CodeToken::String);
    }

    const CodeWords& m_words;
    CodeScanner m_scanner;
    State m_state;
    bool m_namesType = false; // the next word is the name of a type
};

class JavaLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return JavaLine(m_words, line, stateBefore, spans).lex();
    }

private:
    const CodeWords m_words {
        { CodeToken::Keyword,
          u"abstract assert break case catch class const continue def default do else enum exports "
          u"extends "
          u"final finally for goto if implements import instanceof interface module native new "
          u"package permits private protected public record requires return sealed static strictfp "
          u"super "
          u"switch synchronized this throw throws transient try var volatile while yield" },
        { CodeToken::Type, u"boolean byte char double float int long short void" },
        { CodeToken::Literal, u"true false null" },
    };
};

} // namespace

const CodeLexer& javaLexer()
{
    static const JavaLexer lexer;
    return lexer;
}
