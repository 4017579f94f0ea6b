// Gemma 3n: four residual streams of which one is computed with (AltUp), a low-rank detour beside
// attention (LAuReL), sparse gates in the first blocks, inputs of each block's own, keys and values
// shared by the last blocks. Source: Google's model card and code in Hugging Face transformers;
// arXiv 2301.13310 (AltUp), 2411.07501 (LAuReL).
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/gemma_edge.h"

#include <cmath>
#include <numbers>

namespace engine::model {

namespace {

constexpr std::uint32_t kLaurelRank = 64; // no key has it
constexpr std::uint32_t kMostStreams = 16;

class Gemma3n
{
public:
    explicit Gemma3n(Composer& c)
        : m_c(c)
        , m_d(c.hparams().embeddingLength)
        , m_n(c.keys().optional("altup.num_inputs", 4, 2, kMostStreams))
        , m_streams(c.slot("streams", m_n * m_d))
        , m_predicted(c.slot("predicted streams", m_n * m_d))
        , m_active(parts::wide(c, "active"))
        , m_normed(parts::wide(c, "normed"))
        , m_branch(parts::wide(c, "branch"))
        , m_second(parts::wide(c, "second branch"))
    {
    }

    /// The other streams are made of the first, and as long.
    void open(Slot residual)
    {
        m_c.leave();
        m_c.add(op::CopyPieces { residual, {}, m_streams, {}, 1, m_d });
        m_c.add(op::HeadLinear { residual,
                                 {},
                                 m_c.stack("altup_proj.weight", m_d, m_d, m_n - 1),
                                 m_streams,
                                 { m_d, m_d } });
        m_c.add(op::MatchLength { m_streams, { m_d, m_d }, m_n - 1, residual });
    }

    void block(const gemma::Attention& attention, const gemma::OwnInputs& inputs, float sparsity)
    {
        predict();
        first(m_predicted, m_active);
        parts::norm(m_c, parts::Norms::Rms, "attn_norm", m_active, m_normed);
        laurel();
        gemma::attend(m_c, attention, m_normed, m_branch);
        parts::norm(m_c, parts::Norms::Rms, "post_attention_norm", m_branch, m_branch);
        m_c.add(op::Add { m_branch, m_active });
        m_c.add(op::Add { m_branch, m_second });
        parts::scale(m_c, m_branch, std::numbers::sqrt2_v<float> / 2.0F);
        parts::norm(m_c, parts::Norms::Rms, "ffn_norm", m_branch, m_normed);
        feedForward(sparsity);
        parts::norm(m_c, parts::Norms::Rms, "post_ffw_norm", m_second, m_second);
        m_c.add(op::Add { m_second, m_branch });
        correct();
        mixOwn(inputs);
    }

    /// The mean of all, the others brought back first.
    void close(Slot residual)
    {
        m_c.leave();
        const auto others = m_c.slot("other streams", (m_n - 1) * m_d);
        first(m_streams, residual);
        m_c.add(op::HeadLinear { m_streams,
                                 { m_d, m_d },
                                 m_c.stack("altup_unembd_proj.weight", m_d, m_d, m_n - 1),
                                 others,
                                 { 0, m_d } });
        m_c.add(op::MatchLength { others, { 0, m_d }, m_n - 1, residual });
        m_c.add(op::MixPieces { residual, {}, 1, others, m_n - 1, m_d, -1, 1.0F });
        parts::scale(m_c, residual, 1.0F / static_cast<float>(m_n));
    }

private:
    void first(Slot streams, Slot out) { m_c.add(op::CopyPieces { streams, {}, out, {}, 1, m_d }); }

    /// Small numbers that say what a row is like.
    Slot modalities(Slot in)
    {
        const auto out = m_c.slot("modalities", m_n);
        parts::norm(m_c, parts::Norms::Rms, "altup_router_norm", in, m_normed);
        parts::scale(m_c, m_normed, 1.0F / static_cast<float>(m_d));
        m_c.linear(m_normed, m_c.linear("altup_router", m_d, m_n), out);
        m_c.add(op::Activate { out, Activation::Tanh });
        return out;
    }

    void predict()
    {
        first(m_streams, m_active);
        const auto kind = modalities(m_active);
        const auto weights = m_c.slot("prediction", m_n * m_n);
        m_c.linear(kind, m_c.linear("altup_predict_coef", m_n, m_n * m_n), weights);
        m_c.add(op::CopyPieces { m_streams, {}, m_predicted, {}, 1, m_n * m_d });
        m_c.add(op::MixPieces { m_predicted, { 0, m_d }, m_n, m_streams, m_n, m_d, weights, 0.0F });
    }

    void laurel()
    {
        const auto small = m_c.slot("laurel", kLaurelRank);
        m_c.linear(m_normed, m_c.linear("laurel_l", m_d, kLaurelRank), small);
        m_c.linear(small, m_c.linear("laurel_r", kLaurelRank, m_d), m_second);
        parts::norm(m_c, parts::Norms::Rms, "laurel_post_norm", m_second, m_second);
        m_c.add(op::Add { m_second, m_normed });
    }

    void feedForward(float sparsity)
    {
        const auto f = m_c.hparams().feedForwardLengths[m_c.block()];
        const auto gate = m_c.slot("gate", f);
        const auto up = m_c.slot("up", f);
        m_c.linear(m_normed, m_c.linear("ffn_gate", m_d, f), gate);
        m_c.linear(m_normed, m_c.linear("ffn_up", m_d, f), up);
        if (sparsity != 0.0F) {
            m_c.add(op::Sparsify { gate, sparsity });
        }
        m_c.add(op::Gate { gate, up, Activation::Gelu });
        m_c.linear(gate, m_c.linear("ffn_down", f, m_d), m_second);
    }

    /// What was computed differs from what was predicted: all streams learn of it.
    void correct()
    {
        const auto kind = modalities(m_second);
        const auto weights = m_c.slot("correction", m_n);
        m_c.linear(kind, m_c.linear("altup_correct_coef", m_n, m_n), weights);
        parts::scale(m_c, m_active, -1.0F);
        m_c.add(op::Add { m_second, m_active });
        m_c.add(op::CopyPieces { m_predicted, {}, m_streams, {}, 1, m_n * m_d });
        m_c.add(op::MixPieces { m_streams, { 0, m_d }, m_n, m_second, 1, m_d, weights, 1.0F });
    }

    void mixOwn(const gemma::OwnInputs& inputs)
    {
        first(m_streams, m_active);
        m_c.add(op::ScaleBy { m_active, m_c.vector("altup_correct_scale.weight", m_d) });
        gemma::mixOwnInput(m_c, inputs, m_active, m_branch);
        m_c.add(op::MixPieces { m_streams, { m_d, m_d }, m_n - 1, m_branch, 1, m_d, -1, 1.0F });
    }

    Composer& m_c;
    std::uint32_t m_d;
    std::uint32_t m_n; // streams
    Slot m_streams, m_predicted, m_active, m_normed, m_branch, m_second;
};

} // namespace

void composeGemma3n(Composer& c)
{
    const auto stream = gemma::embed(c);
    constexpr std::uint32_t mostWidth = 1U << 14U;
    constexpr float topTwentieth = 1.6448533535F; // deviations: 95 % of the gates are cut off
    constexpr std::uint32_t sparseBlocks = 10;
    const auto& h = c.hparams();
    auto& keys = c.keys();
    const auto* far = parts::rope(c, RopePairs::Halves);
    auto* near = parts::rope(c, RopePairs::Halves);
    near->base = keys.number("rope.freq_base_swa", 10000.0F, 1.0F, 1e9F);
    const auto window = keys.optional("attention.sliding_window", 0, 0, 1U << 28U);
    const auto windowed = parts::windowedBlocks(c, 5);
    const auto shared = keys.optional("attention.shared_kv_layers", 0, 0, h.blockCount - 1);
    const auto width = keys.optional("embedding_length_per_layer_input", 256, 1, mostWidth);
    auto sparsity =
        keys.numbersPerBlock("activation_sparsity_scale", h.blockCount, -1.0F, -100.0F, 100.0F);
    for (std::uint32_t i = 0; i < h.blockCount; ++i) {
        if (sparsity[i] < 0.0F) { // the file doesn't say
            sparsity[i] = i < sparseBlocks ? topTwentieth : 0.0F;
        }
    }
    if (keys.optional("altup.active_idx", 0, 0, kMostStreams) != 0) {
        c.refuse("another active stream than the first", "altup.active_idx");
    }
    parts::Ending ending;
    ending.softCap = keys.number("final_logit_softcapping", 30.0F, 0.0F, 1e6F);
    const auto inputs = gemma::ownInputs(c, stream.residual, width);
    Gemma3n model(c);
    model.open(stream.residual);
    for (std::uint32_t block = 0; block < h.blockCount; ++block) {
        c.enter(block);
        const bool isNear = windowed[block];
        model.block({ h.keyLength, isNear ? near : far, isNear ? window : 0,
                      gemma::cacheOf(block, h.blockCount - shared, windowed) },
                    inputs, sparsity[block]);
    }
    model.close(stream.residual);
    parts::finish(c, stream, ending);
}

} // namespace engine::model
