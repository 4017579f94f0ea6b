#include "engine/backend/offload.h"

#include "engine/backend/graph_parts.h"
#include "engine/backend/vulkan/shader_types.h"
#include "engine/model/node_memory.h"
#include "engine/model/node_weights.h"

#include <algorithm>
#include <set>
#include <type_traits>

namespace engine::backend {

namespace {

/// The first node of each piece that stays together: the input, then the blocks.
std::vector<std::size_t> pieceStarts(const model::Graph& graph)
{
    std::vector<std::size_t> starts { 0 };
    starts.insert(starts.end(), graph.blockStarts.begin(), graph.blockStarts.end());
    starts.push_back(graph.nodes.size());
    return starts;
}

std::uint64_t up(std::uint64_t value, std::uint64_t alignment)
{
    return (value + alignment - 1) / alignment * alignment;
}

class PieceBytes
{
public:
    PieceBytes(const model::Graph& graph, const RunnerOptions& options, const MemoryLayout& layout)
        : m_graph(graph)
        , m_layout(layout)
        , m_bytesPerNumber(options.cacheType == CacheType::F32 ? 4 : 2)
        , m_contextLength(options.contextLength)
    {
    }

    std::uint64_t of(std::size_t first, std::size_t last)
    {
        std::uint64_t bytes = 0;
        for (auto i = first; i < last; ++i) {
            bytes += weights(m_graph.nodes[i]) + kept(m_graph.nodes[i]);
        }
        return bytes;
    }

private:
    std::uint64_t weights(const model::Node& node)
    {
        std::uint64_t bytes = 0;
        model::forEachWeight(node, [&](const auto& weight) {
            if constexpr (std::is_same_v<std::decay_t<decltype(weight)>, model::Matrix>) {
                // a tied output was counted with the input
                bytes += m_seen.insert(weight.data.data()).second
                    ? up(weight.data.size() + m_layout.overread, m_layout.alignment)
                    : 0;
            } else {
                bytes += up(weight.values().size_bytes(), m_layout.alignment);
            }
        });
        return bytes;
    }

    [[nodiscard]] std::uint64_t kept(const model::Node& node) const
    {
        const auto memory = model::memoryOf(node);
        if (!memory || std::holds_alternative<model::op::Attention>(node)) {
            return 0; // a layer counts where it is stored
        }
        if (memory->isState) {
            const auto bytes = std::uint64_t(m_graph.states[memory->index]) * sizeof(float);
            return up(bytes, m_layout.alignment) + (m_layout.copiesStates ? bytes : 0);
        }
        const auto& layer = m_graph.kv.layers[memory->index];
        const auto numbers = layer.heads
            * (up(layer.keyLength, m_layout.padding) + up(layer.valueLength, m_layout.padding));
        // not rounded up, so that each position costs the same
        const auto unaligned = 2 * (m_layout.alignment - 1);
        return numbers * m_contextLength * m_bytesPerNumber + unaligned;
    }

    const model::Graph& m_graph;
    const MemoryLayout& m_layout;
    std::uint64_t m_bytesPerNumber;
    std::uint64_t m_contextLength;
    std::set<const std::byte*> m_seen;
};

} // namespace

std::uint64_t OffloadNeeds::deviceBytes(std::uint32_t count) const
{
    if (count == 0) {
        return 0;
    }
    std::uint64_t bytes = scratchBytes(count) + (count >= blocks.size() ? input : 0);
    for (std::size_t i = blocks.size() - std::min<std::size_t>(count, blocks.size());
         i < blocks.size(); ++i) {
        bytes += blocks[i];
    }
    return bytes;
}

OffloadNeeds offloadNeeds(const model::Graph& graph, const RunnerOptions& options,
                          const MemoryLayout& layout)
{
    OffloadNeeds needs;
    needs.scratch = layout.scratch;
    needs.crossing = layout.crossing;
    const auto starts = pieceStarts(graph);
    PieceBytes bytes(graph, options, layout);
    // from the last block on: a tied output belongs to it, the input comes along for nothing
    for (auto piece = starts.size() - 1; piece-- > 1;) {
        needs.blocks.insert(needs.blocks.begin(), bytes.of(starts[piece], starts[piece + 1]));
    }
    needs.input = bytes.of(0, starts[1]);
    return needs;
}

OffloadNeeds offloadNeeds(const model::Graph& graph, const RunnerOptions& options,
                          std::uint32_t rows)
{
    MemoryLayout layout;
    for (const auto width : graph.slotWidths) {
        layout.scratch += std::uint64_t(width) * rows * sizeof(float);
    }
    return offloadNeeds(graph, options, layout);
}

OffloadNeeds Backend::needs(const model::Graph& graph, const RunnerOptions& options) const
{
    return offloadNeeds(graph, options, options.batchLength);
}

std::uint32_t fittingBlocks(const OffloadNeeds& needs, std::uint64_t budget,
                            const BytesThere& there)
{
    const auto missing = [&](std::uint32_t count) {
        const auto bytes = needs.deviceBytes(count);
        return bytes - std::min(bytes, there ? there(count) : 0);
    };
    auto count = static_cast<std::uint32_t>(needs.blocks.size());
    while (count > 0 && missing(count) > budget) {
        --count;
    }
    return count;
}

std::vector<gguf::TensorType> typesWithoutShader(const model::Graph& graph)
{
    std::set<gguf::TensorType> types;
    for (const auto& node : graph.nodes) {
        model::forEachMatrix(node, [&](const model::Matrix& matrix) {
            if (vulkan::shaderSuffix(matrix.type).empty()) {
                types.insert(matrix.type);
            }
        });
    }
    return { types.begin(), types.end() };
}

std::vector<bool> deviceNodes(const model::Graph& graph, std::uint32_t count,
                              const std::function<bool(const model::Node&)>& canRun)
{
    std::vector<bool> onDevice(graph.nodes.size(), false);
    const auto starts = pieceStarts(graph);
    const auto blocks = graph.blockStarts.size();
    // a graph without blocks is one piece
    const auto firstPiece = count >= blocks && count > 0 ? 0 : blocks - count + 1;
    for (auto piece = firstPiece; piece + 1 < starts.size(); ++piece) {
        const auto begin = graph.nodes.begin() + static_cast<std::ptrdiff_t>(starts[piece]);
        const auto end = graph.nodes.begin() + static_cast<std::ptrdiff_t>(starts[piece + 1]);
        const bool runs = std::all_of(begin, end, canRun);
        std::fill(onDevice.begin() + static_cast<std::ptrdiff_t>(starts[piece]),
                  onDevice.begin() + static_cast<std::ptrdiff_t>(starts[piece + 1]), runs);
    }
    keepMemoryTogether(graph, onDevice);
    return onDevice;
}

} // namespace engine::backend
