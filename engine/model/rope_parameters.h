// How a model turns positions into rotations.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace engine::model {

/// Which numbers of a head are rotated together.
enum class RopePairs {
    Adjacent, ///< (2i, 2i + 1)
    Halves, ///< (i, i + dimensions / 2): GPT-NeoX
};

/// Rotary position embedding. Source: RoFormer (arXiv 2104.09864); YaRN (arXiv 2309.00071);
/// frequency divisors for long contexts: LongRoPE (arXiv 2402.13753).
struct RopeParameters
{
    std::uint32_t dimensions = 0; ///< rotated numbers of a head; even
    float base = 10000.0F;
    float scale = 1.0F; ///< positions are multiplied by it (1 / rope.scaling.factor)
    std::span<const float> factors; ///< dimensions / 2 divisors of the frequencies, or empty
    /// Take their place where the session's context is longer than `originalContext`; or empty.
    std::span<const float> longFactors;
    bool yarn = false;
    std::uint32_t originalContext = 0;
    float extrapolation = 1.0F;
    /// Cosines and sines are multiplied by it, YaRN's own growth apart.
    float attentionFactor = 1.0F;
    float betaFast = 32.0F;
    float betaSlow = 1.0F;
    RopePairs pairs = RopePairs::Adjacent;
};

} // namespace engine::model
