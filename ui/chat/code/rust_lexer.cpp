// Colours of Rust.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

#include <algorithm>

namespace {

// A state is a mode with a number above it: how deep comments are nested, how many hashes close the
// raw string.
enum Mode : quint32 { Code, BlockComment, String, RawString };
constexpr quint32 kModeBits = 2;
constexpr quint32 kModeMask = (1U << kModeBits) - 1;
constexpr quint32 kMostNumber = (1U << (31 - kModeBits)) - 1;

class RustLine
{
public:
    RustLine(const CodeWords& words, QStringView line, quint32 state, QList<CodeSpan>& spans)
        : m_words(words)
        , m_scanner(line, spans)
        , m_mode(Mode(state & kModeMask))
        , m_number(state >> kModeBits)
    {
    }

    int lex()
    {
        switch (m_mode) {
        case BlockComment:
            blockComment();
            break;
        case String:
            quoted(0);
            break;
        case RawString:
            rawString(0);
            break;
        default:
            break;
        }
        while (!m_scanner.atEnd()) {
            token();
        }
        const bool isCounted = m_mode == BlockComment || m_mode == RawString;
        return int(m_mode | (isCounted ? m_number << kModeBits : 0));
    }

private:
    void token()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        if (m_scanner.looksAt(u"//")) {
            m_scanner.takeRest(CodeToken::Comment);
        } else if (m_scanner.looksAt(u"/*")) {
            m_number = 0;
            blockComment();
        } else if (unit == u'"') {
            m_scanner.skip();
            quoted(from);
        } else if (unit == u'\'') {
            characterOrLifetime();
        } else if (unit == u'#' && (m_scanner.peek(1) == u'[' || m_scanner.looksAt(u"#!["))) {
            m_scanner.skip(m_scanner.peek(1) == u'[' ? 2 : 3);
            m_scanner.skipWord(u':');
            m_scanner.mark(from, CodeToken::Meta);
        } else if (isCodeDigit(unit)) {
            m_scanner.takeNumber();
        } else if (m_scanner.isAtWord()) {
            word();
        } else {
            m_scanner.skip();
        }
    }

    void characterOrLifetime()
    {
        const qsizetype from = m_scanner.at();
        // 'a' is a character, 'a alone a lifetime or a label.
        const bool isCharacter = m_scanner.peek(1) == u'\\' || m_scanner.peek(2) == u'\''
            || (QChar::isHighSurrogate(m_scanner.peek(1)) && m_scanner.peek(3) == u'\'');
        if (isCharacter && m_scanner.skipCharacter()) {
            m_scanner.mark(from, CodeToken::String);
            return;
        }
        m_scanner.skip();
        if (!m_scanner.skipWord().isEmpty()) {
            m_scanner.mark(from, CodeToken::Type);
        }
    }

    void word()
    {
        const qsizetype from = m_scanner.at();
        const QStringView word = m_scanner.skipWord();
        const bool isPrefix = word == u"r" || word == u"br" || word == u"cr";
        if (isPrefix && opensRawString(from)) {
            return;
        }
        if ((word == u"b" || word == u"c") && m_scanner.peek() == u'"') {
            m_scanner.skip();
            quoted(from);
        } else if (word == u"b" && m_scanner.peek() == u'\'' && m_scanner.skipCharacter()) {
            m_scanner.mark(from, CodeToken::String);
        } else {
            name(from, word);
        }
    }

    void name(qsizetype from, QStringView word)
    {
        std::optional<CodeToken> token = m_words.find(word);
        if (!token && m_scanner.peek() == u'!' && m_scanner.peek(1) != u'=') {
            m_scanner.skip();
            token = CodeToken::Function; // a macro
        } else if (!token && m_scanner.looksAt(u"::<")) {
            token = CodeToken::Function; // parse::<u8>()
        } else if (!token) {
            token = codeNameToken(word, m_scanner);
        }
        if (token) {
            m_scanner.mark(from, *token);
        }
    }

    void blockComment()
    {
        const qsizetype from = m_scanner.at();
        m_mode = BlockComment;
        while (!m_scanner.atEnd() && m_mode == BlockComment) {
            if (m_scanner.looksAt(u"/*")) {
                m_scanner.skip(2);
                m_number = std::min(m_number + 1, kMostNumber);
            } else if (m_scanner.looksAt(u"*/")) {
                m_scanner.skip(2);
                m_mode = m_number > 1 ? BlockComment : Code;
                m_number = m_number > 1 ? m_number - 1 : 0;
            } else {
                m_scanner.skip();
            }
        }
        m_scanner.mark(from, CodeToken::Comment);
    }

    // Strings go over line ends without further ado.
    void quoted(qsizetype from)
    {
        m_mode = m_scanner.skipQuoted(u'"') == CodeQuote::Closed ? Code : String;
        m_scanner.mark(from, CodeToken::String);
    }

    [[nodiscard]] quint32 hashesAhead() const
    {
        quint32 count = 0;
        while (m_scanner.peek(count) == u'#') {
            ++count;
        }
        return count;
    }

    bool opensRawString(qsizetype from)
    {
        const quint32 hashes = hashesAhead();
        if (m_scanner.peek(hashes) != u'"') {
            return false;
        }
        m_number = std::min(hashes, kMostNumber);
        m_scanner.skip(hashes + 1);
        rawString(from);
        return true;
    }

    void rawString(qsizetype from)
    {
        m_mode = RawString;
        while (m_mode == RawString && m_scanner.skipPast(u"\"")) {
            const quint32 hashes = hashesAhead();
            m_scanner.skip(std::min(hashes, m_number));
            m_mode = hashes >= m_number ? Code : RawString;
        }
        m_scanner.mark(from, CodeToken::String);
    }

    const CodeWords& m_words;
    CodeScanner m_scanner;
    Mode m_mode;
    quint32 m_number;
};

class RustLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return RustLine(m_words, line, codeStateBits(stateBefore), spans).lex();
    }

private:
    const CodeWords m_words {
        { CodeToken::Keyword,
          u"as async await break const continue crate dyn else enum extern fn for if impl in let "
          u"loop match "
          u"mod move mut pub ref return self static struct super trait type union unsafe use where "
          u"while "
          u"yield macro_rules" },
        { CodeToken::Type,
          u"bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize Self Some Ok "
          u"Err" },
        { CodeToken::Literal, u"true false None" },
    };
};

} // namespace

const CodeLexer& rustLexer()
{
    static const RustLexer lexer;
    return lexer;
}
