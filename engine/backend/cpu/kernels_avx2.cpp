// AVX2 with FMA and F16C: panels of 8 rows.
#include "engine/backend/cpu/kernels.h"
#include "engine/quant/blocks_iq.h"
#include "engine/quant/fp4.h"
#include "engine/quant/iq_grids.h"
#include "engine/quant/k_quants.h"

#include <immintrin.h>

namespace engine::backend::cpu {

namespace {

constexpr std::size_t kPanelRows = 8;
constexpr bool kSignedAsUnsigned = false;

#include "engine/backend/cpu/kernels_x86.inl"
#include "engine/backend/cpu/panel_x86.inl"
#include "engine/backend/cpu/smooth_x86.inl"

/// Sums of two products each in 16 bits can be added up this often before they overflow.
template <typename U>
constexpr std::size_t kAddends = U::kBits <= 5 ? 4
    : U::kBits == 6                            ? 2
                                               : 1;

/// Sixteen sums of two products each.
template <bool isSigned>
[[gnu::always_inline]] inline __m256i pairProducts(__m256i weights, __m256i activations)
{
    if constexpr (isSigned) {
        return _mm256_maddubs_epi16(_mm256_abs_epi8(weights),
                                    _mm256_sign_epi8(activations, weights));
    } else {
        return _mm256_maddubs_epi16(weights, activations);
    }
}

/// out[t] (+)= panel · a[t] for `tokens` tokens. A unit has two groups of activations; the weights'
/// scales belong to both, or to one each (U::kGroups = 2).
template <typename U, int tokens>
[[gnu::always_inline]] inline void multiplyTile(const Panel& panel, const Q8Row* a, float* out,
                                                std::size_t stride, bool accumulate)
{
    constexpr std::size_t addends = kAddends<U>;
    __m256 sums[tokens];
    for (int t = 0; t < tokens; ++t) {
        sums[t] = accumulate ? _mm256_loadu_ps(out + static_cast<std::size_t>(t) * stride)
                             : _mm256_setzero_ps();
    }
    const std::uint8_t* w = panel.quants;
    for (std::size_t u = 0; u < panel.units; ++u) {
        for (std::size_t half = 0; half < 2; ++half) {
            __m256i dots[tokens];
            for (std::size_t d = 0; d < 4; d += addends) {
                __m256i pairs[tokens];
                for (std::size_t e = 0; e < addends; ++e, w += 4 * kPanelRows) {
                    const __m256i weights = load32(w);
                    for (int t = 0; t < tokens; ++t) {
                        const std::int8_t* q =
                            a[t].quants + u * kUnit + half * kQ8Group + 4 * (d + e);
                        const __m256i p =
                            pairProducts<U::kSigned>(weights, _mm256_set1_epi32(fourBytes(q)));
                        pairs[t] = e == 0 ? p : _mm256_add_epi16(pairs[t], p);
                    }
                }
                for (int t = 0; t < tokens; ++t) {
                    const __m256i quads = _mm256_madd_epi16(pairs[t], _mm256_set1_epi16(1));
                    dots[t] = d == 0 ? quads : _mm256_add_epi32(dots[t], quads);
                }
            }
            const std::size_t g = (U::kGroups == 1 ? u : 2 * u + half) * kPanelRows;
            const __m256 scales = _mm256_loadu_ps(panel.scales + g);
            const __m256 mins = _mm256_loadu_ps(panel.mins + g);
            for (int t = 0; t < tokens; ++t) {
                const __m256 scaled = _mm256_mul_ps(_mm256_cvtepi32_ps(dots[t]), scales);
                sums[t] =
                    _mm256_fmadd_ps(scaled, _mm256_set1_ps(a[t].scales[2 * u + half]), sums[t]);
                if constexpr (!U::kSigned) {
                    sums[t] =
                        _mm256_fmadd_ps(mins, _mm256_set1_ps(a[t].sums[2 * u + half]), sums[t]);
                }
            }
        }
    }
    for (int t = 0; t < tokens; ++t) {
        _mm256_storeu_ps(out + static_cast<std::size_t>(t) * stride, sums[t]);
    }
}

template <typename U>
void multiply(const Panel& panel, const Q8Row* activations, std::size_t count, float* out,
              std::size_t stride, bool accumulate)
{
    forTiles<4>(count, [&]<int tokens>(std::size_t t) [[gnu::always_inline]] {
        multiplyTile<U, tokens>(panel, activations + t, out + t * stride, stride, accumulate);
    });
}

const QuantKernels* quantKernels(gguf::TensorType type)
{
    return forBlock(type, []<typename Block>() -> const QuantKernels* {
        static constexpr QuantKernels k { dotQuant<Block>, pack<Block>, multiply<Unpack<Block>> };
        return &k;
    });
}

void multiplyFloat(const float* panel, std::size_t depth, const float* in, std::size_t inStride,
                   std::size_t count, float* out, std::size_t outStride, bool accumulate)
{
    forTiles<8>(count, [&]<int tokens>(std::size_t first) [[gnu::always_inline]] {
        __m256 sums[tokens];
        for (int t = 0; t < tokens; ++t) {
            const float* o = out + (first + static_cast<std::size_t>(t)) * outStride;
            sums[t] = accumulate ? _mm256_loadu_ps(o) : _mm256_setzero_ps();
        }
        for (std::size_t k = 0; k < depth; ++k) {
            const __m256 weights = _mm256_loadu_ps(panel + k * kPanelRows);
            for (int t = 0; t < tokens; ++t) {
                const float a = in[(first + static_cast<std::size_t>(t)) * inStride + k];
                sums[t] = _mm256_fmadd_ps(weights, _mm256_set1_ps(a), sums[t]);
            }
        }
        for (int t = 0; t < tokens; ++t) {
            _mm256_storeu_ps(out + (first + static_cast<std::size_t>(t)) * outStride, sums[t]);
        }
    });
}

} // namespace

const Kernels kAvx2Kernels {
    "AVX2",      kPanelRows,    quantize, quantKernels, dotF32,  dotF16,  dotBf16,      halfToFloat,
    floatToHalf, multiplyFloat, addRows,  addHalfRows,  maximum, expSum,  sumOfSquares, scaleBy,
    swiglu,      add,           sigmoid,  swish,        gelu,    softCap, deltaStep,
};

} // namespace engine::backend::cpu
