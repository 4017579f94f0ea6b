// Products with the chosen experts. The tokens of each expert are gathered, so that its weights are
// read once a batch; all experts and targets share one parallel loop.
#include "engine/backend/cpu/product.h"

#include <algorithm>
#include <numeric>

namespace engine::backend::cpu {

namespace {

/// Whom each expert serves. A choice is one token's one expert, number row · used + place.
struct Choices
{
    std::vector<std::uint32_t> sorted; ///< by expert, then by number
    std::vector<std::uint32_t> firsts; ///< by expert, into `sorted`; one more at the end
};

Choices gather(Execution& execution, const model::op::ExpertLinear& op, std::uint32_t experts)
{
    const auto width = execution.width(op.route);
    const float* route = execution.slot(op.route);
    const auto expert = [&](std::size_t choice) {
        const auto number = route[choice / op.used * width + choice % op.used];
        return std::min(static_cast<std::uint32_t>(number), experts - 1);
    };
    const auto count = execution.rows * op.used;
    Choices choices;
    choices.firsts.resize(experts + std::size_t(1));
    for (std::size_t i = 0; i < count; ++i) {
        ++choices.firsts[expert(i) + std::size_t(1)];
    }
    std::partial_sum(choices.firsts.begin(), choices.firsts.end(), choices.firsts.begin());
    choices.sorted.resize(count);
    auto next = choices.firsts;
    for (std::size_t i = 0; i < count; ++i) {
        choices.sorted[next[expert(i)]++] = static_cast<std::uint32_t>(i);
    }
    return choices;
}

} // namespace

void run(Execution& execution, const model::op::ExpertLinear& op)
{
    if (execution.rows == 0) {
        return;
    }
    const auto& shape = *op.targets.front().experts;
    const auto columns = shape.all.columns;
    const auto choices = gather(execution, op, shape.count);
    // one row of input for all of a token's choices, or one for each
    const bool shared = execution.width(op.in) == columns;
    std::vector<std::uint32_t> inputs = choices.sorted;
    if (shared) {
        std::ranges::for_each(inputs, [&](std::uint32_t& choice) { choice /= op.used; });
    }
    const float* in = execution.slot(op.in);
    std::vector<Q8Row> quantized; // in the order of `inputs`
    if (std::ranges::any_of(op.targets, [&](const auto& target) {
            return wantsQ8(execution, target.experts->all);
        })) {
        const auto rows = shared ? execution.rows : choices.sorted.size();
        const auto* rounded = quantizeRows(execution, rows, columns,
                                           [&](std::size_t row) { return in + row * columns; });
        for (const auto input : inputs) {
            quantized.push_back(rounded[input]);
        }
    }
    std::vector<Product> products;
    for (std::uint32_t expert = 0; expert < shape.count; ++expert) {
        const auto first = choices.firsts[expert];
        const auto count = choices.firsts[expert + std::size_t(1)] - first;
        for (const auto& target : op.targets) {
            if (count == 0) {
                continue;
            }
            const auto rows = target.experts->rowsOfOne();
            const float* biases = target.bias ? target.bias->values().data() : nullptr;
            products.push_back(
                { target.experts->at(expert),
                  biases ? biases + expert * rows : nullptr,
                  { in, columns, inputs.data() + first },
                  { execution.slot(target.out), rows, choices.sorted.data() + first },
                  count,
                  quantized.empty() ? nullptr : quantized.data() + first });
        }
    }
    multiplyAll(execution, products);
}

} // namespace engine::backend::cpu
