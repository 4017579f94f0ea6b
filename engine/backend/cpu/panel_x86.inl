// Packing of quantized rows into panels; included by one kernels_<isa>.cpp each, inside an unnamed
// namespace. kPanelRows and kSignedAsUnsigned (signed quants are stored plus 2^kBits or 128, with a
// min to match) are set there.

/// Writes the 32 bytes of one row's block to their places, four bytes apart by panel row.
[[gnu::always_inline]] inline void scatterBlock(std::uint8_t* block, std::size_t row, __m256i bytes)
{
    alignas(32) std::uint32_t words[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(words), bytes);
    auto* target = reinterpret_cast<std::uint32_t*>(block) + row;
    for (int d = 0; d < 8; ++d) {
        target[static_cast<std::size_t>(d) * kPanelRows] = words[d];
    }
}

template <typename Block>
void pack(const std::byte* const* rows, std::size_t count, std::size_t firstUnit,
          const Panel& panel)
{
    using U = Unpack<Block>;
    constexpr std::size_t perBlock = Block::kSize / kUnit;
    constexpr std::size_t groups = U::kGroups;
    for (std::size_t r = 0; r < count; ++r) {
        const auto* w = quant::blocksAt<Block>(rows[r]) + firstUnit / perBlock;
        for (std::size_t first = 0; first < panel.units; first += perBlock, ++w) {
            U::each(*w,
                    [&](int i, __m256i quants, float s0, float m0, float s1, float m1)
                        [[gnu::always_inline]] {
                            const std::size_t u = first + static_cast<std::size_t>(i);
                            if constexpr (U::kSigned && kSignedAsUnsigned) {
                                constexpr int offset = 1 << (U::kBits < 7 ? U::kBits : 7);
                                quants = _mm256_add_epi8(
                                    quants, _mm256_set1_epi8(static_cast<char>(offset)));
                                m0 = -offset * s0;
                                m1 = -offset * s1;
                            }
                            scatterBlock(panel.quants + u * kUnit * kPanelRows, r, quants);
                            const std::size_t g = u * groups * kPanelRows + r;
                            panel.scales[g] = s0;
                            panel.mins[g] = m0;
                            if constexpr (groups == 2) {
                                panel.scales[g + kPanelRows] = s1;
                                panel.mins[g + kPanelRows] = m1;
                            }
                        });
        }
    }
    for (std::size_t r = count; r < kPanelRows; ++r) {
        for (std::size_t u = 0; u < panel.units; ++u) {
            scatterBlock(panel.quants + u * kUnit * kPanelRows, r, _mm256_setzero_si256());
            for (std::size_t g = 0; g < groups; ++g) {
                panel.scales[(u * groups + g) * kPanelRows + r] = 0.0F;
                panel.mins[(u * groups + g) * kPanelRows + r] = 0.0F;
            }
        }
    }
}

/// Four activation bytes as one number, to be spread over all lanes.
[[gnu::always_inline]] inline int fourBytes(const std::int8_t* quants)
{
    int word;
    __builtin_memcpy(&word, quants, sizeof word);
    return word;
}

/// Runs f<tokens>(first) over `count` tokens in tiles of `Most`, then smaller ones.
template <int Most, typename F>
[[gnu::always_inline]] inline void forTiles(std::size_t count, F&& f)
{
    std::size_t t = 0;
    for (; t + Most <= count; t += Most) {
        f.template operator()<Most>(t);
    }
    if constexpr (Most > 4) {
        for (; t + 4 <= count; t += 4) {
            f.template operator()<4>(t);
        }
    }
    for (; t < count; ++t) {
        f.template operator()<1>(t);
    }
}
