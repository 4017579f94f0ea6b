#include "engine/quant/random_blocks.h"

#include "engine/quant/block_fields.h"
#include "engine/quant/codec.h"

#include <bit>
#include <cstdint>
#include <random>

namespace engine::quant {

namespace {

/// What stands for about `value` (a positive number below 1).
std::uint64_t rawOf(NumberForm form, float value)
{
    switch (form) {
    case NumberForm::Half:
        return floatToHalf(value);
    case NumberForm::E8M0:
        return (std::bit_cast<std::uint32_t>(value) >> 23U) + 1U; // the power of two below
    case NumberForm::E4M3:
        return (std::bit_cast<std::uint32_t>(value) >> 20U) - (119U << 3U);
    default:
        return std::bit_cast<std::uint32_t>(value);
    }
}

} // namespace

void putBits(std::byte* block, const BitRuns& bits, std::uint64_t raw)
{
    for (const auto& run : bits) {
        for (std::uint32_t bit = run.first; bit < run.first + run.count; ++bit, raw >>= 1U) {
            const auto mask = std::byte { 1 } << bit % 8;
            block[bit / 8] = (block[bit / 8] & ~mask) | ((raw & 1U) ? mask : std::byte { 0 });
        }
    }
}

std::vector<std::byte> randomBlocks(gguf::TensorType type, std::size_t columns, unsigned seed,
                                    float scale)
{
    const auto& info = gguf::tensorTypeInfo(type);
    std::mt19937 random(seed);
    std::vector<std::byte> bytes(columns / info.blockSize * info.typeSize);
    for (auto& byte : bytes) {
        byte = static_cast<std::byte>(random() & 0xFFU);
    }
    for (const auto& field : floatFields(type)) {
        const float size = field.kind == FieldKind::Min ? scale / 2 : scale;
        for (std::size_t block = 0; block < bytes.size(); block += info.typeSize) {
            putBits(bytes.data() + block, field.bits,
                    rawOf(field.form, size * (0.5F + float(random() % 100) / 100.0F)));
        }
    }
    return bytes;
}

} // namespace engine::quant
