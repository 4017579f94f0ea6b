#include "engine/backend/vulkan/node_cost.h"

#include "engine/model/node_weights.h"

namespace engine::backend::vulkan {

double multiplications(const model::Node& node, const model::Graph& graph, std::uint32_t rows,
                       std::uint32_t contextLength)
{
    double numbers = 0;
    if (const auto* attention = std::get_if<model::op::Attention>(&node)) {
        const auto& layer = graph.kv.layers[attention->layer];
        numbers = double(attention->heads) * (layer.keyLength + layer.valueLength) * contextLength;
    } else if (const auto* experts = std::get_if<model::op::ExpertLinear>(&node)) {
        for (const auto& target : experts->targets) {
            numbers += double(experts->used) * double(target.experts->all.columns)
                * double(target.experts->rowsOfOne());
        }
    } else if (!std::holds_alternative<model::op::Embed>(node)
               && !std::holds_alternative<model::op::AddPositions>(node)) {
        model::forEachMatrix(node, [&](const model::Matrix& matrix) {
            numbers += double(matrix.rows) * double(matrix.columns);
        });
    }
    return numbers * rows;
}

} // namespace engine::backend::vulkan
