// Dispatches of ops that work on pieces of rows (see include/pieces.glsl).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/recording.h"

namespace engine::backend::vulkan {

/// Whether `count` pieces of a row of `width` can be read and written by vec4: constant 1 of the
/// shader, where it holds for all its rows.
[[nodiscard]] constexpr bool isWhole(model::op::Pieces at, std::uint32_t count,
                                     std::uint32_t length, std::uint32_t width)
{
    const bool begins = at.offset % 4 == 0 && (count == 1 || at.stride % 4 == 0);
    return begins && (length % 4 == 0 || (count == 1 && at.offset + length == width));
}

[[nodiscard]] constexpr std::uint32_t pieceSteps(bool whole, std::uint32_t length)
{
    return whole ? padded(length) / 4 : length;
}

/// Invocations of a group for one piece of so many steps: no more than there is work for.
[[nodiscard]] std::uint32_t pieceGroup(const Device& device, std::uint32_t steps);

} // namespace engine::backend::vulkan
