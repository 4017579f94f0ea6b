// Products with weight matrices: what Linear, HeadLinear and ExpertLinear share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/recording.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace engine::backend::vulkan {

/// out = W in + bias, where all targets have one input. See shaders/linear.comp.
struct Product
{
    struct Target
    {
        const model::Matrix* matrix; ///< of a stack: all of it
        std::uint32_t rows; ///< of one matrix
        const model::Vector* bias; ///< null: none; of experts one row each
        model::Slot out;
    };
    enum class Mode : std::uint32_t {
        One, ///< whole rows of the slots
        Many, ///< piece i of the row with matrix i of a stack
        Experts, ///< piece i of the row with the i-th expert that `route` names
    };
    model::Slot in = 0;
    std::vector<Target> targets;
    Mode mode = Mode::One;
    std::uint32_t pieces = 1;
    model::op::Pieces from; ///< of the input's row
    model::op::Pieces to; ///< of each target's row
    model::Slot route = 0;
    bool adds = false; ///< out += …
};

[[nodiscard]] Product productOf(const model::op::Linear& op);
/// Of one target: each has its own length of a row in `to`.
[[nodiscard]] Product productOf(const model::op::ExpertLinear& op, std::size_t target,
                                const model::Graph& graph);

/// Of all targets; of a stack those of all its matrices.
[[nodiscard]] std::uint64_t rowsOf(const Product& product);
/// Of the longest input of a graph's Linear ops.
[[nodiscard]] std::uint64_t mostColumns(const model::Graph& graph);

void record(Recording& recording, const Product& product);
/// What `gate` makes of the results of two targets, its gate's and its up's in this order: into the
/// first one's slot. False where one dispatch can't, or where two are faster: nothing is recorded.
[[nodiscard]] bool recordGated(Recording& recording, const Product& product,
                               const model::op::Gate& gate);

} // namespace engine::backend::vulkan
