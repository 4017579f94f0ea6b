#include "engine/backend/vulkan/weight_store.h"

#include <algorithm>

namespace engine::backend::vulkan {

WeightStore::WeightStore(std::shared_ptr<Device> device, StoredWeights stored)
    : m_device(std::move(device))
    , m_stored(std::move(stored))
{
}

Result<std::unique_ptr<WeightStore>>
WeightStore::create(const std::shared_ptr<Device>& device, const WeightSpans& spans,
                    std::stop_token stop, const std::function<void(double)>& progress)
{
    auto stored = uploaded(device, spans, std::move(stop), progress);
    if (!stored) {
        return tl::unexpected(stored.error());
    }
    return std::unique_ptr<WeightStore>(new WeightStore(device, std::move(*stored)));
}

std::vector<Window> WeightStore::windows(const model::Matrix& matrix) const
{
    const auto& piece = std::prev(m_stored.pieces.upper_bound(matrix.data.data()))->second;
    const auto alignment = m_device->facts().offsetAlignment;
    const auto most = m_device->inputRange() - kOverread;
    const auto begin =
        piece.offset + static_cast<VkDeviceSize>(matrix.data.data() - piece.source.data());
    const auto end = piece.offset + piece.readable;
    std::vector<Window> windows;
    for (std::uint64_t row = 0; row < matrix.rows;) {
        const auto first = begin + row * matrix.rowBytes;
        const auto from = first / alignment * alignment;
        const auto rows =
            std::min(matrix.rows - row,
                     std::max<std::uint64_t>(1, (most - (first - from)) / matrix.rowBytes));
        const auto wanted = first - from + rows * matrix.rowBytes + kOverread;
        const auto bytes = std::min((wanted + 15) / 16 * 16, (end - from) / 16 * 16);
        windows.push_back(
            { { piece.buffer, from, bytes }, static_cast<std::uint32_t>(first - from), row, rows });
        row += rows;
    }
    return windows;
}

Range WeightStore::codebook(gguf::TensorType type) const
{
    const auto found = m_stored.codebooks.find(type);
    return found == m_stored.codebooks.end() ? Range {} : found->second;
}

Range WeightStore::vector(const model::Vector& vector) const
{
    const auto* data = vector.values().data();
    const auto& [first, range] = *std::prev(m_stored.vectors.upper_bound(data));
    (void)first;
    return range;
}

} // namespace engine::backend::vulkan
