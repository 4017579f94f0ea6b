#include "engine/backend/cpu/execution.h"

#include <algorithm>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::KeepOutputs& op)
{
    const auto width = execution.width(op.in);
    const auto before = execution.rows;
    const float* in = execution.slot(op.in);
    switch (execution.batch.outputs) {
    case Outputs::None:
        execution.rows = 0;
        break;
    case Outputs::Last:
        execution.rows = 1;
        break;
    case Outputs::All:
        break;
    }
    const auto kept = execution.rows * width;
    std::copy_n(in + before * width - kept, kept, execution.slot(op.out));
}

} // namespace engine::backend::cpu
