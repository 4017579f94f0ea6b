// Turns SPIR-V with NVIDIA's cooperative matrices into the same with those of Khronos.
// SPDX-License-Identifier: Apache-2.0
//
// Compilers of some years knew only GL_NV_cooperative_matrix, devices of several makers have only
// VK_KHR_cooperative_matrix. Both say the same but for what is written here; numbers from the
// registered extensions SPV_NV_cooperative_matrix and SPV_KHR_cooperative_matrix:
//   a type also says what it is used as: A (0), B (1) or accumulator (2) of A · B + C. Products
//   tell; where the sizes M, N and K are three different constants no type is two of these. loads
//   and stores take the number of a layout (rows 0, columns 1) before the stride instead of a truth
//   value behind it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shaders {

/// What is wrong with a module that stays as it is; empty: `words` are rewritten.
[[nodiscard]] std::string toKhrMatrices(std::vector<std::uint32_t>& words);

} // namespace shaders
