#include "engine/backend/vulkan/weight_spans.h"

#include "engine/model/node_weights.h"

#include <algorithm>
#include <map>
#include <type_traits>

namespace engine::backend::vulkan {

namespace {

using Bytes = std::span<const std::byte>;

std::vector<Bytes> joined(std::vector<Bytes> spans)
{
    std::ranges::sort(spans, {}, [](Bytes b) { return b.data(); });
    std::vector<Bytes> all;
    for (const auto span : spans) {
        if (!all.empty() && span.data() < all.back().data() + all.back().size()) {
            const auto* end =
                std::max(all.back().data() + all.back().size(), span.data() + span.size());
            all.back() = { all.back().data(), end };
        } else {
            all.push_back(span);
        }
    }
    return all;
}

} // namespace

WeightSpans weightSpans(std::span<const model::Node> nodes)
{
    WeightSpans spans;
    std::map<const float*, std::span<const float>> vectors;
    for (const auto& node : nodes) {
        model::forEachWeight(node, [&](const auto& weight) {
            if constexpr (std::is_same_v<std::decay_t<decltype(weight)>, model::Matrix>) {
                spans.matrices.push_back(weight.data);
                spans.types.insert(weight.type);
            } else {
                auto& known = vectors[weight.values().data()];
                known = known.size() > weight.values().size() ? known : weight.values();
            }
        });
    }
    spans.matrices = joined(std::move(spans.matrices));
    for (const auto& [first, numbers] : vectors) {
        spans.vectors.push_back(numbers);
    }
    return spans;
}

} // namespace engine::backend::vulkan
