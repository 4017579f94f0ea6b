// Dispatches in pieces: which workgroups of one go together where it is too long to wait for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace engine::backend::vulkan {

/// Workgroups of a dispatch, by axis.
struct Groups
{
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
};

/// A box of workgroups.
struct Slice
{
    Groups first;
    Groups count;
};

/// Slices of about alike sizes that are all workgroups together: so many or a few more, or one a
/// workgroup where there are fewer. No side of `all` is 0.
[[nodiscard]] std::vector<Slice> slices(const Groups& all, std::uint32_t count);

} // namespace engine::backend::vulkan
