// Unpacking of quantized blocks to 32 bytes in a register; 256-bit. Included by one
// kernels_<isa>.cpp each, inside an unnamed namespace, so that every instruction set gets code of
// its own.
//
// Each Unpack<Block>::each(block, f) calls f(i, quants, scale0, min0, scale1, min1) for the i-th 32
// weights of the block: weight = scale · quant + min. scale1 and min1 belong to the second 16;
// kGroups is 1 where they equal the first. kSigned: the quants are signed bytes (and min is 0),
// else unsigned and below 2^kBits.

template <typename Block>
struct Unpack;

[[gnu::always_inline]] inline float half(std::uint16_t bits)
{
    return _cvtsh_ss(bits);
}

/// 16 bytes to 32 nibbles: the low ones first.
[[gnu::always_inline]] inline __m256i nibbles(const std::uint8_t* bytes)
{
    const __m128i packed = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
    const __m256i both = _mm256_set_m128i(_mm_srli_epi16(packed, 4), packed);
    return _mm256_and_si256(both, _mm256_set1_epi8(0x0F));
}

/// 32 bits to 32 bytes of 0x10 or 0.
[[gnu::always_inline]] inline __m256i fifthBits(const std::uint8_t* bytes)
{
    std::int32_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    const __m256i spread = _mm256_shuffle_epi8(
        _mm256_set1_epi32(word),
        _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0));
    const __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
    const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
    return _mm256_and_si256(set, _mm256_set1_epi8(0x10));
}

[[gnu::always_inline]] inline __m256i load32(const void* bytes)
{
    return _mm256_loadu_si256(static_cast<const __m256i*>(bytes));
}

template <int shift>
[[gnu::always_inline]] inline __m256i shiftedBits(__m256i bytes, char mask)
{
    return _mm256_and_si256(_mm256_srli_epi16(bytes, shift), _mm256_set1_epi8(mask));
}

template <>
struct Unpack<quant::BlockQ4_0>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 4;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ4_0& b, F&& f)
    {
        const float scale = half(b.scale);
        f(0, nibbles(b.quants), scale, -8.0F * scale, scale, -8.0F * scale);
    }
};

template <>
struct Unpack<quant::BlockQ4_1>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 4;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ4_1& b, F&& f)
    {
        const float scale = half(b.scale);
        const float min = half(b.min);
        f(0, nibbles(b.quants), scale, min, scale, min);
    }
};

template <>
struct Unpack<quant::BlockQ5_0>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 5;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ5_0& b, F&& f)
    {
        const float scale = half(b.scale);
        const float min = -16.0F * scale;
        f(0, _mm256_or_si256(nibbles(b.quants), fifthBits(b.highBits)), scale, min, scale, min);
    }
};

template <>
struct Unpack<quant::BlockQ5_1>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 5;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ5_1& b, F&& f)
    {
        const float scale = half(b.scale);
        const float min = half(b.min);
        f(0, _mm256_or_si256(nibbles(b.quants), fifthBits(b.highBits)), scale, min, scale, min);
    }
};

template <>
struct Unpack<quant::BlockQ8_0>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 8;
    static constexpr bool kSigned = true;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ8_0& b, F&& f)
    {
        const float scale = half(b.scale);
        f(0, load32(b.quants), scale, 0.0F, scale, 0.0F);
    }
};

template <>
struct Unpack<quant::BlockQ4_K>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 4;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ4_K& b, F&& f)
    {
        std::uint8_t scales[8];
        std::uint8_t mins[8];
        quant::unpackScalesMins(b.scales, scales, mins);
        const float scale = half(b.scale);
        const float min = -half(b.min);
        for (int pair = 0; pair < 4; ++pair) {
            const __m256i packed = load32(b.quants + 32 * pair);
            const int i = 2 * pair;
            const float s0 = scale * scales[i];
            const float m0 = min * mins[i];
            f(i, shiftedBits<0>(packed, 0x0F), s0, m0, s0, m0);
            const float s1 = scale * scales[i + 1];
            const float m1 = min * mins[i + 1];
            f(i + 1, shiftedBits<4>(packed, 0x0F), s1, m1, s1, m1);
        }
    }
};

template <>
struct Unpack<quant::BlockQ5_K>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 5;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ5_K& b, F&& f)
    {
        std::uint8_t scales[8];
        std::uint8_t mins[8];
        quant::unpackScalesMins(b.scales, scales, mins);
        const float scale = half(b.scale);
        const float min = -half(b.min);
        __m256i high = load32(b.highBits); // bit i of a byte: fifth bit in group i
        for (int pair = 0; pair < 4; ++pair) {
            const __m256i packed = load32(b.quants + 32 * pair);
            const int i = 2 * pair;
            const __m256i first =
                _mm256_and_si256(_mm256_slli_epi16(high, 4), _mm256_set1_epi8(0x10));
            const __m256i second =
                _mm256_and_si256(_mm256_slli_epi16(high, 3), _mm256_set1_epi8(0x10));
            high = _mm256_srli_epi16(high, 2);
            const float s0 = scale * scales[i];
            const float m0 = min * mins[i];
            f(i, _mm256_or_si256(shiftedBits<0>(packed, 0x0F), first), s0, m0, s0, m0);
            const float s1 = scale * scales[i + 1];
            const float m1 = min * mins[i + 1];
            f(i + 1, _mm256_or_si256(shiftedBits<4>(packed, 0x0F), second), s1, m1, s1, m1);
        }
    }
};

template <>
struct Unpack<quant::BlockQ6_K>
{
    static constexpr int kGroups = 2;
    static constexpr int kBits = 6;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ6_K& b, F&& f)
    {
        const float scale = half(b.scale);
        const auto emit = [&](int i, __m256i low, __m256i high) [[gnu::always_inline]] {
            const float s0 = scale * b.scales[2 * i];
            const float s1 = scale * b.scales[2 * i + 1];
            f(i, _mm256_or_si256(low, high), s0, -32.0F * s0, s1, -32.0F * s1);
        };
        const auto mask = _mm256_set1_epi8(0x30);
        for (int side = 0; side < 2; ++side) {
            const __m256i first = load32(b.quants + 64 * side);
            const __m256i second = load32(b.quants + 64 * side + 32);
            const __m256i high = load32(b.highBits + 32 * side);
            emit(4 * side, shiftedBits<0>(first, 0x0F),
                 _mm256_and_si256(_mm256_slli_epi16(high, 4), mask));
            emit(4 * side + 1, shiftedBits<0>(second, 0x0F),
                 _mm256_and_si256(_mm256_slli_epi16(high, 2), mask));
            emit(4 * side + 2, shiftedBits<4>(first, 0x0F), _mm256_and_si256(high, mask));
            emit(4 * side + 3, shiftedBits<4>(second, 0x0F),
                 _mm256_and_si256(_mm256_srli_epi16(high, 2), mask));
        }
    }
};

template <>
struct Unpack<quant::BlockQ2_K>
{
    static constexpr int kGroups = 2;
    static constexpr int kBits = 2;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ2_K& b, F&& f)
    {
        const float scale = half(b.scale);
        const float min = -half(b.min);
        for (int side = 0; side < 2; ++side) {
            __m256i packed = load32(b.quants + 32 * side);
            for (int k = 0; k < 4; ++k) {
                const int i = 4 * side + k;
                const unsigned a = b.scales[2 * i];
                const unsigned z = b.scales[2 * i + 1];
                f(i, shiftedBits<0>(packed, 3), scale * float(a & 15U), min * float(a >> 4U),
                  scale * float(z & 15U), min * float(z >> 4U));
                packed = _mm256_srli_epi16(packed, 2);
            }
        }
    }
};

template <>
struct Unpack<quant::BlockQ3_K>
{
    static constexpr int kGroups = 2;
    static constexpr int kBits = 3;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ3_K& b, F&& f)
    {
        std::int8_t scales[16];
        quant::unpackScalesQ3K(b.scales, scales);
        const float scale = half(b.scale);
        __m256i high = load32(b.highMask); // bit i of a byte: third bit in the i-th 32
        for (int side = 0; side < 2; ++side) {
            __m256i packed = load32(b.quants + 32 * side);
            for (int k = 0; k < 4; ++k) {
                const int i = 4 * side + k;
                const __m256i third =
                    _mm256_and_si256(_mm256_slli_epi16(high, 2), _mm256_set1_epi8(4));
                const float s0 = scale * scales[2 * i];
                const float s1 = scale * scales[2 * i + 1];
                f(i, _mm256_or_si256(shiftedBits<0>(packed, 3), third), s0, -4.0F * s0, s1,
                  -4.0F * s1);
                packed = _mm256_srli_epi16(packed, 2);
                high = _mm256_srli_epi16(high, 1);
            }
        }
    }
};

// The other families build on the helpers above.
#include "engine/backend/cpu/unpack_iq_x86.inl"
#include "engine/backend/cpu/unpack_low_x86.inl"
