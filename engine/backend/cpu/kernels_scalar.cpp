// The plain reference of every kernel: what the vector versions are tested against, and what runs
// where there are none.
#include "engine/backend/cpu/kernels.h"
#include "engine/quant/codec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace engine::backend::cpu {

namespace {

void quantize(const float* values, std::size_t n, std::int8_t* quants, float* scales, float* sums)
{
    for (std::size_t g = 0; g < n / kQ8Group; ++g) {
        const float* in = values + g * kQ8Group;
        float largest = 0.0F;
        for (std::size_t i = 0; i < kQ8Group; ++i) {
            largest = std::max(largest, std::fabs(in[i]));
        }
        float least = std::numeric_limits<float>::infinity();
        scales[g] = 0.0F;
        sums[g] = 0.0F;
        std::fill_n(quants + g * kQ8Group, kQ8Group, std::int8_t(0));
        if (!(largest > 0.0F)) {
            continue;
        }
        for (const float steps : kQ8Steps) {
            const float inverse = steps / largest;
            std::array<float, kQ8Group> rounded;
            float error = 0.0F;
            for (std::size_t i = 0; i < kQ8Group; ++i) {
                const float exact = in[i] * inverse;
                rounded[i] = std::nearbyint(exact);
                error += (exact - rounded[i]) * (exact - rounded[i]);
            }
            error /= steps * steps;
            if (scales[g] == 0.0F || error < least) {
                least = error;
                scales[g] = largest / steps;
                float sum = 0.0F;
                for (std::size_t i = 0; i < kQ8Group; ++i) {
                    quants[g * kQ8Group + i] = std::isnan(rounded[i])
                        ? std::int8_t(0)
                        : static_cast<std::int8_t>(rounded[i]);
                    sum += rounded[i];
                }
                sums[g] = scales[g] * sum;
            }
        }
    }
}

/// Decodes the row piece by piece with the codec; the mins are in the decoded values, so that
/// `sums` is not needed.
template <gguf::TensorType type>
float dotQuant(const std::byte* row, const Q8Row& activations, std::size_t units)
{
    const auto& info = gguf::tensorTypeInfo(type);
    const auto decode = quant::codec(type)->decode;
    std::array<float, 256> weights;
    double sum = 0.0;
    for (std::size_t first = 0; first < units * kUnit; first += info.blockSize) {
        decode(row + first / info.blockSize * info.typeSize, weights.data(), 1);
        for (std::size_t i = 0; i < info.blockSize; ++i) {
            const auto a = first + i;
            sum += double(weights[i]) * activations.scales[a / kQ8Group] * activations.quants[a];
        }
    }
    return static_cast<float>(sum);
}

const QuantKernels* quantKernels(gguf::TensorType type)
{
    using T = gguf::TensorType;
    switch (type) {
#define VITRINE_CASE(name)                                                                         \
    case T::name: {                                                                                \
        static constexpr QuantKernels k { dotQuant<T::name>, nullptr, nullptr };                   \
        return &k;                                                                                 \
    }
        VITRINE_CASE(Q4_0)
        VITRINE_CASE(Q4_1)
        VITRINE_CASE(Q5_0)
        VITRINE_CASE(Q5_1)
        VITRINE_CASE(Q8_0)
        VITRINE_CASE(Q2_K)
        VITRINE_CASE(Q3_K)
        VITRINE_CASE(Q4_K)
        VITRINE_CASE(Q5_K)
        VITRINE_CASE(Q6_K)
        VITRINE_CASE(IQ2_XXS)
        VITRINE_CASE(IQ2_XS)
        VITRINE_CASE(IQ3_XXS)
        VITRINE_CASE(IQ1_S)
        VITRINE_CASE(IQ4_NL)
        VITRINE_CASE(IQ3_S)
        VITRINE_CASE(IQ2_S)
        VITRINE_CASE(IQ4_XS)
        VITRINE_CASE(IQ1_M)
        VITRINE_CASE(TQ1_0)
        VITRINE_CASE(TQ2_0)
        VITRINE_CASE(MXFP4)
        VITRINE_CASE(NVFP4)
        VITRINE_CASE(Q1_0)
        VITRINE_CASE(Q2_0)
#undef VITRINE_CASE
    default:
        return nullptr;
    }
}

float dotF32(const float* a, const float* b, std::size_t n)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += double(a[i]) * b[i];
    }
    return static_cast<float>(sum);
}

float dotF16(const std::uint16_t* a, const float* b, std::size_t n)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += double(quant::halfToFloat(a[i])) * b[i];
    }
    return static_cast<float>(sum);
}

float dotBf16(const std::uint16_t* a, const float* b, std::size_t n)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += double(quant::bfloatToFloat(a[i])) * b[i];
    }
    return static_cast<float>(sum);
}

void halfToFloat(const std::uint16_t* in, float* out, std::size_t n)
{
    std::transform(in, in + n, out, quant::halfToFloat);
}

void floatToHalf(const float* in, std::uint16_t* out, std::size_t n)
{
    std::transform(in, in + n, out, quant::floatToHalf);
}

constexpr std::size_t kRows = 8;

void multiplyFloat(const float* panel, std::size_t depth, const float* in, std::size_t inStride,
                   std::size_t count, float* out, std::size_t outStride, bool accumulate)
{
    for (std::size_t t = 0; t < count; ++t) {
        std::array<double, kRows> sums {};
        for (std::size_t k = 0; k < depth; ++k) {
            for (std::size_t r = 0; r < kRows; ++r) {
                sums[r] += double(panel[k * kRows + r]) * in[t * inStride + k];
            }
        }
        for (std::size_t r = 0; r < kRows; ++r) {
            float& o = out[t * outStride + r];
            o = static_cast<float>(sums[r]) + (accumulate ? o : 0.0F);
        }
    }
}

void addRows(float* out, const float* factors, const float* rows, std::size_t count,
             std::size_t width)
{
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t w = 0; w < width; ++w) {
            out[w] += factors[i] * rows[i * width + w];
        }
    }
}

void addHalfRows(float* out, const float* factors, const std::uint16_t* rows, std::size_t count,
                 std::size_t width)
{
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t w = 0; w < width; ++w) {
            out[w] += factors[i] * quant::halfToFloat(rows[i * width + w]);
        }
    }
}

float maximum(const float* values, std::size_t n)
{
    float most = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < n; ++i) {
        most = std::max(most, values[i]);
    }
    return most;
}

float expSum(float* values, std::size_t n, float shift)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = std::exp(values[i] - shift);
        sum += values[i];
    }
    return static_cast<float>(sum);
}

float sumOfSquares(const float* values, std::size_t n)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += double(values[i]) * values[i];
    }
    return static_cast<float>(sum);
}

void scaleBy(const float* in, float factor, const float* weight, float* out, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = in[i] * factor * weight[i];
    }
}

void swiglu(float* gate, const float* up, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) {
        gate[i] = gate[i] / (1.0F + std::exp(-gate[i])) * up[i];
    }
}

void add(float* into, const float* from, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) {
        into[i] += from[i];
    }
}

void sigmoid(float* values, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = 1.0F / (1.0F + std::exp(-values[i]));
    }
}

void swish(float* values, float beta, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) {
        values[i] /= 1.0F + std::exp(-beta * values[i]);
    }
}

void gelu(float* values, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) {
        const float x = values[i];
        values[i] = 0.5F * x * (1.0F + std::tanh(kGeluLinear * (x + kGeluCubic * x * x * x)));
    }
}

void softCap(float* values, float cap, std::size_t n)
{
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = cap * std::tanh(values[i] / cap);
    }
}

void deltaStep(float* state, float decay, const float* key, const float* change, const float* query,
               float* out, std::size_t rows, std::size_t width)
{
    std::fill_n(out, width, 0.0F);
    for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t w = 0; w < width; ++w) {
            float& s = state[i * width + w];
            s = decay * s + key[i] * change[w];
            out[w] += query[i] * s;
        }
    }
}

} // namespace

const Kernels kScalarKernels {
    "scalar",    kRows,         quantize, quantKernels, dotF32,  dotF16,  dotBf16,      halfToFloat,
    floatToHalf, multiplyFloat, addRows,  addHalfRows,  maximum, expSum,  sumOfSquares, scaleBy,
    swiglu,      add,           sigmoid,  swish,        gelu,    softCap, deltaStep,
};

} // namespace engine::backend::cpu
