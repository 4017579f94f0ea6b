#include "engine/backend/vulkan/rope_store.h"

namespace engine::backend::vulkan {

namespace {

/// Everything begins and ends at multiples of 4 numbers.
bool inPieces(const model::op::Rope& rope)
{
    return rope.headLength % 4 == 0 && rope.offset % 4 == 0
        && rope.parameters->dimensions / 2 % 4 == 0;
}

} // namespace

std::optional<RopeStore> ropeStoreAt(const model::Graph& graph, std::size_t node)
{
    if (node + 2 >= graph.nodes.size()) {
        return {};
    }
    const auto* first = std::get_if<model::op::Rope>(&graph.nodes[node]);
    const auto* second = std::get_if<model::op::Rope>(&graph.nodes[node + 1]);
    const auto* store = std::get_if<model::op::StoreKv>(&graph.nodes[node + 2]);
    if (!first || !second || !store) {
        return {};
    }
    const bool swapped = first->values == store->key;
    const RopeStore joined { swapped ? second : first, swapped ? first : second, store };
    const auto& layer = graph.kv.layers[store->layer];
    const bool fits = joined.key->values == store->key && joined.query->values != store->key
        && joined.query->values != store->value && store->key != store->value
        && joined.query->parameters == joined.key->parameters
        && joined.key->parameters->dimensions > 0 && joined.key->heads == layer.heads
        && joined.key->headLength == layer.keyLength && layer.valueLength % 4 == 0
        && inPieces(*joined.query) && inPieces(*joined.key);
    return fits ? std::optional(joined) : std::nullopt;
}

void record(Recording& recording, const RopeStore& op)
{
    const auto& layer = recording.cache[op.store->layer];
    const auto& shape = layer.shape;
    const auto& parameters = *op.key->parameters;
    const auto pairs = parameters.dimensions / 8; // pieces of 4 pairs
    const auto keyLength = shape.keyLength / 4;
    const auto valueLength = shape.valueLength / 4;
    const auto query = recording.slot(op.query->values);
    const auto key = recording.slot(op.store->key);
    const auto group = recording.device.groupSize();
    for (const auto& window : layer.windows) {
        const auto queries = window.firstHead == 0 ? op.query->heads : 0; // rotated once
        const auto invocations = queries * pairs + window.heads * (keyLength - pairs + valueLength);
        recording.recorder.dispatch(
            recording.cacheType == CacheType::F32 ? "rope_store_f32" : "rope_store_f16",
            { group, parameters.pairs == model::RopePairs::Halves ? 1U : 0U },
            { input(recording.batch, Format::Bits), input(recording.ropes.at(op.key->parameters)),
              input(query), input(key), input(recording.slot(op.store->value)), output(query),
              output(key), output(window.keys), output(window.values) },
            { queries, window.heads, op.query->headLength / 4, keyLength, valueLength,
              op.query->offset / 4, op.key->offset / 4, pairs,
              recording.stride(op.query->values) / 4, recording.stride(op.store->key) / 4,
              recording.stride(op.store->value) / 4, padded(parameters.dimensions) / 4,
              recording.contextLength, window.firstHead },
            { ceilDiv(invocations, group), recording.rows });
    }
}

} // namespace engine::backend::vulkan
