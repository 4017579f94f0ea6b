// Log lines of the application, on standard error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace app {

/// Sets spdlog's default logger up (standard error, warnings and worse) and routes Qt's messages
/// into it. The environment variable VITRINE_LOG changes the level: trace, debug, info, warn,
/// error, critical, off. Call once, first thing in main; safe to call again.
void initLogging();

} // namespace app
