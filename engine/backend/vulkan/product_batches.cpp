#include "engine/backend/vulkan/product_batches.h"

#include "engine/backend/vulkan/shader_types.h"

#include <algorithm>
#include <optional>

namespace engine::backend::vulkan {

namespace {

constexpr std::size_t kMostTargets = 3; // of one dispatch
constexpr std::uint32_t kNoBias = 0xFFFFFFFF;

/// Types with a second shader for rows that begin at multiples of so many bytes and are of so many
/// weights.
struct Aligned
{
    gguf::TensorType type;
    std::uint32_t bytes;
    std::uint32_t weights;
    bool ofManyTokens = true; ///< else only where an invocation has rows of its own
};
constexpr Aligned kAligned[] = {
    { gguf::TensorType::F32, 16, 1 },  { gguf::TensorType::F16, 16, 1 },
    { gguf::TensorType::Q4_0, 4, 64 }, { gguf::TensorType::Q4_1, 8, 64, false },
    { gguf::TensorType::Q8_0, 4, 64 }, { gguf::TensorType::Q4_K, 16, 256 },
};

/// The memory that holds both; nothing where one binding can't.
std::optional<Range> joined(const Device& device, const Range& a, const Range& b)
{
    const auto begin = std::min(a.offset, b.offset);
    const auto end = std::max(a.offset + a.bytes, b.offset + b.bytes);
    return a.buffer == b.buffer && end - begin <= device.inputRange()
        ? std::optional(Range { a.buffer, begin, end - begin })
        : std::nullopt;
}

bool hasBias(const Product::Target& target)
{
    return target.bias && *target.bias;
}

/// Whether one binding holds the target's bias and those that are there.
bool fitsBiases(const Recording& recording, const Batch& batch, const Product::Target& target)
{
    return !hasBias(target) || std::ranges::all_of(batch.members, [&](const auto& member) {
        return !hasBias(*member.target)
            || joined(recording.device, recording.weights.vector(*member.target->bias),
                      recording.weights.vector(*target.bias));
    });
}

/// Takes one more target where one dispatch can serve it too.
bool take(const Recording& recording, Batch& batch, const Product::Target& target,
          const Window& window)
{
    const auto& first = *batch.members.front().target->matrix;
    const auto& matrix = *target.matrix;
    if (batch.members.size() == kMostTargets || !batch.isWhole || window.rows != matrix.rows
        || first.type != matrix.type || first.columns != matrix.columns
        || !fitsBiases(recording, batch, target)) {
        return false;
    }
    const auto all = joined(recording.device, batch.weights, window.range);
    if (!all) {
        return false;
    }
    for (auto& member : batch.members) {
        member.firstByte += static_cast<std::uint32_t>(batch.weights.offset - all->offset);
    }
    batch.members.push_back(
        { &target,
          window.firstByte + static_cast<std::uint32_t>(window.range.offset - all->offset) });
    batch.weights = *all;
    return true;
}

/// Only rows of plain numbers end where they like.
bool hasTail(const model::Matrix& matrix)
{
    constexpr std::uint64_t mostOfUnit = 32;
    return gguf::tensorTypeInfo(matrix.type).blockSize == 1 && matrix.columns % mostOfUnit != 0;
}

std::string typeOf(const Batch& batch, bool ownRows)
{
    const auto& matrix = *batch.members.front().target->matrix;
    const std::string name(shaderSuffix(matrix.type));
    const auto* found = std::ranges::find(kAligned, matrix.type, &Aligned::type);
    const bool fits = found != std::end(kAligned) && matrix.columns % found->weights == 0
        && (ownRows || found->ofManyTokens) && matrix.rowBytes % found->bytes == 0
        && std::ranges::all_of(batch.members, [&](const auto& member) {
                          return member.firstByte % found->bytes == 0;
                      });
    return fits ? name + "_aligned" : name;
}

/// The memory that holds the biases of all targets; they lie in one buffer.
std::optional<Range> biasRange(const Recording& recording, const Batch& batch)
{
    std::optional<Range> all;
    for (const auto& member : batch.members) {
        if (hasBias(*member.target)) {
            const auto range = recording.weights.vector(*member.target->bias);
            all = all ? joined(recording.device, *all, range) : range;
        }
    }
    return all;
}

std::uint32_t biasAt(const Recording& recording, const Product::Target& target,
                     const std::optional<Range>& bias, std::uint32_t firstRow)
{
    if (!hasBias(target)) {
        return kNoBias;
    }
    const auto range = recording.weights.vector(*target.bias);
    return static_cast<std::uint32_t>((range.offset - bias->offset) / sizeof(float)) + firstRow;
}

} // namespace

std::vector<Batch> batches(const Recording& recording, const Product& product,
                           std::uint32_t rowsOfGroup)
{
    std::vector<Batch> all;
    const auto mostRows =
        std::uint64_t(recording.device.facts().maxGroups / kMostTargets) * rowsOfGroup;
    for (const auto& target : product.targets) {
        for (const auto& window : recording.weights.windows(*target.matrix)) {
            if (!all.empty() && window.rows <= mostRows
                && take(recording, all.back(), target, window)) {
                continue;
            }
            // the rows of a stack's window are of many matrices: the shader sees which are there
            const auto step = product.mode == Product::Mode::One ? mostRows : window.rows;
            for (std::uint64_t row = 0; row < window.rows; row += step) {
                const auto rows = std::min(step, window.rows - row);
                all.push_back(
                    { window.range,
                      { { &target,
                          window.firstByte
                              + static_cast<std::uint32_t>(row * target.matrix->rowBytes) } },
                      rows == target.matrix->rows,
                      static_cast<std::uint32_t>(window.firstRow + row),
                      static_cast<std::uint32_t>(rows) });
            }
        }
    }
    return all;
}

ProductDispatch dispatchOf(const Recording& recording, const Product& product, const Batch& batch,
                           std::uint32_t rowsOfGroup, bool ownRows, const model::op::Gate* gate)
{
    constexpr std::uint32_t kAll = 0xFFFFFFFF;
    const auto& matrix = *batch.members.front().target->matrix;
    const bool isOne = product.mode == Product::Mode::One;
    const auto in = recording.slot(product.in);
    const auto bias = biasRange(recording, batch);
    const auto& from = product.from;
    const auto& to = product.to;
    const bool isAligned = (from.offset | from.stride) % 4 == 0;
    const auto route = product.mode == Product::Mode::Experts ? recording.slot(product.route) : in;
    ProductDispatch dispatch {
        typeOf(batch, ownRows),
        { static_cast<std::uint32_t>(product.mode), isAligned ? 1U : 0U, hasTail(matrix) ? 1U : 0U,
          product.adds ? 1U : 0U },
        { input(in), input(batch.weights, Format::Bits), input(bias ? *bias : in), input(route) },
        { static_cast<std::uint32_t>(matrix.columns), recording.rows, recording.stride(product.in),
          static_cast<std::uint32_t>(matrix.rowBytes), isOne ? 0 : batch.firstRow,
          isOne ? kAll : batch.rows, from.offset, from.stride, isOne ? batch.firstRow : to.offset,
          to.stride, isOne ? 0 : recording.stride(product.route) }
    };
    for (std::size_t i = 0; i < kMostTargets; ++i) {
        const bool isThere = i < batch.members.size();
        const bool hasGroups = gate ? i == 0 : isThere; // of a gate the first one's serve both
        const auto& member = batch.members[isThere ? i : 0];
        const auto& target = *member.target;
        const auto rows = isOne && !batch.isWhole ? batch.rows : target.rows;
        dispatch.push.insert(dispatch.push.end(),
                             { member.firstByte, rows, recording.stride(target.out),
                               biasAt(recording, target, bias, isOne ? batch.firstRow : 0),
                               hasGroups ? dispatch.groups : kAll });
        dispatch.bindings.push_back(output(recording.slot(target.out)));
        dispatch.groups += hasGroups ? ceilDiv(rows, rowsOfGroup) : 0;
        dispatch.work +=
            isThere ? double(rows) * product.pieces * double(matrix.columns) * recording.rows : 0;
    }
    dispatch.push.push_back(bits(gate ? gate->limit : 0.0F));
    if (const auto codebook = recording.weights.codebook(matrix.type); codebook.buffer) {
        dispatch.bindings.push_back(input(codebook, Format::Bits));
    }
    return dispatch;
}

} // namespace engine::backend::vulkan
