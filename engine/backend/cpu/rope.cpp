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
void fillRow(const model::RopeParameters& p, std::span<const float> factors, double position,
             float* cosines, float* sines)
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
        const double divisor = factors.empty() ? 1.0 : factors[i];
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

/// The table for these parameters, computed once a run.
const RopeTable& prepared(Execution& execution, const model::RopeParameters& parameters)
{
    auto& tables = execution.ropes;
    const auto holding = [&](const model::RopeParameters* wanted) {
        return std::ranges::find(tables, wanted, &RopeTable::parameters);
    };
    auto found = holding(&parameters);
    if (found != tables.end()) {
        return *found;
    }
    found = holding(nullptr); // of an earlier run: its memory serves again
    auto& table = found != tables.end() ? *found : tables.emplace_back();
    const bool longContext =
        !parameters.longFactors.empty() && execution.contextLength > parameters.originalContext;
    const auto factors = longContext ? parameters.longFactors : parameters.factors;
    const auto pairs = parameters.dimensions / 2;
    table.cosines.resize(execution.rows * pairs);
    table.sines.resize(execution.rows * pairs);
    execution.forRows([&](std::size_t row, int) {
        fillRow(parameters, factors, double(execution.batch.position) + double(row),
                table.cosines.data() + row * pairs, table.sines.data() + row * pairs);
    });
    table.parameters = &parameters;
    return table;
}

/// Rotates the pairs (x[i · step], x[i · step + distance]).
void rotate(float* x, const float* cosines, const float* sines, std::size_t pairs, std::size_t step,
            std::size_t distance)
{
    for (std::size_t i = 0; i < pairs; ++i) {
        float& first = x[i * step];
        float& second = x[i * step + distance];
        const float a = first;
        const float b = second;
        first = a * cosines[i] - b * sines[i];
        second = a * sines[i] + b * cosines[i];
    }
}

} // namespace

void run(Execution& execution, const model::op::Rope& op)
{
    const auto& table = prepared(execution, *op.parameters);
    const auto width = execution.width(op.values);
    const std::size_t pairs = op.parameters->dimensions / 2;
    float* values = execution.slot(op.values);
    execution.forRows([&](std::size_t row, int) {
        const float* cosines = table.cosines.data() + row * pairs;
        const float* sines = table.sines.data() + row * pairs;
        for (std::uint32_t head = 0; head < op.heads; ++head) {
            float* x = values + row * width + std::size_t(head) * op.headLength + op.offset;
            if (op.parameters->pairs == model::RopePairs::Halves) {
                rotate(x, cosines, sines, pairs, 1, pairs);
            } else {
                rotate(x, cosines, sines, pairs, 2, 1);
            }
        }
    });
}

} // namespace engine::backend::cpu
