// Colours of SQL in its dialects.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

namespace {

// A state is a mode, with the hash of the tag above it for a text in dollar quotes.
enum Mode : quint32 { Code, BlockComment, String, EscapedString, QuotedName, DollarString };
constexpr quint32 kModeBits = 3;
constexpr quint32 kModeMask = (1U << kModeBits) - 1;
constexpr quint32 kHashMask = (1U << (31 - kModeBits)) - 1;

class SqlLine
{
public:
    SqlLine(const CodeWords& words, QStringView line, quint32 state, QList<CodeSpan>& spans)
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
        return int(m_mode | (m_mode == DollarString ? m_hash << kModeBits : 0));
    }

private:
    void resume()
    {
        switch (m_mode) {
        case BlockComment:
            blockComment(0);
            break;
        case String:
        case EscapedString:
            text(0, m_mode);
            break;
        case QuotedName:
            quotedName(0);
            break;
        case DollarString:
            dollarText();
            break;
        default:
            m_mode = Code;
        }
    }

    void token()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        const char16_t next = m_scanner.peek(1);
        if (m_scanner.looksAt(u"--") || (unit == u'#' && (from == 0 || next == u' '))) {
            m_scanner.takeRest(CodeToken::Comment);
        } else if (m_scanner.looksAt(u"/*")) {
            blockComment(2);
        } else if (unit == u'\'') {
            text(1, String);
        } else if (unit == u'"') {
            quotedName(1);
        } else if (unit == u'`') {
            m_scanner.takePast(1, u"`", CodeToken::Property);
        } else if (unit == u'[' && isCodeWordStart(next) && !isCodeWordPart(m_scanner.peek(-1))) {
            m_scanner.takePast(1, u"]", CodeToken::Property);
        } else if (unit == u'$') {
            dollar();
        } else if (unit == u':' && next == u':') {
            m_scanner.skip(2); // a cast
        } else if ((unit == u':' || unit == u'@') && (isCodeWordStart(next) || next == u'@')) {
            m_scanner.skip(next == u'@' ? 2 : 1);
            m_scanner.skipWord();
            m_scanner.mark(from, CodeToken::Property);
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
        const QStringView word = m_scanner.skipWord(u'$');
        if (m_scanner.peek() == u'\'' && word.size() == 1
            && QStringView(u"eEnNbBxX").contains(word[0])) {
            m_scanner.mark(from, CodeToken::String);
            text(1, word[0].toLower() == u'e' ? EscapedString : String);
            return;
        }
        std::optional<CodeToken> token = m_words.findFolded(word);
        if (from > 0 && m_scanner.line()[from - 1] == u'.') {
            token.reset(); // a column: t.name
        }
        if (!token && m_scanner.peek() == u'(') { // without a space: else a table with its columns
            token = CodeToken::Function;
        }
        if (token) {
            m_scanner.mark(from, *token);
        }
    }

    void blockComment(qsizetype opening)
    {
        m_mode = m_scanner.takePast(opening, u"*/", CodeToken::Comment) ? Code : BlockComment;
    }

    // A doubled quote is two texts side by side to us: the same colour.
    void text(qsizetype opening, Mode mode)
    {
        const qsizetype from = m_scanner.at();
        m_scanner.skip(opening);
        const bool isClosed = mode == EscapedString
            ? m_scanner.skipQuoted(u'\'') == CodeQuote::Closed
            : m_scanner.skipPast(u"'");
        m_mode = isClosed ? Code : mode;
        m_scanner.mark(from, CodeToken::String);
    }

    void quotedName(qsizetype opening)
    {
        m_mode = m_scanner.takePast(opening, u"\"", CodeToken::Property) ? Code : QuotedName;
    }

    /// $1, or $tag$ … $tag$.
    void dollar()
    {
        const qsizetype from = m_scanner.at();
        m_scanner.skip();
        const QStringView tag = m_scanner.skipWord();
        const bool isParameter = !tag.isEmpty() && isCodeDigit(tag[0].unicode());
        if (m_scanner.peek() == u'$' && !isParameter) {
            m_scanner.skip();
            m_hash = codeHash(tag) & kHashMask;
            m_scanner.mark(from, CodeToken::String);
            dollarText();
        } else if (!tag.isEmpty()) {
            m_scanner.mark(from, CodeToken::Property);
        }
    }

    void dollarText()
    {
        const qsizetype from = m_scanner.at();
        m_mode = DollarString;
        while (m_mode == DollarString && m_scanner.skipPast(u"$")) {
            const QStringView tag = m_scanner.skipWord();
            if (m_scanner.peek() == u'$' && (codeHash(tag) & kHashMask) == m_hash) {
                m_scanner.skip();
                m_mode = Code;
            }
        }
        m_scanner.mark(from, CodeToken::String);
    }

    const CodeWords& m_words;
    CodeScanner m_scanner;
    Mode m_mode;
    quint32 m_hash;
};

class SqlLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return SqlLine(m_words, line, codeStateBits(stateBefore), spans).lex();
    }

private:
    const CodeWords m_words {
        { CodeToken::Keyword,
          u"add after all alter analyze and any as asc attach autoincrement auto_increment before "
          u"begin between "
          u"by cascade case cast check collate column commit conflict constraint create cross "
          u"current "
          u"current_date current_time current_timestamp cursor database declare default deferrable "
          u"delete desc "
          u"detach distinct do drop each else elsif end engine escape except exception exec "
          u"execute exists "
          u"explain extension fetch filter first following for foreign from full function "
          u"generated glob go "
          u"grant group having if ignore ilike immutable in index inner insert instead intersect "
          u"into is "
          u"isnull join key language last lateral left like limit loop materialized merge natural "
          u"no not "
          u"nothing notnull nulls of offset on only or order outer over partition plpgsql pragma "
          u"preceding "
          u"primary procedure raise range recursive references reindex rename replace restrict "
          u"return "
          u"returning returns revoke right rollback row rows savepoint schema select sequence set "
          u"show some "
          u"stored strict table temp temporary then ties to top transaction trigger truncate "
          u"unbounded union "
          u"unique update use using vacuum values view virtual when where while window with "
          u"without" },
        { CodeToken::Type,
          u"bigint bigserial binary bit blob bool boolean bytea char character clob date datetime "
          u"datetime2 decimal double float float4 float8 enum inet int int2 int4 int8 integer "
          u"interval json "
          u"jsonb mediumint mediumtext money nchar number numeric nvarchar precision real serial "
          u"smallint "
          u"smallserial text time timestamp timestamptz tinyint tinytext unsigned uuid varbinary "
          u"varchar "
          u"varchar2 varying void xml" },
        { CodeToken::Literal, u"true false null" },
    };
};

} // namespace

const CodeLexer& sqlLexer()
{
    static const SqlLexer lexer;
    return lexer;
}
