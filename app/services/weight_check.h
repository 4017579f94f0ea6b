// Reads all weights of a file for NaN and infinite numbers when someone asks, off the GUI thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/error_message.h"
#include "app/services/latest_task.h"
#include "engine/eval/weight_scan.h"
#include "engine/gguf/gguf_file.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTime>

#include <memory>
#include <optional>

namespace app {

/// Lives on the GUI thread; no call waits. What was found belongs to one file: another one forgets
/// it.
class WeightCheck : public QObject
{
    Q_OBJECT

public:
    using File = std::shared_ptr<const engine::gguf::GgufFile>;

    struct Outcome
    {
        engine::eval::WeightScan scan;
        qint64 milliseconds = 0; ///< that it took
        QTime at; ///< when it ended
    };

    explicit WeightCheck(QObject* parent = nullptr);

    /// Stops, and forgets what was found; the same file again changes nothing.
    void setFile(const File& file);
    /// Nothing without a file, and while it runs.
    void start();
    /// What an earlier check found stays.
    void cancel() { m_task.stop(); }

    [[nodiscard]] bool isRunning() const { return m_task.isRunning(); }
    /// See LatestTask::fraction; goes by bytes.
    [[nodiscard]] double fraction() const { return m_task.fraction(); }
    /// What there is to read.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    /// Estimated from the speed until now; below 0 while that is too little to tell.
    [[nodiscard]] double secondsLeft() const;
    /// Of the latest check that came to its end.
    [[nodiscard]] const std::optional<Outcome>& outcome() const { return m_outcome; }
    /// Why the latest check did not.
    [[nodiscard]] const std::optional<ErrorMessage>& error() const { return m_error; }

Q_SIGNALS:
    /// It runs, or no longer, or is further.
    void changed();
    /// outcome() or error() is another one.
    void outcomeChanged();

private:
    void take(engine::Result<engine::eval::WeightScan> scan);

    File m_file;
    std::uint64_t m_bytes = 0;
    QElapsedTimer m_clock;
    std::optional<Outcome> m_outcome;
    std::optional<ErrorMessage> m_error;
    LatestTask m_task;
};

} // namespace app
