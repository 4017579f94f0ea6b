// State space layers that hybrids share: Mamba 1 and 2.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/composer.h"

#include <cstdint>

namespace engine::model::parts {

/// Widths from the file's ssm.* keys.
struct StateSpace
{
    std::uint32_t kernel = 0; ///< of the convolution
    std::uint32_t inner = 0;
    std::uint32_t length = 0; ///< of a state
    std::uint32_t rank = 0; ///< of the steps (Mamba 1), or heads (Mamba 2)
    std::uint32_t groups = 1;
    bool normed = false; ///< bare norms of steps, B and C (FalconMamba)
};
[[nodiscard]] StateSpace readMamba(Composer& c);
[[nodiscard]] StateSpace readMamba2(Composer& c);

void mamba(Composer& c, const StateSpace& s, Slot in, Slot out);
void mamba2(Composer& c, const StateSpace& s, Slot in, Slot out);

} // namespace engine::model::parts
