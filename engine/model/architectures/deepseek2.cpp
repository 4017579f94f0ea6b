// DeepSeek 2 to 3.1 and their kin: multi-head latent attention, experts chosen in groups, shared
// ones. Newer files hold the key and value expansion head by head, so that attention runs in the
// latent space ("absorbed"); older ones and the lite model expand keys and values. Mistral Large 3
// and Mistral 4 are the same with a temperature, MiniCPM 3 has fixed factors. Source: arXiv
// 2405.04434, 2412.19437, 2404.06395 and the models' published configurations.
// SPDX-License-Identifier: Apache-2.0
#include "engine/model/architectures/compose.h"
#include "engine/model/architectures/parts.h"

#include <algorithm>
#include <cmath>

namespace engine::model {

namespace {

constexpr std::uint32_t kMostWidth = 1U << 16U; // times 4,096 heads it is still a 32-bit number

/// Widths of latent attention; `nope` numbers of a head are not rotated, `rope` are.
struct Latent
{
    std::uint32_t queryRank = 0; ///< 0: queries are not compressed
    std::uint32_t rank = 0; ///< of keys and values together
    std::uint32_t heads = 0;
    std::uint32_t nope = 0;
    std::uint32_t rope = 0;
    std::uint32_t value = 0; ///< of one head
    bool absorbed = false;
    const RopeParameters* rotation = nullptr;
    float scale = 0.0F;
    float temperature = 0.0F; ///< see op::ScaleByPosition; 0: none
    float temperatureSpan = 1.0F;

    [[nodiscard]] std::uint32_t query() const { return nope + rope; }
};

Latent readLatent(Composer& c, RopePairs pairs)
{
    const auto& h = c.hparams();
    auto& keys = c.keys();
    Latent l;
    l.heads = h.headCount;
    l.rope = h.ropeDimensions;
    l.queryRank = keys.optional("attention.q_lora_rank", 0, 0, kMostWidth);
    l.rank = keys.required("attention.kv_lora_rank", 1, kMostWidth);
    l.absorbed = keys.has("attention.key_length_mla");
    const auto keyLength = keys.optional("attention.key_length_mla", h.keyLength, 1, kMostWidth);
    l.value = keys.optional("attention.value_length_mla", h.valueLength, 1, kMostWidth);
    if (keyLength <= l.rope) {
        keys.fail(ErrorCode::BadKeyValue,
                  { std::to_string(keyLength), "more than rope.dimension_count" },
                  l.absorbed ? "attention.key_length_mla" : "attention.key_length");
    }
    l.nope = keyLength - std::min(l.rope, keyLength);
    auto* rotation = parts::rope(c, pairs);
    parts::useLongFactors(c, *rotation);
    parts::cancelYarnGrowth(*rotation);
    l.rotation = rotation;
    const float grown = h.ropeScaling == RopeScaling::Yarn ? std::log(h.ropeFactor) : 0.0F;
    const float temperature = 1.0F + h.yarnLogMultiplier * grown;
    l.scale = temperature * temperature / std::sqrt(float(keyLength));
    l.temperature = keys.number("attention.temperature_scale", 0.0F, 0.0F, 1e3F);
    l.temperatureSpan = static_cast<float>(
        keys.optional("attention.temperature_length", h.ropeOriginalContext, 1, 1U << 28U));
    return l;
}

Slot queries(Composer& c, const Latent& l, Slot in)
{
    const auto d = c.width(in);
    const auto width = l.heads * l.query();
    const auto query = c.slot("query", width);
    if (l.queryRank == 0) {
        c.linear(in, c.linear("attn_q", d, width), query);
    } else {
        const auto small = c.slot("query latent", l.queryRank);
        c.linear(in, c.linear("attn_q_a", d, l.queryRank), small);
        parts::norm(c, parts::Norms::Rms, "attn_q_a_norm", small, small);
        c.linear(small, c.linear("attn_q_b", l.queryRank, width), query);
    }
    c.add(op::Rope { query, l.heads, l.query(), l.rotation, l.nope });
    if (l.temperature != 0.0F) {
        c.add(op::ScaleByPosition { query, l.temperature, l.temperatureSpan, 0.0F });
    }
    return query;
}

/// Keys and values stay compressed; queries are brought into their space.
Slot attendLatent(Composer& c, const Latent& l, Slot query, Slot latent, Slot shared)
{
    const auto width = l.rank + l.rope;
    const auto wideQuery = c.slot("latent query", l.heads * width);
    const auto attended = c.slot("latent attended", l.heads * l.rank);
    const auto out = c.slot("attended", l.heads * l.value);
    const auto key = c.slot("key", width);
    c.add(op::HeadLinear { query,
                           { 0, l.query() },
                           c.stack("attn_k_b.weight", l.nope, l.rank, l.heads),
                           wideQuery,
                           { 0, width } });
    c.add(op::CopyPieces {
        query, { l.nope, l.query() }, wideQuery, { l.rank, width }, l.heads, l.rope });
    c.add(op::CopyPieces { latent, {}, key, {}, 1, l.rank });
    c.add(op::CopyPieces { shared, { l.rank, 0 }, key, { l.rank, 0 }, 1, l.rope });
    c.keep({ 1, width, l.rank });
    c.add(op::StoreKv { c.block(), key, latent });
    c.add(op::Attention { c.block(), wideQuery, attended, l.heads, l.scale });
    c.add(op::HeadLinear { attended,
                           { 0, l.rank },
                           c.stack("attn_v_b.weight", l.rank, l.value, l.heads),
                           out,
                           { 0, l.value } });
    return out;
}

/// Keys and values of every head are made from the latent row.
Slot attendExpanded(Composer& c, const Latent& l, Slot query, Slot latent, Slot shared)
{
    const auto one = l.nope + l.value;
    const auto both = c.slot("key and value", l.heads * one);
    const auto key = c.slot("key", l.heads * l.query());
    const auto value = c.slot("value", l.heads * l.value);
    const auto out = c.slot("attended", l.heads * l.value);
    c.linear(latent, c.linear("attn_kv_b", l.rank, l.heads * one), both);
    c.add(op::CopyPieces { both, { 0, one }, key, { 0, l.query() }, l.heads, l.nope });
    c.add(op::CopyPieces { shared, { l.rank, 0 }, key, { l.nope, l.query() }, l.heads, l.rope });
    c.add(op::CopyPieces { both, { l.nope, one }, value, { 0, l.value }, l.heads, l.value });
    c.keep({ l.heads, l.query(), l.value });
    c.add(op::StoreKv { c.block(), key, value });
    c.add(op::Attention { c.block(), query, out, l.heads, l.scale });
    return out;
}

void attendMla(Composer& c, const Latent& l, Slot in, Slot out)
{
    const auto query = queries(c, l, in);
    const auto width = l.rank + l.rope;
    const auto shared = c.slot("key latent", width);
    const auto latent = c.slot("latent", l.rank);
    c.linear(in, c.linear("attn_kv_a_mqa", c.width(in), width), shared);
    c.add(op::Rope { shared, 1, width, l.rotation, l.rank });
    c.add(op::CopyPieces { shared, {}, latent, {}, 1, l.rank });
    parts::norm(c, parts::Norms::Rms, "attn_kv_a_norm", latent, latent);
    const auto attended = l.absorbed ? attendLatent(c, l, query, latent, shared)
                                     : attendExpanded(c, l, query, latent, shared);
    c.linear(attended, c.linear("attn_output", l.heads * l.value, c.width(out)), out);
}

struct Scales
{
    float embedding = 1.0F, residual = 1.0F, logits = 1.0F;
};

void compose(Composer& c, const parts::Stream& stream, const Latent& latent,
             const parts::FeedForwardStyle& layer, const Scales& scales)
{
    parts::scale(c, stream.residual, scales.embedding);
    const auto normed = parts::wide(c, "normed");
    const auto branch = parts::wide(c, "branch");
    const auto count = parts::blocks(c);
    for (std::uint32_t block = 0; block < count; ++block) {
        c.enter(block);
        parts::norm(c, parts::Norms::Rms, "attn_norm", stream.residual, normed);
        attendMla(c, latent, normed, branch);
        parts::scale(c, branch, scales.residual);
        c.add(op::Add { stream.residual, branch });
        parts::norm(c, parts::Norms::Rms, "ffn_norm", stream.residual, normed);
        parts::feedForward(c, layer, normed, branch);
        parts::scale(c, branch, scales.residual);
        c.add(op::Add { stream.residual, branch });
    }
    parts::Ending ending;
    ending.logitScale = scales.logits;
    parts::finish(c, stream, ending);
}

} // namespace

void composeDeepseek2(Composer& c)
{
    const auto stream = parts::embed(c);
    parts::Experts usual;
    usual.normalize = false;
    parts::FeedForwardStyle layer;
    layer.experts = parts::readExperts(c, usual);
    compose(c, stream, readLatent(c, RopePairs::Adjacent), layer, {});
}

void composeMinicpm3(Composer& c)
{
    const auto& h = c.hparams();
    const auto stream = parts::embed(c);
    compose(c, stream, readLatent(c, RopePairs::Halves), {},
            { 12.0F, 1.4F / std::sqrt(static_cast<float>(h.blockCount)),
              256.0F / static_cast<float>(h.embeddingLength) });
}

} // namespace engine::model
