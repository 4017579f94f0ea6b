#include "engine/backend/cpu/execution.h"
#include "engine/quant/codec.h"

namespace engine::backend::cpu {

void run(Execution& execution, const model::op::Embed& op)
{
    const auto& table = *op.table;
    const auto blocks = table.columns / gguf::tensorTypeInfo(table.type).blockSize;
    const auto decode = quant::codec(table.type)->decode;
    float* out = execution.slot(op.out);
    execution.forRows([&](std::size_t row, int) {
        const auto token = static_cast<std::uint64_t>(execution.batch.tokens[row]);
        decode(table.row(token), out + row * table.columns, blocks);
    });
}

} // namespace engine::backend::cpu
