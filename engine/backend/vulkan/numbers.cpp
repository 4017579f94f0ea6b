#include "engine/backend/vulkan/numbers.h"

namespace engine::backend::vulkan {

namespace {

constexpr std::uint32_t kSoftwareGroup = 32; // fewer groups cost less there

} // namespace

std::uint32_t numbersGroup(const Device& device)
{
    return device.isSoftware() ? kSoftwareGroup : device.groupSize();
}

Groups numbersGroups(const Device& device, std::uint32_t count)
{
    const auto groups = ceilDiv(count, numbersGroup(device));
    const auto lines = ceilDiv(groups, device.facts().maxGroups);
    return lines == 0 ? Groups { 0 } : Groups { ceilDiv(groups, lines), lines };
}

void changeNumbers(Recording& recording, model::Slot values, NumbersKind kind,
                   std::array<float, 4> parameters, model::Activation function)
{
    const Numbers numbers(recording, values);
    const auto range = recording.slot(values);
    recording.recorder.dispatch("numbers",
                                { numbersGroup(recording.device), static_cast<std::uint32_t>(kind),
                                  static_cast<std::uint32_t>(function) },
                                { input(range), output(range) },
                                { numbers.count, numbers.rowPieces, numbers.tail,
                                  bits(parameters[0]), bits(parameters[1]), bits(parameters[2]),
                                  bits(parameters[3]) },
                                numbersGroups(recording.device, numbers.count));
}

} // namespace engine::backend::vulkan
