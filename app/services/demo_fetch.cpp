// One run of the script that fetches the demo model: a process group and its folder.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/demo_fetch.h"

#include <QDir>
#include <QDirIterator>
#include <QElapsedTimer>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include <unistd.h>

#include <csignal>

namespace app {

namespace {

constexpr int kPatience = 1000; // ms from asking a process to end to killing it
constexpr int kLongestEnd = 300; // ms that killed processes may take to be gone
constexpr int kClosingInterval = 25; // ms
constexpr int kMostClosings = 20;
constexpr qsizetype kLongestWords = 300;

QProcessEnvironment environmentFor(const QString& work)
{
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("VITRINE_DEMO_WORK"), work);
    environment.insert(QStringLiteral("VITRINE_LOGS"),
                       QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
                           + QStringLiteral("/vitrine/logs"));
    return environment;
}

} // namespace

DemoFetch::DemoFetch(const QString& script, const QString& modelsFolder, QObject* parent)
    : QObject(parent)
    , m_script(script)
    , m_modelsFolder(modelsFolder)
{
    // Not QProcess::finished: that one does not come where nothing could be started.
    connect(&m_process, &QProcess::stateChanged, this, [this](QProcess::ProcessState state) {
        if (state == QProcess::NotRunning) {
            QMetaObject::invokeMethod(this, &DemoFetch::close, Qt::QueuedConnection);
        }
    });
}

DemoFetch::~DemoFetch()
{
    m_process.disconnect(this);
    if (m_process.state() != QProcess::NotRunning) {
        signalGroup(SIGKILL);
        m_process.waitForFinished(kLongestEnd);
    }
    // The script's children may outlive it by a moment, and write meanwhile.
    QElapsedTimer clock;
    clock.start();
    while (isGroupAlive() && clock.elapsed() < kLongestEnd) {
        signalGroup(SIGKILL);
        QThread::msleep(5);
    }
    if (!m_work.isEmpty()) {
        QDir(m_work).removeRecursively();
    }
}

void DemoFetch::start()
{
    QDir().mkpath(m_modelsFolder);
    QTemporaryDir work(m_modelsFolder + QStringLiteral("/.fetch.XXXXXX"));
    if (!work.isValid()) {
        QMetaObject::invokeMethod(
            this, [this] { Q_EMIT finished(kNoFolder); }, Qt::QueuedConnection);
        return;
    }
    work.setAutoRemove(false);
    m_work = work.path();
    m_process.setProcessEnvironment(environmentFor(m_work));
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.setChildProcessModifier([] { ::setsid(); }); // a group of its own, to end it whole
    m_process.start(QStringLiteral("bash"), { m_script });
    m_group = m_process.processId();
}

void DemoFetch::endByItself()
{
    m_isEnding = true;
    if (m_process.state() == QProcess::NotRunning) {
        close();
        return;
    }
    signalGroup(SIGTERM);
    QTimer::singleShot(kPatience, this, [this] { signalGroup(SIGKILL); });
}

quint64 DemoFetch::size() const
{
    quint64 size = 0;
    QDirIterator files(m_work, QDir::Files | QDir::Hidden | QDir::NoSymLinks,
                       QDirIterator::Subdirectories);
    while (!m_work.isEmpty() && files.hasNext()) {
        files.next();
        size += quint64(files.fileInfo().size());
    }
    return size;
}

QString DemoFetch::lastWords()
{
    if (!m_process.isOpen()) {
        return {};
    }
    const QString text = QString::fromLocal8Bit(m_process.readAllStandardError()).trimmed();
    return text.section(u'\n', -1).left(kLongestWords);
}

void DemoFetch::close()
{
    if (m_isEnding) {
        // The script is gone; its children may take a moment more.
        if (isGroupAlive() && m_closings++ < kMostClosings) {
            signalGroup(SIGKILL);
            QTimer::singleShot(kClosingInterval, this, &DemoFetch::close);
            return;
        }
        m_group = 0;
        deleteLater();
        return;
    }
    if (m_process.error() == QProcess::FailedToStart) {
        Q_EMIT finished(kNotStarted);
    } else {
        Q_EMIT finished(m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode()
                                                                       : kCrashed);
    }
}

bool DemoFetch::isGroupAlive() const
{
    return m_group > 0 && ::kill(pid_t(-m_group), 0) == 0;
}

void DemoFetch::signalGroup(int signal) const
{
    // A process that was started this moment may not have its group yet.
    if (m_group > 0 && ::kill(pid_t(-m_group), signal) != 0
        && m_process.state() != QProcess::NotRunning) {
        ::kill(pid_t(m_group), signal);
    }
}

} // namespace app
