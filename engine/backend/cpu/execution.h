// What the ops of the CPU backend share during one run: kernels, threads, activations, cache,
// states, the batch. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/backend/cpu/kernels.h"
#include "engine/backend/cpu/kv_cache.h"
#include "engine/backend/cpu/states.h"
#include "engine/base/thread_pool.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>
#include <vector>

namespace engine::backend::cpu {

/// Activations of a batch rounded to 8 bits; memory is kept between runs.
struct Q8Batch
{
    std::vector<std::int8_t> quants;
    std::vector<float> scales;
    std::vector<float> sums;
    std::vector<Q8Row> rows;
};

/// Cosines and sines of one batch's positions.
struct RopeTable
{
    const model::RopeParameters* parameters = nullptr; ///< null: not of this run
    std::vector<float> cosines; ///< [row][dimensions / 2]
    std::vector<float> sines;
};

struct Execution
{
    Execution(const Kernels& table, int threads)
        : kernels(table)
        , pool(threads)
        , scratch(static_cast<std::size_t>(threads))
    {
    }

    const Kernels& kernels;
    ThreadPool pool;
    KvCache cache;
    States states;
    ActivationMode activations = ActivationMode::Q8;
    std::uint32_t contextLength = 0;

    // of the current run
    Batch batch;
    std::stop_token stop;
    std::size_t rows = 0; ///< rows of the activations now; fewer after KeepOutputs

    std::vector<std::uint32_t> widths; ///< by slot
    std::vector<std::vector<float>> slots;
    Q8Batch quantized;
    std::vector<RopeTable> ropes; ///< one for each set of parameters
    std::vector<std::vector<float>> scratch; ///< one a thread, for whatever an op needs

    /// The activation of a slot, grown to the current number of rows.
    float* slot(model::Slot index)
    {
        auto& values = slots[static_cast<std::size_t>(index)];
        const auto needed = rows * width(index);
        if (values.size() < needed) {
            values.resize(needed);
        }
        return values.data();
    }
    [[nodiscard]] std::size_t width(model::Slot index) const
    {
        return widths[static_cast<std::size_t>(index)];
    }

    /// At least `size` floats of the thread's own.
    float* threadScratch(int thread, std::size_t size)
    {
        auto& memory = scratch[static_cast<std::size_t>(thread)];
        if (memory.size() < size) {
            memory.resize(size);
        }
        return memory.data();
    }

    /// Runs body(row, thread) for every row, over all threads when there is enough work.
    template <typename F>
    void forRows(F&& body)
    {
        constexpr std::size_t fewRows = 4; // waking the workers costs more than these
        constexpr std::int64_t grain = 8;
        pool.run(static_cast<std::int64_t>(rows),
                 rows < fewRows ? static_cast<std::int64_t>(fewRows) : grain,
                 [&](std::int64_t begin, std::int64_t end, int thread) {
                     for (auto r = begin; r < end; ++r) {
                         body(static_cast<std::size_t>(r), thread);
                     }
                 });
    }

    /// Runs body(values, count) for all rows of a slot in slices that may begin anywhere, for ops
    /// that take each number by itself.
    template <typename F>
    void forNumbers(model::Slot index, F&& body)
    {
        constexpr std::size_t few = 16384; // waking the workers costs more than these
        constexpr std::size_t slice = 4096;
        float* values = slot(index);
        const auto count = rows * width(index);
        pool.run(static_cast<std::int64_t>(count),
                 static_cast<std::int64_t>(count <= few ? few : slice),
                 [&](std::int64_t begin, std::int64_t end, int) {
                     body(values + begin, static_cast<std::size_t>(end - begin));
                 });
    }
};

void run(Execution& execution, const model::op::Embed& op);
void run(Execution& execution, const model::op::AddPositions& op);
void run(Execution& execution, const model::op::Scale& op);
void run(Execution& execution, const model::op::ScaleBy& op);
void run(Execution& execution, const model::op::ScaleByPosition& op);
void run(Execution& execution, const model::op::RmsNorm& op);
void run(Execution& execution, const model::op::LayerNorm& op);
void run(Execution& execution, const model::op::Linear& op);
void run(Execution& execution, const model::op::HeadLinear& op);
void run(Execution& execution, const model::op::Rope& op);
void run(Execution& execution, const model::op::StoreKv& op);
void run(Execution& execution, const model::op::Attention& op);
void run(Execution& execution, const model::op::Add& op);
void run(Execution& execution, const model::op::Activate& op);
void run(Execution& execution, const model::op::Gate& op);
void run(Execution& execution, const model::op::Clamp& op);
void run(Execution& execution, const model::op::SoftCap& op);
void run(Execution& execution, const model::op::Xielu& op);
void run(Execution& execution, const model::op::Sparsify& op);
void run(Execution& execution, const model::op::MixPieces& op);
void run(Execution& execution, const model::op::MatchLength& op);
void run(Execution& execution, const model::op::CopyPieces& op);
void run(Execution& execution, const model::op::Route& op);
void run(Execution& execution, const model::op::ExpertLinear& op);
void run(Execution& execution, const model::op::CombineExperts& op);
void run(Execution& execution, const model::op::ShortConv& op);
void run(Execution& execution, const model::op::GatedDelta& op);
void run(Execution& execution, const model::op::StateScan& op);
void run(Execution& execution, const model::op::KeepOutputs& op);

} // namespace engine::backend::cpu
