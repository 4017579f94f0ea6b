// Unpacking of the types with one or two bits or a digit of base 3 a weight; 256-bit. Included by
// unpack_x86.inl and in its manner.

template <>
struct Unpack<quant::BlockQ1_0>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 1;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ1_0& b, F&& f)
    {
        const float scale = half(b.scale);
        for (int i = 0; i < 4; ++i) {
            const __m256i bits = _mm256_srli_epi16(fifthBits(b.quants + 4 * i), 4);
            f(i, bits, 2.0F * scale, -scale, 2.0F * scale, -scale);
        }
    }
};

template <>
struct Unpack<quant::BlockQ2_0>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 2;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockQ2_0& b, F&& f)
    {
        const float scale = half(b.scale);
        for (int i = 0; i < 2; ++i) {
            f(i, pairsOfBits(b.quants + 8 * i), scale, -scale, scale, -scale);
        }
    }

private:
    /// 8 bytes to 32 levels, four a byte from its lowest bits on.
    [[gnu::always_inline]] static __m256i pairsOfBits(const std::uint8_t* bytes)
    {
        const __m128i packed = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes));
        const __m256i spread =
            _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(packed),
                                _mm256_setr_epi8(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4,
                                                 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 7, 7, 7, 7));
        const __m256i upper = _mm256_blendv_epi8(spread, _mm256_srli_epi16(spread, 4),
                                                 _mm256_set1_epi32(static_cast<int>(0xffff0000U)));
        const __m256i level = _mm256_blendv_epi8(upper, _mm256_srli_epi16(upper, 2),
                                                 _mm256_set1_epi32(static_cast<int>(0xff00ff00U)));
        return _mm256_and_si256(level, _mm256_set1_epi8(3));
    }
};

template <>
struct Unpack<quant::BlockTQ1_0>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 2;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockTQ1_0& b, F&& f)
    {
        const float scale = half(b.scale);
        __m256i rest = load32(b.quants);
        for (int row = 0; row < 5; ++row) {
            f(row, firstDigit(rest), scale, -scale, scale, -scale);
            rest = timesThree(rest);
        }
        // 14 rows of 16 weights: five digits of 16 bytes, then four of 4 bytes
        const __m128i first = _mm_loadu_si128(reinterpret_cast<const __m128i*>(b.quants + 32));
        std::int32_t word;
        __builtin_memcpy(&word, b.highBits, sizeof word);
        const __m128i last = _mm_set1_epi32(word);
        const __m128i third = timesThree(first);
        const __m128i ninth = timesThree(third);
        const __m128i twentySeventh = timesThree(ninth);
        const __m128i lastThird = timesThree(last);
        const __m128i lastNinth = timesThree(lastThird);
        const __m128i lastRows =
            _mm_blend_epi32(_mm_blend_epi32(last, lastThird, 0b0010),
                            _mm_blend_epi32(lastNinth, timesThree(lastNinth), 0b1000), 0b1100);
        f(5, firstDigit(_mm256_set_m128i(third, first)), scale, -scale, scale, -scale);
        f(6, firstDigit(_mm256_set_m128i(twentySeventh, ninth)), scale, -scale, scale, -scale);
        f(7, firstDigit(_mm256_set_m128i(lastRows, timesThree(twentySeventh))), scale, -scale,
          scale, -scale);
    }

private:
    /// What stands behind the first digit: modulo 256.
    [[gnu::always_inline]] static __m256i timesThree(__m256i bytes)
    {
        return _mm256_add_epi8(_mm256_add_epi8(bytes, bytes), bytes);
    }
    [[gnu::always_inline]] static __m128i timesThree(__m128i bytes)
    {
        return _mm_add_epi8(_mm_add_epi8(bytes, bytes), bytes);
    }
    /// 3 × byte / 256: 1 from 86 on, 2 from 171 on.
    [[gnu::always_inline]] static __m256i firstDigit(__m256i bytes)
    {
        const __m256i atLeastOne =
            _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, _mm256_set1_epi8(86)), bytes);
        const __m256i two = _mm256_cmpeq_epi8(
            _mm256_max_epu8(bytes, _mm256_set1_epi8(static_cast<char>(171))), bytes);
        return _mm256_sub_epi8(_mm256_setzero_si256(), _mm256_add_epi8(atLeastOne, two));
    }
};

template <>
struct Unpack<quant::BlockTQ2_0>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 2;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockTQ2_0& b, F&& f)
    {
        const float scale = half(b.scale);
        for (int side = 0; side < 2; ++side) {
            __m256i packed = load32(b.quants + 32 * side);
            for (int k = 0; k < 4; ++k) {
                f(4 * side + k, shiftedBits<0>(packed, 3), scale, -scale, scale, -scale);
                packed = _mm256_srli_epi16(packed, 2);
            }
        }
    }
};
