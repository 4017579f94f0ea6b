// How long this process has been running: what a person waits for counts from the start of the
// process. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QtCore/QLoggingCategory>

Q_DECLARE_LOGGING_CATEGORY(startupLog)

/// Milliseconds since the process began (to 10 ms, the kernel's clock tick); negative when unknown.
[[nodiscard]] double millisecondsSinceStart();
