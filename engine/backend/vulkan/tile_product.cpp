#include "engine/backend/vulkan/tile_product.h"

#include "engine/backend/vulkan/product_batches.h"
#include "engine/backend/vulkan/shader_types.h"
#include "shaders/shaders.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace engine::backend::vulkan {

namespace {

// Rows shared by invocations decode the weights anew for every four tokens: from the third time on
// a tile, even if half empty, costs less.
constexpr std::uint32_t kFewestTokens = 9;
constexpr std::uint64_t kEnoughGroups = 128; // keep a large GPU busy

/// VITRINE_VULKAN_TILE ("8x4,16x4": invocations beside each other × rows of each, the same of
/// tokens): one shape for all, to measure which is best.
std::optional<TileShape> orderedShape(bool halves)
{
    static const std::optional<TileShape> shape = [] {
        TileShape ordered;
        const char* text = std::getenv("VITRINE_VULKAN_TILE");
        return text
                && std::sscanf(text, "%ux%u,%ux%u", &ordered.rowLanes, &ordered.rows,
                               &ordered.tokenLanes, &ordered.tokens)
                    == 4
            ? std::optional(ordered)
            : std::nullopt;
    }();
    auto result = shape;
    if (result) {
        result->halves = halves;
    }
    return result;
}

/// Whether the shader was built for halves and this type.
bool hasHalves(gguf::TensorType type)
{
    return !shaders::find("linear_tile16_" + std::string(shaderSuffix(type)) + ".any").empty();
}

/// The file of the type that the shader was built with: those that decode more than 32 weights at
/// once were left out.
std::string typeOf(const ProductDispatch& dispatch, const Batch& batch)
{
    return shaders::find("linear_tile_" + dispatch.type + ".any").empty()
        ? std::string(shaderSuffix(batch.members.front().target->matrix->type))
        : dispatch.type;
}

void recordBatch(Recording& recording, const Product& product, const TileShape& shape,
                 const Batch& batch)
{
    const auto dispatch = dispatchOf(recording, product, batch, shape.rowsOfGroup());
    const auto type = typeOf(dispatch, batch);
    const std::uint32_t constants[] = {
        shape.group(),         shape.rowLanes,        shape.rows,
        shape.tokens,          dispatch.constants[0], dispatch.constants[1],
        dispatch.constants[2], dispatch.constants[3], shape.tokenLanes
    };
    recording.recorder.dispatch(
        (shape.halves ? "linear_tile16_" : "linear_tile_") + type, constants, dispatch.bindings,
        dispatch.push,
        { dispatch.groups, ceilDiv(recording.rows, shape.tokensOfGroup()), product.pieces });
}

} // namespace

std::uint32_t TileShape::bytes() const
{
    constexpr std::uint32_t step = 32; // columns, as in the shader
    constexpr std::uint32_t gap = 16;
    constexpr std::uint32_t word = 4;
    const auto row = halves ? step * 2 + gap : step * 4 + gap;
    const auto factors = halves ? word * (rowsOfGroup() + 2 * tokensOfGroup()) : 0;
    return (rowsOfGroup() + tokensOfGroup()) * row + factors;
}

bool TileShape::fits(const DeviceFacts& facts) const
{
    return group() > rowsOfGroup() && group() <= facts.maxInvocations && rows > 0 && tokens > 0
        && bytes() <= facts.sharedBytes;
}

TileShape tileShapeFor(const DeviceFacts& facts, std::uint64_t rows, std::uint32_t tokens,
                       bool halves)
{
    // 128 invocations, which every device allows
    constexpr TileShape few { 16, 4, 8, 2 }; // 64 rows × 16 tokens
    constexpr TileShape some { 16, 4, 8, 4 }; // 64 × 32, the most that 16 KiB hold
    constexpr TileShape many { 8, 8, 16, 4 }; // 64 × 64
    auto shape = tokens <= few.tokensOfGroup() ? few : tokens <= some.tokensOfGroup() ? some : many;
    shape.halves = halves;
    if (!shape.fits(facts)) {
        shape = some;
        shape.halves = halves;
    }
    const auto groups = [&] {
        return std::uint64_t(ceilDiv(rows, shape.rowsOfGroup()))
            * ceilDiv(tokens, shape.tokensOfGroup());
    };
    if (groups() < kEnoughGroups) {
        shape.rows /= 2;
    }
    return shape;
}

bool recordByTiles(Recording& recording, const Product& product)
{
    const auto& device = recording.device;
    // tokens that go to experts share no matrix; barriers are slow where the processor computes
    if (product.mode == Product::Mode::Experts || recording.rows < kFewestTokens
        || device.isSoftware()) {
        return false;
    }
    // sums of 16-bit products are as near as those of activations of 8 bits, not as those of floats
    bool halves = device.facts().features.float16 && recording.activations == ActivationMode::Q8;
    std::uint64_t rows = 0;
    for (const auto& target : product.targets) {
        rows += target.matrix->rows;
        halves = halves && hasHalves(target.matrix->type);
    }
    const auto ordered = orderedShape(halves);
    const auto shape =
        ordered ? *ordered : tileShapeFor(device.facts(), rows, recording.rows, halves);
    if (!shape.fits(device.facts())) {
        return false;
    }
    for (const auto& batch : batches(recording, product, shape.rowsOfGroup())) {
        recordBatch(recording, product, shape, batch);
    }
    return true;
}

} // namespace engine::backend::vulkan
