#include "engine/session/succession.h"

#include "engine/session/device_plan.h"

#include <algorithm>

namespace engine::session {

namespace {

using backend::HeldWeights;

/// Whether the device has room for what is wished beside what is there now.
bool hasRoom(const model::Model& model, const SessionOptions& options)
{
    const auto plan = planDevice(model.graph(), options.cacheType, *options.device);
    const auto count = std::min(options.deviceBlocks.value_or(plan.blocks()), plan.blocks());
    const auto context =
        options.contextLength > 0 ? options.contextLength : model.hparams().contextLength;
    return plan.fits(count, context);
}

/// How many blocks would be placed if the memory of held weights were free too.
std::uint32_t blocksWithout(const HeldWeights& held, const model::Model& model,
                            const SessionOptions& options)
{
    auto plan = planDevice(model.graph(), options.cacheType, *options.device);
    const auto context =
        options.contextLength > 0 ? options.contextLength : Session::defaultContext(model, options);
    plan.there.clear();
    plan.budget += std::min(held.bytes, UINT64_MAX - plan.budget);
    return options.deviceBlocks ? std::min(*options.deviceBlocks, plan.blocks())
                                : plan.fitting(context);
}

/// What the device has of the model's weights, for the most blocks.
HeldWeights heldBy(const backend::Backend& device, const model::Graph& graph)
{
    HeldWeights held;
    for (auto blocks = graph.blockStarts.size(); blocks > 0 && !held.hold; --blocks) {
        held = device.heldWeights(graph, static_cast<std::uint32_t>(blocks));
    }
    return held;
}

/// Where `before` leaves the device: its weights stay if the next session wants just those; others
/// need their memory.
HeldWeights handedOver(Session& before, const model::Model& model, const SessionOptions& options)
{
    const auto held = heldBy(*options.device, model.graph());
    if (!before.leaveDevice() || !held.hold) {
        return held;
    }
    return options.device->heldWeights(model.graph(), blocksWithout(held, model, options));
}

} // namespace

Result<std::unique_ptr<Session>> createAfter(Session* before,
                                             const std::shared_ptr<const model::Model>& model,
                                             const SessionOptions& options,
                                             const std::stop_token& stop,
                                             const std::function<void(double)>& progress)
{
    HeldWeights held;
    const auto isInTheWay = [&] { return before && options.device && before->placement(); };
    if (isInTheWay() && !hasRoom(*model, options)) {
        held = handedOver(*before, *model, options);
    }
    auto session = Session::create(model, options, stop, progress);
    if (session && (*session)->fallback()
        && (*session)->fallback()->code == ErrorCode::DeviceOutOfMemory && isInTheWay()) {
        held = handedOver(*before, *model, options);
        session = Session::create(model, options, stop, progress);
    }
    return session;
}

} // namespace engine::session
