// Rotary position embedding. Source: RoFormer (arXiv 2104.09864).
#include "engine/backend/cpu/execution.h"
#include "engine/backend/rope_angles.h"

#include <algorithm>

namespace engine::backend::cpu {

namespace {

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
    const RopeAngles angles(parameters, execution.contextLength);
    const auto pairs = parameters.dimensions / 2;
    table.cosines.resize(execution.rows * pairs);
    table.sines.resize(execution.rows * pairs);
    execution.forRows([&](std::size_t row, int) {
        angles.fill(double(execution.batch.position) + double(row),
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
