#include "engine/backend/selftest_groups.h"
#include "engine/backend/selftest_rows.h"

namespace engine::backend {

namespace {

using gguf::TensorType;
using model::Activation;
namespace op = model::op;
using Build = SelfTestBuild;

constexpr std::uint32_t kOdd = 43; // a multiple of nothing

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

} // namespace

void addRopes(SelfTestList& cases)
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

void addAttention(SelfTestList& cases)
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

void addStates(SelfTestList& cases)
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

} // namespace engine::backend
