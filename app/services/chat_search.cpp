// Finds words in the titles and messages of the database.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_search.h"

#include "app/services/chat_rows.h"

#include <algorithm>

namespace app {

namespace {

constexpr qsizetype kMaxQueryLength = 200;
constexpr qsizetype kGramLength = 3; ///< of the index: shorter words are not in it
constexpr qsizetype kBefore = 40;
constexpr qsizetype kAfter = 120;
constexpr int kRowsBetweenLooks = 64;

/// All groups of three characters of the longer words; empty where no word is that long.
QString gramsOf(const QStringList& words)
{
    QStringList grams;
    for (const QString& word : words) {
        const QList<uint> characters = word.toUcs4();
        for (qsizetype i = 0; i + kGramLength <= characters.size(); ++i) {
            QString gram;
            for (const uint character : characters.sliced(i, kGramLength)) {
                gram += QChar::fromUcs4(character);
            }
            grams << u'"' + gram.replace(u'"', QLatin1String("\"\"")) + u'"';
        }
    }
    grams.removeDuplicates();
    return grams.join(u' ');
}

ChatResult<QSqlQuery> candidates(const QSqlDatabase& database, const QStringList& words)
{
    const QString grams = gramsOf(words);
    const QString columns = QStringLiteral("SELECT messages.chat, messages.id, messages.text ");
    const QString seen = QStringLiteral("messages.deleted = 0 AND chats.deleted = 0 ");
    if (grams.isEmpty()) {
        return runSql(database,
                      columns
                          + QStringLiteral("FROM messages CROSS JOIN chats ON chats.id = "
                                           "messages.chat WHERE ")
                          + seen + QStringLiteral("ORDER BY messages.seq DESC"));
    }
    return runSql(database,
                  columns
                      + QStringLiteral("FROM message_search "
                                       "CROSS JOIN messages ON messages.seq = message_search.rowid "
                                       "CROSS JOIN chats ON chats.id = messages.chat "
                                       "WHERE message_search MATCH ? AND ")
                      + seen + QStringLiteral("ORDER BY message_search.rowid DESC"),
                  { grams });
}

ChatResult<void> searchTitles(const QSqlDatabase& database, const QStringList& words,
                              const ChatWrites& unwritten, QList<ChatHit>& hits)
{
    auto chats = readSummaries(database);
    if (!chats) {
        return tl::unexpected(chats.error());
    }
    unwritten.applyTo(*chats);
    for (const ChatSummary& chat : *chats) {
        if (hits.size() < kMaxChatHits && containsAll(chat.title, words)) {
            hits.append({ chat.id, 0, excerptAround(chat.title, words) });
        }
    }
    return {};
}

void searchUnwritten(const QStringList& words, const ChatWrites& unwritten, QList<ChatHit>& hits)
{
    QList<MessageRecord> messages = unwritten.messages();
    std::reverse(messages.begin(), messages.end());
    for (const MessageRecord& message : messages) {
        const bool gone = message.deleted || unwritten.chats().value(message.chat).deleted
            || unwritten.chatsDeleted().value(message.chat, false);
        if (hits.size() < kMaxChatHits && !gone && containsAll(message.text, words)) {
            hits.append({ message.chat, message.id, excerptAround(message.text, words) });
        }
    }
}

} // namespace

QStringList searchWords(const QString& text)
{
    QString plain = text.left(kMaxQueryLength);
    for (QChar& character : plain) {
        if (character.category() == QChar::Other_Control) {
            character = u' ';
        }
    }
    QStringList words = plain.simplified().split(u' ', Qt::SkipEmptyParts);
    words.removeDuplicates();
    return words;
}

bool containsAll(const QString& text, const QStringList& words)
{
    return std::all_of(words.begin(), words.end(), [&text](const QString& word) {
        return text.contains(word, Qt::CaseInsensitive);
    });
}

QString excerptAround(const QString& text, const QStringList& words)
{
    qsizetype first = text.size();
    for (const QString& word : words) {
        const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
        first = at >= 0 ? std::min(first, at) : first;
    }
    qsizetype begin = std::max<qsizetype>(0, first - kBefore);
    qsizetype end = std::min(text.size(), first + kAfter);
    // Never between the halves of one character.
    begin += begin > 0 && text[begin].isLowSurrogate() ? 1 : 0;
    end -= end < text.size() && text[end].isLowSurrogate() ? 1 : 0;
    const QString cut = text.mid(begin, end - begin).simplified();
    return (begin > 0 ? QStringLiteral("…") : QString()) + cut
        + (end < text.size() ? QStringLiteral("…") : QString());
}

ChatResult<std::optional<QList<ChatHit>>> searchChats(const QSqlDatabase& database,
                                                      const QStringList& words,
                                                      const ChatWrites& unwritten,
                                                      const std::function<bool()>& isStale)
{
    QList<ChatHit> hits;
    if (words.isEmpty()) {
        return hits;
    }
    if (!database.isOpen()) {
        QList<ChatSummary> chats;
        unwritten.applyTo(chats);
        for (const ChatSummary& chat : chats) {
            if (containsAll(chat.title, words)) {
                hits.append({ chat.id, 0, excerptAround(chat.title, words) });
            }
        }
        searchUnwritten(words, unwritten, hits);
        return hits;
    }
    if (const auto done = searchTitles(database, words, unwritten, hits); !done) {
        return tl::unexpected(done.error());
    }
    searchUnwritten(words, unwritten, hits);
    auto rows = candidates(database, words);
    if (!rows) {
        return tl::unexpected(rows.error());
    }
    for (int row = 1; hits.size() < kMaxChatHits && rows->next(); ++row) {
        if (row % kRowsBetweenLooks == 0 && isStale()) {
            return std::nullopt;
        }
        const ChatId chat = rows->value(0).toLongLong();
        const MessageId message = rows->value(1).toLongLong();
        const bool gone = unwritten.chatsDeleted().value(chat, false)
            || unwritten.chats().value(chat).deleted
            || unwritten.messagesDeleted().value(message, false) || unwritten.holdsMessage(message);
        const QString text = rows->value(2).toString();
        if (!gone && containsAll(text, words)) {
            hits.append({ chat, message, excerptAround(text, words) });
        }
    }
    if (const auto read = rowsRead(*rows); !read) {
        return tl::unexpected(read.error());
    }
    return hits;
}

} // namespace app
