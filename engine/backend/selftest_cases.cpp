#include "engine/backend/selftest_cases.h"

#include "engine/backend/selftest_rows.h"
#include "engine/quant/codec.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace engine::backend {

namespace {

using gguf::TensorType;
using model::Activation;
namespace op = model::op;

constexpr std::uint32_t kColumns = 512; // a multiple of every block
constexpr std::uint32_t kOdd = 43; // a multiple of nothing
constexpr std::size_t kRows = kSelfTestRows;

using Cases = std::vector<SelfTestCase>;
using Build = std::function<void(OpGraph&)>;

std::vector<float> positive(std::size_t count, unsigned seed)
{
    auto values = normalNumbers(count, seed, 0.1F);
    for (auto& value : values) {
        value = 0.5F + value * value;
    }
    return values;
}

std::string typeName(TensorType type)
{
    return std::string(gguf::tensorTypeInfo(type).name);
}

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

/// The same in dispatches of few workgroups.
Build inSubmissions(const Build& build)
{
    return [build](OpGraph& graph) {
        build(graph);
        graph.options.submissionWork = 1e4;
    };
}

/// Types that weights are quantized to; the others are kept for activations and indices.
std::vector<TensorType> weightTypes()
{
    constexpr TensorType kOthers[] = { TensorType::Q8_1, TensorType::Q8_K, TensorType::I8,
                                       TensorType::I16,  TensorType::I32,  TensorType::I64,
                                       TensorType::F64 };
    std::vector<TensorType> types;
    for (const auto& codec : quant::codecs()) {
        if (std::ranges::find(kOthers, codec.type) == std::end(kOthers)) {
            types.push_back(codec.type);
        }
    }
    return types;
}

void addLookups(Cases& cases)
{
    for (const auto type : weightTypes()) {
        cases.push_back(
            { "embed", typeName(type), 1e-6, [type](OpGraph& graph) {
                 const auto out = graph.slot(kColumns);
                 graph.add(op::Embed { graph.randomMatrix(type, kColumns, kRows, 1), out });
                 graph.show(out);
             } });
    }
    for (const auto type : { TensorType::F32, TensorType::F16, TensorType::Q8_0 }) {
        cases.push_back(
            { "add_positions", typeName(type), 1e-6, [type](OpGraph& graph) {
                 const auto into = graph.slot(kColumns, calmRows(kColumns, 1));
                 graph.add(op::AddPositions { graph.randomMatrix(type, kColumns, kRows, 2), into });
                 graph.show(into);
             } });
    }
}

Build linear(TensorType type, ActivationMode mode, std::uint32_t rows)
{
    return [=](OpGraph& graph) {
        graph.options.activations = mode;
        const auto in = graph.slot(kColumns, wildRows(kColumns, 3));
        const auto first = graph.slot(rows);
        const auto second = graph.slot(rows);
        graph.add(
            op::Linear { in,
                         { { graph.randomMatrix(type, kColumns, rows, 4),
                             graph.vector(normalNumbers(rows, 5)), first },
                           { graph.randomMatrix(type, kColumns, rows, 6), nullptr, second } } });
        graph.add(op::Add { first, second });
        graph.show(first);
    };
}

Build headLinear(TensorType type)
{
    return [type](OpGraph& graph) {
        constexpr std::uint32_t heads = 3;
        constexpr std::uint32_t length = 64;
        constexpr std::uint32_t rows = 19;
        constexpr std::uint32_t gap = 4; // what is beside the pieces stays
        const auto in = graph.slot(heads * (length + gap), wildRows(heads * (length + gap), 1));
        const auto out = graph.slot(heads * rows + gap, calmRows(heads * rows + gap, 2));
        graph.add(
            op::HeadLinear { in,
                             { gap, length + gap },
                             graph.stack(*graph.randomMatrix(type, length, heads * rows, 3), heads),
                             out,
                             { gap, rows } });
        graph.show(out);
    };
}

void addProducts(Cases& cases)
{
    for (const auto type : weightTypes()) {
        cases.push_back(
            { "linear", typeName(type), kSums, linear(type, ActivationMode::Float, kOdd) });
        cases.push_back({ "linear", typeName(type) + " and 8-bit activations", kRounded,
                          linear(type, ActivationMode::Q8, kOdd) });
        if (type == TensorType::Q8_0) {
            cases.push_back({ "linear", typeName(type) + " in several submissions", kSums,
                              inSubmissions(linear(type, ActivationMode::Float, kOdd)) });
        }
    }
    for (const auto type : { TensorType::F32, TensorType::F16, TensorType::Q8_0 }) {
        cases.push_back({ "head_linear", typeName(type), kSums, headLinear(type) });
    }
}

void addNorms(Cases& cases)
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

void addElementwise(Cases& cases)
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

void addPieces(Cases& cases)
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

void addRopes(Cases& cases)
{
    const auto rope = [](model::RopeParameters parameters) {
        return [parameters](OpGraph& graph) {
            constexpr std::uint32_t heads = 3;
            constexpr std::uint32_t length = 70;
            const auto values = graph.slot(heads * length, calmRows(heads * length, 1));
            auto own = parameters;
            if (!own.factors.empty()) { // the graph keeps them
                own.factors = graph.vector(positive(own.dimensions / 2, 2))->values();
            }
            graph.add(op::Rope { values, heads, length, graph.rope(own), 4 });
            graph.show(values);
        };
    };
    static constexpr float kFactorsWanted[] = { 1.0F };
    using model::RopePairs;
    cases.push_back({ "rope", "adjacent pairs", kSmooth,
                      rope({ .dimensions = 64, .pairs = RopePairs::Adjacent }) });
    cases.push_back(
        { "rope", "halves", kSmooth, rope({ .dimensions = 64, .pairs = RopePairs::Halves }) });
    cases.push_back(
        { "rope", "factors", kSmooth, rope({ .dimensions = 48, .factors = kFactorsWanted }) });
    cases.push_back({ "rope", "YaRN", kSmooth,
                      rope({ .dimensions = 64,
                             .scale = 0.25F,
                             .yarn = true,
                             .originalContext = 16,
                             .pairs = RopePairs::Halves }) });
}

struct AttentionForm
{
    const char* name;
    CacheType cache = CacheType::F32;
    std::uint32_t window = 0;
    float softCap = 0;
    float alibi = 0;
    bool hasSinks = false;
    std::uint32_t chunk = 0;
    std::uint32_t keyLength = 64;
    std::uint32_t valueLength = 64;
};

void attend(OpGraph& graph, const AttentionForm& form)
{
    constexpr std::uint32_t heads = 6;
    constexpr std::uint32_t kvHeads = 2;
    graph.options.cacheType = form.cache;
    graph.graph.kv = model::uniformKv(1, { kvHeads, form.keyLength, form.valueLength });
    const auto query =
        graph.slot(heads * form.keyLength, calmRows(heads * form.keyLength, 1, 2.0F));
    const auto key = graph.slot(kvHeads * form.keyLength, calmRows(kvHeads * form.keyLength, 2));
    const auto value =
        graph.slot(kvHeads * form.valueLength, calmRows(kvHeads * form.valueLength, 3, 300.0F));
    const auto out = graph.slot(heads * form.valueLength);
    graph.add(op::StoreKv { 0, key, value });
    graph.add(op::Attention { 0, query, out, heads, 0.125F, form.window, form.softCap, form.alibi,
                              form.hasSinks ? graph.vector(normalNumbers(heads, 4)) : nullptr,
                              form.chunk });
    graph.show(out);
}

void addAttention(Cases& cases)
{
    static constexpr AttentionForm kForms[] = {
        { .name = "f32 cache" },
        { .name = "f16 cache", .cache = CacheType::F16 },
        { .name = "window", .cache = CacheType::F16, .window = 5 },
        { .name = "soft cap", .softCap = 3.0F },
        { .name = "ALiBi", .alibi = 8.0F },
        { .name = "sinks", .cache = CacheType::F16, .hasSinks = true },
        { .name = "chunks", .chunk = 8 },
        { .name = "odd lengths", .keyLength = 50, .valueLength = 34 },
    };
    for (const auto& form : kForms) {
        cases.push_back(
            { "attention", form.name, kSums, [&form](OpGraph& graph) { attend(graph, form); } });
        if (&form == &kForms[1]) {
            cases.push_back({ "attention", std::string(form.name) + " in several submissions",
                              kSums, inSubmissions(cases.back().build) });
        }
    }
    // a window of one token gives back its own value
    for (const auto cache : { CacheType::F32, CacheType::F16 }) {
        cases.push_back({ "store_kv", cache == CacheType::F32 ? "f32 cache" : "f16 cache", 1e-6,
                          [cache](OpGraph& graph) {
                              attend(graph, { .name = "", .cache = cache, .window = 1 });
                          } });
    }
}

Build expertLinear(TensorType type, bool isShared)
{
    return [=](OpGraph& graph) {
        constexpr std::uint32_t experts = 7;
        constexpr std::uint32_t used = 2;
        constexpr std::uint32_t rows = 21;
        const auto inWidth = isShared ? kColumns : used * kColumns;
        const auto in = graph.slot(inWidth, wildRows(inWidth, 1));
        const auto route = graph.slot(2 * used, someRoutes(experts, used));
        const auto out = graph.slot(used * rows);
        graph.add(op::ExpertLinear {
            in,
            route,
            used,
            { { graph.stack(*graph.randomMatrix(type, kColumns, experts * rows, 2), experts),
                graph.vector(normalNumbers(experts * rows, 3)), out } } });
        graph.show(out);
    };
}

void addExperts(Cases& cases)
{
    using Gating = op::Route::Gating;
    const auto route = [](op::Route form, bool isBiased) {
        return [form, isBiased](OpGraph& graph) {
            constexpr std::uint32_t experts = 24;
            auto own = form;
            own.scores = graph.slot(experts, calmRows(experts, 1, 2.0F));
            own.out = graph.slot(2 * own.used);
            own.bias = isBiased ? graph.vector(normalNumbers(experts, 2)) : nullptr;
            own.expertScales = isBiased ? graph.vector(positive(experts, 3)) : nullptr;
            graph.add(own);
            graph.show(own.out);
        };
    };
    cases.push_back({ "route", "softmax", kSmooth,
                      route({ 0, 0, 4, Gating::Softmax, nullptr, 1, 1, true }, false) });
    cases.push_back({ "route", "softmax of the chosen", kSmooth,
                      route({ 0, 0, 3, Gating::SoftmaxOfChosen }, true) });
    cases.push_back({ "route", "sigmoid and groups", kSmooth,
                      route({ 0, 0, 4, Gating::Sigmoid, nullptr, 4, 2, true, 2.5F }, true) });
    for (const auto type : weightTypes()) {
        cases.push_back({ "expert_linear", typeName(type), kSums, expertLinear(type, true) });
    }
    cases.push_back(
        { "expert_linear", "an input for each", kSums, expertLinear(TensorType::F16, false) });
    cases.push_back({ "combine_experts", "", kSmooth, [](OpGraph& graph) {
                         constexpr std::uint32_t used = 3;
                         const auto in = graph.slot(used * kOdd, wildRows(used * kOdd, 1));
                         const auto choice = graph.slot(2 * used, someRoutes(8, used));
                         const auto out = graph.slot(kOdd);
                         graph.add(op::CombineExperts { in, choice, used, out });
                         graph.show(out);
                     } });
}

Build gatedDelta(bool interleaved)
{
    return [interleaved](OpGraph& graph) {
        constexpr std::uint32_t keyHeads = 2;
        constexpr std::uint32_t valueHeads = 4;
        constexpr std::uint32_t length = 32;
        constexpr std::uint32_t keyWidth = keyHeads * length;
        const auto both = graph.slot(2 * keyWidth + 4, calmRows(2 * keyWidth + 4, 1));
        const auto value = graph.slot(valueHeads * length, calmRows(valueHeads * length, 2));
        const auto alpha = graph.slot(valueHeads, calmRows(valueHeads, 3));
        const auto beta = graph.slot(valueHeads, calmRows(valueHeads, 4));
        auto a = positive(valueHeads, 5);
        for (auto& rate : a) {
            rate = -rate;
        }
        const auto out = graph.slot(valueHeads * length);
        graph.add(op::GatedDelta { both, 0, both, keyWidth, value, 0, alpha, beta, graph.vector(a),
                                   graph.vector(normalNumbers(valueHeads, 6)), keyHeads, valueHeads,
                                   length, length, interleaved, 1e-6F,
                                   graph.graph.state(valueHeads * length * length), out });
        graph.show(out);
    };
}

Build stateScan(std::uint32_t heads, std::uint32_t headLength, std::uint32_t groups, bool ownRates)
{
    return [=](OpGraph& graph) {
        constexpr std::uint32_t stateLength = 16;
        const auto width = heads * headLength;
        const auto shared = groups * stateLength;
        const auto x = graph.slot(width + 2 * shared, calmRows(width + 2 * shared, 1));
        const auto step = graph.slot(heads, calmRows(heads, 2));
        auto a = positive(ownRates ? heads * stateLength : heads, 3);
        for (auto& rate : a) {
            rate = -rate;
        }
        const auto out = graph.slot(width);
        graph.add(op::StateScan { x, 0, x, width, x, width + shared, step,
                                  graph.vector(normalNumbers(heads, 4)), graph.vector(a),
                                  graph.vector(normalNumbers(heads, 5)), heads, headLength, groups,
                                  stateLength, graph.graph.state(width * stateLength), out });
        graph.show(out);
    };
}

void addStates(Cases& cases)
{
    cases.push_back({ "short_conv", "", kSmooth, [](OpGraph& graph) {
                         constexpr std::uint32_t taps = 4;
                         const auto in = graph.slot(kOdd, wildRows(kOdd, 1));
                         const auto out = graph.slot(kOdd);
                         graph.add(op::ShortConv {
                             in, graph.randomMatrix(TensorType::F32, taps, kOdd, 2),
                             graph.vector(normalNumbers(kOdd, 3)),
                             graph.graph.state((taps - 1) * kOdd), Activation::Silu, out });
                         graph.show(out);
                     } });
    cases.push_back({ "gated_delta", "", kSums, gatedDelta(false) });
    cases.push_back({ "gated_delta", "interleaved heads", kSums, gatedDelta(true) });
    cases.push_back({ "state_scan", "Mamba", kSums, stateScan(kOdd, 1, 1, true) });
    cases.push_back({ "state_scan", "Mamba 2", kSums, stateScan(4, 24, 2, false) });
}

} // namespace

std::vector<SelfTestCase> selfTestCases()
{
    Cases cases;
    addLookups(cases);
    addElementwise(cases);
    addNorms(cases);
    addPieces(cases);
    addProducts(cases);
    addRopes(cases);
    addAttention(cases);
    addExperts(cases);
    addStates(cases);
    return cases;
}

} // namespace engine::backend
