#include "engine/session/context_plan.h"

#include <algorithm>
#include <limits>

namespace engine::session {

namespace {

/// Little enough for every machine, and enough for a question.
constexpr std::uint64_t kShortest = 256;

std::uint64_t bytesPerToken(const model::KvGeometry& kv, backend::CacheType type)
{
    return kv.numbers() * (type == backend::CacheType::F32 ? sizeof(float) : sizeof(std::uint16_t));
}

} // namespace

ContextPlan planContext(const model::KvGeometry& geometry, std::uint32_t trainedLength,
                        backend::CacheType type, std::uint64_t available, std::uint64_t fixedBytes)
{
    ContextPlan plan;
    plan.bytesPerToken = std::max<std::uint64_t>(1, bytesPerToken(geometry, type));
    plan.availableMemory = available;
    plan.trainedLength = trainedLength;
    // by default the cache takes half of what is free at most: weights, activations and other
    // programs need the rest
    const auto left = available - std::min(available, fixedBytes);
    const auto fitting = left / 2 / plan.bytesPerToken;
    plan.defaultLength = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(trainedLength, std::max(fitting, kShortest)));
    plan.largestLength = static_cast<std::uint32_t>(std::min<std::uint64_t>(
        std::max(2 * fitting, kShortest), std::numeric_limits<std::uint32_t>::max()));
    return plan;
}

std::uint32_t contextOnDevice(std::uint32_t longest, std::uint64_t fixedBytes,
                              std::uint64_t bytesPerToken, std::uint64_t freeBytes)
{
    constexpr std::uint32_t kLeast = 8192;
    const auto left = freeBytes - std::min(freeBytes, fixedBytes);
    const auto fitting = bytesPerToken == 0 ? longest : left / bytesPerToken;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(
        longest, std::max<std::uint64_t>(fitting, std::min(longest, kLeast))));
}

} // namespace engine::session
