#include "engine/backend/vulkan/attention.h"

#include "engine/backend/vulkan/recording.h"

#include <algorithm>
#include <thread>

namespace engine::backend::vulkan {

namespace {

// On software devices a workgroup is one subgroup and few of them fill all processors.
constexpr std::uint32_t kSoftwareSteps = 4;
constexpr std::uint32_t kSoftwareHeads = 4;
constexpr std::uint32_t kSoftwareSums = 16; // pieces of sums that an invocation keeps
// Elsewhere: what fits into 16 KiB of shared memory, with registers to spare.
constexpr std::uint32_t kGroupSize = 128;
constexpr std::uint32_t kSteps = 2;
constexpr std::uint32_t kSums = 8;
constexpr std::uint32_t kEnoughGroups = 256; // fill a GPU
constexpr std::uint32_t kKeysOfPart = 512; // fewer aren't worth a workgroup of their own
constexpr std::uint32_t kMostParts = 32;

/// The largest divisor of `group` that is at most `most`.
std::uint32_t sharing(std::uint32_t group, std::uint32_t most)
{
    std::uint32_t heads = std::max(1U, std::min(group, most));
    while (group % heads != 0) {
        --heads;
    }
    return heads;
}

AttentionPlan softwarePlan(const Device& device, const model::op::Attention& op,
                           const model::KvLayer& layer, std::uint32_t rows)
{
    AttentionPlan plan;
    plan.groupSize = device.groupSize();
    plan.steps = kSoftwareSteps;
    const auto pieces = padded(layer.valueLength) / 4;
    while (2 * plan.slices * pieces <= plan.groupSize) {
        plan.slices *= 2;
    }
    const auto group = op.heads / layer.heads;
    // queries of odd lengths are read number by number: one of them is code enough
    const auto sums = layer.keyLength % 4 == 0
        ? std::max(1U, kSoftwareSums / ceilDiv(pieces, plan.groupSize))
        : 1;
    const auto processors = std::max(1U, std::thread::hardware_concurrency());
    plan.heads = sharing(group, std::min(kSoftwareHeads, sums));
    while (plan.heads > 1 && op.heads / plan.heads * rows < processors) {
        plan.heads = sharing(group, plan.heads - 1);
    }
    plan.rows = rows > 1 && 2 * plan.heads <= sums ? 2 : 1;
    return plan;
}

} // namespace

AttentionPlan attentionPlan(const Device& device, const model::op::Attention& op,
                            const model::KvLayer& layer, std::uint32_t rows,
                            std::uint32_t contextLength)
{
    if (device.readsTexels()) {
        return softwarePlan(device, op, layer, rows);
    }
    // without texels (in tests) a software device runs the same in small: it compiles slowly
    const bool small = device.isSoftware();
    AttentionPlan plan;
    plan.groupSize =
        small ? 2 * device.groupSize() : std::min(kGroupSize, device.facts().maxInvocations);
    plan.steps = small ? 1 : kSteps;
    const auto pieces = padded(layer.valueLength) / 4;
    plan.slices = std::max(1U, plan.groupSize / pieces);
    const auto sums = std::max(1U, (small ? 2 : kSums) / ceilDiv(pieces, plan.groupSize));
    plan.heads = sharing(op.heads / layer.heads, sums);
    plan.rows = std::min(rows, sums / plan.heads);
    if (rows == 1) {
        const auto keys = op.window > 0 ? std::min(op.window, contextLength) : contextLength;
        const auto groups = op.heads / plan.heads;
        plan.parts = std::clamp(
            std::min(keys / (small ? plan.groupSize : kKeysOfPart), kEnoughGroups / groups), 1U,
            kMostParts);
    }
    return plan;
}

std::uint64_t attentionScratch(const Device& device, const model::Graph& graph,
                               std::uint32_t contextLength)
{
    std::uint64_t most = 0;
    for (const auto& node : graph.nodes) {
        if (const auto* op = std::get_if<model::op::Attention>(&node)) {
            const auto& layer = graph.kv.layers[op->layer];
            const auto parts = attentionPlan(device, *op, layer, 1, contextLength).parts;
            if (parts > 1) {
                most = std::max(most,
                                std::uint64_t(op->heads) * parts * (padded(layer.valueLength) + 4)
                                    * sizeof(float));
            }
        }
    }
    return most;
}

namespace {

/// Multiplications of one head with all positions that it may see.
double workOfHead(const Recording& recording, const model::op::Attention& op,
                  const model::KvLayer& layer)
{
    auto keys = recording.contextLength;
    for (const auto most : { op.window, op.chunk }) {
        keys = most > 0 ? std::min(keys, most) : keys;
    }
    return double(recording.rows) * (layer.keyLength + layer.valueLength) * keys;
}

} // namespace

void record(Recording& recording, const model::op::Attention& op)
{
    const auto& layer = recording.cache[op.layer];
    const auto& shape = layer.shape;
    const auto plan =
        attentionPlan(recording.device, op, shape, recording.rows, recording.contextLength);
    const auto query = recording.slot(op.query);
    const auto out = recording.slot(op.out);
    const bool hasSinks = op.sinks && *op.sinks;
    const auto sinks = input(hasSinks ? recording.weights.vector(*op.sinks) : query);
    const bool isFloat = recording.cacheType == CacheType::F32;
    const auto format = isFloat ? Format::Floats : Format::Halves;
    const auto group = op.heads / shape.heads;
    const auto ofHead = workOfHead(recording, op, shape);
    for (const auto& window : layer.windows) {
        const auto work = ofHead * window.heads * group;
        recording.recorder.dispatch(
            isFloat ? "attention_f32" : "attention_f16",
            { plan.groupSize, shape.keyLength, shape.valueLength, plan.heads, plan.rows, plan.steps,
              plan.slices, plan.parts, hasSinks ? 1U : 0U, op.softCap > 0 ? 1U : 0U,
              op.alibi > 0 ? 1U : 0U },
            { input(recording.batch, Format::Bits), input(query), input(window.keys, format),
              input(window.values, format), sinks,
              output(plan.parts > 1 ? recording.scratch : out) },
            { recording.rows, op.heads, group, recording.contextLength, recording.stride(op.query),
              recording.stride(op.out), op.window, op.chunk, bits(op.scale), bits(op.softCap),
              bits(op.alibi), window.firstHead * group },
            { window.heads * group / plan.heads, ceilDiv(recording.rows, plan.rows), plan.parts },
            work);
        recording.attentionWork += work;
    }
    if (plan.parts > 1) {
        recording.recorder.dispatch(
            "attention_join", { plan.groupSize, shape.valueLength, plan.parts, hasSinks ? 1U : 0U },
            { input(recording.scratch), sinks, output(out) },
            { op.heads, recording.stride(op.out) }, { op.heads, recording.rows });
    }
}

} // namespace engine::backend::vulkan
