// Cosines and sines of a position, for every backend.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/rope_parameters.h"

#include <cstdint>
#include <span>

namespace engine::backend {

/// Angles in double: a float position × frequency loses digits far out. Source: RoFormer (arXiv
/// 2104.09864); YaRN's ramp and temperature: arXiv 2309.00071.
class RopeAngles
{
public:
    /// `parameters` must outlive it. Long factors serve where the context is longer than the
    /// original one.
    RopeAngles(const model::RopeParameters& parameters, std::uint32_t contextLength);
    /// One number a pair: dimensions / 2, `step` floats apart.
    void fill(double position, float* cosines, float* sines, std::size_t step = 1) const;

private:
    const model::RopeParameters& m_parameters;
    std::span<const float> m_factors;
    double m_low = 0.0; // pairs between which YaRN's ramp rises
    double m_high = 0.0;
    double m_magnitude;
};

} // namespace engine::backend
