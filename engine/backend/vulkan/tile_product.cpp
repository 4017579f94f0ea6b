#include "engine/backend/vulkan/tile_product.h"

#include "engine/backend/vulkan/shader_types.h"
#include "shaders/shaders.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace engine::backend::vulkan {

namespace {

constexpr std::uint64_t kEnoughGroups = 128; // keep a large GPU busy

/// What VITRINE_VULKAN_TILE says.
const std::optional<TileShape>& orderedShape()
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
    return shape;
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
    const bool halves = shape.numbers == TileNumbers::Halves;
    recording.recorder.dispatch(
        (halves ? "linear_tile16_" : "linear_tile_") + type, tileConstants(shape, dispatch),
        dispatch.bindings, dispatch.push,
        { dispatch.groups, ceilDiv(recording.rows, shape.tokensOfGroup()), product.pieces },
        dispatch.work);
}

} // namespace

std::uint32_t TileShape::bytes() const
{
    constexpr std::uint32_t step = 32; // columns, as in the shaders
    constexpr std::uint32_t piece = 16; // one more than the numbers need
    constexpr std::uint32_t word = 4;
    const bool halves = numbers == TileNumbers::Halves;
    const auto row = step * (halves ? 2 : numbers == TileNumbers::Bytes ? 1 : word) + piece;
    const auto factors = halves ? word * (rowsOfGroup() + 2 * tokensOfGroup()) : 0;
    return (rowsOfGroup() + tokensOfGroup()) * row + factors;
}

bool TileShape::fits(const DeviceFacts& facts) const
{
    return group() > rowsOfGroup() && group() <= facts.maxInvocations && rows > 0 && tokens > 0
        && bytes() <= facts.sharedBytes;
}

TileShape tileShapeFor(const DeviceFacts& facts, std::uint64_t rows, std::uint32_t tokens,
                       TileNumbers numbers)
{
    if (auto ordered = orderedShape()) {
        ordered->numbers = numbers;
        return *ordered;
    }
    // 128 invocations, which every device allows
    constexpr TileShape few { 16, 4, 8, 2 }; // 64 rows × 16 tokens
    constexpr TileShape some { 16, 4, 8, 4 }; // 64 × 32, the most that 16 KiB hold
    constexpr TileShape many { 8, 8, 16, 4 }; // 64 × 64
    auto shape = tokens <= few.tokensOfGroup() ? few : tokens <= some.tokensOfGroup() ? some : many;
    shape.numbers = numbers;
    if (!shape.fits(facts)) {
        shape = some;
        shape.numbers = numbers;
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

std::array<std::uint32_t, 9> tileConstants(const TileShape& shape, const ProductDispatch& dispatch)
{
    const auto& [mode, aligned, tail, adds] = dispatch.constants;
    return { shape.group(), shape.rowLanes, shape.rows, shape.tokens,    mode,
             aligned,       tail,           adds,       shape.tokenLanes };
}

bool recordByTiles(Recording& recording, const Product& product)
{
    const auto& device = recording.device;
    // tokens that go to experts share no matrix; barriers are slow where the processor computes
    if (product.mode == Product::Mode::Experts || recording.rows < kFewestTileTokens
        || device.isSoftware()) {
        return false;
    }
    // sums of 16-bit products are as near as those of activations of 8 bits, not as those of floats
    bool halves = device.facts().features.float16 && recording.activations == ActivationMode::Q8;
    for (const auto& target : product.targets) {
        halves = halves && hasHalves(target.matrix->type);
    }
    const auto shape = tileShapeFor(device.facts(), rowsOf(product), recording.rows,
                                    halves ? TileNumbers::Halves : TileNumbers::Floats);
    if (!shape.fits(device.facts())) {
        return false;
    }
    for (const auto& batch : batches(recording, product, shape.rowsOfGroup())) {
        recordBatch(recording, product, shape, batch);
    }
    return true;
}

} // namespace engine::backend::vulkan
