// One chat: its messages, how it is steered, asking the model, and keeping what happens.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/ask_request.h"
#include "app/services/chat_store.h"
#include "app/services/inference_service.h"
#include "app/services/message_tree.h"

#include <QObject>
#include <QPointer>
#include <QTimer>

#include <vector>

namespace app {

/// Lives on the GUI thread; the service and the store outlive it. Whatever changes is kept at once
/// (an answer that grows, twice a second). May be asked about and shown while another chat is; one
/// answer runs at a time over all chats.
class Chat : public QObject
{
    Q_OBJECT

public:
    static constexpr int kSaveIntervalMs = 500;

    /// One that is new has no messages and is kept from the first message or draft on.
    Chat(const ChatRecord& record, const QList<MessageRecord>& messages, InferenceService& service,
         ChatStore& store, QObject* parent = nullptr);
    /// Stops its answer.
    ~Chat() override;

    [[nodiscard]] ChatId id() const { return m_record.id; }
    [[nodiscard]] const ChatRecord& record() const { return m_record; }
    [[nodiscard]] const MessageTree& tree() const { return m_tree; }
    [[nodiscard]] bool isEmpty() const { return m_tree.path().isEmpty(); }
    /// There is something worth keeping: a message or a draft.
    [[nodiscard]] bool isKept() const { return !isEmpty() || !m_record.draft.isEmpty(); }
    /// What a list shows; a chat without title goes by its draft.
    [[nodiscard]] ChatSummary summary() const;

    // Steering. Values hold from the next answer on.
    void setTitle(const QString& title);
    void setSystemPrompt(const QString& text);
    void setSampler(const QJsonObject& changes);
    void setPlainPrompt(bool plain);
    void setThinking(bool thinking);
    void setDraft(const Draft& draft);

    /// Asks what the draft says, and empties it. False when no model is ready or there is nothing
    /// to ask.
    bool ask();
    /// The same for another text; the draft stays.
    bool ask(const Draft& question);
    /// Asks for another answer to the question above `answer`; the old one stays as a sibling.
    bool regenerate(MessageId answer);
    /// Answers a question that has no answer.
    bool answerQuestion(MessageId question);
    /// Asks an edited question in place of `question`; the old one stays as a sibling.
    bool resend(MessageId question, const QString& text);
    /// Ends the running answer; what was written stays.
    void stop();

    /// Shows the branch through a sibling.
    void show(MessageId sibling);
    /// A question goes with its answers; an answer that has siblings goes alone with what follows
    /// it, else with its question. Nothing is deleted while an answer runs.
    void remove(MessageId message);
    [[nodiscard]] bool canUndo() const { return !m_undo.empty(); }
    /// Takes the latest deletion back.
    void undo();

    /// The running answer; null and 0 without one.
    [[nodiscard]] Generation* generation() const { return m_generation; }
    [[nodiscard]] MessageId answering() const { return m_answer; }
    [[nodiscard]] bool isAnswering() const { return m_answer != 0; }
    /// An answer or a title is on its way.
    [[nodiscard]] bool isBusy() const { return isAnswering() || m_titleGeneration != nullptr; }
    /// Tokens of the context that the conversation took when it was last evaluated; 0 before that.
    [[nodiscard]] std::size_t contextUsed() const;
    /// How long the running answer has been thinking, or the model of a whole one thought; 0 where
    /// it didn't or nobody knows.
    [[nodiscard]] double reasoningMs(MessageId answer) const;
    /// How an answer is sampled: what this chat changes, over what the loaded model wants, over our
    /// defaults.
    [[nodiscard]] engine::session::SamplerOptions sampler() const;
    /// The same without this chat's changes.
    [[nodiscard]] engine::session::SamplerOptions samplerDefaults() const;
    /// What the model is told: the system prompt, turns that have an answer, the last question.
    /// `ids`, where given, gets the message behind each, 0 for the system prompt.
    [[nodiscard]] std::vector<engine::chat::Message>
    conversation(QList<MessageId>* ids = nullptr) const;

Q_SIGNALS:
    /// The branch that is shown differs from its message `from` on.
    void pathChanged(qsizetype from);
    /// The last message got more text.
    void answerGrew(const QString& added);
    /// The last message got more reasoning.
    void reasoningGrew(const QString& added);
    /// What was the last message's text is its reasoning now.
    void answerTurned();
    /// Outcome of the last message is there.
    void answerEnded(app::MessageId answer);
    /// The answer failed: `error`. Where it failed before its first word its question is the draft
    /// again; it stays in the conversation, unanswered, if another is being written.
    void failed(const app::ErrorMessage& error);
    /// Title, time or draft: what a list shows.
    void summaryChanged();
    void steeringChanged();
    /// Set from outside the message box: a question that came back.
    void draftReturned();
    /// Also when a title is there, or given up.
    void answeringChanged();
    void progressChanged();
    void firstSeenChanged();
    void undoChanged();

private:
    struct Deletion
    {
        QList<MessageId> ids;
        MessageId leaf;
    };

    [[nodiscard]] bool mayAsk() const;
    bool begin(MessageId question, MessageId leafBefore, bool newQuestion);
    void onText(const QString& added);
    void onReasoning(const QString& added);
    void onTurned();
    void onFitted();
    void onFinished();
    void withdraw(const Outcome& outcome);
    void makeTitle();
    void onTitleFinished();
    void save();
    void saveSoon();
    void saveMessage(MessageId id);
    void touch();

    InferenceService& m_service;
    ChatStore& m_store;
    ChatRecord m_record;
    MessageTree m_tree;
    QPointer<Generation> m_generation;
    QPointer<Generation> m_titleGeneration;
    QTimer m_saving;
    MessageId m_answer = 0;
    MessageId m_leafBefore = 0; ///< what to show again when the answer never comes
    bool m_newQuestion = false; ///< the running answer's question was asked with it
    QList<MessageId> m_asked; ///< the messages that the running answer's prompt was offered
    std::size_t m_cutLength =
        0; ///< length of the context for which `firstSeen` was found, in this run
    std::vector<Deletion> m_undo;
};

} // namespace app
