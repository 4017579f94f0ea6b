#include "engine/quant/codec.h"

#include <bit>

namespace engine::quant {

namespace {

constexpr std::uint32_t kFloatInfinity = 0x7f800000U;
constexpr std::uint32_t kRoundsToInfinity =
    0x477ff000U; // 65520, halfway from the largest half to 2^16
constexpr std::uint32_t kSmallestNormalHalf = 0x38800000U; // 2^-14
constexpr std::uint32_t kRoundsToZero =
    0x33000000U; // 2^-25, half of the smallest half; the tie goes to 0
constexpr std::uint32_t kBiasDifference = (127U - 15U) << 23U;

/// `bits` without its lowest `shift` bits, rounded to nearest even.
std::uint32_t shiftedToNearestEven(std::uint32_t bits, std::uint32_t shift)
{
    const std::uint32_t odd = bits >> shift & 1U;
    return (bits + (1U << (shift - 1U)) - 1U + odd) >> shift;
}

} // namespace

float halfToFloat(std::uint16_t bits)
{
    const std::uint32_t sign = (bits & 0x8000U) << 16U;
    const std::uint32_t exponent = bits >> 10U & 31U;
    const std::uint32_t mantissa = bits & 0x3ffU;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24F;
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
    }
    if (exponent == 31) {
        // A NaN comes out quiet with its payload kept, as the processor's own conversion does.
        const std::uint32_t quiet = mantissa ? 0x400000U : 0U;
        return std::bit_cast<float>(sign | kFloatInfinity | quiet | mantissa << 13U);
    }
    return std::bit_cast<float>(sign | ((exponent << 23U) + kBiasDifference) | mantissa << 13U);
}

std::uint16_t floatToHalf(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t magnitude = bits & 0x7fffffffU;
    if (magnitude > kFloatInfinity) {
        return static_cast<std::uint16_t>(sign | 0x7e00U | (magnitude >> 13U & 0x3ffU));
    }
    if (magnitude >= kRoundsToInfinity) {
        return static_cast<std::uint16_t>(sign | 0x7c00U);
    }
    if (magnitude >= kSmallestNormalHalf) {
        return static_cast<std::uint16_t>(sign
                                          | shiftedToNearestEven(magnitude - kBiasDifference, 13));
    }
    if (magnitude <= kRoundsToZero) {
        return static_cast<std::uint16_t>(sign);
    }
    const std::uint32_t exponent = magnitude >> 23U; // 102 to 112
    const std::uint32_t mantissa = (magnitude & 0x7fffffU) | 0x800000U;
    return static_cast<std::uint16_t>(sign | shiftedToNearestEven(mantissa, 126U - exponent));
}

float bfloatToFloat(std::uint16_t bits)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

std::uint16_t floatToBfloat(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7fffffffU) > kFloatInfinity) {
        return static_cast<std::uint16_t>(bits >> 16U | 0x40U);
    }
    return static_cast<std::uint16_t>(shiftedToNearestEven(bits, 16));
}

} // namespace engine::quant
