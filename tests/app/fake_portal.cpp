// A bus of the tests' own, and a portal on it.
// SPDX-License-Identifier: Apache-2.0
#include "tests/app/fake_portal.h"

#include <QDBusConnection>
#include <QDBusMetaType>
#include <QFile>
#include <QStandardPaths>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace tests {

namespace {

const auto kPath = QStringLiteral("/org/freedesktop/portal/desktop");

} // namespace

PrivateBus::~PrivateBus()
{
    stop();
}

bool PrivateBus::start()
{
    const QByteArray program =
        QStandardPaths::findExecutable(QStringLiteral("dbus-daemon")).toLocal8Bit();
    int ends[2];
    if (program.isEmpty() || ::pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    // Not by QProcess: the thread sanitizer allows no new threads once a program has forked.
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    char* arguments[] = { const_cast<char*>(program.constData()), const_cast<char*>("--session"),
                          const_cast<char*>("--print-address"), const_cast<char*>("--nofork"),
                          nullptr };
    pid_t process = 0;
    const bool isStarted =
        ::posix_spawn(&process, program.constData(), &actions, nullptr, arguments, environ) == 0;
    posix_spawn_file_actions_destroy(&actions);
    ::close(ends[1]);
    QFile output;
    if (output.open(ends[0], QFile::ReadOnly, QFile::AutoCloseHandle) && isStarted) {
        m_daemon = process;
        m_address =
            QString::fromLatin1(output.readLine()).trimmed(); // nothing, should it end first
    }
    return !m_address.isEmpty();
}

void PrivateBus::stop()
{
    if (m_daemon > 0) {
        ::kill(m_daemon, SIGKILL);
        ::waitpid(m_daemon, nullptr, 0);
        m_daemon = 0;
    }
}

FakePortal::FakePortal(const QString& busAddress, const QString& service)
    : m_service(service)
{
    static int count = 0;
    qDBusRegisterMetaType<PortalValues>();
    m_name = QStringLiteral("fake-portal-%1").arg(++count);
    QDBusConnection bus = QDBusConnection::connectToBus(busAddress, m_name);
    m_isThere =
        bus.registerObject(kPath, this,
                           QDBusConnection::ExportAllSlots | QDBusConnection::ExportAllSignals)
        && bus.registerService(service);
}

FakePortal::~FakePortal()
{
    // The connection stays open: closing it, Qt's own thread would still look at this object.
    QDBusConnection bus(m_name);
    bus.unregisterService(m_service);
    bus.unregisterObject(kPath);
}

void FakePortal::set(const QString& space, const QString& key, const QVariant& value)
{
    m_values[space][key] = value;
}

void FakePortal::change(const QString& space, const QString& key, const QVariant& value)
{
    set(space, key, value);
    Q_EMIT SettingChanged(space, key, QDBusVariant(value));
}

PortalValues FakePortal::ReadAll(const QStringList& spaces)
{
    ++m_readCount;
    PortalValues found;
    for (const QString& space : spaces) {
        if (m_values.contains(space)) {
            found[space] = m_values[space];
        }
    }
    return found;
}

} // namespace tests
