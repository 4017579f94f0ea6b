// How the bits of a block are shared out: the description that each family keeps beside its codec.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace engine::quant {

/// What the bits of a field are for.
enum class FieldKind {
    Number, ///< a whole number of a plain type
    Scale, ///< of the block
    Min, ///< of the block (a minimum, or the scale of the minima)
    SubScale, ///< of a group of weights
    SubMin, ///< of a group of weights
    Quant, ///< the level of a weight, or the low bits of it
    HighBits, ///< the upper bits of a level
    Index, ///< which entry of a codebook some weights are
    Sign, ///< of weights, or of what is added to them
    Sum, ///< of the levels of a group, or of its weights: for products, no weight needs it
    Padding ///< nothing
};

/// How the raw bits of a field are read as a number.
enum class NumberForm { Unsigned, Signed, Half, Bfloat, Float, Double, E8M0, E4M3 };

/// Successive bits of a block: bit 8 n + k is the one of byte n that is worth 2^k.
struct BitRun
{
    std::uint32_t first = 0;
    std::uint32_t count = 0;

    bool operator==(const BitRun&) const = default;
};

/// `count` bits from bit `shift` of byte `byte`.
[[nodiscard]] constexpr BitRun bitsOf(std::uint32_t byte, std::uint32_t shift, std::uint32_t count)
{
    return { 8 * byte + shift, count };
}

/// The bits of one field; the run that is worth least comes first. A value without heap.
class BitRuns
{
public:
    constexpr BitRuns(std::initializer_list<BitRun> runs)
        : m_size(runs.size())
    {
        assert(runs.size() <= kMost);
        std::size_t next = 0;
        for (const BitRun& run : runs) {
            m_runs[next++] = run;
        }
    }

    [[nodiscard]] constexpr const BitRun* begin() const { return m_runs.data(); }
    [[nodiscard]] constexpr const BitRun* end() const { return m_runs.data() + m_size; }
    [[nodiscard]] constexpr std::size_t size() const { return m_size; }
    /// Bits of all runs.
    [[nodiscard]] constexpr std::uint32_t count() const
    {
        std::uint32_t sum = 0;
        for (const BitRun& run : *this) {
            sum += run.count;
        }
        return sum;
    }
    /// Whether a bit of byte `byte` is among them.
    [[nodiscard]] constexpr bool touches(std::uint32_t byte) const
    {
        for (const BitRun& run : *this) {
            if (run.first < 8 * byte + 8 && 8 * byte < run.first + run.count) {
                return true;
            }
        }
        return false;
    }

private:
    static constexpr std::size_t kMost = 4;
    std::array<BitRun, kMost> m_runs {};
    std::size_t m_size;
};

/// A member of the block's struct, under the name that it has in ggml.
struct BlockMember
{
    std::string_view name; ///< "qs"
    std::size_t offset; ///< in bytes
    std::size_t size; ///< in bytes
    std::size_t elementSize = 1; ///< of an array; `size` for a single number
};

/// `count` weights of a block: `first` and each `step`-th behind it.
struct WeightRange
{
    std::uint32_t first = 0;
    std::uint32_t count = 0;
    std::uint32_t step = 1;

    [[nodiscard]] constexpr std::uint32_t last() const { return first + (count - 1) * step; }
    [[nodiscard]] constexpr bool contains(std::uint32_t weight) const
    {
        return weight >= first && weight <= last() && (weight - first) % step == 0;
    }
};

/// What a field chooses from a table of the format for each of its weights.
struct Lookup
{
    std::string_view symbol; ///< in formulas: "grid[i]", with the symbol of the field in brackets
    /// Of the `place`-th (from 0) of the weights that the field belongs to.
    float (*value)(std::uint64_t raw, std::uint32_t place);
};

/// `count` fields of one kind. Field i belongs to the weights [i × n, (i + 1) × n), n = block size
/// / count, unless `weights` says otherwise.
struct FieldGroup
{
    FieldKind kind;
    std::string_view symbol; ///< in formulas: "d"
    std::uint32_t count;
    NumberForm form;
    BitRuns (*bits)(std::uint32_t index);
    const Lookup* lookup = nullptr; ///< where formulas have this in place of the number itself
    WeightRange (*weights)(std::uint32_t index) = nullptr;
};

/// For FieldGroup::bits: a half at byte `Offset`.
template <std::uint32_t Offset>
[[nodiscard]] constexpr BitRuns halfAt(std::uint32_t /*index*/)
{
    return { bitsOf(Offset, 0, 16) };
}

/// The same for a float.
template <std::uint32_t Offset>
[[nodiscard]] constexpr BitRuns floatAt(std::uint32_t /*index*/)
{
    return { bitsOf(Offset, 0, 32) };
}

/// The description of one tensor type. A formula is made of symbols, numbers, `+`, `−`, `·` and
/// brackets (see formula.h), and calculates in the order of the decoder.
struct BlockLayout
{
    std::span<const BlockMember> members; ///< in their order in the block
    std::span<const FieldGroup> groups; ///< in the order in which people read them
    std::string_view weight; ///< "d · (q − 16)"
    std::string_view level; ///< what q is, where no single field holds it: "lo + 16 · hi"
};

} // namespace engine::quant
