// Gemma 4: heads of another length where attention sees everything, keys and values shared by the
// last blocks, inputs of each block's own in the small models, experts beside the feed-forward
// layer in the 26B one. Source: Google's model card and the model's code in Hugging Face
// transformers. SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/gemma_edge.h"

#include <cmath>

namespace engine::model {

namespace {

constexpr std::uint32_t kMostWidth = 1U << 14U;

/// The feed-forward layer and the experts see the same rows, each with its own norms. The router
/// has a norm of its own, too.
void mixture(Composer& c, parts::Experts experts, Slot residual, Slot normed, Slot out)
{
    const auto d = c.width(residual);
    const auto second = parts::wide(c, "second branch");
    const auto routed = parts::wide(c, "router's input");
    parts::norm(c, parts::Norms::Rms, "post_ffw_norm_1", out, out);
    c.add(op::RmsNorm { residual, c.vector("ffn_gate_inp.scale", d), c.hparams().rmsEpsilon,
                        routed });
    parts::scale(c, routed, 1.0F / std::sqrt(static_cast<float>(d)));
    parts::norm(c, parts::Norms::Rms, "pre_ffw_norm_2", residual, normed);
    experts.routerInput = routed;
    parts::experts(c, experts, normed, second);
    parts::norm(c, parts::Norms::Rms, "post_ffw_norm_2", second, second);
    c.add(op::Add { out, second });
}

/// Rotations and lengths of the two kinds of blocks.
struct Kinds
{
    gemma::Attention far;
    gemma::Attention near;
};

Kinds readKinds(Composer& c)
{
    const auto& h = c.hparams();
    auto& keys = c.keys();
    const auto length = keys.optional("attention.key_length_swa", h.keyLength, 1, kMostWidth);
    auto* far = parts::rope(c, RopePairs::Halves);
    auto* near = parts::rope(c, RopePairs::Halves);
    near->base = keys.number("rope.freq_base_swa", 10000.0F, 1.0F, 1e9F);
    near->dimensions = keys.optional("rope.dimension_count_swa", length, 2, length) / 2 * 2;
    near->factors = {};
    near->scale = 1.0F;
    const auto window = keys.optional("attention.sliding_window", 0, 0, 1U << 28U);
    return { { h.keyLength, far, 0, 0 }, { length, near, window, 0 } };
}

} // namespace

void composeGemma4(Composer& c)
{
    const auto stream = gemma::embed(c);
    const auto& h = c.hparams();
    auto& keys = c.keys();
    const auto kinds = readKinds(c);
    const auto windowed = parts::windowedBlocks(c, 6);
    const auto shared = keys.optional("attention.shared_kv_layers", 0, 0, h.blockCount - 1);
    const auto width = keys.optional("embedding_length_per_layer_input", 0, 0, kMostWidth);
    auto experts = parts::readExperts(c);
    experts.function = Activation::Gelu;
    experts.ownScales = true;
    parts::Ending ending;
    ending.softCap = keys.number("final_logit_softcapping", 0.0F, 0.0F, 1e6F);
    const auto inputs =
        width != 0 ? gemma::ownInputs(c, stream.residual, width) : gemma::OwnInputs {};
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    for (std::uint32_t block = 0; block < h.blockCount; ++block) {
        c.enter(block);
        auto attention = windowed[block] ? kinds.near : kinds.far;
        attention.cache = gemma::cacheOf(block, h.blockCount - shared, windowed);
        parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
        gemma::attend(c, attention, normed, branch);
        parts::norm(c, parts::Norms::Rms, "post_attention_norm", branch, branch);
        c.add(op::Add { stream.residual, branch });
        parts::norm(c, parts::Norms::Rms, "ffn_norm", stream.residual, normed);
        parts::feedForward(c, parts::FeedForward::Gated, Activation::Gelu, normed, branch);
        if (experts.count != 0 && c.has("ffn_gate_inp.weight")) {
            mixture(c, experts, stream.residual, normed, branch);
        }
        parts::norm(c, parts::Norms::Rms, "post_ffw_norm", branch, branch);
        c.add(op::Add { stream.residual, branch });
        if (inputs.all >= 0) {
            gemma::mixOwnInput(c, inputs, stream.residual, branch);
            c.add(op::Add { stream.residual, branch });
        }
        if (const auto* all = c.optionalVector("layer_output_scale.weight", 1)) {
            c.add(op::ScaleBy { stream.residual, all });
        }
    }
    parts::finish(c, stream, ending);
}

} // namespace engine::model
