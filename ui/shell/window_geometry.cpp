// Where the window is.
// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/window_geometry.h"

#include <QtGui/QGuiApplication>
#include <QtGui/QScreen>
#include <QtQuick/QQuickWindow>

#include <algorithm>

namespace {

constexpr QSize kDefaultSize(1280, 800);

bool isOnScreen(const QRect& geometry)
{
    const QList<QScreen*> screens = QGuiApplication::screens();
    return std::any_of(screens.begin(), screens.end(), [&geometry](const QScreen* screen) {
        return screen->availableGeometry().contains(geometry.center());
    });
}

} // namespace

bool restoreGeometry(QQuickWindow& window, const app::Settings& settings, QSize wanted)
{
    if (wanted.isValid()) {
        // Asked for outright: may be smaller than what is comfortable.
        window.setMinimumSize(window.minimumSize().boundedTo(wanted));
        window.resize(wanted);
        return false;
    }
    const QRect kept = settings.windowGeometry();
    if (kept.isValid() && isOnScreen(kept)) {
        window.setGeometry(kept);
    } else {
        window.resize(kDefaultSize.boundedTo(window.screen()->availableSize()));
    }
    return settings.isWindowMaximized();
}

void keepGeometry(const QQuickWindow& window, app::Settings& settings)
{
    const bool maximized = (window.windowStates() & Qt::WindowMaximized) != 0;
    // A maximized window's own geometry is the screen's: the one from before is worth more.
    const QRect geometry = maximized ? settings.windowGeometry() : window.geometry();
    settings.setWindow(geometry, maximized);
}
