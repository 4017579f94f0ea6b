// Colours of YAML.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

#include <algorithm>

namespace {

// A state is a mode with a number above it: how many flow brackets are open, or for a block scalar
// the column that its lines lie behind, plus one.
enum Mode : quint32 { Code, SingleQuoted, DoubleQuoted, BlockScalar };
constexpr quint32 kModeBits = 2;
constexpr quint32 kModeMask = (1U << kModeBits) - 1;
constexpr quint32 kMostNumber = (1U << 24) - 1;

class YamlLine
{
public:
    YamlLine(const CodeWords& words, QStringView line, quint32 state, QList<CodeSpan>& spans)
        : m_words(words)
        , m_scanner(line, spans)
        , m_mode(Mode(state & kModeMask))
        , m_number(std::min(state >> kModeBits, kMostNumber))
    {
    }

    int lex()
    {
        if (m_mode == BlockScalar && blockLine()) {
            return state();
        }
        if (m_mode == SingleQuoted || m_mode == DoubleQuoted) {
            m_hasKey = true; // one that ends here is a value
            quoted(m_scanner.at());
        } else if (m_number == 0) {
            lineStart();
        }
        while (!m_scanner.atEnd()) {
            token();
        }
        return state();
    }

private:
    [[nodiscard]] int state() const { return int(m_number << kModeBits | m_mode); }
    [[nodiscard]] bool isInFlow() const { return m_number > 0; }
    [[nodiscard]] bool mayBeKey() const { return !m_hasKey || isInFlow(); }

    /// False when the line stands outside the scalar.
    bool blockLine()
    {
        qsizetype indent = 0;
        while (isCodeSpace(m_scanner.peek(indent))) {
            ++indent;
        }
        if (indent == m_scanner.line().size() || indent >= qsizetype(m_number)) {
            m_scanner.skip(indent);
            m_scanner.takeRest(CodeToken::String);
            return true;
        }
        m_mode = Code;
        m_number = 0;
        return false;
    }

    void lineStart()
    {
        if (m_scanner.at() == 0 && (m_scanner.looksAt(u"---") || m_scanner.looksAt(u"..."))
            && (m_scanner.line().size() == 3 || isCodeSpace(m_scanner.peek(3)))) {
            m_scanner.take(3, CodeToken::Meta);
            m_parent = -1;
        } else if (m_scanner.at() == 0 && m_scanner.peek() == u'%') {
            m_scanner.takeRest(CodeToken::Meta);
        }
    }

    void token()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        const char16_t next = m_scanner.peek(1);
        const bool isApart = isCodeSpace(next) || next == u'\0';
        if (isCodeSpace(unit)) {
            m_scanner.skipSpace();
        } else if (unit == u'#' && (from == 0 || isCodeSpace(m_scanner.peek(-1)))) {
            m_scanner.takeRest(CodeToken::Comment);
        } else if (unit == u'"' || unit == u'\'') {
            m_mode = unit == u'"' ? DoubleQuoted : SingleQuoted;
            m_scanner.skip();
            quoted(from);
        } else if (unit == u'[' || unit == u'{') {
            m_number = std::min(m_number + 1, kMostNumber);
            m_scanner.skip();
        } else if ((unit == u']' || unit == u'}') && isInFlow()) {
            --m_number;
            m_scanner.skip();
        } else if ((unit == u'-' || unit == u'?') && isApart && !isInFlow() && !m_hasKey) {
            m_parent = from;
            m_scanner.skip();
        } else if ((unit == u'|' || unit == u'>') && !isInFlow() && isBlockHeader()) {
            blockHeader();
        } else if (unit == u'&' || unit == u'*' || unit == u'!') {
            decoration(unit == u'!' ? CodeToken::Type : CodeToken::Meta);
        } else if (unit == u',' || (unit == u':' && (isApart || isInFlow()))) {
            m_scanner.skip();
        } else {
            plain();
        }
    }

    /// An anchor, an alias or a tag.
    void decoration(CodeToken token)
    {
        const qsizetype from = m_scanner.at();
        while (!m_scanner.atEnd() && !isCodeSpace(m_scanner.peek())
               && !(isInFlow() && QStringView(u",[]{}").contains(QChar(m_scanner.peek())))) {
            m_scanner.skip();
        }
        m_scanner.mark(from, token);
    }

    [[nodiscard]] bool isBlockHeader() const
    {
        qsizetype ahead = 1;
        while (ahead < 3
               && (m_scanner.peek(ahead) == u'-' || m_scanner.peek(ahead) == u'+'
                   || isCodeDigit(m_scanner.peek(ahead)))) {
            ++ahead;
        }
        const char16_t next = m_scanner.peek(ahead);
        return next == u'\0' || isCodeSpace(next);
    }

    void blockHeader()
    {
        const qsizetype from = m_scanner.at();
        while (!m_scanner.atEnd() && !isCodeSpace(m_scanner.peek())) {
            m_scanner.skip();
        }
        m_scanner.mark(from, CodeToken::Keyword);
        m_scanner.skipSpace();
        m_scanner.takeRest(CodeToken::Comment);
        m_mode = BlockScalar;
        m_number = quint32(std::min<qsizetype>(m_parent + 1, kMostNumber));
    }

    void quoted(qsizetype from)
    {
        const bool isDouble = m_mode == DoubleQuoted;
        const bool isClosed =
            isDouble ? m_scanner.skipQuoted(u'"') == CodeQuote::Closed : m_scanner.skipPast(u"'");
        if (!isClosed) {
            m_scanner.mark(from, CodeToken::String);
            return;
        }
        m_mode = Code;
        const bool isKey = mayBeKey() && m_scanner.peekBehindSpace() == u':';
        m_scanner.mark(from, isKey ? CodeToken::Property : CodeToken::String);
        if (isKey) {
            key(from);
        }
    }

    void key(qsizetype from)
    {
        if (!isInFlow()) {
            m_hasKey = true; // a second one would be no YAML: "time: 12: 30" is a text
            m_parent = from;
        }
    }

    /// A scalar without quotes, up to what ends it.
    void plain()
    {
        const qsizetype from = m_scanner.at();
        qsizetype end = from;
        bool isKey = false;
        for (; !m_scanner.atEnd(); m_scanner.skip()) {
            const char16_t unit = m_scanner.peek();
            const char16_t next = m_scanner.peek(1);
            isKey = unit == u':' && mayBeKey()
                && (next == u'\0' || isCodeSpace(next) || (isInFlow() && next == u','));
            const bool isComment = unit == u'#' && isCodeSpace(m_scanner.peek(-1));
            const bool endsFlow = isInFlow() && QStringView(u",[]{}").contains(QChar(unit));
            if (isKey || isComment || endsFlow) {
                break;
            }
            end = isCodeSpace(unit) ? end : m_scanner.at() + 1;
        }
        value(from, end, isKey);
    }

    void value(qsizetype from, qsizetype end, bool isKey)
    {
        const QStringView text = m_scanner.line().sliced(from, end - from);
        const auto literal = m_words.findFolded(text);
        if (isKey) {
            m_scanner.markUpTo(from, end, CodeToken::Property);
            key(from);
        } else if (literal) {
            m_scanner.markUpTo(from, end, *literal);
        } else if (isNumber(text)) {
            m_scanner.markUpTo(from, end, CodeToken::Number);
        }
    }

    static bool isNumber(QStringView text)
    {
        if (text.startsWith(u'-') || text.startsWith(u'+')) {
            text = text.sliced(1);
        }
        const bool isHex = text.startsWith(u"0x") && text.size() > 2;
        bool hasExponent = false;
        const auto fits = [&](QChar unit) {
            const char16_t code = unit.unicode();
            const bool isExponent = (code | 0x20) == u'e' && !hasExponent;
            hasExponent = hasExponent || isExponent;
            return isCodeDigit(code) || code == u'.' || code == u'_' || isExponent
                || (hasExponent && (code == u'-' || code == u'+'));
        };
        const auto fitsHex = [](QChar unit) {
            const char16_t code = unit.unicode() | 0x20;
            return isCodeDigit(unit.unicode()) || (code >= u'a' && code <= u'f');
        };
        if (isHex) {
            return std::all_of(text.begin() + 2, text.end(), fitsHex);
        }
        const bool begins = !text.isEmpty()
            && (isCodeDigit(text[0].unicode())
                || (text.size() > 1 && text[0] == u'.' && isCodeDigit(text[1].unicode())));
        return begins && text.count(u'.') < 2 && std::all_of(text.begin(), text.end(), fits);
    }

    const CodeWords& m_words;
    CodeScanner m_scanner;
    Mode m_mode;
    quint32 m_number;
    qsizetype m_parent = -1; // column of what a block scalar here would belong to
    bool m_hasKey = false; // of the block, in this line
};

class YamlLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return YamlLine(m_words, line, codeStateBits(stateBefore), spans).lex();
    }

private:
    const CodeWords m_words { { CodeToken::Literal,
                                u"true false null yes no on off ~ .inf -.inf .nan" } };
};

} // namespace

const CodeLexer& yamlLexer()
{
    static const YamlLexer lexer;
    return lexer;
}
