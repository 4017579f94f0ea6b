// Unpacking of the types with codebooks or tables; 256-bit. Included by unpack_x86.inl
// and in its manner; quants of signed types have magnitudes below 2^kBits.

/// 32 nibbles to what a table of 16 bytes has for them.
[[gnu::always_inline]] inline __m256i lookedUp(__m256i nibbles, const std::int8_t* table)
{
    const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
    return _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(values), nibbles);
}

/// The same for floats of 4 bits, moved up by their largest so that they are unsigned.
constexpr int kOffsetFP4 = 12;
[[gnu::always_inline]] inline __m256i unsignedFP4(__m256i nibbles)
{
    return _mm256_add_epi8(lookedUp(nibbles, quant::kValuesFP4), _mm256_set1_epi8(kOffsetFP4));
}

/// Turns the bytes whose bit of the word is set.
[[gnu::always_inline]] inline __m256i withSigns(__m256i bytes, std::uint32_t signs)
{
#if defined(__AVX512BW__) && defined(__AVX512VL__)
    return _mm256_mask_sub_epi8(bytes, signs, _mm256_setzero_si256(), bytes);
#else
    const __m256i spread = _mm256_shuffle_epi8(
        _mm256_set1_epi32(static_cast<std::int32_t>(signs)),
        _mm256_set_epi64x(0x0303030303030303, 0x0202020202020202, 0x0101010101010101, 0));
    const __m256i bit = _mm256_set1_epi64x(static_cast<long long>(0x8040201008040201ULL));
    const __m256i turned = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit), bit);
    return _mm256_sub_epi8(_mm256_xor_si256(bytes, turned), turned);
#endif
}

/// quant::eightSigns for each byte of 7 bits.
[[gnu::always_inline]] inline std::uint32_t evenSigns(std::uint32_t sevens)
{
    std::uint32_t parity = sevens ^ sevens >> 4U;
    parity ^= parity >> 2U;
    parity ^= parity >> 1U;
    return sevens | (parity & 0x01010101U) << 7U;
}

/// The same for four times 7 bits without gaps (and whatever stands above them).
[[gnu::always_inline]] inline std::uint32_t packedSigns(std::uint32_t word)
{
    return evenSigns((word & 0x7fU) | (word & 0x3f80U) << 1U | (word & 0x1fc000U) << 2U
                     | (word & 0xfe00000U) << 3U);
}

[[gnu::always_inline]] inline std::uint32_t wordAt(const std::uint8_t* bytes)
{
    std::uint32_t word;
    __builtin_memcpy(&word, bytes, sizeof word);
    return word;
}

/// Four patterns of 8 weights.
template <typename Codebook>
[[gnu::always_inline]] inline __m256i fourPatterns(const Codebook& grid, std::uint32_t a,
                                                   std::uint32_t b, std::uint32_t c,
                                                   std::uint32_t d)
{
    return _mm256_setr_epi64x(
        static_cast<long long>(grid.entries[a]), static_cast<long long>(grid.entries[b]),
        static_cast<long long>(grid.entries[c]), static_cast<long long>(grid.entries[d]));
}

/// Eight patterns of 4 weights; bit j of `high` is the ninth of index j.
template <typename Codebook>
[[gnu::always_inline]] inline __m256i eightPatterns(const Codebook& grid, const std::uint8_t* low,
                                                    std::uint32_t high)
{
    const auto entry = [&](std::uint32_t j) [[gnu::always_inline]] {
        return static_cast<int>(grid.entries[low[j] | (high >> j & 1U) << 8U]);
    };
    return _mm256_setr_epi32(entry(0), entry(1), entry(2), entry(3), entry(4), entry(5), entry(6),
                             entry(7));
}

template <>
struct Unpack<quant::BlockIQ2_XXS>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 6;
    static constexpr bool kSigned = true;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockIQ2_XXS& b, F&& f)
    {
        const float scale = 0.25F * half(b.scale);
        for (int i = 0; i < 8; ++i) {
            const std::uint32_t indices = b.words[2 * i];
            const std::uint32_t word = b.words[2 * i + 1];
            const float s = scale * (0.5F + static_cast<float>(word >> 28U));
            const __m256i quants =
                fourPatterns(quant::kGridIQ2_XXS, indices & 255U, indices >> 8U & 255U,
                             indices >> 16U & 255U, indices >> 24U);
            f(i, withSigns(quants, packedSigns(word)), s, 0.0F, s, 0.0F);
        }
    }
};

template <>
struct Unpack<quant::BlockIQ2_XS>
{
    static constexpr int kGroups = 2;
    static constexpr int kBits = 6;
    static constexpr bool kSigned = true;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockIQ2_XS& b, F&& f)
    {
        const float scale = 0.25F * half(b.scale);
        for (int i = 0; i < 8; ++i) {
            const std::uint32_t q0 = b.quants[4 * i];
            const std::uint32_t q1 = b.quants[4 * i + 1];
            const std::uint32_t q2 = b.quants[4 * i + 2];
            const std::uint32_t q3 = b.quants[4 * i + 3];
            const std::uint32_t signs =
                evenSigns(q0 >> 9U | q1 >> 9U << 8U | q2 >> 9U << 16U | q3 >> 9U << 24U);
            const __m256i quants =
                fourPatterns(quant::kGridIQ2_XS, q0 & 511U, q1 & 511U, q2 & 511U, q3 & 511U);
            f(i, withSigns(quants, signs), scale * (0.5F + float(b.scales[i] & 15U)), 0.0F,
              scale * (0.5F + float(b.scales[i] >> 4U)), 0.0F);
        }
    }
};

template <>
struct Unpack<quant::BlockIQ2_S>
{
    static constexpr int kGroups = 2;
    static constexpr int kBits = 6;
    static constexpr bool kSigned = true;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockIQ2_S& b, F&& f)
    {
        const float scale = 0.25F * half(b.scale);
        for (int i = 0; i < 8; ++i) {
            const std::uint8_t* q = b.quants + 4 * i;
            const std::uint32_t high = b.highBits[i];
            const __m256i quants =
                fourPatterns(quant::kGridIQ2_S, q[0] | (high & 3U) << 8U, q[1] | (high & 12U) << 6U,
                             q[2] | (high & 48U) << 4U, q[3] | (high & 192U) << 2U);
            f(i, withSigns(quants, wordAt(b.signs + 4 * i)),
              scale * (0.5F + float(b.scales[i] & 15U)), 0.0F,
              scale * (0.5F + float(b.scales[i] >> 4U)), 0.0F);
        }
    }
};

template <>
struct Unpack<quant::BlockIQ3_XXS>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 6;
    static constexpr bool kSigned = true;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockIQ3_XXS& b, F&& f)
    {
        const float scale = 0.5F * half(b.scale);
        for (int i = 0; i < 8; ++i) {
            const std::uint32_t word = b.words[i];
            const float s = scale * (0.5F + static_cast<float>(word >> 28U));
            const __m256i quants = eightPatterns(quant::kGridIQ3_XXS, b.quants + 8 * i, 0);
            f(i, withSigns(quants, packedSigns(word)), s, 0.0F, s, 0.0F);
        }
    }
};

template <>
struct Unpack<quant::BlockIQ3_S>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 4;
    static constexpr bool kSigned = true;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockIQ3_S& b, F&& f)
    {
        const float scale = half(b.scale);
        for (int i = 0; i < 8; ++i) {
            const auto subScale = quant::nibbleAt(b.scales, static_cast<std::size_t>(i));
            const float s = scale * static_cast<float>(2 * subScale + 1);
            const __m256i quants =
                eightPatterns(quant::kGridIQ3_S, b.quants + 8 * i, b.highBits[i]);
            f(i, withSigns(quants, wordAt(b.signs + 4 * i)), s, 0.0F, s, 0.0F);
        }
    }
};

template <>
struct Unpack<quant::BlockIQ1_S>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 2;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockIQ1_S& b, F&& f)
    {
        const float scale = half(b.scale);
        for (int i = 0; i < 8; ++i) {
            const std::uint8_t* q = b.quants + 4 * i;
            const std::uint32_t high = b.highBits[i];
            const __m256i quants =
                fourPatterns(quant::kGridIQ1, q[0] | (high & 7U) << 8U, q[1] | (high & 0x38U) << 5U,
                             q[2] | (high & 0x1c0U) << 2U, q[3] | (high & 0xe00U) >> 1U);
            const float s = scale * static_cast<float>(2 * (high >> 12U & 7U) + 1);
            // the shift's sign is as good as random: no branch on it
            const float m = s * (-0.875F - 0.25F * static_cast<float>(high >> 15U));
            f(i, _mm256_add_epi8(quants, _mm256_set1_epi8(1)), s, m, s, m);
        }
    }
};

/// In eighths, since every 8 weights have a shift of their own: weight = s / 8 × (quant − 9).
template <>
struct Unpack<quant::BlockIQ1_M>
{
    static constexpr int kGroups = 2;
    static constexpr int kBits = 5;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockIQ1_M& b, F&& f)
    {
        const float scale = 0.125F * half(quant::scaleBitsOf(b));
        for (int i = 0; i < 8; ++i) {
            const std::uint8_t* q = b.quants + 4 * i;
            const std::uint32_t low = b.highBits[2 * i];
            const std::uint32_t high = b.highBits[2 * i + 1];
            const __m256i patterns =
                fourPatterns(quant::kGridIQ1, q[0] | (low & 7U) << 8U, q[1] | (low & 0x70U) << 4U,
                             q[2] | (high & 7U) << 8U, q[3] | (high & 0x70U) << 4U);
            const __m256i eighths =
                _mm256_slli_epi16(_mm256_add_epi8(patterns, _mm256_set1_epi8(1)), 3);
            const __m256i shifts =
                _mm256_setr_epi64x(up(low & 8U), up(low & 0x80U), up(high & 8U), up(high & 0x80U));
            const std::uint32_t subScales =
                static_cast<std::uint32_t>(b.scales[i / 2]) >> (6 * (i % 2));
            const float s0 = scale * static_cast<float>(2 * (subScales & 7U) + 1);
            const float s1 = scale * static_cast<float>(2 * (subScales >> 3U & 7U) + 1);
            f(i, _mm256_add_epi8(eighths, shifts), s0, -9.0F * s0, s1, -9.0F * s1);
        }
    }

private:
    /// Two eighths more for 8 weights, where they are not moved down.
    [[gnu::always_inline]] static long long up(std::uint32_t down)
    {
        return down ? 0 : 0x0202020202020202;
    }
};

template <>
struct Unpack<quant::BlockIQ4_NL>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 8;
    static constexpr bool kSigned = true;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockIQ4_NL& b, F&& f)
    {
        const float scale = half(b.scale);
        f(0, lookedUp(nibbles(b.quants), quant::kValuesIQ4), scale, 0.0F, scale, 0.0F);
    }
};

template <>
struct Unpack<quant::BlockIQ4_XS>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 8;
    static constexpr bool kSigned = true;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockIQ4_XS& b, F&& f)
    {
        const float scale = half(b.scale);
        for (int i = 0; i < 8; ++i) {
            const auto subScale = quant::subScaleOf(b, static_cast<std::size_t>(i));
            const float s = scale * static_cast<float>(subScale);
            f(i, lookedUp(nibbles(b.quants + 16 * i), quant::kValuesIQ4), s, 0.0F, s, 0.0F);
        }
    }
};

template <>
struct Unpack<quant::BlockMXFP4>
{
    static constexpr int kGroups = 1;
    static constexpr int kBits = 5;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockMXFP4& b, F&& f)
    {
        const float scale = quant::e8m0ToFloat(b.exponent);
        const float min = -kOffsetFP4 * scale;
        f(0, unsignedFP4(nibbles(b.quants)), scale, min, scale, min);
    }
};

template <>
struct Unpack<quant::BlockNVFP4>
{
    static constexpr int kGroups = 2;
    static constexpr int kBits = 5;
    static constexpr bool kSigned = false;
    template <typename F>
    [[gnu::always_inline]] static void each(const quant::BlockNVFP4& b, F&& f)
    {
        for (int i = 0; i < 2; ++i) {
            // 8 low nibbles and 8 high ones make a group
            const __m256i levels =
                _mm256_permute4x64_epi64(nibbles(b.quants + 16 * i), 0b11'01'10'00);
            const float s0 = quant::e4m3ToFloat(b.scales[2 * i]);
            const float s1 = quant::e4m3ToFloat(b.scales[2 * i + 1]);
            f(i, unsignedFP4(levels), s0, -kOffsetFP4 * s0, s1, -kOffsetFP4 * s1);
        }
    }
};
