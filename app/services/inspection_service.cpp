#include "app/services/inspection_service.h"

#include "app/services/first_bytes.h"
#include "engine/gguf/joined_file.h"
#include "engine/model/verdict.h"

#include <utility>

namespace app {

namespace {

/// Shown by debuggers.
constexpr auto kOpenThread = "vitrine-inspect";
constexpr auto kDiagnoseThread = "vitrine-doctor";
constexpr auto kGatherThread = "vitrine-gather";
constexpr qint64 kFirstBytes = 64;

} // namespace

/// One reading of a file.
struct InspectionService::Attempt
{
    engine::Result<File> file;
    FileIdentities identities;
    QByteArray firstBytes; ///< where it failed
    double milliseconds = 0;
};

InspectionService::InspectionService(std::chrono::milliseconds watchInterval, QObject* parent)
    : QObject(parent)
    , m_opening(kOpenThread)
    , m_diagnosing(kDiagnoseThread, TaskPriority::Idle)
    , m_gathering(kGatherThread)
    , m_watch([this, sender = m_mailbox.sender()] { sender.post([this] { reload(); }); },
              watchInterval)
{
    connect(&m_opening, &LatestTask::changed, this, &InspectionService::openingChanged);
    connect(&m_diagnosing, &LatestTask::changed, this, &InspectionService::diagnosingChanged);
    connect(&m_gathering, &LatestTask::changed, this, &InspectionService::gatheringChanged);
}

InspectionService::~InspectionService() = default;

void InspectionService::open(const QString& path)
{
    const bool again = m_file && path == m_path;
    m_path = path;
    read(again);
}

void InspectionService::reload()
{
    if (!m_path.isEmpty()) {
        read(m_file != nullptr);
    }
}

void InspectionService::close()
{
    m_opening.stop();
    m_watch.stop();
    m_path.clear();
    m_error.reset();
    m_firstBytes.clear();
    forget();
    m_file.reset();
    Q_EMIT closed();
}

void InspectionService::read(bool again)
{
    m_watch.stop();
    m_opening.start([this, path = m_path.toStdString(), again](const TaskControl&) {
        const auto start = std::chrono::steady_clock::now();
        Attempt attempt { .file = {}, .identities = fileIdentities(partsBeside(path)) };
        attempt.file = engine::gguf::openJoined(path);
        if (!attempt.file) {
            attempt.firstBytes = app::firstBytes(path, kFirstBytes);
        }
        attempt.milliseconds =
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
                .count();
        return LatestTask::Delivery(
            [this, attempt = std::move(attempt), again] { take(attempt, again); });
    });
}

void InspectionService::take(const Attempt& attempt, bool again)
{
    watch(attempt.identities);
    m_firstBytes = attempt.firstBytes;
    if (!attempt.file) {
        m_error = errorMessage(attempt.file.error());
        if (!again) {
            forget();
            m_file.reset();
        }
        Q_EMIT failed(*m_error);
        return;
    }
    forget();
    m_error.reset();
    // Held until all were told of the new one.
    File old = std::exchange(m_file, *attempt.file);
    m_openMilliseconds = attempt.milliseconds;
    m_problems.assign(m_file->problems().begin(), m_file->problems().end());
    diagnose();
    Q_EMIT opened(again);
    m_opening.letGo(std::move(old));
}

void InspectionService::forget()
{
    m_diagnosing.stop();
    m_gathering.stop();
    m_problems.clear();
    m_obstacle.reset();
    m_statistics.clear();
}

void InspectionService::diagnose()
{
    m_diagnosing.start([this, file = m_file](const TaskControl&) {
        auto verdict = engine::model::diagnose(file);
        return LatestTask::Delivery([this, verdict = std::move(verdict)] {
            m_problems = verdict.problems;
            if (verdict.obstacle) {
                m_obstacle = errorMessage(*verdict.obstacle);
            }
            Q_EMIT problemsFound();
        });
    });
}

void InspectionService::watch(const FileIdentities& identities)
{
    m_watch.start([identities] { return haveChanged(identities); });
}

void InspectionService::gatherStatistics(qsizetype tensor)
{
    if (!m_file || tensor < 0 || tensor >= static_cast<qsizetype>(m_file->tensors().size())) {
        return;
    }
    if (const auto known = m_statistics.constFind(tensor); known != m_statistics.constEnd()) {
        m_gathering.stop();
        Q_EMIT statisticsReady(tensor, *known);
        return;
    }
    m_gathering.start([this, file = m_file, tensor](const TaskControl& control) {
        engine::eval::ScanProgress progress(control.progress);
        auto gathered = engine::eval::tensorSummary(
            *file, file->tensors()[static_cast<std::size_t>(tensor)], { control.stop, &progress });
        return LatestTask::Delivery([this, tensor, gathered = std::move(gathered)] {
            if (gathered) {
                m_statistics.insert(tensor, *gathered);
                Q_EMIT statisticsReady(tensor, *gathered);
            } else {
                Q_EMIT statisticsFailed(tensor, errorMessage(gathered.error()));
            }
        });
    });
}

} // namespace app
