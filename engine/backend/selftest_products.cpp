#include "engine/backend/selftest_groups.h"
#include "engine/backend/selftest_rows.h"
#include "engine/quant/codec.h"

#include <algorithm>
#include <iterator>

namespace engine::backend {

namespace {

using gguf::TensorType;
namespace op = model::op;
using Build = SelfTestBuild;

constexpr std::uint32_t kColumns = 512; // a multiple of every block
constexpr std::uint32_t kOdd = 43; // a multiple of nothing
constexpr std::size_t kRows = kSelfTestRows;

std::string typeName(TensorType type)
{
    return std::string(gguf::tensorTypeInfo(type).name);
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

} // namespace

void addLookups(SelfTestList& cases)
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

void addProducts(SelfTestList& cases)
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

void addExperts(SelfTestList& cases)
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

} // namespace engine::backend
