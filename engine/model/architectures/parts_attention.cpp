#include "engine/model/architectures/parts.h"

#include <cmath>

namespace engine::model::parts {

namespace {

using QkNorm = AttentionStyle::QkNorm;

/// The geometry of the entered block.
struct Shape
{
    explicit Shape(Composer& c)
        : heads(c.hparams().headCounts[c.block()])
        , kvHeads(c.hparams().headCountsKv[c.block()])
        , keyLength(c.hparams().keyLength)
        , valueLength(c.hparams().valueLength)
    {
    }
    std::uint32_t heads;
    std::uint32_t kvHeads;
    std::uint32_t keyLength;
    std::uint32_t valueLength;
};

struct Projected
{
    Slot query;
    Slot key;
    Slot value;
    Slot gate = -1;
};

Projected project(Composer& c, Slot in, const Shape& s, bool gated)
{
    const auto d = c.width(in);
    const std::uint32_t q = s.heads * s.keyLength;
    const std::uint32_t k = s.kvHeads * s.keyLength;
    const std::uint32_t v = s.kvHeads * s.valueLength;
    Projected out { c.slot("query", q), c.slot("key", k), c.slot("value", v) };
    LinearWeights query;
    LinearWeights key;
    LinearWeights value;
    if (c.has("attn_qkv.weight")) {
        const auto fused = c.linear("attn_qkv", d, std::uint64_t(q) + k + v);
        query = c.rowsOf(fused, 0, q);
        key = c.rowsOf(fused, q, k);
        value = c.rowsOf(fused, std::uint64_t(q) + k, v);
    } else {
        query = c.linear("attn_q", d, gated ? 2 * q : q);
        key = c.linear("attn_k", d, k);
        value = c.linear("attn_v", d, v);
    }
    const auto first = gated ? c.slot("query and gate", 2 * q) : out.query;
    c.add(op::Linear { in,
                       { { query.matrix, query.bias, first },
                         { key.matrix, key.bias, out.key },
                         { value.matrix, value.bias, out.value } } });
    if (gated) {
        const auto length = s.keyLength;
        out.gate = c.slot("attention gate", q);
        c.add(
            op::CopyPieces { first, { 0, 2 * length }, out.query, { 0, length }, s.heads, length });
        c.add(op::CopyPieces {
            first, { length, 2 * length }, out.gate, { 0, length }, s.heads, length });
    }
    return out;
}

void normHeads(Composer& c, const AttentionStyle& style, const std::string& name, Slot values,
               std::uint32_t heads, std::uint32_t length)
{
    const auto count = style.qkNorm == QkNorm::OwnHeads ? heads : 1;
    if (style.qkNorm == QkNorm::Bare) {
        c.add(op::RmsNorm { values, nullptr, c.hparams().rmsEpsilon, values, heads });
        return;
    }
    const auto one = style.qkNorm == QkNorm::Row ? heads * length : length;
    const auto* weight = c.optionalVectors(name + ".weight", one, count);
    if (!weight) {
        return;
    }
    const auto pieces = style.qkNorm == QkNorm::Row ? 1 : heads;
    if (style.norms == Norms::Rms) {
        c.add(op::RmsNorm { values, weight, c.hparams().rmsEpsilon, values, pieces });
        return;
    }
    const auto* bias = c.optionalVectors(name + ".bias", one, count);
    c.add(op::LayerNorm { values, weight, bias, c.hparams().layerNormEpsilon, values, pieces });
}

void normQk(Composer& c, const AttentionStyle& style, const Projected& p, const Shape& s)
{
    if (style.qkNorm != QkNorm::None) {
        normHeads(c, style, "attn_q_norm", p.query, s.heads, s.keyLength);
        normHeads(c, style, "attn_k_norm", p.key, s.kvHeads, s.keyLength);
    }
}

} // namespace

float usualScale(const Hparams& hparams)
{
    return 1.0F / std::sqrt(float(hparams.keyLength));
}

void attention(Composer& c, Slot in, Slot out, const AttentionStyle& style)
{
    const Shape s(c);
    auto p = project(c, in, s, style.gated);
    if (style.ownGate) {
        const auto width = s.heads * s.valueLength;
        p.gate = c.slot("attention gate", width);
        c.linear(in, c.linear("attn_gate", c.width(in), width), p.gate);
    }
    if (style.clamp != 0.0F) {
        for (const auto slot : { p.query, p.key, p.value }) {
            c.add(op::Clamp { slot, style.clamp });
        }
    }
    if (!style.normAfterRope) {
        normQk(c, style, p, s);
    }
    if (style.rope) {
        c.add(op::Rope { p.query, s.heads, s.keyLength, style.rope });
        c.add(op::Rope { p.key, s.kvHeads, s.keyLength, style.rope });
    }
    if (style.normAfterRope) {
        normQk(c, style, p, s);
    }
    if (style.temperature != 0.0F) {
        c.add(op::ScaleByPosition { p.query, style.temperature, style.temperatureSpan,
                                    style.temperatureOffset });
    }
    c.keep({ s.kvHeads, s.keyLength, s.valueLength });
    c.add(op::StoreKv { c.block(), p.key, p.value });
    const auto attended = c.slot("attended", s.heads * s.valueLength);
    op::Attention node { c.block(), p.query, attended, s.heads,
                         style.scale != 0.0F ? style.scale : usualScale(c.hparams()) };
    node.window = style.window;
    node.chunk = style.chunk;
    node.softCap = style.softCap;
    node.alibi = style.alibi;
    node.sinks = style.sinks ? c.vector("attn_sinks.weight", s.heads) : nullptr;
    c.add(node);
    if (p.gate >= 0) {
        c.add(op::Activate { p.gate, Activation::Sigmoid });
        c.add(op::Gate { attended, p.gate, Activation::Identity });
    }
    c.linear(attended, c.linear("attn_output", s.heads * s.valueLength, c.width(out)), out);
}

} // namespace engine::model::parts
