// Embed and AddPositions: both decode rows of a table.
#include "engine/backend/vulkan/recording.h"
#include "engine/backend/vulkan/shader_types.h"

namespace engine::backend::vulkan {

namespace {

constexpr std::uint32_t kFewestOfUnit = 4; // weights that an invocation decodes, at the least

enum class Rows { OfTokens, OfPositions };

void recordRows(Recording& recording, const model::Matrix& table, Rows which, model::Slot slot)
{
    const auto suffix = shaderSuffix(table.type);
    if (suffix.empty()) {
        recording.recorder.fail("rows of " + std::string(gguf::tensorTypeInfo(table.type).name));
        return;
    }
    const auto group = recording.device.groupSize();
    const auto columns = static_cast<std::uint32_t>(table.columns);
    const std::uint32_t constants[] = { group, which == Rows::OfPositions };
    for (const auto& window : recording.weights.windows(table)) {
        std::vector<Binding> bindings { input(recording.batch, Format::Bits),
                                        input(window.range, Format::Bits),
                                        output(recording.slot(slot)) };
        if (const auto codebook = recording.weights.codebook(table.type); codebook.buffer) {
            bindings.push_back(input(codebook, Format::Bits));
        }
        const std::uint32_t push[] = { columns,
                                       recording.stride(slot) / 4,
                                       static_cast<std::uint32_t>(table.rowBytes),
                                       window.firstByte,
                                       static_cast<std::uint32_t>(window.firstRow),
                                       static_cast<std::uint32_t>(window.rows),
                                       static_cast<std::uint32_t>(table.rows - 1) };
        recording.recorder.dispatch("embed_" + std::string(suffix), constants, bindings, push,
                                    { ceilDiv(columns, group * kFewestOfUnit), recording.rows });
    }
}

} // namespace

void record(Recording& recording, const model::op::Embed& op)
{
    recordRows(recording, *op.table, Rows::OfTokens, op.out);
}

void record(Recording& recording, const model::op::AddPositions& op)
{
    recordRows(recording, *op.table, Rows::OfPositions, op.into);
}

} // namespace engine::backend::vulkan
