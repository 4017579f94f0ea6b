// How the chat that is shown is steered: system prompt, sampler, the form of its prompts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_book.h"
#include "app/services/sampler_settings.h"

#include <QtCore/QAbstractListModel>
#include <QtCore/QPointer>
#include <QtQml/qqmlregistration.h>

/// One row a value of the sampler. Lives on the GUI thread; book and service outlive it.
class SteeringViewModel : public QAbstractListModel
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made in main")
    Q_PROPERTY(QString systemPrompt READ systemPrompt WRITE setSystemPrompt NOTIFY steeringChanged)
    Q_PROPERTY(bool plainPrompt READ plainPrompt WRITE setPlainPrompt NOTIFY steeringChanged)
    /// The loaded model can be told to think before it answers, or not to.
    Q_PROPERTY(bool thinkingOffered READ isThinkingOffered NOTIFY steeringChanged)
    /// It will: what this chat says, else what the model does by itself.
    Q_PROPERTY(bool thinking READ isThinking WRITE setThinking NOTIFY steeringChanged)
    /// Something differs from the defaults.
    Q_PROPERTY(bool anyChanged READ anyChanged NOTIFY steeringChanged)
    /// "temp 0.8 · top-p 0.95": what matters most, for the message box.
    Q_PROPERTY(QString summary READ summary NOTIFY steeringChanged)

public:
    enum Role {
        NameRole = Qt::UserRole + 1,
        ExplanationRole,
        ValueRole,
        DefaultRole,
        FromRole,
        ToRole,
        StepRole,
        DecimalsRole,
        ChangedRole
    };

    SteeringViewModel(const app::InferenceService& service, app::ChatBook& book,
                      QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QHash<int, QByteArray> roleNames() const override;

    [[nodiscard]] QString systemPrompt() const;
    void setSystemPrompt(const QString& text);
    [[nodiscard]] bool plainPrompt() const;
    void setPlainPrompt(bool plain);
    [[nodiscard]] bool isThinkingOffered() const;
    [[nodiscard]] bool isThinking() const;
    void setThinking(bool thinking);
    [[nodiscard]] bool anyChanged() const;
    [[nodiscard]] QString summary() const;

    Q_INVOKABLE void set(int row, double value);
    /// To the model's default, or ours.
    Q_INVOKABLE void reset(int row);
    Q_INVOKABLE void resetAll();

Q_SIGNALS:
    void steeringChanged();

private:
    void follow();
    void valuesChanged();

    const app::InferenceService& m_service;
    app::ChatBook& m_book;
    QList<app::SamplerField> m_fields;
    QPointer<app::Chat> m_chat;
};
