// The fields of a block: which bits hold what, and how they make each weight. The explorer shows
// what stands here. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/tensor_type.h"
#include "engine/quant/block_layout.h"
#include "engine/quant/formula.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::quant {

// All functions here are pure, and made for every type that has a codec (codec.h); for others they
// return nothing or an empty list.

/// One field of a block with what this block holds there.
struct BlockField
{
    std::string
        name; ///< the symbol of formulas, with an index where there are several: "d", "q[3]"
    FieldKind kind;
    BitRuns bits; ///< every bit of a block belongs to exactly one field
    std::uint64_t raw = 0; ///< the bits of all runs, the first run lowest
    double value = 0; ///< the raw bits as a number: signed, unsigned, a half, …; of an index the
                      ///< index itself, whatever a table has there
    WeightRange weights; ///< those that it takes part in, or is the sum of
};

/// How one weight comes out of its block.
struct WeightRecipe
{
    std::string_view formula; ///< "d · (q − 16)"
    std::string_view level; ///< what q is, where no single field holds it: "lo + 16 · hi"
    std::vector<Operand> operands; ///< every symbol of both
    float value = 0; ///< bit for bit what the codec decodes
};

/// What a kind is called: "scale", "high bits".
[[nodiscard]] std::string_view fieldKindName(FieldKind kind);

/// The members of the block's struct in their order; empty for a type without a codec.
[[nodiscard]] std::span<const BlockMember> blockMembers(gguf::TensorType type);
/// The member that byte `offset` of a block belongs to, with its index in an array: "d", "qs[3]".
[[nodiscard]] std::string byteName(gguf::TensorType type, std::size_t offset);

/// All fields of one block: those of the whole block, those of its groups, those of its weights.
/// `block` has to be as long as a block of the type.
[[nodiscard]] std::vector<BlockField> blockFields(gguf::TensorType type,
                                                  std::span<const std::byte> block);

/// How weight `weight` (from 0) of this block is decoded. Field indices are those of blockFields.
[[nodiscard]] WeightRecipe weightRecipe(gguf::TensorType type, std::span<const std::byte> block,
                                        std::uint32_t weight);

/// "w = d · (q − 16), q = lo + 16 · hi"
[[nodiscard]] std::string formulaText(gguf::TensorType type);

/// Where a block holds a number that can be NaN or infinite: for scans over many blocks.
struct FloatField
{
    FieldKind kind; ///< Scale, Min, Sum or Number
    BitRuns bits;
    NumberForm form;

    /// The number in the block that begins at `block`.
    [[nodiscard]] double read(const std::byte* block) const;
};

/// The scales of a block, then its minima and floating sums; of a plain floating type the number
/// itself. None for whole numbers.
[[nodiscard]] std::vector<FloatField> floatFields(gguf::TensorType type);

} // namespace engine::quant
