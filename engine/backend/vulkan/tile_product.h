// Products of many tokens on GPUs, by tiles in shared memory: see shaders/linear_tile.comp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/device.h"
#include "engine/backend/vulkan/product.h"

namespace engine::backend::vulkan {

/// Which tile a workgroup computes, and how its invocations share it.
struct TileShape
{
    std::uint32_t rowLanes = 8; ///< invocations beside each other
    std::uint32_t rows = 8; ///< of an invocation
    std::uint32_t tokenLanes = 16;
    std::uint32_t tokens = 4; ///< of an invocation
    bool halves = false; ///< multiplies numbers of 16 bits, which it scales to fit

    [[nodiscard]] std::uint32_t group() const { return rowLanes * tokenLanes; }
    [[nodiscard]] std::uint32_t rowsOfGroup() const { return rowLanes * rows; }
    [[nodiscard]] std::uint32_t tokensOfGroup() const { return tokenLanes * tokens; }
    /// Of shared memory.
    [[nodiscard]] std::uint32_t bytes() const;
    /// Whether the shader can work with it on a device that has these limits.
    [[nodiscard]] bool fits(const DeviceFacts& facts) const;
};

/// For a product of so many rows (of one matrix, or of a stack together) and tokens.
[[nodiscard]] TileShape tileShapeFor(const DeviceFacts& facts, std::uint64_t rows,
                                     std::uint32_t tokens, bool halves);

/// Records a product where tiles are the way to do it; else nothing, false.
[[nodiscard]] bool recordByTiles(Recording& recording, const Product& product);

} // namespace engine::backend::vulkan
