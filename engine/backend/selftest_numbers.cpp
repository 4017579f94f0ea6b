#include "engine/backend/selftest_groups.h"
#include "engine/backend/selftest_rows.h"

#include <utility>

namespace engine::backend {

namespace {

using model::Activation;
namespace op = model::op;
using Build = SelfTestBuild;

constexpr std::uint32_t kOdd = 43; // a multiple of nothing

/// An op that changes one slot in place.
template <typename Op>
Build inPlace(std::uint32_t width, Op op)
{
    return [width, op](OpGraph& graph) {
        Op own = op;
        own.values = graph.slot(width, wildRows(width, 1));
        graph.add(own);
        graph.show(own.values);
    };
}

} // namespace

void addElementwise(SelfTestList& cases)
{
    const std::pair<Activation, const char*> functions[] = {
        { Activation::Identity, "identity" },
        { Activation::Silu, "silu" },
        { Activation::Gelu, "gelu" },
        { Activation::GeluErf, "gelu_erf" },
        { Activation::GeluQuick, "gelu_quick" },
        { Activation::Relu, "relu" },
        { Activation::ReluSquared, "relu_squared" },
        { Activation::Sigmoid, "sigmoid" },
        { Activation::Tanh, "tanh" },
        { Activation::Softplus, "softplus" },
    };
    for (const auto& [function, name] : functions) {
        cases.push_back({ "activate", name, kSmooth, inPlace(kOdd, op::Activate { 0, function }) });
        cases.push_back({ "gate", name, kSmooth, [function = function](OpGraph& graph) {
                             const auto gate = graph.slot(kOdd, wildRows(kOdd, 1));
                             const auto up = graph.slot(kOdd, calmRows(kOdd, 2));
                             graph.add(op::Gate { gate, up, function });
                             graph.show(gate);
                         } });
    }
    const auto gate = [](std::uint32_t upWidth, float limit) {
        return [=](OpGraph& graph) {
            const auto values = graph.slot(kOdd, wildRows(kOdd, 1));
            const auto up = graph.slot(upWidth, wildRows(upWidth, 2));
            graph.add(op::Gate { values, up, Activation::Silu, limit });
            graph.show(values);
        };
    };
    cases.push_back({ "gate", "one number", kSmooth, gate(1, 0) });
    cases.push_back({ "gate", "limit", kSmooth, gate(kOdd, 7) });
    cases.push_back({ "gate", "one number, limit", kSmooth, gate(1, 7) });
    cases.push_back({ "scale", "", 1e-6, inPlace(kOdd, op::Scale { 0, 1.7F }) });
    cases.push_back({ "scale_by_position", "", kSmooth,
                      inPlace(kOdd, op::ScaleByPosition { 0, 0.1F, 8.0F, 1.0F }) });
    cases.push_back({ "clamp", "", kExact, inPlace(kOdd, op::Clamp { 0, 1.5F }) });
    cases.push_back({ "soft_cap", "", kSmooth, inPlace(kOdd, op::SoftCap { 0, 30.0F }) });
    cases.push_back(
        { "xielu", "", kSmooth, inPlace(kOdd, op::Xielu { 0, 1.3F, 0.9F, 0.5F, -1e-6F }) });
    cases.push_back({ "sparsify", "", kSmooth, inPlace(577, op::Sparsify { 0, 1.6F }) });
    for (const std::uint32_t width : { kOdd, 1U }) {
        cases.push_back(
            { "scale_by", width == 1 ? "one number" : "rows", 1e-6, [width](OpGraph& graph) {
                 const auto values = graph.slot(kOdd, wildRows(kOdd, 1));
                 graph.add(op::ScaleBy { values, graph.vector(normalNumbers(width, 2)) });
                 graph.show(values);
             } });
    }
    cases.push_back({ "add", "", kExact, [](OpGraph& graph) {
                         const auto into = graph.slot(kOdd, wildRows(kOdd, 1));
                         graph.add(op::Add { into, graph.slot(kOdd, calmRows(kOdd, 2)) });
                         graph.show(into);
                     } });
}

void addNorms(SelfTestList& cases)
{
    const auto norm = [](std::uint32_t width, std::uint32_t pieces, bool weighted) {
        return [=](OpGraph& graph) {
            const auto in = graph.slot(width, wildRows(width, 1));
            const auto out = graph.slot(width);
            const auto* weight =
                weighted ? graph.vector(normalNumbers(width / pieces, 2)) : nullptr;
            graph.add(op::RmsNorm { in, weight, 1e-5F, out, pieces });
            graph.show(out);
        };
    };
    const auto layerNorm = [](std::uint32_t width, std::uint32_t pieces, bool weighted) {
        return [=](OpGraph& graph) {
            const auto in = graph.slot(width, wildRows(width, 1));
            const auto out = graph.slot(width);
            const auto length = width / pieces;
            graph.add(op::LayerNorm {
                in, weighted ? graph.vector(normalNumbers(length, 2)) : nullptr,
                weighted ? graph.vector(normalNumbers(length, 3)) : nullptr, 1e-5F, out, pieces });
            graph.show(out);
        };
    };
    cases.push_back({ "rms_norm", "rows", kSmooth, norm(577, 1, true) });
    cases.push_back({ "rms_norm", "heads", kSmooth, norm(4 * 64, 4, true) });
    cases.push_back({ "rms_norm", "no weight", kSmooth, norm(3 * 7, 3, false) });
    cases.push_back({ "layer_norm", "rows", kSmooth, layerNorm(577, 1, true) });
    cases.push_back({ "layer_norm", "heads", kSmooth, layerNorm(4 * 64, 4, true) });
    cases.push_back({ "layer_norm", "no weight", kSmooth, layerNorm(3 * 7, 3, false) });
}

void addPieces(SelfTestList& cases)
{
    cases.push_back({ "copy_pieces", "", kExact, [](OpGraph& graph) {
                         const auto in = graph.slot(50, wildRows(50, 1));
                         const auto out = graph.slot(70, calmRows(70, 2));
                         graph.add(op::CopyPieces { in, { 3, 11 }, out, { 2, 17 }, 4, 9 });
                         graph.show(out);
                     } });
    cases.push_back({ "copy_pieces", "repeated", kExact, [](OpGraph& graph) {
                         const auto in = graph.slot(50, wildRows(50, 1));
                         const auto out = graph.slot(70, calmRows(70, 2));
                         graph.add(op::CopyPieces { in, { 5, 0 }, out, { 1, 16 }, 4, 16 });
                         graph.show(out);
                     } });
    for (const bool isWeighted : { true, false }) {
        cases.push_back(
            { "mix_pieces", isWeighted ? "weights" : "bias", kSmooth, [isWeighted](OpGraph& graph) {
                 const auto into = graph.slot(3 * 22, calmRows(3 * 22, 1));
                 const auto from = graph.slot(2 * 21, calmRows(2 * 21, 2));
                 const auto weights = isWeighted ? graph.slot(6, calmRows(6, 3)) : model::Slot(-1);
                 graph.add(op::MixPieces { into, { 1, 22 }, 3, from, 2, 21, weights, 0.5F });
                 graph.show(into);
             } });
    }
    cases.push_back({ "match_length", "", kSmooth, [](OpGraph& graph) {
                         const auto values = graph.slot(3 * 25, calmRows(3 * 25, 1, 5.0F));
                         const auto like = graph.slot(24, calmRows(24, 2));
                         graph.add(op::MatchLength { values, { 1, 25 }, 3, like });
                         graph.show(values);
                     } });
    cases.push_back({ "keep_outputs", "", kExact, [](OpGraph& graph) {
                         const auto in = graph.slot(kOdd, calmRows(kOdd, 1));
                         const auto out = graph.slot(kOdd);
                         graph.add(op::KeepOutputs { in, out });
                         graph.show(out);
                     } });
}

} // namespace engine::backend
