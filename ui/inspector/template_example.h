// What the selected chat template makes of a short conversation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"
#include "ui/inspector/inspector_selection.h"
#include "ui/inspector/template_trial.h"

#include <QtCore/QObject>
#include <QtCore/QVariantList>
#include <QtQml/qqmlregistration.h>

/// Lives on the GUI thread; templates run on a thread of their own. The selection outlives it.
class TemplateExample : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    /// A chat template is selected.
    Q_PROPERTY(bool available READ isAvailable NOTIFY changed)
    Q_PROPERTY(bool running READ isRunning NOTIFY changed)
    Q_PROPERTY(QString text READ text NOTIFY changed)
    /// Where special tokens lie in the text: start and length, one after the other.
    Q_PROPERTY(QVariantList marks READ marks NOTIFY changed)
    /// What the template does not take; what had to be left out.
    Q_PROPERTY(QString note READ note NOTIFY changed)
    /// Why there is no text.
    Q_PROPERTY(QString error READ error NOTIFY changed)
    /// Of the template, from 1 on, where the error came up; 0 where nobody knows.
    Q_PROPERTY(int errorLine READ errorLine NOTIFY changed)

public:
    explicit TemplateExample(const InspectorSelection& selection, QObject* parent = nullptr);

    void setFile(const InspectorSelection::File& file);

    [[nodiscard]] bool isAvailable() const { return m_entry >= 0; }
    [[nodiscard]] bool isRunning() const { return m_task.isRunning(); }
    [[nodiscard]] const QString& text() const { return m_text; }
    [[nodiscard]] const QVariantList& marks() const { return m_marks; }
    [[nodiscard]] const QString& note() const { return m_note; }
    [[nodiscard]] const QString& error() const { return m_error; }
    [[nodiscard]] int errorLine() const { return m_errorLine; }

Q_SIGNALS:
    void changed();

private:
    [[nodiscard]] int selectedTemplate() const;
    void start();
    void clear();
    void take(const TemplateTrial& trial);
    void takeText(const TemplateTrial& trial);

    const InspectorSelection& m_selection;
    InspectorSelection::File m_file;
    int m_entry = -1; ///< of the metadata
    QString m_text;
    QVariantList m_marks;
    QString m_note;
    QString m_error;
    int m_errorLine = 0;
    app::LatestTask m_task;
};
