// Parts that many architectures share: norms, attention, feed-forward layers, experts, beginning
// and end. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/composer.h"

#include <cstdint>
#include <string>

namespace engine::model::parts {

enum class Norms { Rms, Layer };

/// `name`.weight and, for a layer norm that has it, `name`.bias, over the whole row. in == out is
/// allowed.
void norm(Composer& c, Norms kind, const std::string& name, Slot in, Slot out);

/// The residual stream and the embedding it began with.
struct Stream
{
    const Matrix* table = nullptr;
    Slot residual = 0;
};
[[nodiscard]] Stream embed(Composer& c);
/// A slot as wide as the residual stream.
[[nodiscard]] Slot wide(Composer& c, const std::string& name);
/// values *= factor, unless that changes nothing.
void scale(Composer& c, Slot values, float factor);

struct Ending
{
    Norms norms = Norms::Rms;
    std::string norm = "output_norm"; ///< empty: it has no weights
    float logitScale = 1.0F; ///< logits are multiplied by it
    float softCap = 0.0F;
};
/// The blocks that take part: those behind them, which predict tokens further ahead
/// (`nextn_predict_layers`), are left out.
[[nodiscard]] std::uint32_t blocks(Composer& c);
/// Last norm and logits; the embedding serves as output matrix where the file has none.
void finish(Composer& c, const Stream& stream, const Ending& ending = {});

/// The file's rotation: base, scaling, `rope_freqs.weight`.
[[nodiscard]] RopeParameters* rope(Composer& c, RopePairs pairs);
/// The same with YaRN's own growth of cosines and sines taken back.
void cancelYarnGrowth(RopeParameters& rope);
/// Frequency divisors for short and for long contexts, where the file has them.
void useLongFactors(Composer& c, RopeParameters& rope);
/// The common 1 / √keyLength.
[[nodiscard]] float usualScale(const Hparams& hparams);

struct AttentionStyle
{
    const RopeParameters* rope = nullptr; ///< null: no rotation
    float scale = 0.0F; ///< 0: usualScale
    enum class QkNorm {
        None,
        Heads, ///< one weight for all heads
        OwnHeads, ///< each head has its own
        Row, ///< over all heads together
        Bare, ///< each head, without weights
    };
    QkNorm qkNorm = QkNorm::None; ///< before the rotation; where the file has no weight: none
    Norms norms = Norms::Rms; ///< of q and k
    bool normAfterRope = false;
    std::uint32_t window = 0; ///< see op::Attention
    std::uint32_t chunk = 0;
    float softCap = 0.0F;
    float alibi = 0.0F;
    float clamp = 0.0F; ///< of q, k, v; 0: none
    bool sinks = false;
    float temperature = 0.0F; ///< see op::ScaleByPosition; 0: none
    float temperatureSpan = 1.0F;
    float temperatureOffset = 0.0F;
    bool ownGate = false; ///< attn_gate makes the gate: out *= σ(gate)
    bool gated = false; ///< attn_q makes a query and a gate for each head; out *= σ(gate)
};
/// q, k, v (in one fused tensor or three), cache, output projection of the entered block.
void attention(Composer& c, Slot in, Slot out, const AttentionStyle& style);

enum class FeedForward {
    Gated, ///< down(f(gate) · up)
    FusedGate, ///< the same, ffn_up holds the gate's rows and then its own
    Plain, ///< down(f(up))
};
void feedForward(Composer& c, FeedForward kind, Activation function, Slot in, Slot out,
                 std::uint32_t divisor = 1);

struct Experts
{
    std::uint32_t count = 0; ///< 0: no experts
    std::uint32_t used = 0;
    std::uint32_t width = 0; ///< of one expert
    std::uint32_t sharedWidth = 0; ///< of those that every token takes, together; 0: none
    std::uint32_t leadingDense = 0; ///< blocks without experts at the beginning
    op::Route::Gating gating = op::Route::Gating::Softmax;
    bool normalize = true;
    float scale = 1.0F;
    std::uint32_t groups = 1;
    std::uint32_t groupsUsed = 1;
    Activation function = Activation::Silu;
    float limit = 0.0F; ///< see op::Gate
    bool gated = true; ///< down(f(gate) · up), else down(f(up))
    std::uint32_t step = 1; ///< every nth block has them
    Slot routerInput = -1; ///< what the router sees, where it isn't what the experts see
    bool weighInput = false; ///< the weights multiply what goes in instead of what comes out
    bool ownScales = false; ///< ffn_down_exps.scale, one an expert

    /// Whether the block has experts.
    [[nodiscard]] bool isIn(std::uint32_t block) const
    {
        return count != 0 && block >= leadingDense && (block + 1) % step == 0;
    }
};
/// The file's expert keys; what it doesn't say stays as in `usual`.
[[nodiscard]] Experts readExperts(Composer& c, Experts usual = {});
/// Router, chosen experts, shared experts of the entered block.
void experts(Composer& c, const Experts& style, Slot in, Slot out);

/// The feed-forward layer of a block: experts where the model has them (and not in its leading
/// dense blocks).
struct FeedForwardStyle
{
    FeedForward kind = FeedForward::Gated;
    Activation function = Activation::Silu;
    Experts experts = {};
    bool halfWidth = false; ///< feed_forward_length counts gate and up together
};
void feedForward(Composer& c, const FeedForwardStyle& style, Slot in, Slot out);

/// What most blocks are: x += attention(norm(x)); x += feedForward(norm(x)), each branch times
/// `residualScale`.
struct BlockStyle
{
    Norms norms = Norms::Rms;
    AttentionStyle attention = {};
    FeedForwardStyle feedForward = {};
    std::string secondNorm = "ffn_norm"; ///< before the feed-forward layer
    float residualScale = 1.0F;
};
void preNormBlock(Composer& c, const Stream& stream, const BlockStyle& style);
/// All such blocks and the end.
void preNormModel(Composer& c, const Stream& stream, const BlockStyle& style,
                  const Ending& ending = {});
/// Both branches see the same normed input: x += attention(norm(x)) + feedForward(norm(x)).
void parallelBlock(Composer& c, const Stream& stream, const BlockStyle& style);
/// The result of each branch is normed too, before it is added: `post_attention_norm`,
/// `post_ffw_norm`.
void sandwichBlock(Composer& c, const Stream& stream, const BlockStyle& style);
/// Only the results of the branches are normed: x += norm(attention(x)); x += norm(feedForward(x)).
void postNormBlock(Composer& c, const Stream& stream, const BlockStyle& style);

/// By block: whether its attention sees the window only. From `attention.sliding_window_pattern`
/// (a number n: every nth block sees everything; or an array), else from `usual` (0: all of them
/// see the window).
[[nodiscard]] std::vector<bool> windowedBlocks(Composer& c, std::uint32_t usual);

} // namespace engine::model::parts
