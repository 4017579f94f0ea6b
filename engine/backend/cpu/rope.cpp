// Rotary position embedding. Source: RoFormer (arXiv 2104.09864); YaRN's ramp and temperature:
// arXiv 2309.00071.
#include "engine/backend/cpu/execution.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace engine::backend::cpu {

namespace {

/// The pair index at which a rotation makes `turns` full turns within the original context.
double pairOfTurns(const model::RopeParameters& p, double turns)
{
    return p.dimensions * std::log(p.originalContext / (turns * 2.0 * std::numbers::pi))
        / (2.0 * std::log(double(p.base)));
}

/// Fills one row of the table for a position. Angles in double: a float position × frequency loses
/// digits far out.
void fillRow(const model::RopeParameters& p, double position, float* cosines, float* sines)
{
    const auto pairs = p.dimensions / 2;
    double low = 0.0;
    double high = 0.0;
    double magnitude = p.attentionFactor;
    if (p.yarn) {
        low = std::max(0.0, std::floor(pairOfTurns(p, p.betaFast)));
        high = std::min(p.dimensions - 1.0, std::ceil(pairOfTurns(p, p.betaSlow)));
        magnitude *= 1.0 + 0.1 * std::log(1.0 / p.scale);
    }
    for (std::uint32_t i = 0; i < pairs; ++i) {
        const double divisor = p.factors.empty() ? 1.0 : p.factors[i];
        const double plain = position * std::pow(double(p.base), -2.0 * i / p.dimensions) / divisor;
        double angle = plain * p.scale;
        if (p.yarn) {
            const double along = (i - low) / std::max(0.001, high - low);
            const double mix = (1.0 - std::clamp(along, 0.0, 1.0)) * p.extrapolation;
            angle = angle * (1.0 - mix) + plain * mix;
        }
        cosines[i] = static_cast<float>(std::cos(angle) * magnitude);
        sines[i] = static_cast<float>(std::sin(angle) * magnitude);
    }
}

void prepare(Execution& execution, const model::RopeParameters& parameters)
{
    auto& table = execution.rope;
    if (table.parameters == &parameters) {
        return;
    }
    const auto pairs = parameters.dimensions / 2;
    table.cosines.resize(execution.rows * pairs);
    table.sines.resize(execution.rows * pairs);
    execution.forRows([&](std::size_t row) {
        fillRow(parameters, double(execution.batch.position) + double(row),
                table.cosines.data() + row * pairs, table.sines.data() + row * pairs);
    });
    table.parameters = &parameters;
}

} // namespace

void run(Execution& execution, const model::op::Rope& op)
{
    prepare(execution, *op.parameters);
    const auto width = execution.width(op.values);
    const auto pairs = op.parameters->dimensions / 2;
    float* values = execution.slot(op.values);
    execution.forRows([&](std::size_t row) {
        const float* cosines = execution.rope.cosines.data() + row * pairs;
        const float* sines = execution.rope.sines.data() + row * pairs;
        for (std::uint32_t head = 0; head < op.heads; ++head) {
            float* x = values + row * width + std::size_t(head) * op.headLength;
            for (std::uint32_t i = 0; i < pairs; ++i) {
                const float a = x[2 * i];
                const float b = x[2 * i + 1];
                x[2 * i] = a * cosines[i] - b * sines[i];
                x[2 * i + 1] = a * sines[i] + b * cosines[i];
            }
        }
    });
}

} // namespace engine::backend::cpu
