#include "engine/backend/vulkan/slices.h"

#include <algorithm>

namespace engine::backend::vulkan {

namespace {

/// Along its longest axis, whose workgroups share least; then along the next where that has too
/// few.
void split(const Slice& slice, std::uint32_t count, std::vector<Slice>& into)
{
    constexpr std::uint32_t Groups::*axes[] = { &Groups::x, &Groups::y, &Groups::z };
    const auto axis = *std::ranges::max_element(axes, {}, [&](auto a) { return slice.count.*a; });
    const auto length = slice.count.*axis;
    const auto pieces = std::min(count, length);
    if (pieces <= 1) {
        into.push_back(slice);
        return;
    }
    for (std::uint64_t i = 0; i < pieces; ++i) {
        const auto begin = static_cast<std::uint32_t>(length * i / pieces);
        const auto end = static_cast<std::uint32_t>(length * (i + 1) / pieces);
        Slice piece = slice;
        piece.first.*axis += begin;
        piece.count.*axis = end - begin;
        split(piece, (count - 1) / pieces + 1, into);
    }
}

} // namespace

std::vector<Slice> slices(const Groups& all, std::uint32_t count)
{
    std::vector<Slice> found;
    split({ { 0, 0, 0 }, all }, count, found);
    return found;
}

} // namespace engine::backend::vulkan
