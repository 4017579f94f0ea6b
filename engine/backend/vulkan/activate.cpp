#include "engine/backend/vulkan/numbers.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Activate& op)
{
    if (op.function != model::Activation::Identity) {
        changeNumbers(recording, op.values, NumbersKind::Activate, {}, op.function);
    }
}

} // namespace engine::backend::vulkan
