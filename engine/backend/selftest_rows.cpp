#include "engine/backend/selftest_rows.h"

#include "engine/backend/op_graph.h"

namespace engine::backend {

std::vector<float> wildRows(std::uint32_t width, unsigned seed)
{
    constexpr float kLarge = 1e4F;
    auto values = normalNumbers(kSelfTestRows * width, seed);
    for (std::size_t row = 0; row < kSelfTestRows; ++row) {
        float* const at = values.data() + row * width;
        for (std::uint32_t i = 0; i < width && (row % 4 == 1 || row % 4 == 2); ++i) {
            at[i] = row % 4 == 1 ? at[i] * kLarge : 0.0F;
        }
        if (row % 4 == 3) {
            at[row % width] = 3 * kLarge;
        }
    }
    return values;
}

std::vector<float> calmRows(std::uint32_t width, unsigned seed, float deviation)
{
    return normalNumbers(kSelfTestRows * width, seed, deviation);
}

std::vector<float> positive(std::size_t count, unsigned seed)
{
    auto values = normalNumbers(count, seed, 0.1F);
    for (auto& value : values) {
        value = 0.5F + value * value;
    }
    return values;
}

std::vector<float> someRoutes(std::uint32_t experts, std::uint32_t used)
{
    auto out = calmRows(2 * used, 9);
    for (std::size_t row = 0; row < kSelfTestRows; ++row) {
        for (std::uint32_t i = 0; i < used; ++i) {
            out[row * 2 * used + i] = static_cast<float>((row * 3 + i * 5) % experts);
        }
    }
    return out;
}

} // namespace engine::backend
