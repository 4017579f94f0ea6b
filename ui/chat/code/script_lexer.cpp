// Colours of JavaScript and TypeScript, JSX among them.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

#include <algorithm>
#include <array>

namespace {

// A state is a mode with a stack above it: for every template literal that a ${ has interrupted,
// how many braces are open since. What is nested deeper than the stack is coloured as text.
enum Mode : quint32 { Code, BlockComment, Template, SingleQuoted, DoubleQuoted };
constexpr quint32 kModeBits = 3;
constexpr quint32 kModeMask = (1U << kModeBits) - 1;
constexpr quint32 kLevelBits = 4;
constexpr quint32 kMostBraces = (1U << kLevelBits) - 1;
constexpr quint32 kMostLevels = 6;
static_assert(kModeBits + kLevelBits * kMostLevels == kEmbeddedStateBits);

struct ScriptWords
{
    CodeWords words;
    CodeWords beforeValue {
        { CodeToken::Keyword,
          u"return typeof case in of delete void throw new else do instanceof await yield "
          u"default extends" }
    };
};

class ScriptLine
{
public:
    ScriptLine(const ScriptWords& words, bool hasTags, QStringView line, quint32 state,
               QList<CodeSpan>& spans)
        : m_words(words)
        , m_hasTags(hasTags)
        , m_scanner(line, spans)
        , m_mode(Mode(state & kModeMask))
    {
        for (quint32 levels = state >> kModeBits; levels > 0 && m_levelCount < kMostLevels;
             levels >>= kLevelBits) {
            m_levels[m_levelCount++] = std::max(levels & kMostBraces, 1U);
        }
    }

    int lex()
    {
        while (!m_scanner.atEnd()) {
            switch (m_mode) {
            case BlockComment:
                blockComment(0);
                break;
            case Template:
                templateText();
                break;
            case SingleQuoted:
                quoted(m_scanner.at(), u'\'');
                break;
            case DoubleQuoted:
                quoted(m_scanner.at(), u'"');
                break;
            default:
                m_mode = Code;
                token();
            }
        }
        quint32 levels = 0;
        for (quint32 at = m_levelCount; at-- > 0;) {
            levels = levels << kLevelBits | m_levels[at];
        }
        return int(levels << kModeBits | m_mode);
    }

private:
    void token()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        if (m_scanner.looksAt(u"//") || (from == 0 && m_scanner.looksAt(u"#!"))) {
            m_scanner.takeRest(CodeToken::Comment);
        } else if (m_scanner.looksAt(u"/*")) {
            blockComment(2);
        } else if (unit == u'`') {
            m_scanner.take(1, CodeToken::String);
            m_mode = Template;
        } else if (unit == u'"' || unit == u'\'') {
            text(unit);
        } else if (m_scanner.isAtNumber()) {
            m_scanner.takeNumber();
            m_isBehindValue = true;
        } else if (m_scanner.isAtWord(u'$')) {
            word();
        } else if (unit == u'@' && isCodeWordStart(m_scanner.peek(1))) {
            m_scanner.skip();
            m_scanner.skipWord(u'.');
            m_scanner.mark(from, CodeToken::Meta);
        } else if (!isCodeSpace(unit)) {
            sign(unit);
        } else {
            m_scanner.skip();
        }
    }

    void sign(char16_t unit)
    {
        if (unit == u'/' && regularExpression()) {
            return;
        }
        if (unit == u'<' && tag()) {
            return;
        }
        if (unit == u'{' && m_levelCount > 0) {
            quint32& braces = m_levels[m_levelCount - 1];
            braces = std::min(braces + 1, kMostBraces);
        } else if (unit == u'}' && m_levelCount > 0 && --m_levels[m_levelCount - 1] == 0) {
            --m_levelCount;
            m_scanner.take(1, CodeToken::Keyword);
            m_mode = Template;
            return;
        }
        m_isBehindValue = unit == u')' || unit == u']' || unit == u'}';
        m_scanner.skip();
    }

    void word()
    {
        const qsizetype from = m_scanner.at();
        const QStringView word = m_scanner.skipWord(u'$');
        const bool isMember = from > 0 && m_scanner.line()[from - 1] == u'.'
            && (from < 2 || m_scanner.line()[from - 2] != u'.'); // not ...args
        std::optional<CodeToken> token;
        if (!isMember) {
            token = m_words.words.find(word);
        }
        if (!token && m_namesType) {
            token = CodeToken::Type;
        } else if (!token) {
            token = codeNameToken(word, m_scanner);
        }
        m_namesType = !isMember
            && (word == u"class" || word == u"interface" || word == u"enum" || word == u"extends"
                || word == u"new" || word == u"implements");
        m_isBehindValue = isMember || !m_words.beforeValue.find(word);
        if (token) {
            m_scanner.mark(from, *token);
        }
    }

    void text(char16_t quote)
    {
        const qsizetype from = m_scanner.at();
        m_scanner.skip();
        // The apostrophe of a text between tags ("don't") quotes nothing.
        if (quote == u'\'' && m_isBehindValue && from > 0
            && isCodeWordPart(m_scanner.line()[from - 1].unicode())) {
            return;
        }
        quoted(from, quote);
    }

    void quoted(qsizetype from, char16_t quote)
    {
        const Mode inside = quote == u'"' ? DoubleQuoted : SingleQuoted;
        m_mode = m_scanner.skipQuoted(quote) == CodeQuote::Continued ? inside : Code;
        m_scanner.mark(from, CodeToken::String);
        m_isBehindValue = true;
    }

    void templateText()
    {
        const qsizetype from = m_scanner.at();
        while (!m_scanner.atEnd()) {
            const char16_t unit = m_scanner.peek();
            if (unit == u'`') {
                m_scanner.skip();
                m_mode = Code;
                m_isBehindValue = true;
                break;
            }
            if (unit == u'$' && m_scanner.peek(1) == u'{' && m_levelCount < kMostLevels) {
                m_scanner.mark(from, CodeToken::String);
                m_scanner.take(2, CodeToken::Keyword);
                m_levels[m_levelCount++] = 1;
                m_mode = Code;
                m_isBehindValue = false;
                return;
            }
            m_scanner.skip(unit == u'\\' ? 2 : 1);
        }
        m_scanner.mark(from, CodeToken::String);
    }

    void blockComment(qsizetype opening)
    {
        m_mode = m_scanner.takePast(opening, u"*/", CodeToken::Comment) ? Code : BlockComment;
    }

    /// How far the regular expression here reaches; 0 where none does.
    [[nodiscard]] qsizetype regularExpressionLength() const
    {
        bool isInClass = false;
        for (qsizetype ahead = 1; ahead < m_scanner.rest().size(); ++ahead) {
            const char16_t unit = m_scanner.peek(ahead);
            if (unit == u'\\') {
                ++ahead;
            } else if (unit == u'[') {
                isInClass = true;
            } else if (unit == u']') {
                isInClass = false;
            } else if (unit == u'/' && !isInClass) {
                return ahead + 1;
            }
        }
        return 0;
    }

    bool regularExpression()
    {
        const bool closesTag = m_hasTags && m_scanner.peek(1) == u'>';
        if (m_isBehindValue || m_hasNoExpressions || closesTag) {
            return false;
        }
        const qsizetype length = regularExpressionLength();
        if (length == 0) {
            m_hasNoExpressions = true; // one look to the end of the line is enough
            return false;
        }
        const qsizetype from = m_scanner.at();
        m_scanner.skip(length);
        m_scanner.skipWord(); // its flags
        m_scanner.mark(from, CodeToken::String);
        m_isBehindValue = true;
        return true;
    }

    /// <Name, </Name, <> and </>: JSX.
    bool tag()
    {
        const bool closes = m_scanner.peek(1) == u'/';
        const char16_t first = m_scanner.peek(closes ? 2 : 1);
        const bool isTag = isCodeWordStart(first) || first == u'>';
        // "a < b" and "a<b" compare, but "text <b" and "text</b" are tags.
        const bool compares = m_isBehindValue && !closes && !isCodeSpace(m_scanner.peek(-1));
        if (!m_hasTags || !isTag || compares) {
            return false;
        }
        const qsizetype from = m_scanner.at();
        m_scanner.skip(closes ? 2 : 1);
        while (!m_scanner.atEnd()
               && (isCodeWordPart(m_scanner.peek()) || m_scanner.peek() == u'.'
                   || m_scanner.peek() == u'-')) {
            m_scanner.skip();
        }
        m_scanner.mark(from, CodeToken::Tag);
        m_isBehindValue = true;
        return true;
    }

    const ScriptWords& m_words;
    bool m_hasTags;
    CodeScanner m_scanner;
    Mode m_mode;
    std::array<quint32, kMostLevels> m_levels {};
    quint32 m_levelCount = 0;
    bool m_isBehindValue = false; // a slash divides, it begins no regular expression
    bool m_hasNoExpressions = false; // no slash closes one any more
    bool m_namesType = false; // the next word is the name of a type
};

class ScriptLexer : public CodeLexer
{
public:
    ScriptLexer(bool hasTypes, bool hasTags)
        : m_words { hasTypes ? typedWords() : plainWords() }
        , m_hasTags(hasTags)
    {
    }

    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        const quint32 state = quint32(stateBefore) & ((1U << kEmbeddedStateBits) - 1);
        return ScriptLine(m_words, m_hasTags, line, state, spans).lex();
    }

private:
    static constexpr CodeWords::Group kKeywords {
        CodeToken::Keyword,
        u"as async await break case catch class const continue debugger default delete do else "
        u"export extends "
        u"finally for from function get if import in instanceof let new of return set static super "
        u"switch this "
        u"throw try typeof var void while with yield"
    };
    static constexpr CodeWords::Group kLiterals { CodeToken::Literal,
                                                  u"true false null undefined NaN Infinity" };

    static CodeWords plainWords() { return { kKeywords, kLiterals }; }

    static CodeWords typedWords()
    {
        return { kKeywords,
                 kLiterals,
                 { CodeToken::Keyword,
                   u"abstract asserts declare enum implements infer interface is keyof module "
                   u"namespace override "
                   u"private protected public readonly satisfies type unique" },
                 { CodeToken::Type,
                   u"any bigint boolean never number object string symbol unknown" } };
    }

    const ScriptWords m_words;
    const bool m_hasTags;
};

} // namespace

const CodeLexer& scriptLexer(ScriptDialect dialect)
{
    static const ScriptLexer javaScript(false, true);
    static const ScriptLexer typeScript(true, false);
    static const ScriptLexer typeScriptXml(true, true);
    switch (dialect) {
    case ScriptDialect::TypeScript:
        return typeScript;
    case ScriptDialect::TypeScriptXml:
        return typeScriptXml;
    case ScriptDialect::JavaScript:
        break;
    }
    return javaScript;
}
