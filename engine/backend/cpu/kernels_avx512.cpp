// AVX-512 (F, BW, DQ, VL) with VNNI: panels of 16 rows, 64 products an instruction.
#include "engine/backend/cpu/kernels.h"
#include "engine/quant/blocks_iq.h"
#include "engine/quant/fp4.h"
#include "engine/quant/iq_grids.h"
#include "engine/quant/k_quants.h"

#include <immintrin.h>

namespace engine::backend::cpu {

namespace {

constexpr std::size_t kPanelRows = 16;
constexpr bool kSignedAsUnsigned = true;

#include "engine/backend/cpu/kernels_x86.inl"
#include "engine/backend/cpu/pairs_avx512.inl"
#include "engine/backend/cpu/panel_x86.inl"
#include "engine/backend/cpu/smooth_x86.inl"

/// out[t] (+)= panel · a[t] for `tokens` tokens. A unit has two groups of activations; the weights'
/// scales belong to both, or to one each (`groups` = 2).
template <int groups, int tokens>
[[gnu::always_inline]] inline void multiplyTile(const Panel& panel, const Q8Row* a, float* out,
                                                std::size_t stride, bool accumulate)
{
    __m512 sums[tokens];
    for (int t = 0; t < tokens; ++t) {
        sums[t] = accumulate ? _mm512_loadu_ps(out + static_cast<std::size_t>(t) * stride)
                             : _mm512_setzero_ps();
    }
    const std::uint8_t* w = panel.quants;
    for (std::size_t u = 0; u < panel.units; ++u) {
        for (std::size_t half = 0; half < 2; ++half) {
            __m512i dots[tokens];
            for (int t = 0; t < tokens; ++t) {
                dots[t] = _mm512_setzero_si512();
            }
            for (std::size_t d = 0; d < 4; ++d, w += 4 * kPanelRows) {
                const __m512i weights = _mm512_loadu_si512(w);
                for (int t = 0; t < tokens; ++t) {
                    const std::int8_t* q = a[t].quants + u * kUnit + half * kQ8Group + 4 * d;
                    dots[t] =
                        _mm512_dpbusd_epi32(dots[t], weights, _mm512_set1_epi32(fourBytes(q)));
                }
            }
            const std::size_t g = (groups == 1 ? u : 2 * u + half) * kPanelRows;
            const __m512 scales = _mm512_loadu_ps(panel.scales + g);
            const __m512 mins = _mm512_loadu_ps(panel.mins + g);
            for (int t = 0; t < tokens; ++t) {
                const __m512 scaled = _mm512_mul_ps(_mm512_cvtepi32_ps(dots[t]), scales);
                sums[t] =
                    _mm512_fmadd_ps(scaled, _mm512_set1_ps(a[t].scales[2 * u + half]), sums[t]);
                sums[t] = _mm512_fmadd_ps(mins, _mm512_set1_ps(a[t].sums[2 * u + half]), sums[t]);
            }
        }
    }
    for (int t = 0; t < tokens; ++t) {
        _mm512_storeu_ps(out + static_cast<std::size_t>(t) * stride, sums[t]);
    }
}

template <int groups>
void multiply(const Panel& panel, const Q8Row* activations, std::size_t count, float* out,
              std::size_t stride, bool accumulate)
{
    forTiles<8>(count, [&]<int tokens>(std::size_t t) [[gnu::always_inline]] {
        multiplyTile<groups, tokens>(panel, activations + t, out + t * stride, stride, accumulate);
    });
}

template <typename Block>
constexpr auto dotOf()
{
    if constexpr (Block::kSize == kUnit) {
        return dotPairs<Block>;
    } else {
        return dotQuant<Block>;
    }
}

const QuantKernels* quantKernels(gguf::TensorType type)
{
    return forBlock(type, []<typename Block>() -> const QuantKernels* {
        static constexpr QuantKernels k { dotOf<Block>(), pack<Block>,
                                          multiply<Unpack<Block>::kGroups> };
        return &k;
    });
}

void multiplyFloat(const float* panel, std::size_t depth, const float* in, std::size_t inStride,
                   std::size_t count, float* out, std::size_t outStride, bool accumulate)
{
    forTiles<8>(count, [&]<int tokens>(std::size_t first) [[gnu::always_inline]] {
        __m512 sums[tokens];
        for (int t = 0; t < tokens; ++t) {
            const float* o = out + (first + static_cast<std::size_t>(t)) * outStride;
            sums[t] = accumulate ? _mm512_loadu_ps(o) : _mm512_setzero_ps();
        }
        for (std::size_t k = 0; k < depth; ++k) {
            const __m512 weights = _mm512_loadu_ps(panel + k * kPanelRows);
            for (int t = 0; t < tokens; ++t) {
                const float a = in[(first + static_cast<std::size_t>(t)) * inStride + k];
                sums[t] = _mm512_fmadd_ps(weights, _mm512_set1_ps(a), sums[t]);
            }
        }
        for (int t = 0; t < tokens; ++t) {
            _mm512_storeu_ps(out + (first + static_cast<std::size_t>(t)) * outStride, sums[t]);
        }
    });
}

} // namespace

const Kernels kAvx512Kernels {
    "AVX-512",   kPanelRows,    quantize, quantKernels, dotF32,  dotF16,  dotBf16,      halfToFloat,
    floatToHalf, multiplyFloat, addRows,  addHalfRows,  maximum, expSum,  sumOfSquares, scaleBy,
    swiglu,      add,           sigmoid,  swish,        gelu,    softCap, deltaStep,
};

} // namespace engine::backend::cpu
