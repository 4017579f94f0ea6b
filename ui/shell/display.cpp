// Is there a display to open a window on?
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/display.h"

#include <QtGui/QGuiApplication>

#include <cstdio>
#include <cstdlib>

namespace {

void stopOnFatal(QtMsgType type, const QMessageLogContext& /*context*/, const QString& /*message*/)
{
    // What Qt says before it gives up repeats the same in several lines.
    if (type == QtFatalMsg) {
        std::fputs("vitrine: The display cannot be reached. Check DISPLAY or WAYLAND_DISPLAY, or "
                   "start it under Xvfb "
                   "(packaging/run.sh does).\n",
                   stderr);
        std::fflush(nullptr);
        std::_Exit(1);
    }
}

} // namespace

QString displayObstacle()
{
    for (const char* name : { "QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY" }) {
        if (!qEnvironmentVariableIsEmpty(name)) {
            return {};
        }
    }
    return QStringLiteral("There is no display (neither WAYLAND_DISPLAY nor DISPLAY is set). Start "
                          "it in a desktop session, or "
                          "under Xvfb (packaging/run.sh does).");
}

std::unique_ptr<QGuiApplication> makeApplication(int& argc, char** argv)
{
    const QtMessageHandler before = qInstallMessageHandler(stopOnFatal);
    auto application = std::make_unique<QGuiApplication>(argc, argv);
    qInstallMessageHandler(before);
    return application;
}
