// 256-bit kernels shared by the x86 tables. Included by kernels_avx2.cpp and kernels_avx512.cpp
// inside an unnamed namespace; no std templates, so that no code of one instruction set is merged
// into another's.

#include "engine/backend/cpu/unpack_x86.inl"

[[gnu::always_inline]] inline float horizontalSum(__m256 v)
{
    __m128 s = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    s = _mm_add_ps(s, _mm_movehl_ps(s, s));
    s = _mm_add_ss(s, _mm_movehdup_ps(s));
    return _mm_cvtss_f32(s);
}

/// Eight sums of four products each: weights unsigned (below 128) or signed, activations signed.
template <bool isSigned>
[[gnu::always_inline]] inline __m256i dotBytes(__m256i weights, __m256i activations)
{
    if constexpr (isSigned) {
        activations = _mm256_sign_epi8(activations, weights);
        weights = _mm256_abs_epi8(weights);
    }
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
    return _mm256_dpbusd_epi32(_mm256_setzero_si256(), weights, activations);
#else
    return _mm256_madd_epi16(_mm256_maddubs_epi16(weights, activations), _mm256_set1_epi16(1));
#endif
}

/// How far ahead weights are asked for. The hardware's own prefetching stops at every border of a
/// 4 KiB page of the map.
constexpr std::ptrdiff_t kPrefetch = 2048;

/// The scales of two groups of activations, each in the four lanes of its group's sums.
[[gnu::always_inline]] inline __m256 groupScales(const float* scales)
{
    const __m128 pair = _mm_castpd_ps(_mm_load_sd(reinterpret_cast<const double*>(scales)));
    return _mm256_permutevar8x32_ps(_mm256_castps128_ps256(pair),
                                    _mm256_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1));
}

template <typename Block>
float dotQuant(const std::byte* row, const Q8Row& a, std::size_t units)
{
    using U = Unpack<Block>;
    constexpr std::size_t perBlock = Block::kSize / kUnit;
    const auto* w = quant::blocksAt<Block>(row);
    __m256 sum = _mm256_setzero_ps();
    float minSum = 0.0F;
    for (std::size_t first = 0; first < units; first += perBlock, ++w) {
        _mm_prefetch(reinterpret_cast<const char*>(w) + kPrefetch, _MM_HINT_T0);
        U::each(*w,
                [&](int i, __m256i quants, float s0, float m0, float s1,
                    float m1) [[gnu::always_inline]] {
                    const std::size_t u = first + static_cast<std::size_t>(i);
                    const __m256i dots = dotBytes<U::kSigned>(quants, load32(a.quants + u * kUnit));
                    __m256 scales = groupScales(a.scales + 2 * u);
                    if constexpr (U::kGroups == 1) {
                        scales = _mm256_mul_ps(scales, _mm256_set1_ps(s0));
                    } else {
                        scales = _mm256_mul_ps(scales,
                                               _mm256_set_m128(_mm_set1_ps(s1), _mm_set1_ps(s0)));
                    }
                    sum = _mm256_fmadd_ps(_mm256_cvtepi32_ps(dots), scales, sum);
                    if constexpr (!U::kSigned) {
                        minSum += m0 * a.sums[2 * u] + m1 * a.sums[2 * u + 1];
                    }
                });
    }
    return horizontalSum(sum) + minSum;
}

[[gnu::always_inline]] inline float largestOf(__m256 v)
{
    __m128 m = _mm_max_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    m = _mm_max_ps(m, _mm_movehl_ps(m, m));
    m = _mm_max_ss(m, _mm_movehdup_ps(m));
    return _mm_cvtss_f32(m);
}

void quantize(const float* values, std::size_t n, std::int8_t* quants, float* scales, float* sums)
{
    const __m256 signBit = _mm256_set1_ps(-0.0F);
    constexpr int rounding = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
    for (std::size_t g = 0; g < n / kQ8Group; ++g) {
        const __m256 low = _mm256_loadu_ps(values + g * kQ8Group);
        const __m256 high = _mm256_loadu_ps(values + g * kQ8Group + 8);
        const float largest = largestOf(
            _mm256_max_ps(_mm256_andnot_ps(signBit, low), _mm256_andnot_ps(signBit, high)));
        float least = __builtin_inff();
        float best = 0.0F;
        __m256 bestLow = _mm256_setzero_ps();
        __m256 bestHigh = _mm256_setzero_ps();
        for (const float steps : kQ8Steps) {
            const __m256 inverse = _mm256_set1_ps(largest > 0.0F ? steps / largest : 0.0F);
            const __m256 exactLow = _mm256_mul_ps(low, inverse);
            const __m256 exactHigh = _mm256_mul_ps(high, inverse);
            const __m256 roundedLow = _mm256_round_ps(exactLow, rounding);
            const __m256 roundedHigh = _mm256_round_ps(exactHigh, rounding);
            const __m256 errorLow = _mm256_sub_ps(exactLow, roundedLow);
            const __m256 errorHigh = _mm256_sub_ps(exactHigh, roundedHigh);
            const float error = horizontalSum(_mm256_fmadd_ps(errorLow, errorLow,
                                                              _mm256_mul_ps(errorHigh, errorHigh)))
                / (steps * steps);
            if (best == 0.0F || error < least) {
                least = error;
                best = largest / steps;
                bestLow = roundedLow;
                bestHigh = roundedHigh;
            }
        }
        scales[g] = best;
        sums[g] = best * horizontalSum(_mm256_add_ps(bestLow, bestHigh));
        // packing works within halves: put the quarters back in order
        const __m256i words =
            _mm256_packs_epi32(_mm256_cvtps_epi32(bestLow), _mm256_cvtps_epi32(bestHigh));
        const __m256i ordered = _mm256_permute4x64_epi64(words, 0b11'01'10'00);
        const __m128i bytes =
            _mm_packs_epi16(_mm256_castsi256_si128(ordered), _mm256_extracti128_si256(ordered, 1));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(quants + g * kQ8Group), bytes);
    }
}

float dotF32(const float* a, const float* b, std::size_t n)
{
    __m256 sums[4] = { _mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                       _mm256_setzero_ps() };
    std::size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        for (int j = 0; j < 4; ++j) {
            sums[j] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8 * j),
                                      _mm256_loadu_ps(b + i + 8 * j), sums[j]);
        }
    }
    for (; i + 8 <= n; i += 8) {
        sums[0] = _mm256_fmadd_ps(_mm256_loadu_ps(a + i), _mm256_loadu_ps(b + i), sums[0]);
    }
    float sum = horizontalSum(
        _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3])));
    for (; i < n; ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

[[gnu::always_inline]] inline __m256 loadHalf(const std::uint16_t* in)
{
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
}

[[gnu::always_inline]] inline __m256 loadBfloat(const std::uint16_t* in)
{
    const __m256i wide =
        _mm256_cvtepu16_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
    return _mm256_castsi256_ps(_mm256_slli_epi32(wide, 16));
}

float bfloat(std::uint16_t bits)
{
    return __builtin_bit_cast(float, static_cast<std::uint32_t>(bits) << 16U);
}

template <auto load, auto one>
float dot16(const std::uint16_t* a, const float* b, std::size_t n)
{
    __m256 first = _mm256_setzero_ps();
    __m256 second = _mm256_setzero_ps();
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        first = _mm256_fmadd_ps(load(a + i), _mm256_loadu_ps(b + i), first);
        second = _mm256_fmadd_ps(load(a + i + 8), _mm256_loadu_ps(b + i + 8), second);
    }
    float sum = horizontalSum(_mm256_add_ps(first, second));
    for (; i < n; ++i) {
        sum += one(a[i]) * b[i];
    }
    return sum;
}

float dotF16(const std::uint16_t* a, const float* b, std::size_t n)
{
    return dot16<loadHalf, half>(a, b, n);
}

float dotBf16(const std::uint16_t* a, const float* b, std::size_t n)
{
    return dot16<loadBfloat, bfloat>(a, b, n);
}

void halfToFloat(const std::uint16_t* in, float* out, std::size_t n)
{
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        _mm256_storeu_ps(out + i, loadHalf(in + i));
    }
    for (; i < n; ++i) {
        out[i] = half(in[i]);
    }
}

void floatToHalf(const float* in, std::uint16_t* out, std::size_t n)
{
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(out + i),
                         _mm256_cvtps_ph(_mm256_loadu_ps(in + i), _MM_FROUND_TO_NEAREST_INT));
    }
    for (; i < n; ++i) {
        out[i] = _cvtss_sh(in[i], _MM_FROUND_TO_NEAREST_INT);
    }
}

[[gnu::always_inline]] inline __m256 loadFloat(const float* in)
{
    return _mm256_loadu_ps(in);
}

[[gnu::always_inline]] inline float sameFloat(float value)
{
    return value;
}

/// Strips of `vectors` × 8 columns stay in registers while all rows pass.
template <int vectors, auto load, typename T>
[[gnu::always_inline]] inline void addStrip(float* out, const float* factors, const T* rows,
                                            std::size_t count, std::size_t width)
{
    __m256 sums[vectors];
    for (int j = 0; j < vectors; ++j) {
        sums[j] = _mm256_loadu_ps(out + 8 * j);
    }
    for (std::size_t i = 0; i < count; ++i, rows += width) {
        const __m256 factor = _mm256_broadcast_ss(factors + i);
        for (int j = 0; j < vectors; ++j) {
            sums[j] = _mm256_fmadd_ps(factor, load(rows + 8 * j), sums[j]);
        }
    }
    for (int j = 0; j < vectors; ++j) {
        _mm256_storeu_ps(out + 8 * j, sums[j]);
    }
}

template <auto load, auto one, typename T>
void addAnyRows(float* out, const float* factors, const T* rows, std::size_t count,
                std::size_t width)
{
    std::size_t w = 0;
    for (; w + 64 <= width; w += 64) {
        addStrip<8, load>(out + w, factors, rows + w, count, width);
    }
    for (; w + 8 <= width; w += 8) {
        addStrip<1, load>(out + w, factors, rows + w, count, width);
    }
    for (; w < width; ++w) {
        for (std::size_t i = 0; i < count; ++i) {
            out[w] += factors[i] * one(rows[i * width + w]);
        }
    }
}

void addRows(float* out, const float* factors, const float* rows, std::size_t count,
             std::size_t width)
{
    addAnyRows<loadFloat, sameFloat>(out, factors, rows, count, width);
}

void addHalfRows(float* out, const float* factors, const std::uint16_t* rows, std::size_t count,
                 std::size_t width)
{
    addAnyRows<loadHalf, half>(out, factors, rows, count, width);
}

float maximum(const float* values, std::size_t n)
{
    float most = -__builtin_inff();
    std::size_t i = 0;
    if (n >= 8) {
        __m256 m = _mm256_loadu_ps(values);
        for (i = 8; i + 8 <= n; i += 8) {
            m = _mm256_max_ps(m, _mm256_loadu_ps(values + i));
        }
        most = largestOf(m);
    }
    for (; i < n; ++i) {
        most = values[i] > most ? values[i] : most;
    }
    return most;
}

/// exp by range reduction to |r| <= ln 2 / 2 and the Taylor polynomial of degree 7 (relative error
/// below 1e-7); below -87.3 it is 0, above 88.7 infinity.
[[gnu::always_inline]] inline __m256 exponential(__m256 x)
{
    const __m256 low = _mm256_set1_ps(-87.3F);
    const __m256 high = _mm256_set1_ps(88.72F);
    const __m256 clamped = _mm256_min_ps(_mm256_max_ps(x, low), high);
    const __m256 n = _mm256_round_ps(_mm256_mul_ps(clamped, _mm256_set1_ps(1.44269504F)),
                                     _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    // ln 2 in two parts: the first has few enough bits that n times it is exact
    __m256 r = _mm256_fnmadd_ps(n, _mm256_set1_ps(0.693359375F), clamped);
    r = _mm256_fnmadd_ps(n, _mm256_set1_ps(-2.12194440e-4F), r);
    __m256 p = _mm256_set1_ps(1.0F / 5040.0F);
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0F / 720.0F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0F / 120.0F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0F / 24.0F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0F / 6.0F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(0.5F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0F));
    p = _mm256_fmadd_ps(p, r, _mm256_set1_ps(1.0F));
    // 2^n in two steps, since n = 128 has no float of its own
    const __m256i whole = _mm256_cvtps_epi32(n);
    const __m256i firstHalf = _mm256_srai_epi32(whole, 1);
    const __m256i secondHalf = _mm256_sub_epi32(whole, firstHalf);
    const __m256i bias = _mm256_set1_epi32(127);
    const __m256 a = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(firstHalf, bias), 23));
    const __m256 b = _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_add_epi32(secondHalf, bias), 23));
    p = _mm256_mul_ps(_mm256_mul_ps(p, a), b);
    p = _mm256_andnot_ps(_mm256_cmp_ps(x, low, _CMP_LT_OQ), p);
    p = _mm256_blendv_ps(p, _mm256_set1_ps(__builtin_inff()), _mm256_cmp_ps(x, high, _CMP_GT_OQ));
    return _mm256_blendv_ps(p, x, _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
}

/// Applies f to a last piece of fewer than 8 floats through a padded copy.
template <typename F>
[[gnu::always_inline]] inline void onTail(float* values, std::size_t n, F&& f)
{
    alignas(32) float copy[8] = {};
    for (std::size_t i = 0; i < n; ++i) {
        copy[i] = values[i];
    }
    _mm256_store_ps(copy, f(_mm256_load_ps(copy)));
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = copy[i];
    }
}

float expSum(float* values, std::size_t n, float shift)
{
    const __m256 s = _mm256_set1_ps(shift);
    const auto shifted = [&](__m256 x) { return exponential(_mm256_sub_ps(x, s)); };
    __m256 sum = _mm256_setzero_ps();
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256 e = shifted(_mm256_loadu_ps(values + i));
        _mm256_storeu_ps(values + i, e);
        sum = _mm256_add_ps(sum, e);
    }
    float total = horizontalSum(sum);
    onTail(values + i, n - i, shifted);
    for (; i < n; ++i) {
        total += values[i];
    }
    return total;
}

float sumOfSquares(const float* values, std::size_t n)
{
    return dotF32(values, values, n);
}

void scaleBy(const float* in, float factor, const float* weight, float* out, std::size_t n)
{
    const __m256 f = _mm256_set1_ps(factor);
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256 scaled = _mm256_mul_ps(_mm256_loadu_ps(in + i), f);
        _mm256_storeu_ps(out + i, _mm256_mul_ps(scaled, _mm256_loadu_ps(weight + i)));
    }
    for (; i < n; ++i) {
        out[i] = in[i] * factor * weight[i];
    }
}

[[gnu::always_inline]] inline __m256 silu(__m256 x)
{
    const __m256 one = _mm256_set1_ps(1.0F);
    const __m256 e = exponential(_mm256_sub_ps(_mm256_setzero_ps(), x));
    return _mm256_div_ps(x, _mm256_add_ps(one, e));
}

void swiglu(float* gate, const float* up, std::size_t n)
{
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        _mm256_storeu_ps(gate + i,
                         _mm256_mul_ps(silu(_mm256_loadu_ps(gate + i)), _mm256_loadu_ps(up + i)));
    }
    onTail(gate + i, n - i, silu);
    for (; i < n; ++i) {
        gate[i] *= up[i];
    }
}

void add(float* into, const float* from, std::size_t n)
{
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        _mm256_storeu_ps(into + i,
                         _mm256_add_ps(_mm256_loadu_ps(into + i), _mm256_loadu_ps(from + i)));
    }
    for (; i < n; ++i) {
        into[i] += from[i];
    }
}

/// Calls f.template operator()<Block>() for the block struct of a tensor type; nothing for other
/// types.
template <typename F>
const QuantKernels* forBlock(gguf::TensorType type, F&& f)
{
    using T = gguf::TensorType;
    switch (type) {
    case T::Q4_0:
        return f.template operator()<quant::BlockQ4_0>();
    case T::Q4_1:
        return f.template operator()<quant::BlockQ4_1>();
    case T::Q5_0:
        return f.template operator()<quant::BlockQ5_0>();
    case T::Q5_1:
        return f.template operator()<quant::BlockQ5_1>();
    case T::Q8_0:
        return f.template operator()<quant::BlockQ8_0>();
    case T::Q2_K:
        return f.template operator()<quant::BlockQ2_K>();
    case T::Q3_K:
        return f.template operator()<quant::BlockQ3_K>();
    case T::Q4_K:
        return f.template operator()<quant::BlockQ4_K>();
    case T::Q5_K:
        return f.template operator()<quant::BlockQ5_K>();
    case T::Q6_K:
        return f.template operator()<quant::BlockQ6_K>();
    case T::IQ2_XXS:
        return f.template operator()<quant::BlockIQ2_XXS>();
    case T::IQ2_XS:
        return f.template operator()<quant::BlockIQ2_XS>();
    case T::IQ3_XXS:
        return f.template operator()<quant::BlockIQ3_XXS>();
    case T::IQ1_S:
        return f.template operator()<quant::BlockIQ1_S>();
    case T::IQ4_NL:
        return f.template operator()<quant::BlockIQ4_NL>();
    case T::IQ3_S:
        return f.template operator()<quant::BlockIQ3_S>();
    case T::IQ2_S:
        return f.template operator()<quant::BlockIQ2_S>();
    case T::IQ4_XS:
        return f.template operator()<quant::BlockIQ4_XS>();
    case T::IQ1_M:
        return f.template operator()<quant::BlockIQ1_M>();
    case T::TQ1_0:
        return f.template operator()<quant::BlockTQ1_0>();
    case T::TQ2_0:
        return f.template operator()<quant::BlockTQ2_0>();
    case T::MXFP4:
        return f.template operator()<quant::BlockMXFP4>();
    case T::NVFP4:
        return f.template operator()<quant::BlockNVFP4>();
    case T::Q1_0:
        return f.template operator()<quant::BlockQ1_0>();
    case T::Q2_0:
        return f.template operator()<quant::BlockQ2_0>();
    default:
        return nullptr;
    }
}
