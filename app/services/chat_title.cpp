#include "app/services/chat_title.h"

#include <QRegularExpression>

#include <algorithm>
#include <utility>

namespace app {

namespace {

constexpr qsizetype kLongest = 60;
/// A line longer than this is a sentence, not a title.
constexpr qsizetype kSentence = 80;
constexpr int kMaxTokens = 24;
/// The request itself, and what of the answer the cache has in other tokens.
constexpr int kMostToRead = 256;

/// At most `kLongest` characters, cut at a word where there is one.
QString shortened(const QString& text)
{
    if (text.size() <= kLongest) {
        return text;
    }
    const qsizetype space = text.lastIndexOf(u' ', kLongest - 1);
    qsizetype end = space > kLongest / 2 ? space : kLongest - 1;
    if (text.at(end - 1).isHighSurrogate()) {
        --end;
    }
    return text.left(end).trimmed() + QChar(0x2026);
}

/// Small models make up titles out of nowhere: one that has no word in common with the question is
/// no title.
bool isAbout(const QString& title, const QString& question)
{
    static const QRegularExpression space(QStringLiteral("\\W+"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    constexpr qsizetype kStem = 4;
    const QString asked = question.left(4'000);
    const QStringList words = title.split(space, Qt::SkipEmptyParts);
    return std::any_of(words.begin(), words.end(), [&](const QString& word) {
        // Languages without spaces have no words to compare by length.
        return word.at(0).script() > QChar::Script_Cyrillic
            || (word.size() >= kStem
                && asked.contains(word.left(std::max(kStem, word.size() - 2)),
                                  Qt::CaseInsensitive));
    });
}

} // namespace

AskRequest titleRequest(std::vector<engine::chat::Message> conversation, PromptFormat format)
{
    AskRequest request;
    request.messages = std::move(conversation);
    request.messages.emplace_back(
        engine::chat::Role::User,
        "Write a title of at most five words for this conversation. Only the title.");
    request.options.sampler.temperature = 0;
    request.options.maxTokens = kMaxTokens;
    // A title is not worth reading a long conversation again, and without it would be made up.
    request.options.maxPrefill = kMostToRead;
    request.whole = true;
    request.thinking = false;
    request.format = format;
    return request;
}

QString titleFromQuestion(const QString& question)
{
    // The first line that says something; a question may be megabytes long.
    return shortened(question.left(1'000).trimmed().section(u'\n', 0, 0).simplified());
}

QString titleFromAnswer(const QString& answer, const QString& question)
{
    static const QRegularExpression prefix(
        QStringLiteral("^(the )?(title|topic|subject)( is)?\\s*:\\s*"),
        QRegularExpression::CaseInsensitiveOption);
    // "C#" and "snake_case" are words.
    static const QRegularExpression markup(
        QStringLiteral("^#+|[*`\"“”«»„]+|(?<![\\w])_+|_+(?![\\w])"),
        QRegularExpression::UseUnicodePropertiesOption);
    QString title = answer.trimmed().section(u'\n', 0, 0);
    title.remove(markup);
    title = title.simplified();
    title.remove(prefix);
    while (title.endsWith(u'.') || title.endsWith(u':') || title.endsWith(u',')) {
        title.chop(1);
    }
    title = title.trimmed();
    const bool sentence =
        title.size() > kSentence || title.contains(QLatin1String(". ")) || title.count(u' ') > 9;
    const bool refusal = title.startsWith(QLatin1String("I "), Qt::CaseInsensitive)
        || title.startsWith(QLatin1String("I'm "), Qt::CaseInsensitive)
        || title.startsWith(QLatin1String("Sorry"), Qt::CaseInsensitive)
        || title.startsWith(QLatin1String("Sure"), Qt::CaseInsensitive)
        || title.contains(QLatin1String("five words"), Qt::CaseInsensitive);
    return title.size() < 2 || sentence || refusal || !isAbout(title, question)
        ? titleFromQuestion(question)
        : shortened(title);
}

} // namespace app
