#include "engine/backend/vulkan/dot_product.h"

#include "engine/backend/vulkan/product_batches.h"
#include "engine/backend/vulkan/shader_types.h"
#include "engine/backend/vulkan/tile_product.h"
#include "shaders/shaders.h"

#include <algorithm>
#include <string>

namespace engine::backend::vulkan {

namespace {

// As in to_bytes.comp.
constexpr std::uint32_t kUnit = 32;
constexpr std::uint32_t kUnitBytes = 48;
constexpr std::uint32_t kFloatsOfPiece = 4;

bool multiplies(const Device& device)
{
    return device.facts().features.integerDot && !device.isSoftware();
}

std::string shaderFor(gguf::TensorType type)
{
    return "linear_dot_" + std::string(shaderSuffix(type));
}

bool hasShader(gguf::TensorType type)
{
    return !shaders::find(shaderFor(type) + ".any").empty();
}

/// The input's rows as bytes.
Range recordBytes(Recording& recording, const Product& product, std::uint64_t columns)
{
    const auto unitsOfRow = static_cast<std::uint32_t>(columns / kUnit);
    const auto units = recording.rows * unitsOfRow;
    const auto group = recording.device.groupSize();
    Range bytes = recording.scratch;
    bytes.bytes = std::uint64_t(units) * kUnitBytes;
    recording.recorder.dispatch(
        "to_bytes", { group }, { input(recording.slot(product.in)), output(bytes) },
        { units, recording.stride(product.in) / kFloatsOfPiece, unitsOfRow },
        { ceilDiv(units, group) });
    return bytes;
}

} // namespace

bool recordByDots(Recording& recording, const Product& product)
{
    const auto& device = recording.device;
    const auto& targets = product.targets;
    const bool isFit = multiplies(device) && product.mode == Product::Mode::One
        && recording.rows >= kFewestTileTokens && recording.activations == ActivationMode::Q8
        && std::ranges::all_of(targets,
                               [](const auto& target) { return hasShader(target.matrix->type); });
    if (!isFit) {
        return false;
    }
    const auto shape =
        tileShapeFor(device.facts(), rowsOf(product), recording.rows, TileNumbers::Bytes);
    if (!shape.fits(device.facts())) {
        return false;
    }
    const auto bytes = recordBytes(recording, product, targets.front().matrix->columns);
    const auto tokenGroups = ceilDiv(recording.rows, shape.tokensOfGroup());
    for (const auto& batch : batches(recording, product, shape.rowsOfGroup())) {
        auto dispatch = dispatchOf(recording, product, batch, shape.rowsOfGroup());
        dispatch.bindings[3] = input(bytes, Format::Bits);
        recording.recorder.dispatch(shaderFor(batch.members.front().target->matrix->type),
                                    tileConstants(shape, dispatch), dispatch.bindings,
                                    dispatch.push, { dispatch.groups, tokenGroups }, dispatch.work);
    }
    return true;
}

std::uint64_t dotScratch(const Device& device, const model::Graph& graph, std::uint32_t rows)
{
    return multiplies(device) && rows >= kFewestTileTokens
        ? rows * (mostColumns(graph) / kUnit) * kUnitBytes
        : 0;
}

} // namespace engine::backend::vulkan
