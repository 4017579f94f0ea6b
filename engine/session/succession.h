// One session after another on a device that may be too small for both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/session.h"

#include <functional>
#include <memory>
#include <stop_token>

namespace engine::session {

/// As Session::create, after `before`, which may be null and goes on until somebody drops it. Where
/// the device has no room for both, `before` leaves it first. Weights that are the same for both
/// stay there all the while, unless others would be placed without them.
[[nodiscard]] Result<std::unique_ptr<Session>>
createAfter(Session* before, const std::shared_ptr<const model::Model>& model,
            const SessionOptions& options, const std::stop_token& stop = {},
            const std::function<void(double)>& progress = {});

} // namespace engine::session
