#include "engine/backend/rope_angles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace engine::backend {

namespace {

/// The pair index at which a rotation makes `turns` full turns within the original context.
double pairOfTurns(const model::RopeParameters& p, double turns)
{
    return p.dimensions * std::log(p.originalContext / (turns * 2.0 * std::numbers::pi))
        / (2.0 * std::log(double(p.base)));
}

} // namespace

RopeAngles::RopeAngles(const model::RopeParameters& parameters, std::uint32_t contextLength)
    : m_parameters(parameters)
    , m_magnitude(parameters.attentionFactor)
{
    const bool longContext =
        !parameters.longFactors.empty() && contextLength > parameters.originalContext;
    m_factors = longContext ? parameters.longFactors : parameters.factors;
    if (parameters.yarn) {
        m_low = std::max(0.0, std::floor(pairOfTurns(parameters, parameters.betaFast)));
        m_high = std::min(parameters.dimensions - 1.0,
                          std::ceil(pairOfTurns(parameters, parameters.betaSlow)));
        m_magnitude *= 1.0 + 0.1 * std::log(1.0 / parameters.scale);
    }
}

void RopeAngles::fill(double position, float* cosines, float* sines, std::size_t step) const
{
    const auto& p = m_parameters;
    for (std::uint32_t i = 0; i < p.dimensions / 2; ++i) {
        const double divisor = m_factors.empty() ? 1.0 : m_factors[i];
        const double plain = position * std::pow(double(p.base), -2.0 * i / p.dimensions) / divisor;
        double angle = plain * p.scale;
        if (p.yarn) {
            const double along = (i - m_low) / std::max(0.001, m_high - m_low);
            const double mix = (1.0 - std::clamp(along, 0.0, 1.0)) * p.extrapolation;
            angle = angle * (1.0 - mix) + plain * mix;
        }
        cosines[i * step] = static_cast<float>(std::cos(angle) * m_magnitude);
        sines[i * step] = static_cast<float>(std::sin(angle) * m_magnitude);
    }
}

} // namespace engine::backend
