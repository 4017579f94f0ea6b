#include "engine/backend/cpu/activate.h"

#include "engine/backend/cpu/execution.h"
#include "engine/model/softplus.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace engine::backend::cpu {

namespace {

constexpr float kQuickSlope = 1.702F;

template <typename F>
void onEach(float* values, std::size_t n, F&& f)
{
    std::transform(values, values + n, values, f);
}

} // namespace

void activate(const Kernels& kernels, model::Activation function, float* values, std::size_t n)
{
    using model::Activation;
    switch (function) {
    case Activation::Identity:
        break;
    case Activation::Silu:
        kernels.swish(values, 1.0F, n);
        break;
    case Activation::Gelu:
        kernels.gelu(values, n);
        break;
    case Activation::GeluErf:
        onEach(values, n, [](float x) {
            return 0.5F * x * (1.0F + std::erf(x * (std::numbers::sqrt2_v<float> / 2.0F)));
        });
        break;
    case Activation::GeluQuick:
        kernels.swish(values, kQuickSlope, n);
        break;
    case Activation::Relu:
        onEach(values, n, [](float x) { return std::max(x, 0.0F); });
        break;
    case Activation::ReluSquared:
        onEach(values, n, [](float x) { return std::max(x, 0.0F) * std::max(x, 0.0F); });
        break;
    case Activation::Sigmoid:
        kernels.sigmoid(values, n);
        break;
    case Activation::Tanh:
        kernels.softCap(values, 1.0F, n);
        break;
    case Activation::Softplus:
        onEach(values, n, model::softplus);
        break;
    }
}

void run(Execution& execution, const model::op::Activate& op)
{
    execution.forNumbers(op.values, [&](float* values, std::size_t count) {
        activate(execution.kernels, op.function, values, count);
    });
}

} // namespace engine::backend::cpu
