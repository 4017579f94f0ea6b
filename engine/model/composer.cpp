#include "engine/model/composer.h"

namespace engine::model {

namespace {

/// A number beside a matrix (of NVFP4 conversions, of BitNet) multiplies what the matrix makes,
/// which no op does. Gemma 4 has numbers of this name that it asks for.
void refuseScale(WeightBinder& binder, const std::string& name, bool isAskedFor)
{
    constexpr std::string_view ending = ".weight";
    if (isAskedFor || !name.ends_with(ending)) {
        return;
    }
    const auto scale = name.substr(0, name.size() - ending.size()) + ".scale";
    if (const auto* info = binder.file().findTensor(scale)) {
        binder.add({ { ErrorCode::UnsupportedFeature,
                       { "matrices with scales of their own" },
                       binder.file().placeOf(info->entry.offset, scale) } });
    }
}

} // namespace

Composer::Composer(const Hparams& hparams, WeightBinder& binder, Composition& composition)
    : m_hparams(hparams)
    , m_binder(binder)
    , m_out(composition)
    , m_keys(binder.file(), hparams.architecture)
{
    m_out.graph.kv.layers.resize(hparams.blockCount);
}

Composer::~Composer()
{
    m_binder.add(m_keys.takeFaults());
}

void Composer::enter(std::uint32_t block)
{
    m_block = block;
    m_prefix = "blk." + std::to_string(block) + ".";
    auto& graph = m_out.graph;
    if (graph.blockStarts.size() <= block) { // some enter a block twice
        graph.blockStarts.resize(block + 1, static_cast<std::uint32_t>(graph.nodes.size()));
    }
}

void Composer::leave()
{
    m_prefix.clear();
}

bool Composer::has(const std::string& name) const
{
    return m_binder.has(full(name));
}

const Matrix* Composer::matrix(const std::string& name, std::uint64_t columns, std::uint64_t rows)
{
    refuseScale(m_binder, full(name), m_hparams.architecture == "gemma4");
    return &m_out.weights.matrices.emplace_back(m_binder.matrix(full(name), columns, rows));
}

const Matrix* Composer::optionalMatrix(const std::string& name, std::uint64_t columns,
                                       std::uint64_t rows)
{
    const auto found = m_binder.optionalMatrix(full(name), columns, rows);
    return found ? &m_out.weights.matrices.emplace_back(found) : nullptr;
}

const MatrixStack* Composer::stack(const std::string& name, std::uint64_t columns,
                                   std::uint64_t rows, std::uint32_t count)
{
    refuseScale(m_binder, full(name), m_hparams.architecture == "gemma4");
    return &m_out.weights.stacks.emplace_back(m_binder.stack(full(name), columns, rows, count));
}

const Vector* Composer::vector(const std::string& name, std::uint64_t length)
{
    return &m_out.weights.vectors.emplace_back(m_binder.vector(full(name), length));
}

const Vector* Composer::optionalVector(const std::string& name, std::uint64_t length)
{
    return optionalVectors(name, length, 1);
}

const Vector* Composer::optionalVectors(const std::string& name, std::uint64_t length,
                                        std::uint64_t count)
{
    auto found = m_binder.optionalVectors(full(name), length, count);
    return found ? &m_out.weights.vectors.emplace_back(std::move(found)) : nullptr;
}

const Vector* Composer::vectors(const std::string& name, std::uint64_t length, std::uint64_t count)
{
    return &m_out.weights.vectors.emplace_back(m_binder.vectors(full(name), length, count));
}

LinearWeights Composer::linear(const std::string& name, std::uint64_t columns, std::uint64_t rows)
{
    const auto* weights = matrix(name + ".weight", columns, rows);
    return { weights, optionalVector(name + ".bias", rows) };
}

LinearWeights Composer::rowsOf(const LinearWeights& fused, std::uint64_t first, std::uint64_t count)
{
    LinearWeights out;
    out.matrix = &m_out.weights.matrices.emplace_back(fused.matrix->rowRange(first, count));
    if (fused.bias) {
        out.bias = &m_out.weights.vectors.emplace_back(fused.bias->range(first, count));
    }
    return out;
}

Slot Composer::slot(const std::string& name, std::uint32_t width)
{
    const auto [at, isNew] = m_slots.try_emplace({ name, width });
    if (isNew) {
        at->second = m_out.graph.slot(width);
    }
    return at->second;
}

void Composer::linear(Slot in, const LinearWeights& weights, Slot out)
{
    add(op::Linear { in, { { weights.matrix, weights.bias, out } } });
}

void Composer::keep(KvLayer layer)
{
    m_out.graph.kv.layers[m_block] = layer;
}

RopeParameters* Composer::rope(RopeParameters parameters)
{
    return &m_out.ropes.emplace_back(parameters);
}

void Composer::refuse(const std::string& feature, const std::string& key)
{
    m_keys.fail(ErrorCode::UnsupportedFeature, { feature }, key);
}

} // namespace engine::model
