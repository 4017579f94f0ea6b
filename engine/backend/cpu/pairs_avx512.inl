// Dot products of the types with blocks of 32, two blocks at a time in 512 bits. Included by
// kernels_avx512.cpp inside its unnamed namespace.
//
// Pair<Block>::quants gives 64 unsigned bytes in order; factors gives {scale A, min A, scale B, min
// B}, or with a fixed min of kFixedMin × scale {scale A, scale B, …}.

template <typename Block>
struct Pair;

/// The packed nibbles of two blocks, spread to 64 bytes.
[[gnu::always_inline]] inline __m512i pairNibbles(const std::uint8_t* a, const std::uint8_t* b)
{
    const __m256i packed = _mm256_inserti128_si256(
        _mm256_castsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(a))),
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(b)), 1);
    const __m512i twice = _mm512_permutexvar_epi64(_mm512_setr_epi64(0, 1, 0, 1, 2, 3, 2, 3),
                                                   _mm512_castsi256_si512(packed));
    constexpr long long low = 0;
    constexpr long long high = 0x0004'0004'0004'0004;
    const __m512i shifts = _mm512_setr_epi64(low, low, high, high, low, low, high, high);
    return _mm512_and_si512(_mm512_srlv_epi16(twice, shifts), _mm512_set1_epi8(0x0F));
}

/// The fifth bits of two blocks as 64 bytes of 0x10 or 0.
[[gnu::always_inline]] inline __m512i pairFifthBits(const std::uint8_t* a, const std::uint8_t* b)
{
    std::uint32_t low;
    std::uint32_t high;
    __builtin_memcpy(&low, a, sizeof low);
    __builtin_memcpy(&high, b, sizeof high);
    return _mm512_maskz_set1_epi8(low | static_cast<std::uint64_t>(high) << 32U, 0x10);
}

/// Two halves as floats: {a, b, …}.
[[gnu::always_inline]] inline __m128 pairHalves(std::uint16_t a, std::uint16_t b)
{
    return _mm_cvtph_ps(
        _mm_cvtsi32_si128(static_cast<int>(a | static_cast<std::uint32_t>(b) << 16U)));
}

/// {scale A, min A, scale B, min B} where a block begins with its scale and min.
[[gnu::always_inline]] inline __m128 pairScalesMins(const void* a, const void* b)
{
    int first;
    int second;
    __builtin_memcpy(&first, a, sizeof first);
    __builtin_memcpy(&second, b, sizeof second);
    return _mm_cvtph_ps(_mm_insert_epi32(_mm_cvtsi32_si128(first), second, 1));
}

template <>
struct Pair<quant::BlockQ4_0>
{
    static constexpr float kFixedMin = -8.0F;
    [[gnu::always_inline]] static __m512i quants(const quant::BlockQ4_0* w)
    {
        return pairNibbles(w[0].quants, w[1].quants);
    }
    [[gnu::always_inline]] static __m128 factors(const quant::BlockQ4_0* w)
    {
        return pairHalves(w[0].scale, w[1].scale);
    }
};

template <>
struct Pair<quant::BlockQ4_1>
{
    static constexpr float kFixedMin = 0.0F;
    [[gnu::always_inline]] static __m512i quants(const quant::BlockQ4_1* w)
    {
        return pairNibbles(w[0].quants, w[1].quants);
    }
    [[gnu::always_inline]] static __m128 factors(const quant::BlockQ4_1* w)
    {
        return pairScalesMins(w, w + 1);
    }
};

template <>
struct Pair<quant::BlockQ5_0>
{
    static constexpr float kFixedMin = -16.0F;
    [[gnu::always_inline]] static __m512i quants(const quant::BlockQ5_0* w)
    {
        return _mm512_or_si512(pairNibbles(w[0].quants, w[1].quants),
                               pairFifthBits(w[0].highBits, w[1].highBits));
    }
    [[gnu::always_inline]] static __m128 factors(const quant::BlockQ5_0* w)
    {
        return pairHalves(w[0].scale, w[1].scale);
    }
};

template <>
struct Pair<quant::BlockQ5_1>
{
    static constexpr float kFixedMin = 0.0F;
    [[gnu::always_inline]] static __m512i quants(const quant::BlockQ5_1* w)
    {
        return _mm512_or_si512(pairNibbles(w[0].quants, w[1].quants),
                               pairFifthBits(w[0].highBits, w[1].highBits));
    }
    [[gnu::always_inline]] static __m128 factors(const quant::BlockQ5_1* w)
    {
        return pairScalesMins(w, w + 1);
    }
};

template <>
struct Pair<quant::BlockQ8_0>
{
    static constexpr float kFixedMin = -128.0F; // signed bytes are made unsigned
    [[gnu::always_inline]] static __m512i quants(const quant::BlockQ8_0* w)
    {
        const __m512i both =
            _mm512_inserti64x4(_mm512_castsi256_si512(load32(w[0].quants)), load32(w[1].quants), 1);
        return _mm512_xor_si512(both, _mm512_set1_epi8(static_cast<char>(0x80)));
    }
    [[gnu::always_inline]] static __m128 factors(const quant::BlockQ8_0* w)
    {
        return pairHalves(w[0].scale, w[1].scale);
    }
};

/// What a table of 16 bytes has for 64 nibbles, plus `offset`.
[[gnu::always_inline]] inline __m512i pairLookedUp(__m512i nibbles, const std::int8_t* table,
                                                   int offset)
{
    const __m128i values = _mm_add_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(table)),
                                        _mm_set1_epi8(static_cast<char>(offset)));
    return _mm512_shuffle_epi8(_mm512_broadcast_i32x4(values), nibbles);
}

template <>
struct Pair<quant::BlockIQ4_NL>
{
    static constexpr float kFixedMin = -128.0F;
    [[gnu::always_inline]] static __m512i quants(const quant::BlockIQ4_NL* w)
    {
        return pairLookedUp(pairNibbles(w[0].quants, w[1].quants), quant::kValuesIQ4, 128);
    }
    [[gnu::always_inline]] static __m128 factors(const quant::BlockIQ4_NL* w)
    {
        return pairHalves(w[0].scale, w[1].scale);
    }
};

template <>
struct Pair<quant::BlockMXFP4>
{
    static constexpr float kFixedMin = -kOffsetFP4;
    [[gnu::always_inline]] static __m512i quants(const quant::BlockMXFP4* w)
    {
        return pairLookedUp(pairNibbles(w[0].quants, w[1].quants), quant::kValuesFP4, kOffsetFP4);
    }
    [[gnu::always_inline]] static __m128 factors(const quant::BlockMXFP4* w)
    {
        return _mm_setr_ps(quant::e8m0ToFloat(w[0].exponent), quant::e8m0ToFloat(w[1].exponent),
                           0.0F, 0.0F);
    }
};

template <typename Block>
float dotPairs(const std::byte* row, const Q8Row& a, std::size_t units)
{
    using P = Pair<Block>;
    constexpr bool fixedMin = P::kFixedMin != 0.0F;
    constexpr int b = fixedMin ? 1 : 2; // where scale B is among the factors
    const __m512i groupOrder = _mm512_setr_epi32(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3);
    const __m512i scaleOrder = _mm512_setr_epi32(0, 0, 0, 0, 0, 0, 0, 0, b, b, b, b, b, b, b, b);
    constexpr int minOrder = fixedMin ? 0b01'01'00'00 : 0b11'11'01'01;
    const auto* w = quant::blocksAt<Block>(row);
    __m512 sum = _mm512_setzero_ps();
    __m128 minSum = _mm_setzero_ps();
    std::size_t u = 0;
    for (; u + 2 <= units; u += 2, w += 2) {
        _mm_prefetch(reinterpret_cast<const char*>(w) + kPrefetch, _MM_HINT_T0);
        const __m512i dots = _mm512_dpbusd_epi32(_mm512_setzero_si512(), P::quants(w),
                                                 _mm512_loadu_si512(a.quants + u * kUnit));
        const __m128 factors = P::factors(w);
        const __m512 groups = _mm512_permutexvar_ps(
            groupOrder, _mm512_castps128_ps512(_mm_loadu_ps(a.scales + 2 * u)));
        const __m512 scales = _mm512_permutexvar_ps(scaleOrder, _mm512_castps128_ps512(factors));
        sum = _mm512_fmadd_ps(_mm512_cvtepi32_ps(dots), _mm512_mul_ps(groups, scales), sum);
        minSum =
            _mm_fmadd_ps(_mm_permute_ps(factors, minOrder), _mm_loadu_ps(a.sums + 2 * u), minSum);
    }
    const __m256 halves =
        _mm256_add_ps(_mm512_castps512_ps256(sum), _mm512_extractf32x8_ps(sum, 1));
    float total = horizontalSum(halves)
        + horizontalSum(_mm256_zextps128_ps256(minSum)) * (fixedMin ? P::kFixedMin : 1.0F);
    if (u < units) {
        const Q8Row rest { a.quants + u * kUnit, a.scales + 2 * u, a.sums + 2 * u };
        total += dotQuant<Block>(reinterpret_cast<const std::byte*>(w), rest, units - u);
    }
    return total;
}
