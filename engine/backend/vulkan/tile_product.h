// Products of many tokens on GPUs, by tiles in shared memory: see shaders/linear_tile.comp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/device.h"
#include "engine/backend/vulkan/product_batches.h"

#include <array>
#include <cstdint>

namespace engine::backend::vulkan {

/// Fewer tokens are not worth a tile: rows shared by invocations decode the weights anew for every
/// four tokens; from the third time on a tile, even if half empty, costs less.
inline constexpr std::uint32_t kFewestTileTokens = 9;

/// What is multiplied in a tile.
enum class TileNumbers {
    Floats,
    Halves, ///< scaled to fit
    Bytes, ///< see shaders/linear_dot.comp
};

/// Which tile a workgroup computes, and how its invocations share it.
struct TileShape
{
    std::uint32_t rowLanes = 8; ///< invocations beside each other
    std::uint32_t rows = 8; ///< of an invocation
    std::uint32_t tokenLanes = 16;
    std::uint32_t tokens = 4; ///< of an invocation
    TileNumbers numbers = TileNumbers::Floats;

    [[nodiscard]] std::uint32_t group() const { return rowLanes * tokenLanes; }
    [[nodiscard]] std::uint32_t rowsOfGroup() const { return rowLanes * rows; }
    [[nodiscard]] std::uint32_t tokensOfGroup() const { return tokenLanes * tokens; }
    /// Of shared memory.
    [[nodiscard]] std::uint32_t bytes() const;
    /// Whether the shader can work with it on a device that has these limits.
    [[nodiscard]] bool fits(const DeviceFacts& facts) const;
};

/// For a product of so many rows (of one matrix, or of a stack together) and tokens.
/// VITRINE_VULKAN_TILE ("8x4,16x4": invocations beside each other × rows of each, the same of
/// tokens) is one shape for all, to measure which is best; it may not fit.
[[nodiscard]] TileShape tileShapeFor(const DeviceFacts& facts, std::uint64_t rows,
                                     std::uint32_t tokens, TileNumbers numbers);

/// What the specialization constants of a shader with tiles are.
[[nodiscard]] std::array<std::uint32_t, 9> tileConstants(const TileShape& shape,
                                                         const ProductDispatch& dispatch);

/// Records a product where tiles are the way to do it; else nothing, false.
[[nodiscard]] bool recordByTiles(Recording& recording, const Product& product);

} // namespace engine::backend::vulkan
