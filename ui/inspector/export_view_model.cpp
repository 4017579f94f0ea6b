#include "ui/inspector/export_view_model.h"

#include "ui/inspector/figures.h"

#include <QtCore/QFileInfo>
#include <QtCore/QRegularExpression>

using app::LatestTask;
using app::TaskControl;

namespace {

/// A name out of a file, made fit for one of ours.
QString fileNamePart(std::string_view name)
{
    static const QRegularExpression kUnfit(QStringLiteral("[^A-Za-z0-9._-]+"));
    constexpr std::size_t kMost = 80;
    QString part = figures::printable(name, kMost);
    return part.replace(kUnfit, QStringLiteral("_"));
}

} // namespace

ExportViewModel::ExportViewModel(const InspectorSelection& selection, QObject* parent)
    : QObject(parent)
    , m_selection(selection)
    , m_task("vitrine-export")
{
    connect(&m_task, &LatestTask::changed, this, &ExportViewModel::changed);
}

void ExportViewModel::setFile(const InspectorSelection::File& file)
{
    m_file = file; // a running export goes on with the file it began with
}

QString ExportViewModel::suggestedName(ExportViewModel::What what) const
{
    if (!m_file) {
        return {};
    }
    const int tensor = m_selection.tensor();
    const int entry = m_selection.metadata();
    switch (what) {
    case Metadata:
        return QFileInfo(QString::fromStdString(m_file->path())).completeBaseName()
            + QStringLiteral(".metadata.json");
    case Report:
        return QFileInfo(QString::fromStdString(m_file->path())).completeBaseName()
            + QStringLiteral(".report.md");
    case Value: {
        if (entry < 0) {
            return {};
        }
        const auto& found = m_file->metadata()[static_cast<std::size_t>(entry)];
        return fileNamePart(found.key)
            + (found.value.asText() ? QStringLiteral(".txt") : QStringLiteral(".json"));
    }
    case TensorRaw:
    case TensorNpy:
        return tensor < 0 ? QString()
                          : fileNamePart(m_file->tensors()[static_cast<std::size_t>(tensor)].name)
                + (what == TensorRaw ? QStringLiteral(".bin") : QStringLiteral(".npy"));
    }
    return {};
}

ExportViewModel::Work ExportViewModel::workFor(What what, const std::string& path) const
{
    const auto file = m_file;
    const auto tensor = static_cast<std::size_t>(m_selection.tensor());
    const auto entry = static_cast<std::size_t>(m_selection.metadata());
    switch (what) {
    case Metadata:
        return [file, path](const TaskControl& control) {
            return app::exportMetadataJson(*file, path, control);
        };
    case Report:
        return [file, path](const TaskControl& control) {
            return app::exportReport(file, path, control);
        };
    case Value:
        return [file, path, entry](const TaskControl& control) {
            return app::exportValue(*file, file->metadata()[entry].value, path, control);
        };
    case TensorRaw:
        return [file, path, tensor](const TaskControl& control) {
            return app::exportTensorRaw(*file, file->tensors()[tensor], path, control);
        };
    case TensorNpy:
        break;
    }
    return [file, path, tensor](const TaskControl& control) {
        return app::exportTensorNpy(*file, file->tensors()[tensor], path, control);
    };
}

void ExportViewModel::save(ExportViewModel::What what, const QUrl& target)
{
    if (suggestedName(what).isEmpty()) {
        return;
    }
    m_done.clear();
    m_notice = {};
    const QString path = target.isLocalFile() ? target.toLocalFile() : target.toString();
    m_task.start(
        [this, path, work = workFor(what, path.toStdString())](const TaskControl& control) {
            auto written = work(control);
            return LatestTask::Delivery([this, path, written = std::move(written)] {
                if (written) {
                    m_done =
                        tr("Saved %1: %2").arg(QFileInfo(path).fileName(), figures::size(*written));
                } else {
                    m_notice = Notice(app::errorMessage(written.error()));
                }
            });
        });
}

void ExportViewModel::dismiss()
{
    m_done.clear();
    m_notice = {};
    Q_EMIT changed();
}
