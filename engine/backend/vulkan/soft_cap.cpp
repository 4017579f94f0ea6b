#include "engine/backend/vulkan/numbers.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::SoftCap& op)
{
    changeNumbers(recording, op.values, NumbersKind::SoftCap, { op.cap });
}

} // namespace engine::backend::vulkan
