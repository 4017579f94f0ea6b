// Decoding formulas as text that calculates: with numbers in place of symbols, or to its value.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::quant {

/// What a symbol of a formula stands for in one weight.
struct Operand
{
    std::string_view symbol; ///< "d", or "grid[i]" for what the field i chooses from a table
    float value = 0; ///< as the decoder calculates with it
    std::vector<std::uint16_t> fields; ///< indices of the fields (blockFields) that it comes from
};

/// The value of "d · (q − 8)" with these operands: products before sums, from the left, each step
/// rounded to a float. Formulas are our own: an unknown symbol or a broken one asserts.
[[nodiscard]] float evaluate(std::string_view formula, std::span<const Operand> operands);

/// The formula with numbers of at most `digits` significant digits in place of its symbols:
/// "0.01796 · (3 − 8)". Negative numbers stand in brackets where an operator is in front of them,
/// but "+ (−0.13)" becomes "− 0.13".
[[nodiscard]] std::string withNumbers(std::string_view formula, std::span<const Operand> operands,
                                      int digits);

/// A number as formulas show it: at most `digits` significant digits, and the sign "−" (U+2212).
[[nodiscard]] std::string numberText(float value, int digits);

} // namespace engine::quant
