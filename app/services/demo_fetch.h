// One run of the script that fetches the demo model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QObject>
#include <QProcess>
#include <QString>

namespace app {

/// Owns a process group and a folder that both end with it. Lives on the GUI thread.
class DemoFetch : public QObject
{
    Q_OBJECT

public:
    /// What finished() tells where the script itself could not say more.
    static constexpr int kNotStarted = -1;
    static constexpr int kCrashed = -2;
    static constexpr int kNoFolder = -3;

    /// Will work in a new folder within `modelsFolder`.
    DemoFetch(const QString& script, const QString& modelsFolder, QObject* parent = nullptr);
    /// Kills what still runs and removes the folder.
    ~DemoFetch() override;

    /// finished() comes later, never from within.
    void start();
    /// Asks the processes to end and kills those that don't, without waiting for them; the object
    /// deletes itself then, without finished().
    void endByItself();

    /// Bytes in the folder.
    [[nodiscard]] quint64 size() const;
    /// The last line of what the script said, once it finished.
    [[nodiscard]] QString lastWords();

Q_SIGNALS:
    /// The script's exit status, or one of the numbers above.
    void finished(int status);

private:
    void close();
    [[nodiscard]] bool isGroupAlive() const;
    void signalGroup(int signal) const;

    QString m_script;
    QString m_modelsFolder;
    QString m_work;
    QProcess m_process;
    qint64 m_group = 0; // process group; 0: none
    int m_closings = 0;
    bool m_isEnding = false;
};

} // namespace app
