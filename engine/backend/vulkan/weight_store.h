// The weights of one graph in memory that the device reads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/recorder.h"
#include "engine/model/graph.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <vector>

namespace engine::backend::vulkan {

/// Rows of a matrix that one binding can hold.
struct Window
{
    Range range;
    std::uint32_t firstByte = 0; ///< of the first row, counted from the range's begin
    std::uint64_t firstRow = 0;
    std::uint64_t rows = 0;
};

/// Immutable. The graph and the file behind it must outlive it: where the device can read the
/// process's memory, the file's pages are used as they are.
class WeightStore
{
public:
    /// `progress`: a fraction of all bytes. Errors: DeviceOutOfMemory, DeviceLost, DeviceFailed,
    /// Cancelled.
    [[nodiscard]] static Result<std::unique_ptr<WeightStore>>
    create(const std::shared_ptr<Device>& device, const model::Graph& graph, std::stop_token stop,
           const std::function<void(double)>& progress);

    /// The matrix in as few windows as the device's limits allow, in order. At least 16 bytes past
    /// the last row can be read (and mean nothing).
    [[nodiscard]] std::vector<Window> windows(const model::Matrix& matrix) const;
    /// As floats, padded with zeros to a multiple of 4.
    [[nodiscard]] Range vector(const model::Vector& vector) const;
    /// See codebookOf. Without a buffer for types that have none or do not occur in the graph.
    [[nodiscard]] Range codebook(gguf::TensorType type) const;
    /// Of the device, without what is only lent by the file.
    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }

private:
    friend class WeightUpload;
    /// Consecutive bytes of the process and where the device has them.
    struct Piece
    {
        std::span<const std::byte> source;
        const Buffer* buffer = nullptr;
        VkDeviceSize offset = 0;
        VkDeviceSize readable = 0; ///< bytes from `offset` on that may be read
    };

    [[nodiscard]] const Piece& pieceOf(const std::byte* data) const;

    std::shared_ptr<Device> m_device;
    std::vector<std::unique_ptr<Buffer>> m_buffers;
    std::map<const std::byte*, Piece> m_pieces; // by their begin
    std::map<const float*, Range> m_vectors; // by their first number
    std::map<gguf::TensorType, Range> m_codebooks;
    std::uint64_t m_bytes = 0;
};

} // namespace engine::backend::vulkan
