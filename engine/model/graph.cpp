#include "engine/model/graph.h"

#include <array>

namespace engine::model {

std::string_view opName(const Node& node)
{
    static constexpr std::array<std::string_view, std::variant_size_v<Node>> kNames {
        "embed",        "add_positions", "scale",      "scale_by",      "scale_by_position",
        "rms_norm",     "layer_norm",    "linear",     "head_linear",   "rope",
        "store_kv",     "attention",     "add",        "activate",      "gate",
        "clamp",        "soft_cap",      "xielu",      "sparsify",      "mix_pieces",
        "match_length", "copy_pieces",   "route",      "expert_linear", "combine_experts",
        "short_conv",   "gated_delta",   "state_scan", "keep_outputs",
    };
    return kNames[node.index()];
}

std::uint64_t KvGeometry::numbers() const
{
    std::uint64_t sum = 0;
    for (const KvLayer& layer : layers) {
        sum += layer.numbers();
    }
    return sum;
}

KvGeometry uniformKv(std::uint32_t layers, KvLayer layer)
{
    return { std::vector<KvLayer>(layers, layer) };
}

std::uint64_t Graph::stateBytes() const
{
    std::uint64_t floats = 0;
    for (const auto state : states) {
        floats += state;
    }
    return floats * sizeof(float);
}

} // namespace engine::model
