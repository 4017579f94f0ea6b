#include "engine/backend/vulkan/numbers.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Clamp& op)
{
    changeNumbers(recording, op.values, NumbersKind::Clamp, { op.limit });
}

} // namespace engine::backend::vulkan
