#include "engine/backend/op_graph.h"

#include "engine/quant/codec.h"
#include "engine/quant/random_blocks.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace engine::backend {

std::vector<float> normalNumbers(std::size_t n, unsigned seed, float deviation)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0.0F, deviation);
    std::vector<float> out(n);
    for (auto& x : out) {
        x = normal(random);
    }
    return out;
}

std::span<const std::byte> OpGraph::keep(std::vector<std::byte> bytes)
{
    constexpr std::size_t kBehind = 64; // devices may read past the end; it means nothing
    const auto size = bytes.size();
    bytes.resize(size + kBehind);
    return std::span(m_bytes.emplace_back(std::move(bytes))).first(size);
}

model::Slot OpGraph::slot(std::uint32_t width, const std::vector<float>& values)
{
    const auto out = slot(width);
    fill(out, values);
    return out;
}

void OpGraph::fill(model::Slot slot, const std::vector<float>& values)
{
    const auto width = graph.slotWidths[static_cast<std::size_t>(slot)];
    const auto bytes = std::as_bytes(std::span(values));
    add(model::op::Embed { matrix({ gguf::TensorType::F32, width, values.size() / width,
                                    width * sizeof(float), keep({ bytes.begin(), bytes.end() }) }),
                           slot });
}

const model::Matrix* OpGraph::randomMatrix(gguf::TensorType type, std::uint64_t columns,
                                           std::uint64_t rows, unsigned seed)
{
    const auto& info = gguf::tensorTypeInfo(type);
    const auto encode = quant::codec(type)->encode;
    const auto blocks = columns / info.blockSize;
    std::vector<std::byte> bytes;
    for (std::uint64_t r = 0; r < rows; ++r) {
        const auto rowSeed = seed + static_cast<unsigned>(r);
        std::vector<std::byte> row(blocks * info.typeSize);
        if (encode) {
            encode(normalNumbers(columns, rowSeed).data(), row.data(), blocks);
        } else {
            row = quant::randomBlocks(type, columns, rowSeed);
        }
        bytes.insert(bytes.end(), row.begin(), row.end());
    }
    return matrix({ type, columns, rows, blocks * info.typeSize, keep(std::move(bytes)) });
}

const model::Matrix* OpGraph::randomBlocks(gguf::TensorType type, std::uint64_t columns,
                                           std::uint64_t rows, unsigned seed)
{
    const auto& info = gguf::tensorTypeInfo(type);
    return matrix({ type, columns, rows, columns / info.blockSize * info.typeSize,
                    keep(quant::randomBlocks(type, columns * rows, seed)) });
}

std::vector<text::TokenId> ascendingTokens(std::size_t n)
{
    std::vector<text::TokenId> tokens(n);
    std::iota(tokens.begin(), tokens.end(), 0);
    return tokens;
}

Result<std::vector<float>> OpGraph::compute(const Backend& backend, std::size_t rows,
                                            std::size_t chunk, std::uint32_t position,
                                            const std::stop_token& stop) const
{
    RunnerOptions wanted = options;
    wanted.contextLength =
        std::max(wanted.contextLength, position + static_cast<std::uint32_t>(rows));
    auto runner = backend.prepare(graph, wanted);
    if (!runner) {
        return tl::unexpected(runner.error());
    }
    const auto tokens = ascendingTokens(rows);
    std::vector<float> out;
    for (std::size_t done = 0; done < rows; done += chunk) {
        const auto part = std::span(tokens).subspan(done, std::min(chunk, rows - done));
        const auto ran = (*runner)->run(
            { part, position + static_cast<std::uint32_t>(done), Outputs::All }, stop);
        if (!ran) {
            return tl::unexpected(ran.error());
        }
        const auto logits = (*runner)->logits();
        out.insert(out.end(), logits.begin(), logits.end());
    }
    return out;
}

} // namespace engine::backend
