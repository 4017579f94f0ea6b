#include "engine/model/architectures/gemma_edge.h"

#include <cmath>
#include <numbers>

namespace engine::model::gemma {

parts::Stream embed(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::scale(c, stream.residual, std::sqrt(static_cast<float>(c.hparams().embeddingLength)));
    return stream;
}

OwnInputs ownInputs(Composer& c, Slot residual, std::uint32_t width)
{
    const auto& h = c.hparams();
    const auto all = width * h.blockCount;
    const OwnInputs inputs { c.slot("own inputs", all), width };
    const auto made = c.slot("own inputs of the embedding", all);
    c.leave();
    c.add(op::Embed { c.matrix("per_layer_token_embd.weight", all, h.vocabularySize), inputs.all });
    parts::scale(c, inputs.all, std::sqrt(static_cast<float>(width)));
    c.linear(residual, c.linear("per_layer_model_proj", h.embeddingLength, all), made);
    parts::scale(c, made, 1.0F / std::sqrt(static_cast<float>(h.embeddingLength)));
    c.add(op::RmsNorm { made, c.vector("per_layer_proj_norm.weight", width), h.rmsEpsilon, made,
                        h.blockCount });
    c.add(op::Add { inputs.all, made });
    parts::scale(c, inputs.all, std::numbers::sqrt2_v<float> / 2.0F);
    return inputs;
}

void mixOwnInput(Composer& c, const OwnInputs& inputs, Slot in, Slot out)
{
    const auto d = c.width(in);
    const auto gate = c.slot("own gate", inputs.width);
    const auto own = c.slot("own input", inputs.width);
    c.linear(in, c.linear("inp_gate", d, inputs.width), gate);
    c.add(op::CopyPieces { inputs.all, { c.block() * inputs.width, 0 }, own, {}, 1, inputs.width });
    c.add(op::Gate { gate, own, Activation::Gelu });
    c.linear(gate, c.linear("proj", inputs.width, d), out);
    parts::norm(c, parts::Norms::Rms, "post_norm", out, out);
}

void attend(Composer& c, const Attention& a, Slot in, Slot out)
{
    const auto& h = c.hparams();
    const auto d = c.width(in);
    const auto n = a.headLength;
    const auto heads = h.headCounts[c.block()];
    const auto kvHeads = h.headCountsKv[c.block()];
    const auto query = c.slot("query", heads * n);
    c.linear(in, c.linear("attn_q", d, heads * n), query);
    c.add(op::RmsNorm { query, c.vector("attn_q_norm.weight", n), h.rmsEpsilon, query, heads });
    c.add(op::Rope { query, heads, n, a.rope });
    if (a.cache == c.block()) {
        const auto key = c.slot("key", kvHeads * n);
        const auto value = c.slot("value", kvHeads * n);
        c.linear(in, c.linear("attn_k", d, kvHeads * n), key);
        if (c.has("attn_v.weight")) {
            c.linear(in, c.linear("attn_v", d, kvHeads * n), value);
        } else {
            c.add(op::CopyPieces { key, {}, value, {}, 1, kvHeads * n });
        }
        c.add(op::RmsNorm { key, c.vector("attn_k_norm.weight", n), h.rmsEpsilon, key, kvHeads });
        c.add(op::RmsNorm { value, nullptr, h.rmsEpsilon, value, kvHeads });
        c.add(op::Rope { key, kvHeads, n, a.rope });
        c.keep({ kvHeads, n, n });
        c.add(op::StoreKv { c.block(), key, value });
    } else {
        for (const char* name : { "attn_k.weight", "attn_v.weight", "attn_k_norm.weight" }) {
            c.leaveOut(name);
        }
    }
    const auto attended = c.slot("attended", heads * n);
    op::Attention node { a.cache, query, attended, heads, 1.0F };
    node.window = a.window;
    c.add(node);
    c.linear(attended, c.linear("attn_output", heads * n, d), out);
}

std::uint32_t cacheOf(std::uint32_t block, std::uint32_t first, const std::vector<bool>& windowed)
{
    for (auto owner = first; block >= first && owner-- > 0;) {
        if (windowed[owner] == windowed[block]) {
            return owner;
        }
    }
    return block;
}

} // namespace engine::model::gemma
