// Styled text as Markdown.
// SPDX-License-Identifier: Apache-2.0
#include "ui/chat/markdown/inline_markdown.h"

#include "ui/chat/markdown/maths.h"

#include <algorithm>
#include <array>
#include <utility>

namespace {

constexpr QChar kLineBreak = QChar::LineSeparator;
constexpr std::array kEmphasis { TextSpan::Bold, TextSpan::Italic, TextSpan::Strike };

/// The longest run of `mark` in the text.
qsizetype longestRun(QStringView text, QChar mark)
{
    qsizetype longest = 0;
    qsizetype run = 0;
    for (const QChar character : text) {
        run = character == mark ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    return longest;
}

/// Writes one styled text. Styles are kept by character while it works.
class InlineWriter
{
public:
    InlineWriter(const StyledText& text, InlinePlace place);
    QString write();

private:
    struct Look
    {
        quint8 styles = 0;
        const QString* target = nullptr;

        friend bool operator==(const Look&, const Look&) = default;
    };
    /// A mark that waits for its closing.
    struct Open
    {
        TextSpan::Style style;
        QString mark;
        const QString* target = nullptr;
    };

    void trimEmphasis();
    [[nodiscard]] bool has(const Open& open, qsizetype at) const
    {
        return (m_looks[at].styles & open.style) != 0
            && m_looks[at].target == (open.target ? open.target : m_looks[at].target);
    }
    [[nodiscard]] qsizetype extentOf(TextSpan::Style style, qsizetype at) const;
    [[nodiscard]] QString emphasisMark(TextSpan::Style style, qsizetype at) const;
    void close(qsizetype keep);
    void open(qsizetype at);
    bool writeAutolink(qsizetype& at);
    void writeCode(qsizetype from, qsizetype to);
    void writeText(qsizetype from, qsizetype to);
    [[nodiscard]] qsizetype lineStart(qsizetype at) const;
    [[nodiscard]] qsizetype lineEnd(qsizetype at) const;
    void writeCharacter(qsizetype at);
    [[nodiscard]] bool isEscaped(qsizetype at) const;
    [[nodiscard]] bool startsLine(qsizetype at) const
    {
        return at == 0 || m_text[at - 1] == kLineBreak;
    }
    [[nodiscard]] bool isEscapedAtLineStart(qsizetype at) const;
    [[nodiscard]] bool isWord(qsizetype at) const
    {
        return at >= 0 && at < m_text.size()
            && (m_text[at].isLetterOrNumber() || m_text[at].isSurrogate());
    }
    [[nodiscard]] QChar charAt(qsizetype at) const
    {
        return at >= 0 && at < m_text.size() ? m_text[at] : QChar();
    }

    const QString& m_text;
    InlinePlace m_place;
    QList<Look> m_looks;
    QList<Open> m_open;
    QList<qsizetype> m_brackets; ///< which brackets would make a link
    QString m_out;
};

InlineWriter::InlineWriter(const StyledText& text, InlinePlace place)
    : m_text(text.text)
    , m_place(place)
    , m_looks(text.text.size())
{
    const QString* last = nullptr;
    for (const TextSpan& span : text.spans) {
        const bool links = (span.styles & TextSpan::Link) != 0;
        // One link with differently styled parts has equal targets: one address stands for them
        // all.
        last = links && last != nullptr && *last == span.target ? last
            : links                                             ? &span.target
                                                                : nullptr;
        for (qsizetype at = span.start; at < span.start + span.length && at < m_looks.size();
             ++at) {
            m_looks[at] = { span.styles, last };
        }
    }
    trimEmphasis();
    QList<qsizetype> open;
    for (qsizetype at = 0; at < m_text.size(); ++at) {
        const bool plain = (m_looks[at].styles & TextSpan::Code) == 0;
        const bool inLink = m_looks[at].target != nullptr;
        if (plain && inLink && (m_text[at] == u'[' || m_text[at] == u']')) {
            m_brackets.append(at);
        } else if (plain && m_text[at] == u'[') {
            open.append(at);
        } else if (plain && m_text[at] == u']' && !open.isEmpty()) {
            const QChar next = charAt(at + 1);
            const bool task = open.first() == 0 && at == 2;
            if (next == u'(' || next == u'[' || next == u':' || task) {
                m_brackets += open;
                m_brackets.append(at);
                open.clear();
            } else {
                open.removeLast();
            }
        }
    }
    std::ranges::sort(m_brackets);
}

/// Emphasis can't begin or end at white space.
void InlineWriter::trimEmphasis()
{
    for (const TextSpan::Style style : kEmphasis) {
        const auto trim = [&](qsizetype at, qsizetype step) {
            while (at >= 0 && at < m_looks.size() && (m_looks[at].styles & style) != 0
                   && (m_looks[at].styles & TextSpan::Code) == 0 && m_text[at].isSpace()) {
                m_looks[at].styles &= quint8(~style);
                at += step;
            }
        };
        for (qsizetype at = 0; at < m_looks.size(); ++at) {
            const bool here = (m_looks[at].styles & style) != 0;
            const bool before = at > 0 && (m_looks[at - 1].styles & style) != 0;
            if (here && !before) {
                trim(at, 1);
            }
            if (before && !here) {
                trim(at - 1, -1);
            }
        }
        trim(m_looks.size() - 1, -1);
    }
}

QString InlineWriter::write()
{
    for (qsizetype at = 0; at < m_text.size();) {
        qsizetype end = at + 1;
        while (end < m_text.size() && m_looks[end] == m_looks[at]) {
            ++end;
        }
        qsizetype keep = 0;
        while (keep < m_open.size() && has(m_open[keep], at)) {
            ++keep;
        }
        close(keep);
        if (writeAutolink(at)) {
            continue;
        }
        open(at);
        if ((m_looks[at].styles & TextSpan::Code) != 0) {
            writeCode(at, end);
        } else {
            writeText(at, end);
        }
        at = end;
    }
    close(0);
    return std::move(m_out);
}

qsizetype InlineWriter::extentOf(TextSpan::Style style, qsizetype at) const
{
    const Look from = m_looks[at];
    while (at < m_looks.size() && (m_looks[at].styles & style) != 0
           && (style != TextSpan::Link || m_looks[at].target == from.target)) {
        ++at;
    }
    return at;
}

QString InlineWriter::emphasisMark(TextSpan::Style style, qsizetype at) const
{
    if (style == TextSpan::Link) {
        return QStringLiteral("[");
    }
    if (style != TextSpan::Italic) {
        return style == TextSpan::Bold ? QStringLiteral("**") : QStringLiteral("~~");
    }
    // "_" can't be mistaken for a part of "**", but it does nothing inside a word.
    return isWord(at - 1) || isWord(extentOf(style, at)) ? QStringLiteral("*")
                                                         : QStringLiteral("_");
}

void InlineWriter::close(qsizetype keep)
{
    while (m_open.size() > keep) {
        const Open last = m_open.takeLast();
        if (last.style != TextSpan::Link) {
            m_out += last.mark;
            continue;
        }
        QString target = *last.target;
        target.replace(u'\\', QLatin1String("\\\\")).replace(u'&', QLatin1String("&amp;"));
        const bool plain = std::ranges::none_of(target, [](QChar character) {
            return character.isSpace() || QStringView(u"()<>").contains(character);
        });
        target.replace(u'<', QLatin1String("\\<")).replace(u'>', QLatin1String("\\>"));
        m_out +=
            plain ? QStringLiteral("](%1)").arg(target) : QStringLiteral("](<%1>)").arg(target);
    }
}

void InlineWriter::open(qsizetype at)
{
    QList<std::pair<qsizetype, TextSpan::Style>> wanted;
    for (const TextSpan::Style style :
         { TextSpan::Link, TextSpan::Bold, TextSpan::Italic, TextSpan::Strike }) {
        const bool isOpen =
            std::ranges::any_of(m_open, [&](const Open& open) { return open.style == style; });
        if ((m_looks[at].styles & style) != 0 && !isOpen) {
            wanted.append({ extentOf(style, at), style });
        }
    }
    std::ranges::stable_sort(wanted, std::greater(), [](const auto& each) { return each.first; });
    for (const auto& [extent, style] : std::as_const(wanted)) {
        const QString mark = emphasisMark(style, at);
        m_open.append({ style, mark, style == TextSpan::Link ? m_looks[at].target : nullptr });
        m_out += mark;
    }
}

bool InlineWriter::writeAutolink(qsizetype& at)
{
    if (m_looks[at].styles != TextSpan::Link) {
        return false;
    }
    const qsizetype end = extentOf(TextSpan::Link, at);
    const bool uniform = std::all_of(m_looks.cbegin() + at, m_looks.cbegin() + end,
                                     [&](const Look& look) { return look == m_looks[at]; });
    const QStringView text = QStringView(m_text).sliced(at, end - at);
    const QString& target = *m_looks[at].target;
    const bool same =
        text == target || (target.startsWith(u"mailto:") && QStringView(target).sliced(7) == text);
    const bool clean = std::ranges::none_of(text, [](QChar character) {
        return character.isSpace() || character == u'<' || character == u'>' || character == u'&';
    });
    const bool fresh =
        std::ranges::none_of(m_open, [](const Open& open) { return open.style == TextSpan::Link; });
    if (!uniform || !same || !clean || !fresh || m_place == InlinePlace::Cell) {
        return false;
    }
    m_out += u'<' + text.toString() + u'>';
    at = end;
    return true;
}

void InlineWriter::writeCode(qsizetype from, qsizetype to)
{
    QString code = m_text.sliced(from, to - from);
    if (m_place == InlinePlace::Cell) {
        code.replace(u'|', QLatin1String("\\|"));
    }
    const QString mark(longestRun(code, u'`') + 1, u'`');
    const bool ticks = code.startsWith(u'`') || code.endsWith(u'`');
    const bool spaced = code.startsWith(u' ') && code.endsWith(u' ') && !code.trimmed().isEmpty();
    const QString pad = ticks || spaced ? QStringLiteral(" ") : QString();
    m_out += mark + pad + code + pad + mark;
}

qsizetype InlineWriter::lineStart(qsizetype at) const
{
    return at == 0 ? 0 : m_text.lastIndexOf(kLineBreak, at - 1) + 1;
}

qsizetype InlineWriter::lineEnd(qsizetype at) const
{
    const qsizetype end = m_text.indexOf(kLineBreak, at);
    return end < 0 ? m_text.size() : end;
}

void InlineWriter::writeText(qsizetype from, qsizetype to)
{
    for (qsizetype at = from; at < to;) {
        if (m_text[at] == u'\\') {
            const qsizetype line = lineStart(at);
            const qsizetype end =
                mathsEnd(QStringView(m_text).sliced(line, lineEnd(at) - line), at - line);
            if (end >= 0 && line + end <= to) {
                m_out += QStringView(m_text).sliced(at, line + end - at);
                at = line + end;
                continue;
            }
        }
        writeCharacter(at++);
    }
}

void InlineWriter::writeCharacter(qsizetype at)
{
    const QChar character = m_text[at];
    const bool atLineEnd = at + 1 == m_text.size();
    if (character == kLineBreak) {
        m_out +=
            m_place == InlinePlace::Paragraph ? QStringLiteral("\\\n") : QStringLiteral("<br>");
    } else if (character == u' ' && (startsLine(at) || atLineEnd)) {
        m_out += QStringLiteral("&#32;");
    } else if (character == u'<' && isEscaped(at)) {
        m_out += QStringLiteral("&lt;");
    } else if (character == u'&' && isEscaped(at)) {
        m_out += QStringLiteral("&amp;");
    } else if (std::ranges::binary_search(m_brackets, at)) {
        m_out += character == u'[' ? QStringLiteral("&#91;") : QStringLiteral("&#93;");
    } else if (character == u')' && isEscaped(at)) {
        m_out += QStringLiteral("&#41;"); // "\)" ends maths
    } else if (character == u'\\' && QStringView(u"()[]").contains(charAt(at + 1)) && !atLineEnd) {
        m_out += QStringLiteral("&#92;");
    } else {
        if (isEscaped(at)) {
            m_out += u'\\';
        }
        m_out += character;
    }
}

bool InlineWriter::isEscaped(qsizetype at) const
{
    const QChar next = charAt(at + 1);
    switch (m_text[at].unicode()) {
    case u'\\':
        return at + 1 == m_text.size() || next == kLineBreak || next.isPunct() || next.isSymbol();
    case u'`':
    case u'*':
    case u'~':
        return true;
    case u'_':
        return !isWord(at - 1) || !isWord(at + 1);
    case u'|':
        return m_place == InlinePlace::Cell || startsLine(at);
    case u'<':
        return next.isLetter() || QStringView(u"/!?").contains(next);
    case u'&':
        return next == u'#' || next.isLetter();
    case u'!':
        return next == u'[';
    case u':':
        return (next == u'/' && charAt(at + 2) == u'/') || (startsLine(at) && next == u'-');
    case u'@':
        return isWord(at - 1) && isWord(at + 1);
    case u'.':
        return isEscapedAtLineStart(at)
            || (at >= 3
                && QStringView(m_text).sliced(at - 3, 3).compare(u"www", Qt::CaseInsensitive) == 0);
    default:
        return isEscapedAtLineStart(at);
    }
}

bool InlineWriter::isEscapedAtLineStart(qsizetype at) const
{
    const QChar character = m_text[at];
    const QChar next = charAt(at + 1);
    const bool alone = next.isNull() || next.isSpace();
    if (character == u'#') {
        return startsLine(at) || (m_place == InlinePlace::Heading && at + 1 == m_text.size());
    }
    if (character == u'>' || character == u'=' || character == u'-' || character == u'+') {
        return startsLine(at) && (character == u'>' || !isWord(at + 1));
    }
    if ((character == u'.' || character == u')') && alone && isWord(at - 1)) {
        const QStringView before = QStringView(m_text).sliced(lineStart(at), at - lineStart(at));
        return before.size() <= 9
            && std::ranges::all_of(before, [](QChar each) { return each >= u'0' && each <= u'9'; });
    }
    return false;
}

} // namespace

QString inlineMarkdown(const StyledText& text, InlinePlace place)
{
    return InlineWriter(text, place).write();
}

StyledText partOf(const StyledText& text, qsizetype from, qsizetype to)
{
    StyledText part;
    part.text = text.text.sliced(from, to - from);
    for (const TextSpan& span : text.spans) {
        const qsizetype start = std::max<qsizetype>(span.start, from);
        const qsizetype end = std::min<qsizetype>(span.start + span.length, to);
        if (start < end) {
            TextSpan kept = span;
            kept.start = int(start - from);
            kept.length = int(end - start);
            part.spans.append(kept);
        }
    }
    return part;
}
