#include "engine/backend/vulkan/product.h"

#include "engine/backend/vulkan/shader_types.h"

#include <algorithm>
#include <string>

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
};
constexpr Aligned kAligned[] = {
    { gguf::TensorType::F32, 16, 1 },    { gguf::TensorType::F16, 16, 1 },
    { gguf::TensorType::Q4_0, 4, 64 },   { gguf::TensorType::Q8_0, 4, 64 },
    { gguf::TensorType::Q4_K, 16, 256 },
};

/// As in linear.comp.
enum class Layout : std::uint32_t { OwnRows, SharedRows, OwnTokens };

struct Shape
{
    Layout layout = Layout::OwnRows;
    std::uint32_t group = 1; ///< invocations
    std::uint32_t rows = 1; ///< of an invocation
    std::uint32_t tokens = 1;

    [[nodiscard]] std::uint32_t rowsOfGroup() const
    {
        return layout == Layout::OwnRows ? rows * group : rows;
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

/// Targets of one dispatch with the memory that holds the weights of all.
struct Batch
{
    struct Member
    {
        const Product::Target* target;
        std::uint32_t firstByte;
    };
    Range weights;
    std::vector<Member> members;
    bool isWhole = true; ///< all rows are there; else some rows of one target
    std::uint32_t firstRow = 0;
    std::uint32_t rows = 0;
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

/// Takes one more target where one dispatch can serve it too.
bool take(const Device& device, Batch& batch, const Product::Target& target, const Window& window)
{
    const auto& first = *batch.members.front().target->matrix;
    const auto& matrix = *target.matrix;
    if (batch.members.size() == kMostTargets || !batch.isWhole || window.rows != matrix.rows
        || first.type != matrix.type || first.columns != matrix.columns) {
        return false;
    }
    const auto all = joined(device, batch.weights, window.range);
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

std::vector<Batch> batches(const Recording& recording, const Product& product, const Shape& shape)
{
    std::vector<Batch> all;
    const auto mostRows =
        std::uint64_t(recording.device.facts().maxGroups / kMostTargets) * shape.rowsOfGroup();
    for (const auto& target : product.targets) {
        for (const auto& window : recording.weights.windows(*target.matrix)) {
            if (!all.empty() && window.rows <= mostRows
                && take(recording.device, all.back(), target, window)) {
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

/// Records the batches of a product.
class ProductRecorder
{
public:
    ProductRecorder(Recording& recording, const Product& product, const Shape& shape)
        : m_recording(recording)
        , m_product(product)
        , m_shape(shape)
    {
    }

    void record(const Batch& batch)
    {
        const auto& matrix = *batch.members.front().target->matrix;
        const bool isOne = m_product.mode == Product::Mode::One;
        const auto in = m_recording.slot(m_product.in);
        const auto bias = biasRange(batch);
        const auto& from = m_product.from;
        const auto& to = m_product.to;
        std::vector<std::uint32_t> push { static_cast<std::uint32_t>(matrix.columns),
                                          m_recording.rows,
                                          m_recording.stride(m_product.in),
                                          static_cast<std::uint32_t>(matrix.rowBytes),
                                          isOne ? 0 : batch.firstRow,
                                          isOne ? kAll : batch.rows,
                                          from.offset,
                                          from.stride,
                                          isOne ? batch.firstRow : to.offset,
                                          to.stride,
                                          isOne ? 0 : m_recording.stride(m_product.route) };
        const auto route =
            m_product.mode == Product::Mode::Experts ? m_recording.slot(m_product.route) : in;
        std::vector<Binding> bindings { input(in), input(batch.weights, Format::Bits),
                                        input(bias ? *bias : in), input(route) };
        std::uint32_t groups = 0;
        for (std::size_t i = 0; i < kMostTargets; ++i) {
            const bool isThere = i < batch.members.size();
            const auto& member = batch.members[isThere ? i : 0];
            const auto& target = *member.target;
            const auto rows = isOne && !batch.isWhole ? batch.rows : target.rows;
            push.insert(push.end(),
                        { member.firstByte, rows, m_recording.stride(target.out),
                          biasAt(batch, target, bias), isThere ? groups : kAll });
            bindings.push_back(output(m_recording.slot(target.out)));
            groups += isThere ? ceilDiv(rows, m_shape.rowsOfGroup()) : 0;
        }
        const bool isAligned = (from.offset | from.stride) % 4 == 0;
        const std::uint32_t constants[] = { m_shape.group,
                                            static_cast<std::uint32_t>(m_shape.layout),
                                            m_shape.rows,
                                            m_shape.tokens,
                                            static_cast<std::uint32_t>(m_product.mode),
                                            isAligned ? 1U : 0U,
                                            hasTail(matrix) ? 1U : 0U,
                                            m_product.adds ? 1U : 0U };
        if (const auto codebook = m_recording.weights.codebook(matrix.type); codebook.buffer) {
            bindings.push_back(input(codebook, Format::Bits));
        }
        const auto shader = "linear_" + shaderOf(batch);
        m_recording.recorder.dispatch(
            shader, constants, bindings, push,
            { groups, ceilDiv(m_recording.rows, m_shape.tokensOfGroup()), m_product.pieces });
    }

private:
    static constexpr std::uint32_t kAll = 0xFFFFFFFF;

    /// Only rows of plain numbers end where they like.
    [[nodiscard]] static bool hasTail(const model::Matrix& matrix)
    {
        constexpr std::uint64_t mostOfUnit = 32;
        return gguf::tensorTypeInfo(matrix.type).blockSize == 1 && matrix.columns % mostOfUnit != 0;
    }
    [[nodiscard]] static std::string shaderOf(const Batch& batch)
    {
        const auto& matrix = *batch.members.front().target->matrix;
        const std::string name(shaderSuffix(matrix.type));
        const auto* found = std::ranges::find(kAligned, matrix.type, &Aligned::type);
        const bool fits = found != std::end(kAligned) && matrix.columns % found->weights == 0
            && matrix.rowBytes % found->bytes == 0
            && std::ranges::all_of(batch.members, [&](const auto& member) {
                              return member.firstByte % found->bytes == 0;
                          });
        return fits ? name + "_aligned" : name;
    }
    [[nodiscard]] static bool hasBias(const Product::Target& target)
    {
        return target.bias && *target.bias;
    }

    /// The memory that holds the biases of all targets; they lie in one buffer.
    [[nodiscard]] std::optional<Range> biasRange(const Batch& batch) const
    {
        std::optional<Range> all;
        for (const auto& member : batch.members) {
            if (hasBias(*member.target)) {
                const auto range = m_recording.weights.vector(*member.target->bias);
                all = all ? joined(m_recording.device, *all, range) : range;
            }
        }
        return all;
    }

    [[nodiscard]] std::uint32_t biasAt(const Batch& batch, const Product::Target& target,
                                       const std::optional<Range>& bias) const
    {
        if (!hasBias(target)) {
            return kNoBias;
        }
        const auto range = m_recording.weights.vector(*target.bias);
        const bool isOne = m_product.mode == Product::Mode::One;
        return static_cast<std::uint32_t>((range.offset - bias->offset) / sizeof(float))
            + (isOne ? batch.firstRow : 0);
    }

    Recording& m_recording;
    const Product& m_product;
    const Shape& m_shape;
};

} // namespace

void record(Recording& recording, const Product& product)
{
    for (const auto& target : product.targets) {
        if (shaderSuffix(target.matrix->type).empty()) {
            recording.recorder.fail("products with "
                                    + std::string(gguf::tensorTypeInfo(target.matrix->type).name));
            return;
        }
    }
    const auto shape = shapeFor(recording.device, product, recording.rows);
    ProductRecorder recorder(recording, product, shape);
    for (const auto& batch : batches(recording, product, shape)) {
        recorder.record(batch);
    }
}

} // namespace engine::backend::vulkan
