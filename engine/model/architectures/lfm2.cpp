// LFM2: short gated convolutions in place of attention in most blocks. Source: Liquid AI's model
// cards, arXiv 2511.23404.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

namespace engine::model {

namespace {

/// out = W (c · conv(b · x)), where b, c and x are thirds of one projection.
void convolution(Composer& c, std::uint32_t kernel, Slot in, Slot out)
{
    const auto d = c.width(in);
    const auto all = c.linear("shortconv.in_proj", d, 3ULL * d);
    const auto b = c.rowsOf(all, 0, d);
    const auto gate = c.rowsOf(all, d, d);
    const auto x = c.rowsOf(all, 2ULL * d, d);
    const auto before = parts::wide(c, "conv before");
    const auto behind = parts::wide(c, "conv behind");
    const auto mixed = parts::wide(c, "conv");
    c.add(op::Linear { in,
                       { { b.matrix, b.bias, before },
                         { gate.matrix, gate.bias, behind },
                         { x.matrix, x.bias, mixed } } });
    c.add(op::Gate { mixed, before, Activation::Identity });
    c.add(op::ShortConv { mixed, c.matrix("shortconv.conv.weight", kernel, d), nullptr,
                          c.state((kernel - 1) * d), Activation::Identity, mixed });
    c.add(op::Gate { mixed, behind, Activation::Identity });
    c.linear(mixed, c.linear("shortconv.out_proj", d, c.width(out)), out);
}

} // namespace

void composeLfm2(Composer& c)
{
    const auto stream = parts::embed(c);
    const auto& h = c.hparams();
    parts::AttentionStyle attention;
    attention.rope = parts::rope(c, RopePairs::Halves);
    attention.qkNorm = parts::AttentionStyle::QkNorm::Heads;
    parts::FeedForwardStyle layer;
    parts::Experts usual;
    usual.gating = op::Route::Gating::Sigmoid;
    layer.experts = parts::readExperts(c, usual);
    const auto kernel = c.keys().required("shortconv.l_cache", 2, 64);
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    for (std::uint32_t block = 0; block < c.hparams().blockCount; ++block) {
        c.enter(block);
        parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
        if (h.headCountsKv[block] == 0) {
            convolution(c, kernel, normed, branch);
        } else {
            parts::attention(c, normed, branch, attention);
        }
        c.add(op::Add { stream.residual, branch });
        parts::norm(c, parts::Norms::Rms, "ffn_norm", stream.residual, normed);
        parts::feedForward(c, layer, normed, branch);
        c.add(op::Add { stream.residual, branch });
    }
    parts::Ending ending;
    ending.norm = "token_embd_norm";
    parts::finish(c, stream, ending);
}

} // namespace engine::model
