#include "ui/inspector/template_highlighter.h"

#include <QtCore/QSet>

#include <algorithm>

namespace {

constexpr int kMarkSize = 2; // of "{{" and its like
constexpr int kQuoteStep = 4;

bool isKeyword(const QString& word)
{
    static const QSet<QString> kWords {
        QStringLiteral("if"),        QStringLiteral("elif"),          QStringLiteral("else"),
        QStringLiteral("endif"),     QStringLiteral("for"),           QStringLiteral("endfor"),
        QStringLiteral("in"),        QStringLiteral("set"),           QStringLiteral("endset"),
        QStringLiteral("macro"),     QStringLiteral("endmacro"),      QStringLiteral("and"),
        QStringLiteral("or"),        QStringLiteral("not"),           QStringLiteral("is"),
        QStringLiteral("defined"),   QStringLiteral("true"),          QStringLiteral("false"),
        QStringLiteral("none"),      QStringLiteral("True"),          QStringLiteral("False"),
        QStringLiteral("None"),      QStringLiteral("filter"),        QStringLiteral("endfilter"),
        QStringLiteral("break"),     QStringLiteral("continue"),      QStringLiteral("generation"),
        QStringLiteral("recursive"), QStringLiteral("endgeneration"),
    };
    return kWords.contains(word);
}

bool isWordPart(QChar each)
{
    return each.isLetterOrNumber() || each == u'_';
}

} // namespace

TemplateHighlighter::TemplateHighlighter(QObject* parent)
    : QSyntaxHighlighter(parent)
{
}

void TemplateHighlighter::setEdited(QQuickTextDocument* edited)
{
    m_edited = edited;
    setDocument(m_active && edited != nullptr ? edited->textDocument() : nullptr);
    Q_EMIT changed();
}

void TemplateHighlighter::setActive(bool active)
{
    if (active != m_active) {
        m_active = active;
        setEdited(m_edited);
    }
}

void TemplateHighlighter::setColor(QColor& target, const QColor& color)
{
    if (target != color) {
        target = color;
        rehighlight();
        Q_EMIT changed();
    }
}

void TemplateHighlighter::highlightBlock(const QString& text)
{
    // In one number: what it is within, and four times 1 or 2 for a quote.
    const int before = std::max(0, previousBlockState());
    State state { before % kQuoteStep,
                  before / kQuoteStep == 1       ? QChar(u'\'')
                      : before / kQuoteStep == 2 ? QChar(u'"')
                                                 : QChar() };
    int at = 0;
    while (at < static_cast<int>(text.size())) {
        at = state.within == Text     ? plainPiece(text, at, state)
            : state.within == Comment ? commentPiece(text, at, state)
            : !state.quote.isNull()   ? stringPiece(text, at, state)
                                      : codePiece(text, at, state);
    }
    const int quote = state.quote == u'\'' ? 1 : state.quote == u'"' ? 2 : 0;
    setCurrentBlockState(state.within + kQuoteStep * quote);
}

int TemplateHighlighter::plainPiece(const QString& text, int at, State& state)
{
    const auto open = static_cast<int>(text.indexOf(u'{', at));
    if (open < 0 || open + 1 >= text.size()) {
        return static_cast<int>(text.size());
    }
    const QChar kind = text[open + 1];
    state.within = kind == u'{' ? Expression
        : kind == u'%'          ? Statement
        : kind == u'#'          ? Comment
                                : Text;
    if (state.within == Text) {
        return open + 1;
    }
    setFormat(open, kMarkSize, state.within == Comment ? m_comment : m_mark);
    return open + kMarkSize;
}

int TemplateHighlighter::commentPiece(const QString& text, int at, State& state)
{
    const auto close = static_cast<int>(text.indexOf(QLatin1String("#}"), at));
    const int end = close < 0 ? static_cast<int>(text.size()) : close + kMarkSize;
    setFormat(at, end - at, m_comment);
    state.within = close < 0 ? Comment : Text;
    return end;
}

int TemplateHighlighter::stringPiece(const QString& text, int at, State& state)
{
    int end = at;
    while (end < text.size() && text[end] != state.quote) {
        end += text[end] == u'\\' ? 2 : 1;
    }
    if (end < text.size()) {
        state.quote = QChar();
    }
    end = std::min(end + 1, static_cast<int>(text.size()));
    setFormat(at, end - at, m_string);
    return end;
}

int TemplateHighlighter::codePiece(const QString& text, int at, State& state)
{
    const QLatin1String close(state.within == Expression ? "}}" : "%}");
    if (QStringView(text).mid(at).startsWith(close)) {
        setFormat(at, kMarkSize, m_mark);
        state.within = Text;
        return at + kMarkSize;
    }
    const QChar each = text[at];
    if (each == u'\'' || each == u'"') {
        setFormat(at, 1, m_string);
        state.quote = each;
        return at + 1;
    }
    int end = at + 1;
    if (isWordPart(each)) {
        while (end < text.size() && isWordPart(text[end])) {
            ++end;
        }
        setFormat(at, end - at, isKeyword(text.mid(at, end - at)) ? m_keyword : m_name);
    }
    return end;
}
