// How long a context can be: what the model was trained for, what memory allows, and what is taken.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/model/graph.h"
#include "engine/model/hparams.h"

#include <cstdint>

namespace engine::session {

/// The choices for one model on this machine now.
struct ContextPlan
{
    std::uint64_t bytesPerToken = 0; ///< of the KV cache
    std::uint64_t availableMemory = 0; ///< bytes free when this was planned
    std::uint32_t trainedLength = 0; ///< tokens
    std::uint32_t defaultLength = 0; ///< the trained one, capped by memory
    std::uint32_t largestLength = 0; ///< a longer one is refused
    /// The default is shorter than the trained length, for lack of memory.
    [[nodiscard]] bool capped() const { return defaultLength < trainedLength; }
};

/// `available`: free bytes, see availableMemory. `fixedBytes`: what a session takes besides,
/// however long the context (recurrent states, see mostStateBytes).
[[nodiscard]] ContextPlan planContext(const model::KvGeometry& geometry,
                                      std::uint32_t trainedLength, backend::CacheType type,
                                      std::uint64_t available, std::uint64_t fixedBytes = 0);

/// The default context on a device of so much free memory: `longest`, or what is left beside the
/// model's `fixedBytes`, but 8,192 tokens at least: with fewer, blocks are rather left to the CPU.
[[nodiscard]] std::uint32_t contextOnDevice(std::uint32_t longest, std::uint64_t fixedBytes,
                                            std::uint64_t bytesPerToken, std::uint64_t freeBytes);

} // namespace engine::session
