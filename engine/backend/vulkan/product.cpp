#include "engine/backend/vulkan/product.h"

#include "engine/backend/vulkan/dot_product.h"
#include "engine/backend/vulkan/matrix_product.h"
#include "engine/backend/vulkan/product_batches.h"
#include "engine/backend/vulkan/shader_types.h"
#include "engine/backend/vulkan/tile_product.h"

#include <algorithm>
#include <string>

namespace engine::backend::vulkan {

namespace {

/// As in linear.comp.
enum class Layout : std::uint32_t { OwnRows, SharedRows, OwnTokens };

struct Shape
{
    Layout layout = Layout::OwnRows;
    std::uint32_t group = 1; ///< invocations
    std::uint32_t rows = 1; ///< of an invocation
    std::uint32_t tokens = 1;
    bool isGated = false; ///< half of the rows are the gate's, half are those of `up`

    [[nodiscard]] std::uint32_t rowsOfGroup() const
    {
        const auto written = isGated ? rows / 2 : rows;
        return layout == Layout::OwnRows ? written * group : written;
    }
    [[nodiscard]] std::uint32_t tokensOfGroup() const
    {
        return layout == Layout::OwnTokens ? tokens * group : tokens;
    }
};

Shape shapeFor(const Device& device, const Product& product, std::uint32_t tokens)
{
    const bool scattered = product.mode == Product::Mode::Experts; // tokens share no matrix
    const auto subgroup = device.facts().subgroupSize;
    if (device.isSoftware()) {
        if (tokens == 1 || scattered) {
            return { Layout::OwnRows, subgroup, 8, 1 };
        }
        // few kinds of pipelines: each takes a while to make
        const auto vectors = ceilDiv(tokens, subgroup);
        return { Layout::OwnTokens, subgroup, 8, vectors > 2 ? 4U : vectors };
    }
    const auto group = std::clamp(subgroup, 32U, 64U);
    return { Layout::SharedRows, group, 2, scattered ? 1 : std::min(tokens, 4U) };
}

/// `gate`: of the two targets that the batch has; null: none.
void recordBatch(Recording& recording, const Product& product, const Shape& shape,
                 const Batch& batch, const model::op::Gate* gate = nullptr)
{
    constexpr std::uint32_t ungated = 0xFFFFFFFF;
    const auto dispatch = dispatchOf(recording, product, batch, shape.rowsOfGroup(),
                                     shape.layout == Layout::OwnRows, gate);
    const std::uint32_t constants[] = { shape.group,
                                        static_cast<std::uint32_t>(shape.layout),
                                        shape.rows,
                                        shape.tokens,
                                        dispatch.constants[0],
                                        dispatch.constants[1],
                                        dispatch.constants[2],
                                        dispatch.constants[3],
                                        gate ? static_cast<std::uint32_t>(gate->function)
                                             : ungated };
    recording.recorder.dispatch(
        "linear_" + dispatch.type, constants, dispatch.bindings, dispatch.push,
        { dispatch.groups, ceilDiv(recording.rows, shape.tokensOfGroup()), product.pieces },
        dispatch.work);
}

} // namespace

std::uint64_t rowsOf(const Product& product)
{
    std::uint64_t rows = 0;
    for (const auto& target : product.targets) {
        rows += target.matrix->rows;
    }
    return rows;
}

void record(Recording& recording, const Product& product)
{
    for (const auto& target : product.targets) {
        if (shaderSuffix(target.matrix->type).empty()) {
            recording.recorder.fail("products with "
                                    + std::string(gguf::tensorTypeInfo(target.matrix->type).name));
            return;
        }
    }
    if (recordByMatrices(recording, product) || recordByDots(recording, product)
        || recordByTiles(recording, product)) {
        return;
    }
    const auto shape = shapeFor(recording.device, product, recording.rows);
    for (const auto& batch : batches(recording, product, shape.rowsOfGroup())) {
        recordBatch(recording, product, shape, batch);
    }
}

bool recordGated(Recording& recording, const Product& product, const model::op::Gate& gate)
{
    auto shape = shapeFor(recording.device, product, recording.rows);
    shape.isGated = true;
    const bool inTurns = !recording.device.isSoftware() && recording.rows > shape.tokens;
    const auto& targets = product.targets;
    if (inTurns || shaderSuffix(targets.front().matrix->type).empty()) {
        return false;
    }
    const auto all = batches(recording, product, shape.rowsOfGroup());
    if (all.size() != 1 || all.front().members.size() != 2) {
        return false;
    }
    recordBatch(recording, product, shape, all.front(), &gate);
    return true;
}

} // namespace engine::backend::vulkan
