// What a block lacks or has beyond those like it: for architectures of which nobody knows what they
// need. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace engine::model {

/// The tensors of a block, named without the block.
using BlockNames = std::set<std::string_view>;

struct PeerDifference
{
    std::vector<std::string_view> lacking; ///< that nearly all others have
    std::vector<std::string_view> beyond; ///< that nearly no other has
};

struct PeerComparison
{
    /// What nearly all blocks are like; null where they disagree too much to say (layers that take
    /// turns, few blocks).
    const BlockNames* usual = nullptr;
    /// One for each block. Empty where a block is usual, where it is of another kind altogether
    /// (the dense first block of a mixture of experts), and where so many are like it that they are
    /// meant to be.
    std::vector<PeerDifference> differences;
};

/// `usual` points into `blocks`, the names into what those name.
[[nodiscard]] PeerComparison comparePeers(std::span<const BlockNames> blocks);

} // namespace engine::model
