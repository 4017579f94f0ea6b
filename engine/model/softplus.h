// log(1 + eˣ), without overflow: for ops, and for parameters that files hold before it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

namespace engine::model {

[[nodiscard]] inline float softplus(float x)
{
    return std::max(x, 0.0F) + std::log1p(std::exp(-std::fabs(x)));
}

} // namespace engine::model
