// The ops of a forward pass: what architectures are composed of. Each has one file of its name in
// every backend. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/rope_parameters.h"
#include "engine/model/weights.h"

#include <cstdint>
#include <vector>

namespace engine::model {

/// An activation: one row of `width` floats a token. Slots are numbered by their Graph.
using Slot = int;

/// Functions of one number; σ is the logistic function.
enum class Activation {
    Identity,
    Silu, ///< x σ(x)
    Gelu, ///< x/2 (1 + tanh(√(2/π) (x + 0.044715 x³))); arXiv 1606.08415
    GeluErf, ///< x Φ(x), exact
    GeluQuick, ///< x σ(1.702 x)
    Relu,
    ReluSquared, ///< max(x, 0)²; arXiv 2109.08668
    Sigmoid,
    Tanh,
    Softplus, ///< log(1 + eˣ)
};

namespace op {

/// out = rows of `table` named by the batch's tokens.
struct Embed
{
    const Matrix* table;
    Slot out;
};

/// into += rows of `table` named by the tokens' positions (learned positions).
struct AddPositions
{
    const Matrix* table;
    Slot into;
};

/// values *= factor
struct Scale
{
    Slot values;
    float factor;
};

/// values *= weight: a number for each of the row, or one for all.
struct ScaleBy
{
    Slot values;
    const Vector* weight;
};

/// values *= 1 + factor · log(1 + floor((position + offset) / span)): attention temperature that
/// grows with the position. Source: Llama 4 and Ministral 3 model code.
struct ScaleByPosition
{
    Slot values;
    float factor;
    float span;
    float offset;
};

/// Each row of `in` is `pieces` vectors of equal length (heads); each is normed on its own:
/// out = x / sqrt(mean(x²) + epsilon) · weight. `weight` has the length of a piece, or of the row,
/// or is null (ones). Source: arXiv 1910.07467. in == out is allowed.
struct RmsNorm
{
    Slot in;
    const Vector* weight;
    float epsilon;
    Slot out;
    std::uint32_t pieces = 1;
};

/// As RmsNorm with out = (x - mean(x)) / sqrt(variance(x) + epsilon) · weight + bias; both may be
/// null. Source: arXiv 1607.06450.
struct LayerNorm
{
    Slot in;
    const Vector* weight;
    const Vector* bias;
    float epsilon;
    Slot out;
    std::uint32_t pieces = 1;
};

/// For each target: out = W in + bias. Targets share the input, so that it is prepared once.
struct Linear
{
    struct Target
    {
        const Matrix* matrix;
        const Vector* bias; ///< null: none
        Slot out;
    };
    Slot in;
    std::vector<Target> targets;
};

/// Equal pieces of a row: piece i begins at offset + i · stride.
struct Pieces
{
    std::uint32_t offset = 0;
    std::uint32_t stride = 0;
};

/// One matrix a head: piece h of `out` = stack[h] · piece h of `in` (latent attention's key and
/// value expansion). Only those pieces of `out` are written.
struct HeadLinear
{
    Slot in;
    Pieces from;
    const MatrixStack* stack; ///< one matrix a head
    Slot out;
    Pieces to;
};

/// Rotates pairs of every head in place by the token's position. The rotated numbers begin at
/// `offset` of the head.
struct Rope
{
    Slot values;
    std::uint32_t heads;
    std::uint32_t headLength;
    const RopeParameters* parameters;
    std::uint32_t offset = 0;
};

/// Writes the batch's keys and values into the cache of `layer`.
struct StoreKv
{
    std::uint32_t layer;
    Slot key;
    Slot value;
};

/// Causal attention over the cache of `layer`: softmax(cap(scale · q kᵀ) + bias) v; query heads
/// share key/value heads in groups.
struct Attention
{
    std::uint32_t layer;
    Slot query;
    Slot out;
    std::uint32_t heads;
    float scale;
    /// Only so many of the latest tokens are seen, the token itself among them; 0: all.
    std::uint32_t window = 0;
    float softCap = 0; ///< cap(s) = softCap · tanh(s / softCap); 0: none
    /// Bias of head h at a distance of n tokens: -slope(h) · n, slopes from the largest bias (8 in
    /// the paper); 0: none. Source: ALiBi, arXiv 2108.12409.
    float alibi = 0;
    /// A logit a head that takes part in the softmax and has no value; null: none. Source:
    /// gpt-oss model card.
    const Vector* sinks = nullptr;
    /// Only tokens of the same stretch of so many positions are seen; 0: all. Source: Llama 4 model
    /// code.
    std::uint32_t chunk = 0;
};

/// into += from
struct Add
{
    Slot into;
    Slot from;
};

/// values = f(values)
struct Activate
{
    Slot values;
    Activation function;
};

/// gate = f(gate) · up. Source: arXiv 2002.05202. With a limit (gpt-oss): gate = min(gate, limit),
/// up = clamp(up, ±limit), gate = gate σ(1.702 gate) · (up + 1), whatever `function` is. `up` may
/// be one number wide: then it serves the whole row of `gate`, else both are of one width.
struct Gate
{
    Slot gate;
    Slot up;
    Activation function = Activation::Silu;
    float limit = 0;
};

/// values = min(max(values, -limit), limit)
struct Clamp
{
    Slot values;
    float limit;
};

/// values = cap · tanh(values / cap). Source: Gemma 2, arXiv 2408.00118.
struct SoftCap
{
    Slot values;
    float cap;
};

/// xIELU: for x > 0: alphaPositive x² + beta x; else (expm1(min(x, epsilon)) - x) alphaNegative +
/// beta x. alphaPositive = softplus of the file's, alphaNegative = beta + softplus of the file's.
/// Source: arXiv 2411.13010.
struct Xielu
{
    Slot values;
    float alphaNegative;
    float alphaPositive;
    float beta;
    float epsilon;
};

/// values = max(values - (mean + deviations · standard deviation), 0), both of the row; the
/// variance is the sum of squares over n - 1. Source: Gemma 3n model code (a Gaussian's top share).
struct Sparsify
{
    Slot values;
    float deviations;
};

/// Pieces of a row are mixed: piece i of `into` += Σ_j (weight + bias) · piece j of `from`, where
/// the weight is number i · sources + j of `weights`. Pieces of `from` lie side by side. Source:
/// alternating updates (arXiv 2301.13310).
struct MixPieces
{
    Slot into;
    Pieces to;
    std::uint32_t count;
    Slot from;
    std::uint32_t sources;
    std::uint32_t length; ///< of a piece
    Slot weights; ///< count · sources wide; -1: `bias` alone
    float bias;
};

/// Each of `count` pieces of `values` gets the length (root of the sum of squares) of `like`, which
/// is as wide as a piece.
struct MatchLength
{
    Slot values;
    Pieces at;
    std::uint32_t count;
    Slot like;
};

/// Copies `count` pieces of `length` numbers. A `from.stride` of 0 repeats one piece.
struct CopyPieces
{
    Slot in;
    Pieces from;
    Slot out;
    Pieces to;
    std::uint32_t count;
    std::uint32_t length;
};

/// Chooses `used` experts a token. `scores`: one logit an expert. `out`: `used` expert numbers
/// (exact in a float), then their `used` weights.
struct Route
{
    enum class Gating {
        Softmax, ///< probabilities of all experts
        Sigmoid,
        SoftmaxOfChosen, ///< chosen by logit; softmax over those chosen
    };
    Slot scores;
    Slot out;
    std::uint32_t used;
    Gating gating = Gating::Softmax;
    const Vector* bias = nullptr; ///< added for the choice alone
    std::uint32_t groups = 1; ///< experts in equal groups, of which only `groupsUsed` may be chosen
    std::uint32_t groupsUsed = 1; ///< those with the largest sum of their two best
    bool normalize = false; ///< weights of those chosen sum to 1
    float scale = 1.0F; ///< of the weights, at last
    const Vector* expertScales = nullptr; ///< of each expert's weight, at last; null: none
};

/// out = `used` rows, one for each chosen expert: E in + bias. `in` is one row for all, or (where
/// it is `used` times as wide as a matrix) one for each.
struct ExpertLinear
{
    struct Target
    {
        const MatrixStack* experts;
        const Vector* bias; ///< one row an expert; null: none
        Slot out;
    };
    Slot in;
    Slot route; ///< of Route
    std::uint32_t used;
    std::vector<Target> targets;
};

/// out = Σ weight · the chosen experts' rows.
struct CombineExperts
{
    Slot in;
    Slot route;
    std::uint32_t used;
    Slot out;
};

/// Causal convolution of each channel over the last tokens: out[c] = f(Σ_k weight[c][k] ·
/// in_{t - kernel + 1 + k}[c] + bias[c]). `state` holds the kernel - 1 inputs before the batch.
/// in == out is allowed.
struct ShortConv
{
    Slot in;
    const Matrix* weight; ///< F32; a row of `kernel` numbers a channel
    const Vector* bias; ///< null: none
    std::uint32_t state; ///< (kernel - 1) · channels floats
    Activation function;
    Slot out;
};

/// The gated delta rule (arXiv 2412.06464), head by head over the tokens: with k, q normed to
/// length 1 and q scaled by 1/√keyLength, S decays: S *= exp(a · softplus(alpha + dt)); then
/// S += k ⊗ (σ(beta) (v - Sᵀk)); out = Sᵀq. Key heads are shared by value heads.
struct GatedDelta
{
    Slot query; ///< keyHeads · keyLength, beginning at `queryOffset` of the row
    std::uint32_t queryOffset;
    Slot key;
    std::uint32_t keyOffset;
    Slot value; ///< valueHeads · valueLength
    std::uint32_t valueOffset;
    Slot alpha; ///< one a value head
    Slot beta;
    const Vector* a; ///< one a value head, negative
    const Vector* dt;
    std::uint32_t keyHeads;
    std::uint32_t valueHeads;
    std::uint32_t keyLength;
    std::uint32_t valueLength;
    /// Value head v uses key head v % keyHeads, else v / (valueHeads / keyHeads).
    bool interleaved;
    float epsilon; ///< of the norms of q and k
    std::uint32_t state; ///< valueHeads · keyLength · valueLength floats
    Slot out; ///< valueHeads · valueLength
};

/// A selective state space, head by head over the tokens: with Δ = softplus(step + stepBias), each
/// number i of the head has a state h of stateLength numbers: h = h · exp(Δ a) + Δ x_i B;
/// out_i = h · C + d x_i. B and C are shared by the heads of a group. Source: Mamba (arXiv
/// 2312.00752; a head of each number, `a` its own for each number of the state) and Mamba 2 (arXiv
/// 2405.21060).
struct StateScan
{
    Slot x; ///< heads · headLength, beginning at `xOffset` of the row
    std::uint32_t xOffset;
    Slot b; ///< groups · stateLength
    std::uint32_t bOffset;
    Slot c;
    std::uint32_t cOffset;
    Slot step; ///< one a head
    const Vector* stepBias; ///< null: none
    const Vector* a; ///< negative; one a head, or stateLength a head
    const Vector* d; ///< one a head
    std::uint32_t heads;
    std::uint32_t headLength;
    std::uint32_t groups;
    std::uint32_t stateLength;
    std::uint32_t state; ///< heads · headLength · stateLength floats
    Slot out; ///< heads · headLength
};

/// Drops the rows whose logits nobody asked for; from here on the batch is only as long as its
/// outputs.
struct KeepOutputs
{
    Slot in;
    Slot out;
};

} // namespace op

} // namespace engine::model
