// Opens any model file to be looked at, and works on it, away from the GUI thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/error_message.h"
#include "app/services/file_identity.h"
#include "app/services/latest_task.h"
#include "app/services/load_watch.h"
#include "engine/eval/tensor_summary.h"
#include "engine/gguf/gguf_file.h"

#include <QByteArray>
#include <QHash>
#include <QObject>
#include <QString>

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace app {

/// Lives on the GUI thread; no call waits. One file at a time: sound ones whole, broken ones as far
/// as they go, split ones from any part with all the others (see engine::gguf::openJoined); one
/// that is no GGUF at all leaves an error. The file and the parts beside it are watched: written,
/// replaced or there at last, they are read again.
class InspectionService : public QObject
{
    Q_OBJECT

public:
    using File = std::shared_ptr<const engine::gguf::GgufFile>;
    using Summary = engine::eval::TensorSummary;
    using Problems = std::vector<engine::gguf::Problem>;

    explicit InspectionService(std::chrono::milliseconds watchInterval = std::chrono::seconds(1),
                               QObject* parent = nullptr);
    ~InspectionService() override;

    /// Ends with `opened` or `failed`; only the last of several calls reports.
    void open(const QString& path);
    void reload();
    void close();

    [[nodiscard]] bool isOpening() const { return m_opening.isRunning(); }
    /// Of the file that is open, being opened or failed to; empty after `close`.
    [[nodiscard]] const QString& path() const { return m_path; }
    /// Null without one.
    [[nodiscard]] const File& file() const { return m_file; }
    /// Why the latest attempt failed; a file that was open before stays in sight meanwhile.
    [[nodiscard]] const std::optional<ErrorMessage>& error() const { return m_error; }
    /// Those of a file that could not be opened, at most 64; none of a file that is shown.
    [[nodiscard]] const QByteArray& firstBytes() const { return m_firstBytes; }
    /// What opening took.
    [[nodiscard]] double openMilliseconds() const { return m_openMilliseconds; }

    /// Those of the container at once, and all that model::diagnose finds after problemsFound.
    [[nodiscard]] const Problems& problems() const { return m_problems; }
    /// Why the file can't be talked to, once that is known; nothing where it can.
    [[nodiscard]] const std::optional<ErrorMessage>& obstacle() const { return m_obstacle; }
    [[nodiscard]] bool isDiagnosing() const { return m_diagnosing.isRunning(); }

    /// Of one tensor at a time: asking for another one stops the one before. Ends with
    /// `statisticsReady` (at once, when they were gathered before) or `statisticsFailed`.
    void gatherStatistics(qsizetype tensor);
    void cancelStatistics() { m_gathering.stop(); }
    [[nodiscard]] bool isGathering() const { return m_gathering.isRunning(); }
    /// See LatestTask::fraction.
    [[nodiscard]] double statisticsFraction() const { return m_gathering.fraction(); }

Q_SIGNALS:
    /// Opening began or ended.
    void openingChanged();
    /// file() is another one; `again`: the one before was read anew.
    void opened(bool again);
    void failed(const app::ErrorMessage& error);
    void closed();
    /// Looking for problems began or ended.
    void diagnosingChanged();
    /// problems() are all of them now, and obstacle() is known.
    void problemsFound();
    void gatheringChanged();
    void statisticsReady(qsizetype tensor, const engine::eval::TensorSummary& summary);
    void statisticsFailed(qsizetype tensor, const app::ErrorMessage& error);

private:
    struct Attempt;
    void read(bool again);
    void take(const Attempt& attempt, bool again);
    void watch(const FileIdentities& identities);
    /// Forgets what was found out about the file.
    void forget();
    void diagnose();

    QString m_path;
    File m_file;
    std::optional<ErrorMessage> m_error;
    QByteArray m_firstBytes;
    double m_openMilliseconds = 0;
    Problems m_problems;
    std::optional<ErrorMessage> m_obstacle;
    QHash<qsizetype, Summary> m_statistics;
    Mailbox m_mailbox;
    LatestTask m_opening;
    LatestTask m_diagnosing;
    LatestTask m_gathering;
    LoadWatch m_watch; // last: its thread ends before the mailbox goes
};

} // namespace app
