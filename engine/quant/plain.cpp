#include "engine/quant/codec.h"
#include "engine/quant/families.h"

#include <bit>
#include <cstring>

namespace engine::quant {

static_assert(std::endian::native == std::endian::little, "tensor data is read in place");

namespace {

template <typename Number>
Number numberAt(const std::byte* source, std::size_t index)
{
    Number number;
    std::memcpy(&number, source + index * sizeof number, sizeof number);
    return number;
}

template <typename Number>
void decodeNumbers(const std::byte* source, float* values, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i) {
        values[i] = static_cast<float>(numberAt<Number>(source, i));
    }
}

void putWord(std::byte* target, std::size_t index, std::uint16_t word)
{
    std::memcpy(target + index * sizeof word, &word, sizeof word);
}

} // namespace

void decodeF64(const std::byte* source, float* values, std::size_t blocks)
{
    decodeNumbers<double>(source, values, blocks);
}

void decodeF32(const std::byte* source, float* values, std::size_t blocks)
{
    if (blocks) {
        std::memcpy(values, source, blocks * sizeof(float));
    }
}

void decodeF16(const std::byte* source, float* values, std::size_t blocks)
{
    for (std::size_t i = 0; i < blocks; ++i) {
        values[i] = halfToFloat(numberAt<std::uint16_t>(source, i));
    }
}

void decodeBF16(const std::byte* source, float* values, std::size_t blocks)
{
    for (std::size_t i = 0; i < blocks; ++i) {
        values[i] = bfloatToFloat(numberAt<std::uint16_t>(source, i));
    }
}

void decodeI8(const std::byte* source, float* values, std::size_t blocks)
{
    decodeNumbers<std::int8_t>(source, values, blocks);
}

void decodeI16(const std::byte* source, float* values, std::size_t blocks)
{
    decodeNumbers<std::int16_t>(source, values, blocks);
}

void decodeI32(const std::byte* source, float* values, std::size_t blocks)
{
    decodeNumbers<std::int32_t>(source, values, blocks);
}

void decodeI64(const std::byte* source, float* values, std::size_t blocks)
{
    decodeNumbers<std::int64_t>(source, values, blocks);
}

void encodeF32(const float* values, std::byte* target, std::size_t blocks)
{
    if (blocks) {
        std::memcpy(target, values, blocks * sizeof(float));
    }
}

void encodeF16(const float* values, std::byte* target, std::size_t blocks)
{
    for (std::size_t i = 0; i < blocks; ++i) {
        putWord(target, i, floatToHalf(values[i]));
    }
}

void encodeBF16(const float* values, std::byte* target, std::size_t blocks)
{
    for (std::size_t i = 0; i < blocks; ++i) {
        putWord(target, i, floatToBfloat(values[i]));
    }
}

} // namespace engine::quant
