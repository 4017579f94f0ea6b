// The choice of experts: softmax (arXiv 2101.03961), sigmoid with a bias for the choice and groups
// (DeepSeek-V3, arXiv 2412.19437).
#include "engine/backend/cpu/execution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine::backend::cpu {

namespace {

using model::op::Route;

constexpr float kLeastSum = 6.1e-5F; // the smallest normal half: divisors go no lower
constexpr float kNever = -std::numeric_limits<float>::infinity();

void softmax(std::span<float> values)
{
    const float most = *std::ranges::max_element(values);
    float sum = 0.0F;
    for (auto& value : values) {
        value = std::exp(value - most);
        sum += value;
    }
    for (auto& value : values) {
        value /= sum;
    }
}

/// The place of the largest, the first one of several; `values` is not empty.
std::size_t largest(std::span<const float> values)
{
    std::size_t best = 0;
    for (std::size_t i = 1; i < values.size(); ++i) {
        // whatever is a number wins over what is none
        if (values[i] > values[best] || (std::isnan(values[best]) && !std::isnan(values[i]))) {
            best = i;
        }
    }
    return best;
}

/// Sum of the two best of a group.
float groupScore(std::span<const float> choice)
{
    float first = kNever;
    float second = kNever;
    for (const auto value : choice) {
        second = std::max(second, std::min(first, value));
        first = std::max(first, value);
    }
    return choice.size() > 1 ? first + second : first;
}

/// Leaves only the best groups to choose from. `scores` has a place for each group.
void maskGroups(const Route& op, std::span<float> choice, std::span<float> scores)
{
    const auto size = choice.size() / op.groups;
    for (std::size_t g = 0; g < op.groups; ++g) {
        scores[g] = groupScore(choice.subspan(g * size, size));
    }
    for (std::uint32_t dropped = op.groupsUsed; dropped < op.groups; ++dropped) {
        // the worst one left, the last one of several
        std::size_t worst = op.groups;
        for (std::size_t g = 0; g < op.groups; ++g) {
            if (!std::isnan(scores[g]) && (worst == op.groups || scores[g] <= scores[worst])) {
                worst = g;
            }
        }
        if (worst == op.groups) {
            return;
        }
        std::ranges::fill(choice.subspan(worst * size, size), kNever);
        scores[worst] = std::numeric_limits<float>::quiet_NaN(); // gone
    }
}

/// One token. `choice` has a place for each expert and each group.
void routeRow(const Route& op, std::span<const float> logits, float* out, std::span<float> memory)
{
    const auto probabilities = memory.first(logits.size());
    const auto choice = memory.subspan(logits.size(), logits.size());
    std::ranges::copy(logits, probabilities.begin());
    if (op.gating == Route::Gating::Softmax) {
        softmax(probabilities);
    } else if (op.gating == Route::Gating::Sigmoid) {
        for (auto& value : probabilities) {
            value = 1.0F / (1.0F + std::exp(-value));
        }
    }
    for (std::size_t e = 0; e < logits.size(); ++e) {
        choice[e] = probabilities[e] + (op.bias ? op.bias->values()[e] : 0.0F);
    }
    if (op.groups > 1) {
        maskGroups(op, choice, memory.subspan(2 * logits.size()));
    }
    const std::span weights(out + op.used, op.used);
    for (std::uint32_t i = 0; i < op.used; ++i) {
        const auto expert = largest(choice);
        out[i] = static_cast<float>(expert);
        weights[i] = probabilities[expert];
        choice[expert] = std::numeric_limits<float>::quiet_NaN(); // taken
    }
    if (op.gating == Route::Gating::SoftmaxOfChosen) {
        softmax(weights);
    }
    float divisor = 1.0F;
    if (op.normalize) {
        float sum = 0.0F;
        for (const auto weight : weights) {
            sum += weight;
        }
        divisor = std::max(sum, kLeastSum);
    }
    for (std::size_t i = 0; i < op.used; ++i) {
        const auto expert = static_cast<std::size_t>(out[i]);
        weights[i] *=
            op.scale / divisor * (op.expertScales ? op.expertScales->values()[expert] : 1.0F);
    }
}

} // namespace

void run(Execution& execution, const Route& op)
{
    const auto experts = execution.width(op.scores);
    const auto outWidth = execution.width(op.out);
    const float* scores = execution.slot(op.scores);
    float* out = execution.slot(op.out);
    execution.forRows([&](std::size_t row, int thread) {
        const auto size = 2 * experts + op.groups;
        routeRow(op, { scores + row * experts, experts }, out + row * outWidth,
                 { execution.threadScratch(thread, size), size });
    });
}

} // namespace engine::backend::cpu
