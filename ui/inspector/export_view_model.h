// Saving parts of the file that is shown: metadata, a report, one value, one tensor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/file_export.h"
#include "ui/components/notice.h"
#include "ui/inspector/inspector_selection.h"

#include <QtCore/QObject>
#include <QtCore/QUrl>
#include <QtQml/qqmlregistration.h>

#include <functional>

/// Lives on the GUI thread; the selection outlives it. One at a time, on another thread; a new one
/// ends the one before.
class ExportViewModel : public QObject
{
    Q_OBJECT
    QML_ELEMENT
    QML_UNCREATABLE("Made by the inspector")
    Q_PROPERTY(bool running READ isRunning NOTIFY changed)
    Q_PROPERTY(double fraction READ fraction NOTIFY changed)
    /// What was written; empty before.
    Q_PROPERTY(QString done READ done NOTIFY changed)
    /// Why it failed.
    Q_PROPERTY(Notice notice READ notice NOTIFY changed)

public:
    enum What { Metadata, Report, Value, TensorRaw, TensorNpy };
    Q_ENUM(What)

    explicit ExportViewModel(const InspectorSelection& selection, QObject* parent = nullptr);

    void setFile(const InspectorSelection::File& file);

    [[nodiscard]] bool isRunning() const { return m_task.isRunning(); }
    [[nodiscard]] double fraction() const { return m_task.fraction(); }
    [[nodiscard]] const QString& done() const { return m_done; }
    [[nodiscard]] const Notice& notice() const { return m_notice; }

    /// A name to begin with: "attn_q.npy"; empty when there is nothing of this kind to save.
    Q_INVOKABLE QString suggestedName(ExportViewModel::What what) const;
    /// To a local file.
    Q_INVOKABLE void save(ExportViewModel::What what, const QUrl& target);
    Q_INVOKABLE void cancel() { m_task.stop(); }
    Q_INVOKABLE void dismiss();

Q_SIGNALS:
    void changed();

private:
    using Work = std::function<engine::Result<std::uint64_t>(const app::TaskControl&)>;
    [[nodiscard]] Work workFor(What what, const std::string& path) const;

    const InspectorSelection& m_selection;
    InspectorSelection::File m_file;
    QString m_done;
    Notice m_notice;
    app::LatestTask m_task;
};
