// The chat that is shown: asking, stopping, regenerating, editing, deleting, and what stands in the
// way. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_book.h"
#include "ui/chat/conversation_model.h"
#include "ui/chat/draft_view_model.h"
#include "ui/components/notice.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtQml/qqmlregistration.h>

#include <optional>

/// Lives on the GUI thread; service, book and counter outlive it. Messages are named by their index
/// along the branch that is shown.
class ChatViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made in main")
    Q_PROPERTY(ConversationModel* conversation READ conversation CONSTANT)
    Q_PROPERTY(DraftViewModel* draft READ draft CONSTANT)
    Q_PROPERTY(QString title READ title NOTIFY titleChanged)
    Q_PROPERTY(bool canSend READ canSend NOTIFY canSendChanged)
    /// Why nothing can be sent now; empty when it can.
    Q_PROPERTY(QString obstacle READ obstacle NOTIFY canSendChanged)
    /// A model is there and no answer runs: messages can be answered again, edited and deleted.
    Q_PROPERTY(bool canAsk READ canAsk NOTIFY canSendChanged)
    /// A question was asked here and its answer is not whole yet.
    Q_PROPERTY(bool answering READ isAnswering NOTIFY answeringChanged)
    /// The title of another chat whose answer runs; empty without one.
    Q_PROPERTY(QString answeringElsewhere READ answeringElsewhere NOTIFY answeringChanged)
    /// The model reads the prompt; promptDone of promptTotal tokens.
    Q_PROPERTY(bool reading READ isReading NOTIFY progressChanged)
    Q_PROPERTY(int promptDone READ promptDone NOTIFY progressChanged)
    Q_PROPERTY(int promptTotal READ promptTotal NOTIFY progressChanged)
    /// "about 12 s left"; empty while nobody can know.
    Q_PROPERTY(QString promptLeft READ promptLeft NOTIFY progressChanged)
    /// Tokens of the answer so far.
    Q_PROPERTY(int answerTokens READ answerTokens NOTIFY progressChanged)
    /// Tokens of the context that this chat takes.
    Q_PROPERTY(int contextUsed READ contextUsed NOTIFY progressChanged)
    /// The last answer ended because the context is full.
    Q_PROPERTY(bool contextFull READ isContextFull NOTIFY progressChanged)
    /// What to ask in an empty chat: titles, and the question each stands for.
    Q_PROPERTY(QStringList sampleTitles READ sampleTitles CONSTANT)
    Q_PROPERTY(QStringList sampleQuestions READ sampleQuestions CONSTANT)
    Q_PROPERTY(Notice notice READ notice NOTIFY noticeChanged)
    /// The notice is about the model's template: "Use a plain prompt instead" helps.
    Q_PROPERTY(bool plainPromptHelps READ plainPromptHelps NOTIFY noticeChanged)
    /// Something was deleted just now; empty when there is nothing to undo.
    Q_PROPERTY(QString undoText READ undoText NOTIFY undoChanged)
    /// What a screen reader should say next: an answer that is whole.
    Q_PROPERTY(QString announcement READ announcement NOTIFY announced)
    /// Neither loading, nor answering, nor about to.
    Q_PROPERTY(bool idle READ isIdle NOTIFY idleChanged)

public:
    ChatViewModel(app::InferenceService& service, app::ChatBook& book, app::TokenCounter& counter,
                  QObject* parent = nullptr);
    ~ChatViewModel() override;

    [[nodiscard]] ConversationModel* conversation() { return &m_conversation; }
    [[nodiscard]] DraftViewModel* draft() { return &m_draft; }
    [[nodiscard]] QString title() const;
    [[nodiscard]] bool canSend() const { return obstacle().isEmpty(); }
    [[nodiscard]] QString obstacle() const;
    [[nodiscard]] bool canAsk() const { return isModelReady() && m_book.answering() == nullptr; }
    [[nodiscard]] bool isAnswering() const { return chat().isAnswering(); }
    [[nodiscard]] QString answeringElsewhere() const;
    [[nodiscard]] bool isReading() const;
    [[nodiscard]] int promptDone() const;
    [[nodiscard]] int promptTotal() const;
    [[nodiscard]] QString promptLeft() const;
    [[nodiscard]] int answerTokens() const;
    [[nodiscard]] int contextUsed() const { return static_cast<int>(chat().contextUsed()); }
    [[nodiscard]] bool isContextFull() const;
    [[nodiscard]] const Notice& notice() const { return m_notice; }
    [[nodiscard]] bool plainPromptHelps() const { return m_notice.isShown() && m_templateFailed; }
    [[nodiscard]] QString undoText() const { return m_undoText; }
    [[nodiscard]] const QString& announcement() const { return m_announcement; }
    [[nodiscard]] bool isIdle() const;
    [[nodiscard]] QStringList sampleTitles() const;
    [[nodiscard]] QStringList sampleQuestions() const;

    /// For one run (command line): the temperature of every answer.
    void setTemperature(float temperature);
    /// Asks as soon as a model is loaded, in a new chat. When none can be, the text becomes the
    /// draft.
    void askWhenReady(const QString& text);

    /// Sends the draft; does nothing while there is an obstacle. The draft comes back when the
    /// answer fails before its first word.
    Q_INVOKABLE void send();
    /// Sends this text and leaves the draft alone (sample prompts).
    Q_INVOKABLE void ask(const QString& text);
    /// Ends the running answer, here or elsewhere; what was written stays.
    Q_INVOKABLE void stop();
    /// Opens a new chat.
    Q_INVOKABLE void startAnew();

    /// Asks for another answer in place of this one; of a question: for its answer.
    Q_INVOKABLE void regenerate(int message);
    /// Asks an edited question; the old one and what followed stay as another branch.
    Q_INVOKABLE void resend(int message, const QString& text);
    Q_INVOKABLE void remove(int message);
    Q_INVOKABLE void undo();
    Q_INVOKABLE void dismissUndo();
    /// Shows the sibling before (-1) or after (1).
    Q_INVOKABLE void showAlternative(int message, int step);
    /// The last question; -1 without one.
    Q_INVOKABLE [[nodiscard]] int lastQuestion() const;
    /// A question, as text to edit.
    Q_INVOKABLE [[nodiscard]] QString questionText(int message) const;
    Q_INVOKABLE void copyMessage(int message);
    Q_INVOKABLE void copyReasoning(int message);
    /// Puts text into the clipboard.
    Q_INVOKABLE static void copy(const QString& text);
    /// From now on this chat's prompts are plain; asks the question again that failed because of
    /// the template.
    Q_INVOKABLE void usePlainPrompt();
    Q_INVOKABLE void dismissNotice() { setNotice({}, false); }

Q_SIGNALS:
    void titleChanged();
    void canSendChanged();
    void answeringChanged();
    void progressChanged();
    void noticeChanged();
    void undoChanged();
    void announced();
    void idleChanged();
    /// Text of the running answer, as it arrives.
    void answerText(const QString& text);
    /// An answer is whole, or asking failed (then with the error's sentence).
    void answered(const QString& error);

private:
    [[nodiscard]] app::Chat& chat() const { return m_book.current(); }
    [[nodiscard]] bool isModelReady() const;
    void onCurrentChanged();
    void onServiceChanged();
    /// `error`: why there is no model now; empty when there is one.
    void onLoadEnded(const QString& error);
    void onAnswerEnded(app::MessageId answer);
    void onFailed(const app::ErrorMessage& error);
    void begun();
    void setNotice(const Notice& notice, bool templateFailed);
    void setUndoText(const QString& text);

    app::InferenceService& m_service;
    app::ChatBook& m_book;
    QPointer<app::Chat> m_shown;
    ConversationModel m_conversation;
    DraftViewModel m_draft;
    QString m_pending; ///< asked before there was a model
    std::optional<float> m_temperature;
    Notice m_notice;
    bool m_templateFailed = false;
    QString m_undoText;
    QString m_announcement;
};
