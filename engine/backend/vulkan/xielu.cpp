#include "engine/backend/vulkan/numbers.h"

namespace engine::backend::vulkan {

void record(Recording& recording, const model::op::Xielu& op)
{
    changeNumbers(recording, op.values, NumbersKind::Xielu,
                  { op.alphaNegative, op.alphaPositive, op.beta, op.epsilon });
}

} // namespace engine::backend::vulkan
