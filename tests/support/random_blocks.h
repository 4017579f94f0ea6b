// Blocks of random bits whose scales have an ordinary size, of every type that the engine decodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/quant/block_fields.h"
#include "engine/quant/codec.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace tests {

/// Sets the bits of one field.
inline void putBits(std::byte* block, const engine::quant::BitRuns& bits, std::uint64_t raw)
{
    for (const auto& run : bits) {
        for (std::uint32_t bit = run.first; bit < run.first + run.count; ++bit, raw >>= 1U) {
            const auto mask = std::byte { 1 } << bit % 8;
            block[bit / 8] = (block[bit / 8] & ~mask) | ((raw & 1U) ? mask : std::byte { 0 });
        }
    }
}

/// What stands for about `value` (a positive number below 1).
[[nodiscard]] inline std::uint64_t rawOf(engine::quant::NumberForm form, float value)
{
    using engine::quant::NumberForm;
    switch (form) {
    case NumberForm::Half:
        return engine::quant::floatToHalf(value);
    case NumberForm::E8M0:
        return (std::bit_cast<std::uint32_t>(value) >> 23U) + 1U; // the power of two below
    case NumberForm::E4M3:
        return (std::bit_cast<std::uint32_t>(value) >> 20U) - (119U << 3U);
    default:
        return std::bit_cast<std::uint32_t>(value);
    }
}

/// A row of `columns` weights. Scales lie between `scale` / 2 and 3/2 of it, minima at half of
/// that.
[[nodiscard]] inline std::vector<std::byte>
randomBlocks(engine::gguf::TensorType type, std::size_t columns, unsigned seed, float scale = 0.02F)
{
    const auto& info = engine::gguf::tensorTypeInfo(type);
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(columns / info.blockSize * info.typeSize);
    for (auto& byte : bytes) {
        byte = static_cast<std::byte>(random() & 0xFFU);
    }
    for (const auto& field : engine::quant::floatFields(type)) {
        const float size = field.kind == engine::quant::FieldKind::Min ? scale / 2 : scale;
        for (std::size_t block = 0; block < bytes.size(); block += info.typeSize) {
            putBits(bytes.data() + block, field.bits,
                    rawOf(field.form, size * (0.5F + float(random() % 100) / 100.0F)));
        }
    }
    return bytes;
}

} // namespace tests
