#include "engine/backend/cpu/execution.h"
#include "engine/quant/codec.h"

#include <algorithm>

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::AddPositions& op)
{
    const auto& table = *op.table;
    const auto blocks = table.columns / gguf::tensorTypeInfo(table.type).blockSize;
    const auto decode = quant::codec(table.type)->decode;
    float* into = execution.slot(op.into);
    execution.forRows([&](std::size_t row, int thread) {
        // a context longer than the table goes on with its last row
        const auto position =
            std::min<std::uint64_t>(execution.batch.position + row, table.rows - 1);
        float* learned = execution.threadScratch(thread, table.columns);
        decode(table.row(position), learned, blocks);
        execution.kernels.add(into + row * table.columns, learned, table.columns);
    });
}

} // namespace engine::backend::cpu
