// Blocks of random bits whose scales have an ordinary size, of every type that the engine decodes:
// for the self-test of devices, and for tests. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/tensor_type.h"
#include "engine/quant/block_fields.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine::quant {

/// A row of `columns` weights, the same for the same seed. Scales lie between `scale` / 2 and 3/2
/// of it, minima at half of that.
[[nodiscard]] std::vector<std::byte> randomBlocks(gguf::TensorType type, std::size_t columns,
                                                  unsigned seed, float scale = 0.02F);

/// Sets the bits of one field of a block.
void putBits(std::byte* block, const BitRuns& bits, std::uint64_t raw);

} // namespace engine::quant
