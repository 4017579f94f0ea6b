// The dense llama family: Llama 1 to 3, Mistral, TinyLlama, SmolLM2. Source: arXiv 2302.13971 and
// the GGUF specification's tensor names; Llama 3.1's frequency divisors come as the tensor
// rope_freqs.
#include "engine/model/architectures/architecture.h"

#include <cmath>

namespace engine::model {

namespace {

std::optional<Error> unsupported(const gguf::GgufFile& file, const Hparams& hparams)
{
    const auto key = hparams.architecture + ".expert_count";
    const auto* experts = file.find(key);
    if (experts && experts->asUnsigned().value_or(0) > 0) {
        return Error { ErrorCode::UnsupportedFeature,
                       { "mixtures of experts" },
                       { file.path(), experts->span().offset, key } };
    }
    return std::nullopt;
}

void bind(WeightBinder& binder, const Hparams& h, Weights& w)
{
    const std::uint64_t d = h.embeddingLength;
    const std::uint64_t heads = std::uint64_t(h.headCount) * h.keyLength;
    const std::uint64_t keys = std::uint64_t(h.headCountKv) * h.keyLength;
    const std::uint64_t values = std::uint64_t(h.headCountKv) * h.valueLength;
    w.tokenEmbedding = binder.matrix("token_embd.weight", d, h.vocabularySize);
    w.outputNorm = binder.vector("output_norm.weight", d);
    w.output = binder.optionalMatrix("output.weight", d, h.vocabularySize);
    if (!w.output) {
        w.output = w.tokenEmbedding;
    }
    w.ropeFactors = binder.optionalVector("rope_freqs.weight", h.ropeDimensions / 2);
    w.blocks.resize(h.blockCount);
    for (std::uint32_t i = 0; i < h.blockCount; ++i) {
        const std::string p = "blk." + std::to_string(i) + ".";
        auto& b = w.blocks[i];
        b.attentionNorm = binder.vector(p + "attn_norm.weight", d);
        b.query = binder.linear(p + "attn_q", d, heads);
        b.key = binder.linear(p + "attn_k", d, keys);
        b.value = binder.linear(p + "attn_v", d, values);
        b.attentionOutput =
            binder.linear(p + "attn_output", std::uint64_t(h.headCount) * h.valueLength, d);
        b.feedForwardNorm = binder.vector(p + "ffn_norm.weight", d);
        b.gate = binder.linear(p + "ffn_gate", d, h.feedForwardLength);
        b.up = binder.linear(p + "ffn_up", d, h.feedForwardLength);
        b.down = binder.linear(p + "ffn_down", h.feedForwardLength, d);
    }
}

op::Linear::Target target(const LinearWeights& linear, Slot out)
{
    return { &linear.matrix, linear.bias ? &linear.bias : nullptr, out };
}

Graph build(const Hparams& h, const Weights& w, const RopeParameters& rope)
{
    Graph g;
    g.kv = { h.blockCount, h.headCountKv, h.keyLength, h.valueLength };
    const auto residual = g.slot(h.embeddingLength);
    const auto normed = g.slot(h.embeddingLength);
    const auto query = g.slot(h.headCount * h.keyLength);
    const auto key = g.slot(h.headCountKv * h.keyLength);
    const auto value = g.slot(h.headCountKv * h.valueLength);
    const auto attended = g.slot(h.headCount * h.valueLength);
    const auto gate = g.slot(h.feedForwardLength);
    const auto up = g.slot(h.feedForwardLength);
    const float scale = 1.0F / std::sqrt(float(h.keyLength));

    g.add(op::Embed { &w.tokenEmbedding, residual });
    for (std::uint32_t layer = 0; layer < h.blockCount; ++layer) {
        const auto& b = w.blocks[layer];
        g.add(op::RmsNorm { residual, &b.attentionNorm, h.rmsEpsilon, normed });
        g.add(op::Linear {
            normed, { target(b.query, query), target(b.key, key), target(b.value, value) } });
        g.add(op::Rope { query, h.headCount, h.keyLength, &rope });
        g.add(op::Rope { key, h.headCountKv, h.keyLength, &rope });
        g.add(op::StoreKv { layer, key, value });
        g.add(op::Attention { layer, query, attended, h.headCount, scale });
        g.add(op::Linear { attended, { target(b.attentionOutput, normed) } });
        g.add(op::Add { residual, normed });
        g.add(op::RmsNorm { residual, &b.feedForwardNorm, h.rmsEpsilon, normed });
        g.add(op::Linear { normed, { target(b.gate, gate), target(b.up, up) } });
        g.add(op::SwiGlu { gate, up });
        g.add(op::Linear { gate, { target(b.down, normed) } });
        g.add(op::Add { residual, normed });
    }
    const auto last = g.slot(h.embeddingLength);
    g.logits = g.slot(h.vocabularySize);
    g.add(op::KeepOutputs { residual, last });
    g.add(op::RmsNorm { last, &w.outputNorm, h.rmsEpsilon, last });
    g.add(op::Linear { last, { { &w.output, nullptr, g.logits } } });
    return g;
}

} // namespace

const Architecture kLlama { "llama", unsupported, bind, build };

} // namespace engine::model
