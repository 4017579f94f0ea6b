// Is there a display to open a window on?
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QString>

#include <memory>

class QGuiApplication;

/// Why no window can be opened as far as the environment tells; empty when it may be possible.
[[nodiscard]] QString displayObstacle();

/// Makes the application object. Where Qt would abort since it can't reach the display, this ends
/// the process with status 1 and one line on standard error.
[[nodiscard]] std::unique_ptr<QGuiApplication> makeApplication(int& argc, char** argv);
