#include "ui/inspector/file_comparison.h"

#include "app/services/diff_report.h"
#include "ui/inspector/comparison_summary.h"
#include "ui/inspector/file_summary.h"

#include <QtCore/QFileInfo>

#include <algorithm>
#include <utility>

using app::InspectionService;
using app::LatestTask;

namespace {

QString nameOf(const QString& path)
{
    const QString name = QFileInfo(path).fileName();
    return name.isEmpty() ? path : name;
}

} // namespace

FileComparison::FileComparison(InspectionService& shown, QObject* parent)
    : QObject(parent)
    , m_shown(shown)
    , m_task("vitrine-diff")
{
    for (const InspectionService* each : { &shown, &m_other }) {
        connect(each, &InspectionService::opened, this, &FileComparison::compare);
        connect(each, &InspectionService::openingChanged, this, &FileComparison::changed);
    }
    connect(&m_other, &InspectionService::opened, this, [this] { m_isDismissed = false; });
    connect(&m_other, &InspectionService::failed, this, [this] {
        m_isDismissed = false;
        if (!m_other.file()) {
            take(nullptr);
        }
        Q_EMIT changed();
    });
    connect(&shown, &InspectionService::failed, this, [this] {
        if (!m_shown.file()) {
            leave();
        }
    });
    connect(&shown, &InspectionService::closed, this, &FileComparison::leave);
    connect(&m_task, &LatestTask::changed, this, &FileComparison::changed);
    connect(&m_weights, &WeightsComparison::changed, this, [this] {
        // Differences that only the weights have are looked for as well.
        if (!m_isSwitchSet && m_files && m_files->isSame() && m_tensors.differences() > 0) {
            m_metadata.setOnlyDifferences(true);
            m_tensors.setOnlyDifferences(true);
        }
        Q_EMIT changed();
    });
}

bool FileComparison::isBusy() const
{
    return m_isActive && (m_other.isOpening() || m_task.isRunning());
}

QUrl FileComparison::folder() const
{
    return QUrl::fromLocalFile(QFileInfo(pathA()).absolutePath());
}

QString FileComparison::nameA() const
{
    return nameOf(pathA());
}

QString FileComparison::nameB() const
{
    return nameOf(pathB());
}

double FileComparison::ratio() const
{
    return m_files ? static_cast<double>(m_files->a->bytes().size())
            / static_cast<double>(std::max<std::size_t>(1, m_files->b->bytes().size()))
                   : 1;
}

Notice FileComparison::notice() const
{
    return m_other.error() && !m_isDismissed ? Notice(*m_other.error()) : Notice();
}

QString FileComparison::verdict() const
{
    if (!m_files) {
        return {};
    }
    return isSame() && m_weights.isSame()
        ? tr("The two files have the same metadata, tensors and weights.")
        : comparison_summary::verdict(*m_files, m_tensors.differences());
}

bool FileComparison::isSame() const
{
    return m_files && m_files->isSame() && m_tensors.differences() == 0;
}

void FileComparison::setOnlyDifferences(bool only)
{
    m_isSwitchSet = true;
    m_metadata.setOnlyDifferences(only);
    m_tensors.setOnlyDifferences(only);
    Q_EMIT changed();
}

void FileComparison::compareWith(const QString& path)
{
    if (!m_shown.file() || path.isEmpty()) {
        return;
    }
    m_isActive = true;
    m_isDismissed = false;
    m_isSwitchSet = false;
    if (path != m_other.path()) {
        take(nullptr);
    }
    m_other.open(path);
    Q_EMIT changed();
}

void FileComparison::compareWithUrl(const QUrl& url)
{
    compareWith(url.isLocalFile() ? url.toLocalFile() : url.toString());
}

void FileComparison::reload()
{
    m_shown.reload();
    m_other.reload();
}

void FileComparison::swap()
{
    const QString other = m_other.path();
    if (!m_isActive || !m_other.file()) {
        return;
    }
    // The other one first: `compare` waits until both are there.
    m_other.open(m_shown.path());
    Q_EMIT fileWanted(other);
}

void FileComparison::leave()
{
    if (std::exchange(m_isActive, false)) {
        m_task.stop();
        m_other.close(); // before the last to hold the file lets go of it on another thread
        take(nullptr);
    }
}

bool FileComparison::showInA()
{
    const auto number = m_detail.sideA();
    if (!number) {
        return false;
    }
    const bool isEntry = m_detail.table() == QLatin1String("metadata");
    leave();
    if (isEntry) {
        Q_EMIT metadataWanted(static_cast<int>(*number));
    } else {
        Q_EMIT tensorWanted(static_cast<int>(*number));
    }
    return true;
}

QString FileComparison::markdown() const
{
    return m_files ? QString::fromStdString(app::diffReport(
               *m_files->a, *m_files->b, m_files->metadata, m_files->tensors, m_weights.data()))
                   : QString();
}

void FileComparison::dismissNotice()
{
    m_isDismissed = true;
    Q_EMIT changed();
}

void FileComparison::compare()
{
    if (!m_isActive || !m_shown.file() || !m_other.file() || m_shown.isOpening()
        || m_other.isOpening()) {
        return;
    }
    m_task.start([this, a = m_shown.file(), b = m_other.file()](const app::TaskControl& control) {
        auto files = std::make_shared<ComparedFiles>();
        files->a = a;
        files->b = b;
        files->metadata = engine::gguf::compareMetadata(*a, *b, control.stop);
        files->tensors = engine::gguf::compareTensors(*a, *b);
        return LatestTask::Delivery([this, files = Files(std::move(files))] { take(files); });
    });
}

void FileComparison::take(const Files& files)
{
    Files old = std::exchange(m_files, files);
    m_factsA = files ? file_summary::facts(*files->a) : QString();
    m_factsB = files ? file_summary::facts(*files->b) : QString();
    m_remarks = files ? comparison_summary::remarks(*files) : QStringList();
    m_totals = files ? comparison_summary::totals(*files) : QVariantList();
    if (files && !m_isSwitchSet) {
        m_metadata.setOnlyDifferences(!files->isSame());
        m_tensors.setOnlyDifferences(!files->isSame());
    }
    m_detail.setFiles(nullptr); // numbers of the old files must not meet the new ones
    m_metadata.setFiles(files);
    m_tensors.setFiles(files);
    m_detail.setFiles(files);
    m_weights.setFiles(files);
    Q_EMIT changed();
    m_task.letGo(std::move(old));
}
