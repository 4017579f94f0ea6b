// What a tensor is for, as its name says: in which block, in which part of it, and its place there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engine::model {

/// In the order in which a token passes them. Other: nobody knows.
enum class Part { Input, Attention, StateSpace, FeedForward, Experts, Output, Other };

/// Views into the name it was made from.
struct TensorRole
{
    std::string_view
        stack; ///< of blocks: "" in most models, "enc", "dec", "v" where there are several
    std::optional<std::uint32_t> block; ///< N of "blk.N."; nothing outside the blocks
    std::string_view own; ///< the name without its block: "attn_q.weight"
    std::string_view stem; ///< without "weight", "bias" …: "attn_q"
    Part part = Part::Other;
    /// Order in which tensors of a block, or outside the blocks, are met.
    std::uint32_t rank = 0;
};

/// Of any name, known or not.
[[nodiscard]] TensorRole tensorRole(std::string_view name);
/// It only scales: belongs to what comes after it.
[[nodiscard]] bool isNorm(const TensorRole& role);
/// "attn_q", "attn_q.bias": short, and one of a kind within its block.
[[nodiscard]] std::string shortName(const TensorRole& role);

} // namespace engine::model
