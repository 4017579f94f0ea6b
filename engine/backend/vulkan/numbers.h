// Dispatches of ops that touch the numbers of rows one by one (see include/numbers.glsl).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/recording.h"

#include <array>

namespace engine::backend::vulkan {

/// Invocations of a group.
[[nodiscard]] std::uint32_t numbersGroup(const Device& device);
/// Groups for `count` invocations, spread over two axes.
[[nodiscard]] Groups numbersGroups(const Device& device, std::uint32_t count);

/// The first push constants, for all numbers of a slot.
struct Numbers
{
    Numbers(const Recording& recording, model::Slot slot)
        : rowPieces(recording.stride(slot) / 4)
        , count(recording.rows * rowPieces)
        , tail(recording.width(slot) - (rowPieces - 1) * 4)
    {
    }
    std::uint32_t rowPieces;
    std::uint32_t count;
    std::uint32_t tail;
};

/// As in numbers.comp.
enum class NumbersKind : std::uint32_t { Scale, Activate, Clamp, SoftCap, Xielu };

/// values = f(values); the parameters are those of the kind.
void changeNumbers(Recording& recording, model::Slot values, NumbersKind kind,
                   std::array<float, 4> parameters,
                   model::Activation function = model::Activation::Identity);

} // namespace engine::backend::vulkan
