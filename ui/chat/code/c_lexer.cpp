// Colours of C, C++ and their relatives.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

#include <algorithm>

namespace {

// A state is a mode, and for a raw string the hash of its delimiter above it.
enum Mode : quint32 { Code, BlockComment, LineComment, String, RawString };
constexpr quint32 kModeBits = 3;
constexpr quint32 kModeMask = (1U << kModeBits) - 1;
constexpr quint32 kHashMask = (1U << (31 - kModeBits)) - 1;
constexpr qsizetype kLongestDelimiter = 16; // the standard's own limit

class CLine
{
public:
    CLine(const CodeWords& words, QStringView line, quint32 state, QList<CodeSpan>& spans)
        : m_words(words)
        , m_scanner(line, spans)
        , m_mode(Mode(state & kModeMask))
        , m_hash(state >> kModeBits)
    {
    }

    int lex()
    {
        resume();
        while (!m_scanner.atEnd()) {
            token();
        }
        return int(m_mode | (m_mode == RawString ? m_hash << kModeBits : 0));
    }

private:
    void resume()
    {
        switch (m_mode) {
        case BlockComment:
            blockComment(0);
            break;
        case LineComment:
            lineComment();
            break;
        case String:
            quoted(m_scanner.at());
            break;
        case RawString:
            rawString(m_scanner.at());
            break;
        default:
            m_mode = Code;
            directive();
        }
    }

    void directive()
    {
        m_scanner.skipSpace();
        if (m_scanner.peek() != u'#') {
            return;
        }
        const qsizetype from = m_scanner.at();
        m_scanner.skip();
        m_scanner.skipSpace();
        const QStringView name = m_scanner.skipWord();
        m_scanner.mark(from, CodeToken::Preprocessor);
        if (name == u"include" || name == u"import" || name == u"include_next") {
            m_scanner.skipSpace();
            const qsizetype file = m_scanner.at();
            if (m_scanner.peek() == u'<') {
                m_scanner.skipPast(u">");
                m_scanner.mark(file, CodeToken::String);
            }
        } else if (name == u"error" || name == u"warning") {
            m_scanner.takeRest(CodeToken::String); // free text: its apostrophes quote nothing
        }
    }

    void token()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        if (m_scanner.looksAt(u"//")) {
            lineComment();
        } else if (m_scanner.looksAt(u"/*")) {
            blockComment(2);
        } else if (unit == u'"') {
            m_scanner.skip();
            quoted(from);
        } else if (unit == u'\'') {
            m_scanner.skipCharacter() ? m_scanner.mark(from, CodeToken::String) : m_scanner.skip();
        } else if (m_scanner.isAtNumber()) {
            m_scanner.takeNumber(CodeToken::Number, u'\'');
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
        if (m_scanner.peek() == u'"' && isRawPrefix(word)) {
            openRawString(from);
        } else if (m_scanner.peek() == u'"' && isTextPrefix(word)) {
            m_scanner.skip();
            quoted(from);
        } else if (m_scanner.peek() == u'\'' && isTextPrefix(word) && m_scanner.skipCharacter()) {
            m_scanner.mark(from, CodeToken::String);
        } else {
            name(from, word);
        }
    }

    void name(qsizetype from, QStringView word)
    {
        std::optional<CodeToken> token = m_words.find(word);
        if (!token && m_namesType) {
            token = CodeToken::Type;
        } else if (!token && word.size() > 2 && word.endsWith(u"_t")) {
            token = CodeToken::Type;
        } else if (!token) {
            token = codeNameToken(word, m_scanner);
        }
        m_namesType = word == u"class" || word == u"struct" || word == u"enum" || word == u"union"
            || word == u"namespace" || word == u"concept" || word == u"typename"
            || (m_namesType && token == CodeToken::Keyword); // enum class X
        if (token) {
            m_scanner.mark(from, *token);
        }
    }

    static bool isTextPrefix(QStringView word)
    {
        return word == u"L" || word == u"u8" || word == u"u" || word == u"U";
    }

    static bool isRawPrefix(QStringView word)
    {
        return word.endsWith(u'R') && (word.size() == 1 || isTextPrefix(word.chopped(1)));
    }

    void lineComment()
    {
        m_scanner.takeRest(CodeToken::Comment);
        m_mode = m_scanner.peek(-1) == u'\\' ? LineComment : Code;
    }

    void blockComment(qsizetype opening)
    {
        m_mode = m_scanner.takePast(opening, u"*/", CodeToken::Comment) ? Code : BlockComment;
    }

    void quoted(qsizetype from)
    {
        m_mode = m_scanner.skipQuoted(u'"') == CodeQuote::Continued ? String : Code;
        m_scanner.mark(from, CodeToken::String);
    }

    void openRawString(qsizetype from)
    {
        m_scanner.skip();
        const QStringView ahead =
            m_scanner.rest().first(std::min(kLongestDelimiter + 1, m_scanner.rest().size()));
        const qsizetype length = ahead.indexOf(u'(');
        if (length < 0) {
            quoted(from); // no raw string after all
            return;
        }
        m_hash = codeHash(ahead.first(length)) & kHashMask;
        m_scanner.skip(length + 1);
        rawString(from);
    }

    void rawString(qsizetype from)
    {
        m_mode = RawString;
        while (m_mode == RawString && m_scanner.skipPast(u")")) {
            const QStringView ahead =
                m_scanner.rest().first(std::min(kLongestDelimiter + 1, m_scanner.rest().size()));
            const qsizetype length = ahead.indexOf(u'"');
            if (length >= 0 && (codeHash(ahead.first(length)) & kHashMask) == m_hash) {
                m_scanner.skip(length + 1);
                m_mode = Code;
            }
        }
        m_scanner.mark(from, CodeToken::String);
    }

    const CodeWords& m_words;
    CodeScanner m_scanner;
    Mode m_mode;
    quint32 m_hash;
    bool m_namesType = false; // the next word is the name of a type
};

class CLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return CLine(m_words, line, codeStateBits(stateBefore), spans).lex();
    }

private:
    const CodeWords m_words {
        { CodeToken::Keyword,
          u"alignas alignof and and_eq asm auto bitand bitor break case catch class co_await "
          u"co_return "
          u"co_yield compl concept const const_cast consteval constexpr constinit continue "
          u"decltype default "
          u"delete do dynamic_cast else enum explicit export extern final for friend goto if "
          u"import inline "
          u"module mutable namespace new noexcept not not_eq operator or or_eq override private "
          u"protected "
          u"public register reinterpret_cast requires restrict return sizeof static static_assert "
          u"static_cast "
          u"struct switch template this thread_local throw try typedef typeid typename typeof "
          u"union using "
          u"virtual volatile while xor xor_eq _Alignas _Alignof _Atomic _Generic _Noreturn "
          u"_Static_assert "
          u"_Thread_local __attribute__ __global__ __device__ __host__ __shared__ uniform layout" },
        { CodeToken::Type,
          u"bool char char8_t char16_t char32_t double float int long short signed unsigned void "
          u"wchar_t "
          u"_Bool _Complex string string_view wstring vector map set multimap multiset "
          u"unordered_map "
          u"unordered_set deque list array pair tuple optional variant any span function "
          u"shared_ptr "
          u"unique_ptr weak_ptr ostream istream iostream stringstream ifstream ofstream thread "
          u"mutex "
          u"atomic FILE half vec2 vec3 vec4 mat2 mat3 mat4 id" },
        { CodeToken::Literal, u"true false nullptr NULL TRUE FALSE YES NO nil" },
    };
};

} // namespace

const CodeLexer& cLexer()
{
    static const CLexer lexer;
    return lexer;
}
