#include "engine/model/graph.h"

#include <array>

namespace engine::model {

std::string_view opName(const Node& node)
{
    static constexpr std::array<std::string_view, std::variant_size_v<Node>> kNames {
        "embed",     "rms_norm", "linear", "rope",         "store_kv",
        "attention", "add",      "swiglu", "keep_outputs",
    };
    return kNames[node.index()];
}

} // namespace engine::model
