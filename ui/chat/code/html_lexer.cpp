// Colours of HTML and XML, with the scripts and styles in them.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

namespace {

// A state is a mode with more above it: for script and style the state of their own lexer, within a
// tag what will follow it.
enum Mode : quint32 {
    Text,
    Comment,
    Tag,
    DoubleQuoted, ///< the value of an attribute
    SingleQuoted,
    Script,
    Style,
    CData,
    Instruction, ///< <?xml … ?>
    Declaration ///< <!DOCTYPE …>
};
enum Content : quint32 { Markup, ScriptContent, StyleContent };
constexpr quint32 kModeBits = 4;
constexpr quint32 kModeMask = (1U << kModeBits) - 1;
static_assert(kModeBits + kEmbeddedStateBits <= 31);
constexpr qsizetype kLongestEntity = 32;

class HtmlLine
{
public:
    HtmlLine(QStringView line, quint32 state, QList<CodeSpan>& spans)
        : m_scanner(line, spans)
        , m_spans(spans)
        , m_mode(Mode(state & kModeMask))
        , m_content(Content((state >> kModeBits) % 3))
        , m_embedded(state >> kModeBits)
    {
    }

    int lex()
    {
        do { // once for an empty line too: it may matter to a script
            step();
        } while (!m_scanner.atEnd());
        quint32 above = 0;
        if (m_mode == Script || m_mode == Style) {
            above = m_embedded;
        } else if (m_mode == Tag || m_mode == DoubleQuoted || m_mode == SingleQuoted) {
            above = m_content;
        }
        return int(above << kModeBits | m_mode);
    }

private:
    void step()
    {
        switch (m_mode) {
        case Comment:
            until(u"-->", CodeToken::Comment);
            break;
        case Tag:
            insideTag();
            break;
        case DoubleQuoted:
            value(u"\"");
            break;
        case SingleQuoted:
            value(u"'");
            break;
        case Script:
            embedded(scriptLexer(ScriptDialect::JavaScript), u"</script");
            break;
        case Style:
            embedded(styleLexer(), u"</style");
            break;
        case CData:
            until(u"]]>", CodeToken::String);
            break;
        case Instruction:
            until(u"?>", CodeToken::Meta);
            break;
        case Declaration:
            until(u">", CodeToken::Meta);
            break;
        default:
            m_mode = Text;
            text();
        }
    }

    void text()
    {
        const char16_t next = m_scanner.peek(1);
        if (m_scanner.peek() == u'&') {
            entity();
        } else if (m_scanner.peek() != u'<') {
            m_scanner.skip();
        } else if (m_scanner.looksAt(u"<!--")) {
            open(4, Comment, CodeToken::Comment);
        } else if (m_scanner.looksAt(u"<![CDATA[")) {
            open(9, CData, CodeToken::Tag);
        } else if (next == u'!' && isCodeWordStart(m_scanner.peek(2))) {
            open(2, Declaration, CodeToken::Meta);
        } else if (next == u'?') {
            open(2, Instruction, CodeToken::Meta);
        } else if (isCodeWordStart(next) || (next == u'/' && isCodeWordStart(m_scanner.peek(2)))) {
            openTag(next == u'/');
        } else {
            m_scanner.skip();
        }
    }

    void open(qsizetype length, Mode mode, CodeToken token)
    {
        m_scanner.take(length, token);
        m_mode = mode;
    }

    void openTag(bool closes)
    {
        const qsizetype from = m_scanner.at();
        m_scanner.skip(closes ? 2 : 1);
        const qsizetype start = m_scanner.at();
        while (isCodeWordPart(m_scanner.peek()) || isJoint(m_scanner.peek())) {
            m_scanner.skip();
        }
        const QStringView name = m_scanner.since(start);
        m_scanner.mark(from, CodeToken::Tag);
        m_mode = Tag;
        m_content = Markup;
        if (!closes && name.compare(u"script", Qt::CaseInsensitive) == 0) {
            m_content = ScriptContent;
        } else if (!closes && name.compare(u"style", Qt::CaseInsensitive) == 0) {
            m_content = StyleContent;
        }
    }

    static bool isJoint(char16_t unit) { return unit == u'-' || unit == u':' || unit == u'.'; }

    void insideTag()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        if (unit == u'>') {
            m_scanner.take(1, CodeToken::Tag);
            enterContent();
        } else if (m_scanner.looksAt(u"/>")) {
            m_scanner.take(2, CodeToken::Tag);
            m_mode = Text;
        } else if (unit == u'<') {
            m_mode = Text; // the tag before never ended
        } else if (unit == u'"' || unit == u'\'') {
            m_scanner.take(1, CodeToken::String);
            m_mode = unit == u'"' ? DoubleQuoted : SingleQuoted;
        } else if (unit == u'=') {
            m_scanner.skip();
            m_scanner.skipSpace();
            const qsizetype start = m_scanner.at();
            const char16_t first = m_scanner.peek();
            if (first != u'"' && first != u'\'') {
                skipToTagEnd(false);
                m_scanner.mark(start, CodeToken::String);
            }
        } else if (isCodeSpace(unit) || unit == u'/') {
            m_scanner.skip();
        } else {
            skipToTagEnd(true);
            m_scanner.skip(m_scanner.at() == from ? 1 : 0);
            m_scanner.mark(from, CodeToken::Property);
        }
    }

    /// Over the name or the bare value of an attribute.
    void skipToTagEnd(bool isName)
    {
        while (!m_scanner.atEnd()) {
            const char16_t unit = m_scanner.peek();
            if (isCodeSpace(unit) || unit == u'>' || unit == u'<' || m_scanner.looksAt(u"/>")
                || (isName && (unit == u'=' || unit == u'"' || unit == u'\''))) {
                return;
            }
            m_scanner.skip();
        }
    }

    void enterContent()
    {
        m_embedded = 0;
        m_mode = m_content == ScriptContent ? Script : m_content == StyleContent ? Style : Text;
    }

    void value(QStringView quote)
    {
        if (m_scanner.takePast(0, quote, CodeToken::String)) {
            m_mode = Tag;
        }
    }

    void until(QStringView end, CodeToken token)
    {
        if (m_scanner.takePast(0, end, token)) {
            m_mode = Text;
        }
    }

    void entity()
    {
        const qsizetype from = m_scanner.at();
        qsizetype length = m_scanner.peek(1) == u'#' ? 2 : 1;
        while (length < kLongestEntity && isCodeWordPart(m_scanner.peek(length))) {
            ++length;
        }
        const bool isEntity = m_scanner.peek(length) == u';';
        m_scanner.skip(isEntity ? length + 1 : 1);
        if (isEntity) {
            m_scanner.mark(from, CodeToken::Literal);
        }
    }

    void embedded(const CodeLexer& lexer, QStringView end)
    {
        const qsizetype from = m_scanner.at();
        const qsizetype found = m_scanner.rest().indexOf(end, 0, Qt::CaseInsensitive);
        const QStringView code = found < 0 ? m_scanner.rest() : m_scanner.rest().first(found);
        const qsizetype first = m_spans.size();
        m_embedded = quint32(lexer.line(code, int(m_embedded), m_spans));
        for (qsizetype at = first; at < m_spans.size(); ++at) {
            m_spans[at].start += int(from);
        }
        m_scanner.skip(code.size());
        if (found >= 0) {
            m_mode = Text;
        }
    }

    CodeScanner m_scanner;
    QList<CodeSpan>& m_spans;
    Mode m_mode;
    Content m_content; // of the tag that is open
    quint32 m_embedded; // state of the script or style
};

class HtmlLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return HtmlLine(line, codeStateBits(stateBefore), spans).lex();
    }
};

} // namespace

const CodeLexer& htmlLexer()
{
    static const HtmlLexer lexer;
    return lexer;
}
