// Colours of shell scripts and of what people type at a prompt.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/code/code_scanner.h"
#include "ui/chat/code/lexers.h"

#include <algorithm>
#include <array>

namespace {

// A state: a mode, flags, what is open around (a small stack), and the hash of a heredoc's word.
enum Mode : quint32 { Code, SingleQuoted, AnsiQuoted, Heredoc };
enum Level : quint32 { NoLevel, DoubleQuoted, Parenthesis, Brace };
constexpr quint32 kModeMask = 3;
constexpr quint32 kStripsTabs = 1U << 2; // <<-
constexpr quint32 kIsLiteral = 1U << 3; // <<'EOF': nothing is expanded
constexpr quint32 kContinues = 1U << 4; // a backslash ended the line
constexpr quint32 kLevelShift = 5;
constexpr quint32 kLevelBits = 2;
constexpr quint32 kMostLevels = 5; // what is nested deeper is coloured as what is around it
constexpr quint32 kHashShift = kLevelShift + kLevelBits * kMostLevels;
constexpr quint32 kHashMask = (1U << (31 - kHashShift)) - 1;
constexpr qsizetype kLongestHeredocWord = 64;

struct ShellWords
{
    CodeWords keywords {
        { CodeToken::Keyword,
          u"if then else elif fi for while until do done case esac select function time return "
          u"exit break continue local export declare typeset readonly unset shift set source "
          u"alias eval exec trap" }
    };
    // A command may follow these.
    CodeWords beforeCommand { { CodeToken::Keyword,
                                u"if then else elif while until do time exec eval" } };
    // Assignments follow these.
    CodeWords declaring { { CodeToken::Keyword, u"local export declare typeset readonly alias" } };
};

bool isOperator(char16_t unit)
{
    return unit == u';' || unit == u'|' || unit == u'&' || unit == u'(' || unit == u')'
        || unit == u'<' || unit == u'>';
}

bool endsWord(char16_t unit)
{
    return unit == u'\0' || isCodeSpace(unit) || isOperator(unit) || unit == u'"' || unit == u'\''
        || unit == u'$' || unit == u'`' || unit == u'\\' || unit == u'}' || unit == u'=';
}

bool isIdentifier(QStringView word)
{
    return !word.isEmpty() && !isCodeDigit(word[0].unicode())
        && std::all_of(word.begin(), word.end(),
                       [](QChar unit) { return isCodeWordPart(unit.unicode()); });
}

/// What the next word may be.
struct Expectation
{
    bool command = false;
    bool isInAssignment = false; ///< behind NAME=, up to the next space
};

class ShellLine
{
public:
    ShellLine(const ShellWords& words, QStringView line, quint32 state, QList<CodeSpan>& spans)
        : m_words(words)
        , m_scanner(line, spans)
        , m_mode(Mode(state & kModeMask))
        , m_flags(state & (kStripsTabs | kIsLiteral))
        , m_hash(state >> kHashShift & kHashMask)
        , m_now { (state & kContinues) == 0, false }
    {
        for (quint32 levels = state >> kLevelShift; m_levelCount < kMostLevels;
             levels >>= kLevelBits) {
            const auto level = Level(levels & ((1U << kLevelBits) - 1));
            if (level == NoLevel) {
                break;
            }
            m_levels[m_levelCount++] = level;
        }
    }

    int lex()
    {
        if (m_mode == Heredoc) {
            heredocLine();
            return state();
        }
        if (m_mode == Code && m_levelCount == 0) {
            prompt();
        }
        while (!m_scanner.atEnd()) {
            if (m_mode == SingleQuoted) {
                singleQuoted(m_scanner.at());
            } else if (m_mode == AnsiQuoted) {
                ansiQuoted(m_scanner.at());
            } else if (top() == DoubleQuoted) {
                doubleQuoted();
            } else {
                token();
            }
        }
        if (m_hasHeredoc) { // its text begins with the next line
            m_mode = Heredoc;
        }
        return state();
    }

private:
    [[nodiscard]] int state() const
    {
        quint32 levels = 0;
        for (quint32 at = m_levelCount; at-- > 0;) {
            levels = levels << kLevelBits | m_levels[at];
        }
        quint32 state = m_mode | levels << kLevelShift | (m_continues ? kContinues : 0);
        if (m_mode == Heredoc) {
            state |= m_flags | m_hash << kHashShift;
        }
        return int(state);
    }

    [[nodiscard]] Level top() const
    {
        return m_levelCount > 0 ? m_levels[m_levelCount - 1] : NoLevel;
    }

    /// What `after` says of the words holds again when the level ends.
    void push(Level level, Expectation after)
    {
        if (m_levelCount < kMostLevels) {
            m_after[m_levelCount] = after;
            m_levels[m_levelCount++] = level;
        }
    }

    bool pop(Level level)
    {
        if (top() != level) {
            return false;
        }
        m_now = m_after[--m_levelCount];
        return true;
    }

    void prompt()
    {
        m_scanner.skipSpace();
        if (m_scanner.looksAt(u"$ ")) {
            m_scanner.take(1, CodeToken::Meta);
        }
    }

    void heredocLine()
    {
        QStringView word = m_scanner.line();
        while ((m_flags & kStripsTabs) != 0 && word.startsWith(u'\t')) {
            word = word.sliced(1);
        }
        const bool isWord = !word.isEmpty() && word.size() <= kLongestHeredocWord
            && std::none_of(word.begin(), word.end(), [](QChar unit) { return unit.isSpace(); });
        if (isWord && (codeHash(word) & kHashMask) == m_hash) {
            m_scanner.takeRest(CodeToken::Keyword);
            m_mode = Code;
            return;
        }
        qsizetype from = m_scanner.at();
        while (!m_scanner.atEnd()) {
            if ((m_flags & kIsLiteral) == 0 && isAtVariable()) {
                m_scanner.mark(from, CodeToken::String);
                variableInText();
                from = m_scanner.at();
            } else {
                m_scanner.skip(m_scanner.peek() == u'\\' ? 2 : 1);
            }
        }
        m_scanner.mark(from, CodeToken::String);
    }

    void token()
    {
        const qsizetype from = m_scanner.at();
        const char16_t unit = m_scanner.peek();
        const char16_t next = m_scanner.peek(1);
        const bool isInBrace = top() == Brace;
        if (isCodeSpace(unit)) {
            m_scanner.skipSpace();
            m_now.isInAssignment = false;
        } else if (unit == u'#' && isAtBoundary() && !isInBrace) {
            m_scanner.takeRest(CodeToken::Comment);
        } else if (unit == u'\'' && !isInBrace) {
            m_scanner.skip();
            singleQuoted(from);
            argument();
        } else if (unit == u'"') {
            argument();
            m_scanner.take(1, CodeToken::String);
            push(DoubleQuoted, m_now);
        } else if (unit == u'$' && next == u'\'' && !isInBrace) {
            m_scanner.skip(2);
            ansiQuoted(from);
            argument();
        } else if (unit == u'$' && isAtVariable()) {
            argument();
            variable();
        } else if (unit == u'\\') {
            m_continues = m_scanner.rest().size() == 1;
            m_scanner.skip(2);
        } else if (unit == u'}' && isInBrace) {
            m_scanner.take(1, CodeToken::Property);
            pop(Brace);
        } else if (isOperator(unit) && !isInBrace) {
            operation(unit);
        } else if (!endsWord(unit) && !isInBrace) {
            word();
        } else {
            m_scanner.skip();
        }
    }

    [[nodiscard]] bool isAtBoundary() const
    {
        const char16_t before = m_scanner.peek(-1);
        return before == u'\0' || isCodeSpace(before) || isOperator(before) || before == u'`';
    }

    // What stands where a command may stand was it, whatever it is.
    void argument() { m_now.command = m_now.command && m_now.isInAssignment; }

    void operation(char16_t unit)
    {
        if (unit == u'<' && m_scanner.peek(1) == u'<') {
            heredoc();
            return;
        }
        const bool isArray = unit == u'(' && m_scanner.peek(-1) == u'=';
        const char16_t before = m_scanner.peek(-1);
        const bool isRedirection = unit == u'&'
            && (before == u'>' || before == u'<' || m_scanner.peek(1) == u'>'); // 2>&1, &>
        m_scanner.skip();
        if (unit == u')') {
            m_isArithmetic = m_isArithmetic && m_scanner.peek() == u')';
            if (!pop(Parenthesis)) {
                m_now = { true, false }; // the pattern of a case
            }
        } else if (unit == u'(') {
            m_isArithmetic = m_isArithmetic || m_scanner.peek() == u'(';
            push(Parenthesis, { !m_isArithmetic && !isArray, false });
            m_now = { !m_isArithmetic && !isArray, false };
        } else if (unit != u'<' && unit != u'>' && !isRedirection) {
            m_now = { !m_isArithmetic, false };
            m_isDeclaring = false;
        }
    }

    void heredoc()
    {
        m_scanner.skip(2);
        if (m_scanner.peek() == u'<' || m_isArithmetic) { // <<< "text", and shifted bits
            m_scanner.skip(m_scanner.peek() == u'<' ? 1 : 0);
            return;
        }
        const bool stripsTabs = m_scanner.peek() == u'-';
        m_scanner.skip(stripsTabs ? 1 : 0);
        m_scanner.skipSpace();
        const qsizetype from = m_scanner.at();
        const char16_t quote = m_scanner.peek();
        const bool isQuoted = quote == u'\'' || quote == u'"';
        const bool isLiteral = isQuoted || quote == u'\\';
        m_scanner.skip(isLiteral ? 1 : 0);
        const qsizetype start = m_scanner.at();
        while (!m_scanner.atEnd()
               && (isQuoted ? m_scanner.peek() != quote : !endsWord(m_scanner.peek()))) {
            m_scanner.skip();
        }
        const QStringView word = m_scanner.since(start);
        m_scanner.skip(isQuoted ? 1 : 0);
        // Digits are a shift, not a word; a second heredoc of the line is not kept.
        if (word.isEmpty() || isCodeDigit(word[0].unicode())) {
            return;
        }
        m_scanner.mark(from, CodeToken::Keyword);
        if (!m_hasHeredoc) {
            m_hasHeredoc = true;
            m_hash = codeHash(word) & kHashMask;
            m_flags = (stripsTabs ? kStripsTabs : 0) | (isLiteral ? kIsLiteral : 0);
        }
    }

    void word()
    {
        const qsizetype from = m_scanner.at();
        const bool isWhole = isAtBoundary() && !m_now.isInAssignment;
        m_scanner.skip(); // a # within a word begins no comment
        while (!endsWord(m_scanner.peek())) {
            m_scanner.skip();
        }
        const QStringView word = m_scanner.since(from);
        if (!isWhole || m_isArithmetic) {
            return;
        }
        if (const auto token = wordToken(word)) {
            m_scanner.mark(from, *token);
        }
    }

    std::optional<CodeToken> wordToken(QStringView word)
    {
        const QStringView name = word.endsWith(u'+') ? word.chopped(1) : word;
        if (m_scanner.peek() == u'=' && (m_now.command || m_isDeclaring) && isIdentifier(name)) {
            m_now.isInAssignment = true;
            return CodeToken::Property;
        }
        if (word == u"in" && m_isListing) {
            m_isListing = false;
            return CodeToken::Keyword;
        }
        const bool isPattern = m_scanner.peek() == u')' && top() != Parenthesis; // of a case
        if (m_now.command && word != u"{" && word != u"!" && !isPattern) {
            return commandToken(word);
        }
        const bool isNumber = std::all_of(word.begin(), word.end(),
                                          [](QChar unit) { return isCodeDigit(unit.unicode()); });
        return isNumber ? std::optional(CodeToken::Number) : std::nullopt;
    }

    CodeToken commandToken(QStringView word)
    {
        const auto keyword = m_words.keywords.find(word);
        m_isListing = word == u"for" || word == u"case" || word == u"select";
        m_isDeclaring = m_words.declaring.find(word).has_value();
        m_now.command = word == u"function" || m_words.beforeCommand.find(word).has_value();
        return keyword.value_or(CodeToken::Function);
    }

    [[nodiscard]] bool isAtVariable() const
    {
        const char16_t next = m_scanner.peek(1);
        return m_scanner.peek() == u'$'
            && (isCodeWordPart(next) || next == u'{' || next == u'('
                || (next != u'\0' && QStringView(u"?#@*!$-").contains(QChar(next))));
    }

    /// $name, $1, $?: whole; ${name and $( with what they open.
    void variable()
    {
        const qsizetype from = m_scanner.at();
        const char16_t next = m_scanner.peek(1);
        if (next == u'(') {
            m_scanner.take(2, CodeToken::Property);
            m_isArithmetic = m_isArithmetic || m_scanner.peek() == u'(';
            push(Parenthesis, m_now);
            m_now = { !m_isArithmetic, false };
            return;
        }
        m_scanner.skip(2);
        if (next == u'{') {
            m_scanner.skip(m_scanner.peek() == u'#' || m_scanner.peek() == u'!' ? 1 : 0);
            m_scanner.skipWord();
            if (m_scanner.peek() == u'}') {
                m_scanner.skip();
            } else {
                push(Brace, m_now);
            }
        } else if (isCodeWordStart(next)) {
            m_scanner.skipWord();
        }
        m_scanner.mark(from, CodeToken::Property);
    }

    /// The same in a heredoc, where nothing stays open.
    void variableInText()
    {
        const quint32 levels = m_levelCount;
        variable();
        m_levelCount = levels;
    }

    void singleQuoted(qsizetype from)
    {
        m_mode = m_scanner.skipPast(u"'") ? Code : SingleQuoted;
        m_scanner.mark(from, CodeToken::String);
    }

    void ansiQuoted(qsizetype from)
    {
        m_mode = m_scanner.skipQuoted(u'\'') == CodeQuote::Closed ? Code : AnsiQuoted;
        m_scanner.mark(from, CodeToken::String);
    }

    void doubleQuoted()
    {
        const qsizetype from = m_scanner.at();
        while (!m_scanner.atEnd()) {
            const char16_t unit = m_scanner.peek();
            if (unit == u'"') {
                m_scanner.skip();
                pop(DoubleQuoted);
                break;
            }
            if (isAtVariable()) {
                m_scanner.mark(from, CodeToken::String);
                variable();
                return;
            }
            m_scanner.skip(unit == u'\\' ? 2 : 1);
        }
        m_scanner.mark(from, CodeToken::String);
    }

    const ShellWords& m_words;
    CodeScanner m_scanner;
    Mode m_mode;
    quint32 m_flags;
    quint32 m_hash;
    std::array<Level, kMostLevels> m_levels {};
    quint32 m_levelCount = 0;
    std::array<Expectation, kMostLevels>
        m_after {}; // of what was open before the line nothing is known
    Expectation m_now;
    bool m_continues = false; // so does the next line
    bool m_hasHeredoc = false; // begins with the next line
    bool m_isDeclaring = false; // behind export and the like
    bool m_isListing = false; // "in" is a keyword
    bool m_isArithmetic = false; // within (( ))
};

class BashLexer : public CodeLexer
{
public:
    int line(QStringView line, int stateBefore, QList<CodeSpan>& spans) const override
    {
        return ShellLine(m_words, line, codeStateBits(stateBefore), spans).lex();
    }

private:
    const ShellWords m_words;
};

} // namespace

const CodeLexer& bashLexer()
{
    static const BashLexer lexer;
    return lexer;
}
