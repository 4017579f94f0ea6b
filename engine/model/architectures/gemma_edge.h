// What Gemma 3n and 4 share: embeddings of each block's own, attention over earlier blocks' keys.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/architectures/parts.h"

#include <cstdint>

namespace engine::model::gemma {

/// The embedding times the root of its width.
[[nodiscard]] parts::Stream embed(Composer& c);

/// Small inputs of the tokens for every block, side by side.
struct OwnInputs
{
    Slot all = -1; ///< -1: the model has none
    std::uint32_t width = 0; ///< of one block's
};
/// From a table of the model's own and from the (scaled) embedding in `residual`.
[[nodiscard]] OwnInputs ownInputs(Composer& c, Slot residual, std::uint32_t width);
/// out = norm(W (gelu(gate in) · the entered block's own input))
void mixOwnInput(Composer& c, const OwnInputs& inputs, Slot in, Slot out);

/// Attention of one block: heads and values normed, no scale.
struct Attention
{
    std::uint32_t headLength = 0;
    const RopeParameters* rope = nullptr;
    std::uint32_t window = 0;
    std::uint32_t cache = 0; ///< the block whose keys and values are seen
};
/// Where the file has no attn_v the keys, before their norm, are the values.
void attend(Composer& c, const Attention& a, Slot in, Slot out);

/// The block whose keys and values block `block` sees, where those from `first` on have none of
/// their own: the last one of its kind before them.
[[nodiscard]] std::uint32_t cacheOf(std::uint32_t block, std::uint32_t first,
                                    const std::vector<bool>& windowed);

} // namespace engine::model::gemma
