// The inner loops of the CPU backend behind one table of function pointers, chosen once by what the
// processor can do. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace engine::backend::cpu {

/// Divisors of a group's largest magnitude that are tried for its scale; the one with the least
/// squared error wins.
constexpr float kQ8Steps[] = { 127.4F, 126.6F, 125.8F, 125.0F };

// Source: arXiv 1606.08415; √(2/π).
constexpr float kGeluLinear = 0.7978845608F;
constexpr float kGeluCubic = 0.044715F;

constexpr std::size_t kUnit = 32; ///< weights handled at once
constexpr std::size_t kQ8Group = 16; ///< activations that share a scale

/// One row of activations rounded to 8 bits: a[i] = scales[i / 16] · quants[i]. Groups of 16 round
/// a seventh finer than the blocks of 32 that quantized weights have, for next to no time.
struct Q8Row
{
    const std::int8_t* quants;
    const float* scales; ///< one a group
    const float* sums; ///< one a group: scale · (sum of the quants); times a weight block's min
};

/// Some rows of a quantized matrix, unpacked to bytes in the order in which `multiply` reads them.
/// Weight = scale · quant + min, each group of 16 or 32 with its own scale and min.
struct Panel
{
    std::uint8_t* quants; ///< [unit][8][panelRows][4]
    float* scales; ///< [unit][1 or 2 groups][panelRows]
    float* mins; ///< as scales
    std::size_t units;
};

/// Products with one quantized type and Q8 activations.
struct QuantKernels
{
    /// Σ w·a over a whole row of `units` × 32 weights.
    float (*dot)(const std::byte* row, const Q8Row& activations, std::size_t units);
    /// Unpacks panel.units units from `firstUnit` on (whole super-blocks) of `count` rows, the rest
    /// filled with zeros. Null where the table has no panels; then `multiply` is null too.
    void (*pack)(const std::byte* const* rows, std::size_t count, std::size_t firstUnit,
                 const Panel& panel);
    /// out[t][r] (+)= Σ w·a for `count` rows of activations; out rows are `stride` floats apart and
    /// panelRows wide.
    void (*multiply)(const Panel& panel, const Q8Row* activations, std::size_t count, float* out,
                     std::size_t stride, bool accumulate);
};

struct Kernels
{
    const char* name; ///< for people: "AVX2"
    std::size_t panelRows; ///< rows of a panel

    /// Rounds n (a multiple of 32) floats; see Q8Row. A group of zeros has scale 0.
    void (*quantize)(const float* values, std::size_t n, std::int8_t* quants, float* scales,
                     float* sums);
    /// Null for types without 8-bit products (F32, F16, …).
    const QuantKernels* (*quant)(gguf::TensorType type);

    float (*dotF32)(const float* a, const float* b, std::size_t n);
    float (*dotF16)(const std::uint16_t* a, const float* b, std::size_t n);
    float (*dotBf16)(const std::uint16_t* a, const float* b, std::size_t n);
    void (*halfToFloat)(const std::uint16_t* in, float* out, std::size_t n);
    void (*floatToHalf)(const float* in, std::uint16_t* out, std::size_t n);
    /// out[t][r] (+)= Σ_k panel[k][r] · in[t][k]; panel is panelRows wide.
    void (*multiplyFloat)(const float* panel, std::size_t depth, const float* in,
                          std::size_t inStride, std::size_t count, float* out,
                          std::size_t outStride, bool accumulate);
    /// out[w] += Σ_i factors[i] · rows[i][w]
    void (*addRows)(float* out, const float* factors, const float* rows, std::size_t count,
                    std::size_t width);
    /// The same with rows in half precision.
    void (*addHalfRows)(float* out, const float* factors, const std::uint16_t* rows,
                        std::size_t count, std::size_t width);
    float (*maximum)(const float* values, std::size_t n);
    /// values = exp(values - shift); returns their sum.
    float (*expSum)(float* values, std::size_t n, float shift);
    float (*sumOfSquares)(const float* values, std::size_t n);
    /// out = in · factor · weight
    void (*scaleBy)(const float* in, float factor, const float* weight, float* out, std::size_t n);
    /// gate = silu(gate) · up
    void (*swiglu)(float* gate, const float* up, std::size_t n);
    void (*add)(float* into, const float* from, std::size_t n);
    /// x = σ(x)
    void (*sigmoid)(float* values, std::size_t n);
    /// x = x σ(beta x)
    void (*swish)(float* values, float beta, std::size_t n);
    /// x = x/2 (1 + tanh(kGeluLinear (x + kGeluCubic x³)))
    void (*gelu)(float* values, std::size_t n);
    /// x = cap tanh(x / cap)
    void (*softCap)(float* values, float cap, std::size_t n);
    /// state[i] = decay · state[i] + key[i] · change; out = Σ_i query[i] · state[i], where state[i]
    /// is a row of `width`.
    void (*deltaStep)(float* state, float decay, const float* key, const float* change,
                      const float* query, float* out, std::size_t rows, std::size_t width);
};

extern const Kernels kScalarKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels; ///< needs CpuFeatures::avx2
extern const Kernels kAvx512Kernels; ///< needs CpuFeatures::avx512
#endif

/// The fastest table this processor can run; VITRINE_CPU=scalar|avx2|avx512 in the environment
/// lowers the choice.
[[nodiscard]] const Kernels& kernels();
/// Every table this processor can run, the scalar one first (tests).
[[nodiscard]] std::span<const Kernels* const> runnableKernels();

} // namespace engine::backend::cpu
