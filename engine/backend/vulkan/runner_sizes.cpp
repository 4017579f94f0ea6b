#include "engine/backend/vulkan/runner_sizes.h"

#include "engine/backend/graph_parts.h"
#include "engine/backend/vulkan/attention.h"
#include "engine/backend/vulkan/buffer.h"
#include "engine/backend/vulkan/codebooks.h"
#include "engine/backend/vulkan/dot_product.h"
#include "engine/backend/vulkan/matrix_product.h"
#include "engine/backend/vulkan/recording.h"
#include "engine/backend/vulkan/weight_upload.h"
#include "engine/model/node_weights.h"

#include <algorithm>
#include <limits>
#include <set>

namespace engine::backend::vulkan {

namespace {

// Rows of one chunk. A GPU fills with more; a software device gains nothing from them.
constexpr std::uint32_t kSoftwareRows = 64;
constexpr std::uint32_t kDeviceRows = 256;
// Logits of every row are large: so many bytes of them at once, but not fewer rows.
constexpr std::uint32_t kLogitBytes = 8 << 20;
constexpr std::uint32_t kFewestLogitRows = 32;
constexpr std::uint64_t kLeastReadback = 16; // no buffer is empty
constexpr std::uint64_t kBuffers = 10; // of a runner, as a rule

/// A graph that has logits of every row of a run, asked for or not.
bool hasAllLogits(const model::Graph& graph)
{
    const auto width = graph.slotWidths[static_cast<std::size_t>(graph.logits)];
    return width > 0 && std::ranges::none_of(graph.nodes, [](const model::Node& node) {
               return std::holds_alternative<model::op::KeepOutputs>(node);
           });
}

/// Where the logits of all are wanted.
std::uint32_t logitRowsFor(const model::Graph& graph)
{
    const auto width = padded(graph.slotWidths[static_cast<std::size_t>(graph.logits)]);
    const auto rowBytes = std::uint64_t(width) * sizeof(float);
    return rowBytes == 0
        ? kFewestLogitRows
        : std::max(kFewestLogitRows, static_cast<std::uint32_t>(kLogitBytes / rowBytes));
}

/// The largest slot that later blocks need of earlier ones.
std::uint64_t mostCrossing(const model::Graph& graph, const std::vector<std::uint64_t>& slotBytes)
{
    std::uint64_t most = 0;
    for (const auto start : graph.blockStarts) {
        for (const auto slot : neededFrom(graph, start)) {
            most = std::max(most, slotBytes[static_cast<std::size_t>(slot)]);
        }
    }
    return most;
}

std::vector<std::uint64_t> codebookBytes(const model::Graph& graph)
{
    std::set<gguf::TensorType> types;
    for (const auto& node : graph.nodes) {
        model::forEachMatrix(node, [&](const model::Matrix& matrix) { types.insert(matrix.type); });
    }
    std::vector<std::uint64_t> bytes;
    for (const auto type : types) {
        bytes.push_back(codebookOf(type).size());
    }
    return bytes;
}

} // namespace

RunnerRows runnerRows(const Device& device, const model::Graph& graph, std::uint32_t batchLength)
{
    const auto logitRows = logitRowsFor(graph);
    auto rows = std::min(batchLength, device.isSoftware() ? kSoftwareRows : kDeviceRows);
    if (hasAllLogits(graph)) {
        rows = std::min(rows, logitRows);
    }
    return { rows, std::min(rows, logitRows) };
}

std::vector<std::uint64_t> slotBytes(const model::Graph& graph, const RunnerRows& rows)
{
    std::vector<std::uint64_t> bytes;
    for (std::size_t i = 0; i < graph.slotWidths.size(); ++i) {
        const bool isLogits = static_cast<model::Slot>(i) == graph.logits;
        bytes.push_back(std::uint64_t(isLogits ? rows.logits : rows.all)
                        * padded(graph.slotWidths[i]) * sizeof(float));
    }
    return bytes;
}

std::uint64_t readbackBytes(const model::Graph& graph, const RunnerRows& rows)
{
    return std::max(kLeastReadback, slotBytes(graph, rows)[static_cast<std::size_t>(graph.logits)]);
}

std::vector<const model::RopeParameters*> ropesOf(const model::Graph& graph)
{
    std::vector<const model::RopeParameters*> ropes;
    for (const auto& node : graph.nodes) {
        const auto* rope = std::get_if<model::op::Rope>(&node);
        if (rope && std::ranges::find(ropes, rope->parameters) == ropes.end()) {
            ropes.push_back(rope->parameters);
        }
    }
    return ropes;
}

std::vector<std::uint64_t> batchBytes(const model::Graph& graph, const RunnerRows& rows)
{
    std::vector<std::uint64_t> bytes { (kHeaderWords + padded(rows.all)) * sizeof(std::uint32_t) };
    for (const auto* parameters : ropesOf(graph)) {
        bytes.push_back(std::uint64_t(rows.all) * padded(parameters->dimensions) * sizeof(float));
    }
    return bytes;
}

std::uint64_t scratchBytes(const Device& device, const model::Graph& graph,
                           std::uint32_t contextLength, const RunnerRows& rows)
{
    return std::max({ attentionScratch(device, graph, contextLength),
                      matrixScratch(device, graph, rows.all),
                      dotScratch(device, graph, rows.all) });
}

MemoryLayout memoryLayout(const Device& device, const model::Graph& graph,
                          std::uint32_t batchLength)
{
    MemoryLayout layout;
    layout.alignment = std::max<std::uint64_t>(16, device.facts().offsetAlignment);
    layout.overread = kOverread;
    layout.padding = padded(1);
    layout.copiesStates = true;
    const auto rows = runnerRows(device, graph, batchLength);
    const auto slots = slotBytes(graph, rows);
    layout.crossing = mostCrossing(graph, slots);
    layout.scratch = readbackBytes(graph, rows)
        + scratchBytes(device, graph, std::numeric_limits<std::uint32_t>::max(), rows)
        + (device.readsTexels() ? kBuffers * 2 * kViewSlack : 0);
    for (const auto& ranges : { slots, batchBytes(graph, rows), codebookBytes(graph) }) {
        for (const auto bytes : ranges) {
            layout.scratch += ceilDiv(bytes, layout.alignment) * layout.alignment;
        }
    }
    return layout;
}

} // namespace engine::backend::vulkan
