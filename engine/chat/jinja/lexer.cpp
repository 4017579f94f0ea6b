#include "engine/chat/jinja/lexer.h"

#include "engine/chat/jinja/failure.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>
#include <array>
#include <optional>

namespace engine::chat::jinja {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

std::string withPlainNewlines(std::string_view source)
{
    std::string out;
    out.reserve(source.size());
    for (std::size_t i = 0; i < source.size(); ++i) {
        if (source[i] == '\r') {
            out += '\n';
            i += i + 1 < source.size() && source[i + 1] == '\n' ? 1 : 0;
        } else {
            out += source[i];
        }
    }
    if (!out.empty() && out.back() == '\n') {
        out.pop_back();
    }
    return out;
}

class Lexer
{
public:
    explicit Lexer(std::string_view source)
        : m_source(withPlainNewlines(source))
    {
    }

    std::vector<Token> run()
    {
        while (m_at < m_source.size()) {
            text();
        }
        add(Token::Type::End, {});
        return std::move(m_tokens);
    }

private:
    [[noreturn]] void fail(std::string message) const
    {
        throw Failure { ErrorCode::TemplateSyntax, std::move(message), m_line };
    }

    void add(Token::Type type, std::string text)
    {
        m_tokens.push_back({ type, std::move(text), m_line });
    }

    void advance(std::size_t to)
    {
        const auto from = m_source.begin() + static_cast<std::ptrdiff_t>(m_at);
        m_line += static_cast<int>(
            std::count(from, m_source.begin() + static_cast<std::ptrdiff_t>(to), '\n'));
        m_at = to;
    }

    [[nodiscard]] bool startsWith(std::size_t at, std::string_view what) const
    {
        return std::string_view(m_source).substr(std::min(at, m_source.size())).starts_with(what);
    }

    [[nodiscard]] std::size_t skipSpace(std::size_t at) const
    {
        while (at < m_source.size()) {
            std::size_t next = at;
            if (!hasClass(nextCharacter(m_source, next), kSpace)) {
                break;
            }
            at = next;
        }
        return at;
    }

    /// The place of the next tag's two characters.
    [[nodiscard]] std::size_t findTag() const
    {
        for (std::size_t at = m_source.find('{', m_at); at != std::string::npos;
             at = m_source.find('{', at + 1)) {
            const char kind = at + 1 < m_source.size() ? m_source[at + 1] : '\0';
            if (kind == '{' || kind == '%' || kind == '#') {
                return at;
            }
        }
        return m_source.size();
    }

    /// Text in front of a tag loses whitespace: all of it where the tag says '-', else, before a
    /// block or a comment, the indentation of a tag that begins its line.
    [[nodiscard]] std::string trimmedText(std::size_t end, char sign, bool isOutput) const
    {
        std::string text = m_source.substr(m_at, end - m_at);
        if (sign == '-') {
            std::size_t keep = 0;
            for (std::size_t i = 0; i < text.size();) {
                const bool space = hasClass(nextCharacter(text, i), kSpace);
                keep = space ? keep : i;
            }
            text.resize(keep);
        } else if (sign != '+' && !isOutput) {
            const std::size_t newline = text.rfind('\n');
            const std::size_t lineStart = newline == std::string::npos ? 0 : newline + 1;
            if (lineStart > 0 || m_atLineStart) {
                std::size_t i = lineStart;
                bool blank = true;
                while (i < text.size() && blank) {
                    blank = hasClass(nextCharacter(text, i), kSpace);
                }
                if (blank) {
                    text.resize(lineStart);
                }
            }
        }
        return text;
    }

    void text()
    {
        const std::size_t tag = findTag();
        if (tag == m_source.size()) {
            add(Token::Type::Text, m_source.substr(m_at));
            advance(tag);
            return;
        }
        const char kind = m_source[tag + 1];
        std::size_t inside = tag + 2;
        const char next = inside < m_source.size() ? m_source[inside] : '\0';
        const char sign = next == '-' || next == '+' ? next : '\0';
        inside += sign ? 1 : 0;
        if (std::string text = trimmedText(tag, sign, kind == '{'); !text.empty()) {
            add(Token::Type::Text, std::move(text));
        }
        advance(inside);
        m_atLineStart = false;
        if (kind == '#') {
            comment();
        } else if (kind == '%') {
            if (!raw()) {
                add(Token::Type::BlockBegin, {});
                tagContent("%}", Token::Type::BlockEnd);
            }
        } else {
            add(Token::Type::OutputBegin, {});
            tagContent("}}", Token::Type::OutputEnd);
        }
    }

    /// Behind the end of a block or comment at `at`: '-' takes all whitespace, '+' none, else one
    /// newline goes.
    std::size_t afterTag(std::size_t at, char sign)
    {
        std::size_t end = at;
        if (sign == '-') {
            end = skipSpace(at);
        } else if (sign != '+' && at < m_source.size() && m_source[at] == '\n') {
            end = at + 1;
        }
        m_atLineStart = end > at && m_source[end - 1] == '\n';
        return end;
    }

    void comment()
    {
        const std::size_t close = m_source.find("#}", m_at);
        if (close == std::string::npos) {
            fail("a comment is not closed");
        }
        const char sign = close > m_at ? m_source[close - 1] : '\0';
        advance(afterTag(close + 2, sign));
    }

    /// At "{%" or "{%-": reads a whole {% raw %} … {% endraw %}, if it is one.
    bool raw()
    {
        std::size_t at = skipSpace(m_at);
        if (!startsWith(at, "raw")) {
            return false;
        }
        at = skipSpace(at + 3);
        if (startsWith(at, "-%}")) {
            const std::size_t end = skipSpace(at + 3);
            m_atLineStart = m_source[end - 1] == '\n';
            advance(end);
        } else if (startsWith(at, "%}")) {
            advance(at + 2);
        } else {
            return false;
        }
        for (std::size_t tag = m_source.find("{%", m_at); tag != std::string::npos;
             tag = m_source.find("{%", tag + 1)) {
            std::size_t inside = tag + 2;
            const char next = inside < m_source.size() ? m_source[inside] : '\0';
            const char sign = next == '-' || next == '+' ? next : '\0';
            inside = skipSpace(inside + (sign ? 1 : 0));
            if (!startsWith(inside, "endraw")) {
                continue;
            }
            inside = skipSpace(inside + 6);
            const char endSign = startsWith(inside, "-%}") ? '-'
                : startsWith(inside, "+%}")                ? '+'
                                                           : '\0';
            inside += endSign ? 1 : 0;
            if (startsWith(inside, "%}")) {
                add(Token::Type::Text, trimmedText(tag, sign, false));
                advance(afterTag(inside + 2, endSign));
                return true;
            }
        }
        fail("'raw' is not closed");
    }

    /// Everything up to and with the end of a tag.
    void tagContent(std::string_view close, Token::Type endType)
    {
        std::string open; // brackets
        while (true) {
            advance(skipSpace(m_at));
            if (m_at >= m_source.size()) {
                fail("the template ends within a tag");
            }
            const char c = m_source[m_at];
            const bool isBlock = endType == Token::Type::BlockEnd;
            const bool signedEnd =
                (c == '-' || (c == '+' && isBlock)) && startsWith(m_at + 1, close);
            if (open.empty() && (signedEnd || startsWith(m_at, close))) {
                add(endType, {});
                const std::size_t end = m_at + close.size() + (signedEnd ? 1 : 0);
                const char sign = signedEnd ? c : '\0';
                // An output keeps the newline behind it.
                advance(afterTag(end, isBlock || sign ? sign : '+'));
                return;
            }
            token(open);
        }
    }

    void token(std::string& open)
    {
        const char c = m_source[m_at];
        if (isDigit(c)) {
            number();
        } else if (c == '\'' || c == '"') {
            stringLiteral(c);
        } else if (!name()) {
            operatorToken(open);
        }
    }

    /// digits with single underscores between them.
    [[nodiscard]] std::size_t digits(std::size_t at, int base = 10) const
    {
        const auto isOne = [&](std::size_t i) {
            if (i >= m_source.size()) {
                return false;
            }
            const char c = m_source[i];
            const int value = isDigit(c) ? c - '0'
                : c >= 'a' && c <= 'f'   ? c - 'a' + 10
                : c >= 'A' && c <= 'F'   ? c - 'A' + 10
                                         : 99;
            return value < base;
        };
        while (isOne(at) || (at < m_source.size() && m_source[at] == '_' && isOne(at + 1))) {
            ++at;
        }
        return at;
    }

    [[nodiscard]] std::optional<std::size_t> floatEnd() const
    {
        if (m_at > 0 && m_source[m_at - 1] == '.') {
            return {};
        }
        const auto at = [&](std::size_t i) { return i < m_source.size() ? m_source[i] : '\0'; };
        std::size_t end = digits(m_at);
        bool found = false;
        if (at(end) == '.' && isDigit(at(end + 1))) {
            end = digits(end + 1);
            found = true;
        }
        if (at(end) == 'e' || at(end) == 'E') {
            const std::size_t first = end + (at(end + 1) == '+' || at(end + 1) == '-' ? 2 : 1);
            if (isDigit(at(first))) {
                end = digits(first);
                found = true;
            }
        }
        return found ? std::optional(end) : std::nullopt;
    }

    void number()
    {
        const auto float_ = floatEnd();
        std::size_t end = 0;
        const char next = m_at + 1 < m_source.size() ? m_source[m_at + 1] : '\0';
        if (float_) {
            end = *float_;
        } else if (m_source[m_at] == '0') {
            const int base = next == 'x' || next == 'X' ? 16
                : next == 'o' || next == 'O'            ? 8
                : next == 'b' || next == 'B'            ? 2
                                                        : 1;
            end = base == 1 ? digits(m_at, 1) : digits(m_at + 2, base);
            end = base != 1 && end == m_at + 2 ? m_at + 1 : end;
        } else {
            end = digits(m_at);
        }
        std::string text = m_source.substr(m_at, end - m_at);
        text.erase(std::remove(text.begin(), text.end(), '_'), text.end());
        add(float_ ? Token::Type::Float : Token::Type::Integer, std::move(text));
        advance(end);
    }

    bool name()
    {
        std::size_t end = m_at;
        while (end < m_source.size()) {
            std::size_t next = end;
            const char32_t c = nextCharacter(m_source, next);
            if (c != '_' && !hasClass(c, kAlphanumeric)) {
                break;
            }
            end = next;
        }
        if (end == m_at) {
            return false;
        }
        add(Token::Type::Name, m_source.substr(m_at, end - m_at));
        advance(end);
        return true;
    }

    void operatorToken(std::string& open)
    {
        constexpr auto kLong =
            std::to_array<std::string_view>({ "==", "!=", ">=", "<=", "//", "**" });
        constexpr std::string_view kShort = "+-/*%~[](){}><=.:|,;";
        for (const std::string_view op : kLong) {
            if (startsWith(m_at, op)) {
                add(Token::Type::Operator, std::string(op));
                advance(m_at + 2);
                return;
            }
        }
        const char c = m_source[m_at];
        if (kShort.find(c) == std::string_view::npos) {
            fail(std::string("unexpected character '") + c + "'");
        }
        if (c == '(' || c == '[' || c == '{') {
            open += c;
        } else if (c == ')' || c == ']' || c == '}') {
            const char partner = c == ')' ? '(' : c == ']' ? '[' : '{';
            if (open.empty() || open.back() != partner) {
                fail(std::string("unexpected '") + c + "'");
            }
            open.pop_back();
        }
        add(Token::Type::Operator, std::string(1, c));
        advance(m_at + 1);
    }

    void stringLiteral(char quote)
    {
        std::size_t end = m_at + 1;
        while (end < m_source.size() && m_source[end] != quote) {
            end += m_source[end] == '\\' ? 2 : 1;
        }
        if (end >= m_source.size()) {
            fail("a string is not closed");
        }
        add(Token::Type::String,
            unescaped(std::string_view(m_source).substr(m_at + 1, end - m_at - 1)));
        advance(end + 1);
    }

    [[nodiscard]] std::string unescaped(std::string_view text) const
    {
        std::string out;
        for (std::size_t i = 0; i < text.size();) {
            if (text[i] != '\\') {
                out += text[i++];
                continue;
            }
            i = escape(out, text, i + 1);
        }
        return out;
    }

    /// One escape as in Python's string literals, from behind its backslash; an unknown one stays
    /// as it is.
    std::size_t escape(std::string& out, std::string_view text, std::size_t at) const
    {
        constexpr std::string_view kLetters = "abfnrtv\\'\"";
        constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
        const char c = text[at];
        if (c == '\n') {
            return at + 1;
        }
        if (const std::size_t known = kLetters.find(c); known != std::string_view::npos) {
            out += kMeanings[known];
            return at + 1;
        }
        std::size_t length = c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0;
        if (length > 0) {
            return at + 1 + codePoint(out, text.substr(at + 1), length, 16, true);
        }
        if (c >= '0' && c <= '7') {
            return at + codePoint(out, text.substr(at), 3, 8, false);
        }
        if (c == 'N') {
            fail("characters by name (\\N) are not supported");
        }
        out += '\\';
        out += c;
        return at + 1;
    }

    std::size_t codePoint(std::string& out, std::string_view digits, std::size_t length,
                          char32_t base, bool all) const
    {
        char32_t c = 0;
        std::size_t used = 0;
        for (; used < std::min(length, digits.size()); ++used) {
            const char d = digits[used];
            const char32_t value = isDigit(d) ? static_cast<char32_t>(d - '0')
                : d >= 'a' && d <= 'f'        ? static_cast<char32_t>(d - 'a' + 10)
                : d >= 'A' && d <= 'F'        ? static_cast<char32_t>(d - 'A' + 10)
                                              : 99;
            if (value >= base) {
                break;
            }
            c = c * base + value;
        }
        if ((all && used < length) || c > 0x10FFFF) {
            fail("a string has a broken escape");
        }
        appendUtf8(out, c);
        return used;
    }

    std::string m_source;
    std::size_t m_at = 0;
    int m_line = 1;
    bool m_atLineStart = true;
    std::vector<Token> m_tokens;
};

} // namespace

std::vector<Token> tokenize(std::string_view source)
{
    return Lexer(source).run();
}

} // namespace engine::chat::jinja
