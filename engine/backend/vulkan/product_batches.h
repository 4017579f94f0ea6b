// Dispatches of a product: targets that share one, the rows that a window holds, bindings and push
// constants as shaders/include/product.glsl has them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/product.h"

#include <array>
#include <string>
#include <vector>

namespace engine::backend::vulkan {

/// Targets of one dispatch with the memory that holds the weights of all.
struct Batch
{
    struct Member
    {
        const Product::Target* target;
        std::uint32_t firstByte; ///< of the first row, in `weights`
    };
    Range weights;
    std::vector<Member> members; ///< of one type and length of rows
    bool isWhole = true; ///< all rows are there; else some rows of one target
    std::uint32_t firstRow = 0;
    std::uint32_t rows = 0;
};

/// All of a product, where a workgroup has `rowsOfGroup` rows.
[[nodiscard]] std::vector<Batch> batches(const Recording& recording, const Product& product,
                                         std::uint32_t rowsOfGroup);

/// What the shaders of products have in common.
struct ProductDispatch
{
    std::string type; ///< file of the type: "q4_0_aligned"
    std::array<std::uint32_t, 4> constants; ///< MODE, ALIGNED, HAS_TAIL, ADDS
    std::vector<Binding> bindings;
    std::vector<std::uint32_t> push;
    std::uint32_t groups = 0; ///< on the axis of rows
    double work = 0; ///< multiplications
};

/// `ownRows`: an invocation has rows of its own, and some types another file for that. `gate`: it
/// takes the results of both targets, and its result goes to the first one's slot; null: none.
[[nodiscard]] ProductDispatch dispatchOf(const Recording& recording, const Product& product,
                                         const Batch& batch, std::uint32_t rowsOfGroup,
                                         bool ownRows = false,
                                         const model::op::Gate* gate = nullptr);

} // namespace engine::backend::vulkan
