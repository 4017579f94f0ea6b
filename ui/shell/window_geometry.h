// Where the window is: as it was last, or as asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/settings.h"

#include <QtCore/QSize>

class QQuickWindow;

/// Gives the window its size and place: `wanted` where valid, else what the settings kept, else a
/// default that fits the screen. True when it shall be maximized.
bool restoreGeometry(QQuickWindow& window, const app::Settings& settings, QSize wanted);

/// Keeps size and place for the next start.
void keepGeometry(const QQuickWindow& window, app::Settings& settings);
