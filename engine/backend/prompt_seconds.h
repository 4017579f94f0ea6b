// How long a device takes for what a prompt mostly is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/examination.h"

#include <stop_token>

namespace engine::backend {

/// Gives seconds for the products of 256 tokens with matrices of the types that models come in
/// most, the best of some runs. Nothing where the device can't, or after a stop.
[[nodiscard]] PromptTimer promptSeconds(std::stop_token stop = {});

} // namespace engine::backend
