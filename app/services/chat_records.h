// Conversations as they are kept: chats, messages, drafts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/generation.h"

#include <QJsonObject>
#include <QList>
#include <QMetaType>
#include <QString>

#include <optional>

namespace app {

/// Ids are random and positive, so that they are known before anything is written. 0: none.
using ChatId = qint64;
using MessageId = qint64;
[[nodiscard]] qint64 newRecordId();

/// A text that goes with a question.
struct Attachment
{
    QString name; ///< of the file, or "Pasted text"
    QString text;
    qint64 tokens = -1; ///< -1: not counted

    friend bool operator==(const Attachment&, const Attachment&) = default;
};

/// What is written and not sent yet.
struct Draft
{
    QString text;
    QList<Attachment> attachments;

    [[nodiscard]] bool isEmpty() const { return text.isEmpty() && attachments.isEmpty(); }
    friend bool operator==(const Draft&, const Draft&) = default;
};

/// One node of a chat's tree of messages.
struct MessageRecord
{
    enum class Role { User, Assistant };

    MessageId id = 0;
    ChatId chat = 0;
    MessageId parent = 0; ///< 0: begins the conversation
    Role role = Role::User;
    QString text; ///< Markdown of an answer, plain text of a question
    QString reasoning; ///< what the model thought before the answer; the answer alone is `text`
    QList<Attachment> attachments;
    qint64 created = 0; ///< ms since 1970, UTC
    bool whole = true; ///< false while an answer streams (and after a crash)
    bool deleted = false; ///< can be taken back until the application ends
    QString model; ///< of an answer: the name of the model that gave it
    std::optional<Outcome> outcome; ///< of a whole answer; `error` is not kept
};

/// A chat without its messages.
struct ChatRecord
{
    /// The better origin wins: a title that a person wrote is never replaced.
    enum class TitleOrigin { None, Question, Model, Person };

    ChatId id = 0;
    QString title;
    TitleOrigin titleOrigin = TitleOrigin::None;
    qint64 created = 0; ///< ms since 1970, UTC
    qint64 updated = 0;
    bool deleted = false; ///< can be taken back until the application ends
    QString modelPath; ///< of the latest answer
    QString systemPrompt;
    QJsonObject sampler; ///< values that differ from the defaults
    bool plainPrompt = false; ///< the model's template is not used
    std::optional<bool> thinking; ///< before an answer; nothing: as the model does by itself
    MessageId leaf = 0; ///< the last message of the branch that is shown
    MessageId firstSeen = 0; ///< messages before it are left out of the context; 0: all are seen
    Draft draft;
};

/// What a list of chats shows.
struct ChatSummary
{
    ChatId id = 0;
    QString title;
    qint64 updated = 0; ///< ms since 1970, UTC

    friend bool operator==(const ChatSummary&, const ChatSummary&) = default;
};

/// Where a search found something.
struct ChatHit
{
    ChatId chat = 0;
    MessageId message = 0; ///< 0: the title
    QString excerpt; ///< one line around the first match
};

/// As JSON, without `error`; the finish as a word.
[[nodiscard]] QJsonObject outcomeToJson(const Outcome& outcome);
/// What is missing or of another type is as in a new Outcome.
[[nodiscard]] Outcome outcomeFromJson(const QJsonObject& json);

} // namespace app

Q_DECLARE_METATYPE(app::ChatRecord)
Q_DECLARE_METATYPE(app::MessageRecord)
