#include "engine/session/device_plan.h"

#include "engine/session/context_plan.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace engine::session {

namespace {

using backend::OffloadNeeds;

/// `f` of each number of both, which are of one graph.
template <typename F>
OffloadNeeds each(const OffloadNeeds& a, const OffloadNeeds& b, F&& f)
{
    OffloadNeeds out;
    for (std::size_t i = 0; i < a.blocks.size(); ++i) {
        out.blocks.push_back(f(a.blocks[i], b.blocks[i]));
    }
    out.input = f(a.input, b.input);
    out.scratch = f(a.scratch, b.scratch);
    out.crossing = f(a.crossing, b.crossing);
    return out;
}

OffloadNeeds at(const DevicePlan& plan, std::uint64_t context)
{
    return each(plan.weights, plan.perToken, [context](std::uint64_t fixed, std::uint64_t token) {
        return fixed + context * token;
    });
}

std::uint64_t thereOf(const DevicePlan& plan, std::uint32_t count)
{
    return count < plan.there.size() ? plan.there[count] : 0;
}

} // namespace

std::uint64_t DevicePlan::deviceBytes(std::uint32_t count, std::uint32_t context) const
{
    return at(*this, context).deviceBytes(count);
}

std::uint64_t DevicePlan::cpuBytes(std::uint32_t count, std::uint32_t context) const
{
    const auto needs = at(*this, context);
    const auto all = std::accumulate(needs.blocks.begin(), needs.blocks.end(), needs.input);
    return count == 0 ? all : all + needs.scratchBytes(count) - needs.deviceBytes(count);
}

bool DevicePlan::fits(std::uint32_t count, std::uint32_t context) const
{
    const auto bytes = deviceBytes(count, context);
    return bytes - std::min(bytes, thereOf(*this, count)) <= budget;
}

std::uint32_t DevicePlan::fitting(std::uint32_t context) const
{
    return backend::fittingBlocks(at(*this, context), budget,
                                  [&](std::uint32_t count) { return thereOf(*this, count); });
}

std::uint32_t DevicePlan::defaultContext(std::uint32_t longest,
                                         std::optional<std::uint32_t> count) const
{
    const auto placed = std::min(count.value_or(blocks()), blocks());
    const auto bytes = weights.deviceBytes(placed);
    return contextOnDevice(longest, bytes - std::min(bytes, thereOf(*this, placed)),
                           perToken.deviceBytes(placed), budget);
}

DevicePlan planDevice(const model::Graph& graph, backend::CacheType cacheType,
                      const backend::Backend& device)
{
    backend::RunnerOptions options { .batchLength = kLongestChunk, .cacheType = cacheType };
    DevicePlan plan;
    plan.weights = device.needs(graph, options);
    options.contextLength = 1;
    plan.perToken = each(device.needs(graph, options), plan.weights, std::minus());
    plan.budget = device.freeBytes();
    const bool isBound = plan.budget < UINT64_MAX;
    for (std::uint32_t count = 0; isBound && count <= plan.blocks(); ++count) {
        plan.there.push_back(device.heldWeights(graph, count).bytes);
    }
    return plan;
}

std::vector<std::uint32_t> runningBlocks(const model::Graph& graph, const backend::Backend& device)
{
    backend::RunnerOptions options;
    std::vector<std::uint32_t> running;
    for (std::uint32_t count = 0; count <= graph.blockStarts.size(); ++count) {
        options.deviceBlocks = count;
        running.push_back(device.deviceBlocks(graph, options));
    }
    return running;
}

} // namespace engine::session
