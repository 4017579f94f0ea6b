// What the blocks of one model take of a device, at any length of the context.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/offload.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace engine::session {

/// Tokens that a session gives to its runner at once, at most.
inline constexpr std::uint32_t kLongestChunk = 256;

/// The choices for one model and one device now. The last blocks go there first.
struct DevicePlan
{
    backend::OffloadNeeds weights; ///< bytes with a context of no tokens
    backend::OffloadNeeds perToken; ///< bytes that each token of the context adds
    /// Bytes that the model may take; UINT64_MAX: the machine's memory is the only bound.
    std::uint64_t budget = 0;
    /// Of the last 0, 1, … blocks, bytes of weights that are on the device already, beside the
    /// budget; empty where that has no bound.
    std::vector<std::uint64_t> there = {};

    [[nodiscard]] std::uint32_t blocks() const
    {
        return static_cast<std::uint32_t>(weights.blocks.size());
    }
    /// On the device, with the last `count` blocks there.
    [[nodiscard]] std::uint64_t deviceBytes(std::uint32_t count, std::uint32_t context) const;
    /// Weights and cache that stay with the CPU then.
    [[nodiscard]] std::uint64_t cpuBytes(std::uint32_t count, std::uint32_t context) const;
    /// Whether what of them is not there yet is within the budget.
    [[nodiscard]] bool fits(std::uint32_t count, std::uint32_t context) const;
    /// The most blocks that fit.
    [[nodiscard]] std::uint32_t fitting(std::uint32_t context) const;
    /// The default context: `longest`, or as long that so many blocks fit (all of them unless
    /// said), see contextOnDevice.
    [[nodiscard]] std::uint32_t defaultContext(std::uint32_t longest,
                                               std::optional<std::uint32_t> count) const;
};

/// Nothing is loaded: the sizes of tensors and the geometry of the cache are enough.
[[nodiscard]] DevicePlan planDevice(const model::Graph& graph, backend::CacheType cacheType,
                                    const backend::Backend& device);

/// Of 0, 1, … blocks that are given to the device, how many run there: it may have no shader for a
/// type of theirs, and blocks that share a cache stay together.
[[nodiscard]] std::vector<std::uint32_t> runningBlocks(const model::Graph& graph,
                                                       const backend::Backend& device);

} // namespace engine::session
