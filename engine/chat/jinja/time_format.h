// strftime in the C locale.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/runtime.h"

#include <chrono>

namespace engine::chat::jinja {

/// `time` in local time by the directives of Python's strftime; an unknown directive stays as it
/// is. The flags of glibc ("%-d") are understood.
[[nodiscard]] MarkedText formatTime(Runtime& runtime, const MarkedText& format,
                                    std::chrono::system_clock::time_point time);

} // namespace engine::chat::jinja
