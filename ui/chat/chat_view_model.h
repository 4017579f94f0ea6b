// A conversation as the window shows it: messages, the draft, asking, stopping, starting anew.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/inference_service.h"
#include "engine/session/generate.h"
#include "ui/chat/message_model.h"
#include "ui/components/notice.h"

#include <QtCore/QObject>
#include <QtCore/QPointer>
#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; the service outlives it.
class ChatViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made in main")
    Q_PROPERTY(MessageModel* messages READ messages CONSTANT)
    /// What is in the message box.
    Q_PROPERTY(QString draft READ draft WRITE setDraft NOTIFY draftChanged)
    Q_PROPERTY(bool canSend READ canSend NOTIFY canSendChanged)
    /// Why nothing can be sent now; empty when it can.
    Q_PROPERTY(QString obstacle READ obstacle NOTIFY canSendChanged)
    /// A question was asked and its answer is not whole yet.
    Q_PROPERTY(bool answering READ isAnswering NOTIFY answeringChanged)
    /// The model reads the prompt; promptDone of promptTotal tokens.
    Q_PROPERTY(bool reading READ isReading NOTIFY progressChanged)
    Q_PROPERTY(int promptDone READ promptDone NOTIFY progressChanged)
    Q_PROPERTY(int promptTotal READ promptTotal NOTIFY progressChanged)
    /// Tokens of the answer so far.
    Q_PROPERTY(int answerTokens READ answerTokens NOTIFY progressChanged)
    /// The last answer ended because the context is full.
    Q_PROPERTY(bool contextFull READ isContextFull NOTIFY contextFullChanged)
    /// What to ask in an empty chat: titles, and the question each stands for.
    Q_PROPERTY(QStringList sampleTitles READ sampleTitles CONSTANT)
    Q_PROPERTY(QStringList sampleQuestions READ sampleQuestions CONSTANT)
    Q_PROPERTY(Notice notice READ notice NOTIFY noticeChanged)
    /// Neither loading, nor answering, nor about to.
    Q_PROPERTY(bool idle READ isIdle NOTIFY idleChanged)

public:
    explicit ChatViewModel(app::InferenceService& service, QObject* parent = nullptr);
    ~ChatViewModel() override;

    [[nodiscard]] MessageModel* messages() { return &m_messages; }
    [[nodiscard]] const QString& draft() const { return m_draft; }
    void setDraft(const QString& draft);
    [[nodiscard]] bool canSend() const { return obstacle().isEmpty(); }
    [[nodiscard]] QString obstacle() const;
    [[nodiscard]] bool isAnswering() const { return m_generation != nullptr; }
    [[nodiscard]] bool isReading() const;
    [[nodiscard]] int promptDone() const;
    [[nodiscard]] int promptTotal() const;
    [[nodiscard]] int answerTokens() const;
    [[nodiscard]] bool isContextFull() const { return m_contextFull; }
    [[nodiscard]] const Notice& notice() const { return m_notice; }
    [[nodiscard]] bool isIdle() const;
    [[nodiscard]] QStringList sampleTitles() const;
    [[nodiscard]] QStringList sampleQuestions() const;

    /// How answers are sampled from now on.
    void setSampler(const engine::session::SamplerOptions& sampler) { m_options.sampler = sampler; }
    /// Asks as soon as a model is loaded. When none can be, the text becomes the draft.
    void askWhenReady(const QString& text);

    /// Sends the draft; does nothing while there is an obstacle. The draft comes back when the
    /// answer fails before its first word.
    Q_INVOKABLE void send();
    /// Sends this text and leaves the draft alone (sample prompts).
    Q_INVOKABLE void ask(const QString& text);
    /// Ends the running answer; what was written stays.
    Q_INVOKABLE void stop();
    /// Forgets the conversation, stopping a running answer. The draft stays.
    Q_INVOKABLE void startAnew();
    Q_INVOKABLE void dismissNotice() { setNotice({}); }
    /// Puts text into the clipboard.
    Q_INVOKABLE static void copy(const QString& text);

    /// The line under an answer: speed, time to the first token, tokens, why it ended.
    [[nodiscard]] static QString statistics(const app::Outcome& outcome);

Q_SIGNALS:
    void draftChanged();
    void canSendChanged();
    void answeringChanged();
    void progressChanged();
    void contextFullChanged();
    void noticeChanged();
    void idleChanged();
    /// Text of the running answer, as it arrives.
    void answerText(const QString& text);
    /// An answer is whole, or asking failed (then with the error's sentence).
    void answered(const QString& error);

private:
    [[nodiscard]] bool isModelReady() const;
    void onServiceChanged();
    /// `error`: why there is no model now; empty when there is one.
    void onLoadEnded(const QString& error);
    void onFinished();
    void setNotice(const Notice& notice);
    void setContextFull(bool full);
    /// Lets go of the running generation; the model may still work on it for a moment.
    void release();

    app::InferenceService& m_service;
    MessageModel m_messages;
    engine::session::GenerateOptions m_options;
    QPointer<app::Generation> m_generation;
    QString m_draft;
    QString m_pending; ///< asked before there was a model
    Notice m_notice;
    bool m_contextFull = false;
};
