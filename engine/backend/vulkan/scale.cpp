#include "engine/backend/vulkan/numbers.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Scale& op)
{
    changeNumbers(recording, op.values, NumbersKind::Scale, { op.factor });
}

} // namespace engine::backend::vulkan
