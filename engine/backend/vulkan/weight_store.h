// The weights of one graph in memory that the device reads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/vulkan/weight_upload.h"

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
    create(const std::shared_ptr<Device>& device, const WeightSpans& spans, std::stop_token stop,
           const std::function<void(double)>& progress);

    /// The matrix in as few windows as the device's limits allow, in order. At least 16 bytes past
    /// the last row can be read (and mean nothing).
    [[nodiscard]] std::vector<Window> windows(const model::Matrix& matrix) const;
    /// As floats, padded with zeros to a multiple of 4.
    [[nodiscard]] Range vector(const model::Vector& vector) const;
    /// See codebookOf. Without a buffer for types that have none or do not occur in the graph.
    [[nodiscard]] Range codebook(gguf::TensorType type) const;
    /// Of the device, without what is only lent by the file.
    [[nodiscard]] std::uint64_t bytes() const
    {
        return m_stored.matrices.bytes() + m_stored.small.bytes();
    }

private:
    WeightStore(std::shared_ptr<Device> device, StoredWeights stored);

    std::shared_ptr<Device> m_device;
    StoredWeights m_stored;
};

} // namespace engine::backend::vulkan
