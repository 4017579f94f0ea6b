// The compiled shaders (SPIR-V), baked into this library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace shaders {

/// The words of a module such as "rms_norm.texels"; empty where there is none of that name.
[[nodiscard]] std::span<const std::uint32_t> find(std::string_view name);

/// A number that changes with the shaders.
[[nodiscard]] std::uint64_t digest();

} // namespace shaders
