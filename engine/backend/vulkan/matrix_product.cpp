#include "engine/backend/vulkan/matrix_product.h"

#include "engine/backend/vulkan/product_batches.h"
#include "engine/backend/vulkan/shader_types.h"
#include "shaders/shaders.h"

#include <algorithm>
#include <string>

namespace engine::backend::vulkan {

namespace {

constexpr std::uint32_t kFewRows = 8; // up to here weights are read, not multiplied
// As in linear_matrix.comp.
constexpr std::uint32_t kShares = 2; // of rows, and of tokens
constexpr std::uint32_t kDepth = 64;
constexpr std::uint32_t kHalvesOfPiece = 8;
constexpr std::uint32_t kPieceBytes = 16;
constexpr std::uint32_t kRowsOfShare = 32;
constexpr std::uint32_t kLeastTokensOfShare = 16;
constexpr std::uint32_t kMostTokensOfShare = 64;
constexpr std::uint32_t kEnoughGroups = 128; // keep a GPU busy

/// Pieces of a row of to_halves.comp.
std::uint32_t piecesOf(std::uint64_t columns)
{
    return 1 + ceilDiv(columns, kDepth) * (kDepth / kHalvesOfPiece);
}

struct Plan
{
    MatrixShape shape;
    std::uint32_t rowTiles = 1;
    std::uint32_t tokenTiles = 1;

    [[nodiscard]] std::uint32_t rows() const { return kShares * rowTiles * shape.m; }
    [[nodiscard]] std::uint32_t tokens() const { return kShares * tokenTiles * shape.n; }
    [[nodiscard]] std::uint32_t groupSize() const { return kShares * kShares * shape.lanes; }
    [[nodiscard]] std::uint32_t sharedBytes() const
    {
        return (rows() + tokens()) * (kDepth / kHalvesOfPiece + 1) * kPieceBytes
            + kShares * kShares * shape.m * shape.n * static_cast<std::uint32_t>(sizeof(float));
    }
};

/// Many tokens a group, as each decodes the weights that it needs, but enough groups.
Plan planFor(const MatrixShape& shape, std::uint64_t rows, std::uint32_t tokens)
{
    Plan plan { shape, kRowsOfShare / shape.m, std::max(1U, kMostTokensOfShare / shape.n) };
    const auto isTooWide = [&] {
        return plan.tokens() / 2 >= tokens
            || std::uint64_t(ceilDiv(rows, plan.rows())) * ceilDiv(tokens, plan.tokens())
            < kEnoughGroups;
    };
    while (plan.tokenTiles > 1 && plan.tokenTiles * shape.n > kLeastTokensOfShare && isTooWide()) {
        plan.tokenTiles /= 2;
    }
    return plan;
}

bool hasShader(gguf::TensorType type)
{
    return !shaders::find("linear_matrix_" + std::string(shaderSuffix(type)) + ".storage").empty();
}

bool canMultiply(const Device& device, const Plan& plan)
{
    return device.variant() == ShaderVariant::Storage
        && plan.groupSize() <= device.facts().maxInvocations
        && plan.sharedBytes() <= device.facts().sharedBytes;
}

/// The input's rows as halves, of as many tokens as whole groups have.
Range recordHalves(Recording& recording, const Product& product, std::uint32_t columns,
                   std::uint32_t tokens)
{
    const auto pieces = piecesOf(columns);
    Range halves = recording.scratch;
    halves.bytes = std::uint64_t(tokens) * pieces * kPieceBytes;
    recording.recorder.dispatch(
        "to_halves", { recording.device.groupSize() },
        { input(recording.slot(product.in)), output(halves) },
        { recording.rows, recording.stride(product.in) / 4, ceilDiv(columns, 4), pieces },
        { tokens });
    return halves;
}

} // namespace

bool recordByMatrices(Recording& recording, const Product& product)
{
    const auto& device = recording.device;
    const bool isFit = device.matrices() && product.mode == Product::Mode::One
        && recording.rows > kFewRows && recording.activations != ActivationMode::Float
        && std::ranges::all_of(product.targets,
                               [](const auto& target) { return hasShader(target.matrix->type); });
    if (!isFit) {
        return false;
    }
    const auto plan = planFor(*device.matrices(), rowsOf(product), recording.rows);
    if (!canMultiply(device, plan)) {
        return false;
    }
    const auto columns = static_cast<std::uint32_t>(product.targets.front().matrix->columns);
    const auto groups = ceilDiv(recording.rows, plan.tokens());
    const auto halves = recordHalves(recording, product, columns, groups * plan.tokens());
    for (const auto& batch : batches(recording, product, plan.rows())) {
        auto dispatch = dispatchOf(recording, product, batch, plan.rows());
        dispatch.bindings[3] = input(halves, Format::Bits);
        const auto& [mode, aligned, tail, adds] = dispatch.constants;
        const std::uint32_t constants[] = {
            plan.groupSize(), plan.shape.m, plan.shape.n, plan.shape.k,  mode,
            aligned,          tail,         adds,         plan.rowTiles, plan.tokenTiles
        };
        recording.recorder.dispatch("linear_matrix_" + dispatch.type, constants, dispatch.bindings,
                                    dispatch.push, { dispatch.groups, groups }, dispatch.work);
    }
    return true;
}

std::uint64_t matrixScratch(const Device& device, const model::Graph& graph, std::uint32_t rows)
{
    const auto columns = mostColumns(graph);
    if (!device.matrices() || rows <= kFewRows || columns == 0) {
        return 0;
    }
    constexpr auto tokens = kShares * kMostTokensOfShare; // of the widest group
    return std::uint64_t(ceilDiv(rows, tokens)) * tokens * piecesOf(columns) * kPieceBytes;
}

} // namespace engine::backend::vulkan
