// What the ops share while they are recorded: activations, weights, cache, states, the batch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/vulkan/recorder.h"
#include "engine/backend/vulkan/weight_store.h"

#include <bit>
#include <cstdint>
#include <map>
#include <vector>

namespace engine::backend::vulkan {

/// As words of push constants.
[[nodiscard]] inline std::uint32_t bits(float value)
{
    return std::bit_cast<std::uint32_t>(value);
}
[[nodiscard]] constexpr std::uint32_t ceilDiv(std::uint64_t a, std::uint64_t b)
{
    return static_cast<std::uint32_t>((a + b - 1) / b);
}
/// Rows of activations begin at multiples of 4 floats.
[[nodiscard]] constexpr std::uint32_t padded(std::uint32_t width)
{
    return (width + 3) / 4 * 4;
}

/// Some key/value heads of a layer: [head][position][padded(length)], in halves or floats.
struct CacheWindow
{
    std::uint32_t firstHead = 0;
    std::uint32_t heads = 0;
    Range keys;
    Range values;
};

struct CacheLayer
{
    model::KvLayer shape;
    std::vector<CacheWindow> windows; ///< all heads in order, as few windows as bindings allow
};

/// Activations lie in rows of padded(width) floats; the padding is zero and stays so: nobody writes
/// there anything else.
struct Recording
{
    Recorder& recorder;
    const Device& device;
    const WeightStore& weights;
    const model::Graph& graph;
    const std::vector<Range>& slots; ///< as long as the longest batch
    const std::vector<CacheLayer>& cache;
    CacheType cacheType = CacheType::F16;
    const std::vector<Range>& states;
    Range batch; ///< see include/batch.glsl
    /// Cosine and sine beside each other, padded(dimensions) floats a row of the batch.
    const std::map<const model::RopeParameters*, Range>& ropes;
    Range scratch; ///< between the dispatches of one op
    std::uint32_t contextLength = 0;
    ActivationMode activations = ActivationMode::Float;
    Outputs outputs = Outputs::Last;

    std::uint32_t rows = 0; ///< of the activations now; fewer after KeepOutputs
    /// Of recorder.work(), what attention has to do at the end of the context; before, less.
    double attentionWork = 0;

    [[nodiscard]] std::uint32_t width(model::Slot slot) const
    {
        return graph.slotWidths[static_cast<std::size_t>(slot)];
    }
    /// Floats from row to row.
    [[nodiscard]] std::uint32_t stride(model::Slot slot) const { return padded(width(slot)); }
    /// All rows of now.
    [[nodiscard]] Range slot(model::Slot slot) const
    {
        Range range = slots[static_cast<std::size_t>(slot)];
        range.bytes = std::uint64_t(rows) * stride(slot) * sizeof(float);
        return range;
    }
};

void record(Recording& recording, const model::op::Embed& op);
void record(Recording& recording, const model::op::AddPositions& op);
void record(Recording& recording, const model::op::Scale& op);
void record(Recording& recording, const model::op::ScaleBy& op);
void record(Recording& recording, const model::op::ScaleByPosition& op);
void record(Recording& recording, const model::op::RmsNorm& op);
void record(Recording& recording, const model::op::LayerNorm& op);
void record(Recording& recording, const model::op::Linear& op);
void record(Recording& recording, const model::op::HeadLinear& op);
void record(Recording& recording, const model::op::Rope& op);
void record(Recording& recording, const model::op::StoreKv& op);
void record(Recording& recording, const model::op::Attention& op);
void record(Recording& recording, const model::op::Add& op);
void record(Recording& recording, const model::op::Activate& op);
void record(Recording& recording, const model::op::Gate& op);
void record(Recording& recording, const model::op::Clamp& op);
void record(Recording& recording, const model::op::SoftCap& op);
void record(Recording& recording, const model::op::Xielu& op);
void record(Recording& recording, const model::op::Sparsify& op);
void record(Recording& recording, const model::op::MixPieces& op);
void record(Recording& recording, const model::op::MatchLength& op);
void record(Recording& recording, const model::op::CopyPieces& op);
void record(Recording& recording, const model::op::Route& op);
void record(Recording& recording, const model::op::ExpertLinear& op);
void record(Recording& recording, const model::op::CombineExperts& op);
void record(Recording& recording, const model::op::ShortConv& op);
void record(Recording& recording, const model::op::GatedDelta& op);
void record(Recording& recording, const model::op::StateScan& op);
void record(Recording& recording, const model::op::KeepOutputs& op);

} // namespace engine::backend::vulkan
