// How long this process has been running.
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/startup_clock.h"

#include <QtCore/QFile>
#include <QtCore/QList>

#include <unistd.h>

#include <ctime>

Q_LOGGING_CATEGORY(startupLog, "vitrine.startup")

double millisecondsSinceStart()
{
    QFile file(QStringLiteral("/proc/self/stat"));
    if (!file.open(QIODevice::ReadOnly)) {
        return -1;
    }
    const QByteArray line = file.readAll();
    // The program's name stands in parentheses and may hold anything; the start time is the 20th
    // field after it.
    const QList<QByteArray> fields = line.mid(line.lastIndexOf(')') + 2).split(' ');
    constexpr qsizetype kStartTime = 19;
    timespec now {};
    if (fields.size() <= kStartTime || clock_gettime(CLOCK_BOOTTIME, &now) != 0) {
        return -1;
    }
    const double started =
        fields.at(kStartTime).toDouble() / static_cast<double>(sysconf(_SC_CLK_TCK));
    return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9 - started)
        * 1000;
}
