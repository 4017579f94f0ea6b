// Runs single ops of the CPU backend on numbers that a test chose.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/cpu/execution.h"
#include "engine/backend/op_graph.h"
#include "engine/quant/codec.h"
#include "tests/support/random_blocks.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace tests {

/// Normally distributed numbers, the same for the same seed.
[[nodiscard]] inline std::vector<float> randomFloats(std::size_t n, unsigned seed,
                                                     float deviation = 1.0F)
{
    return engine::backend::normalNumbers(n, seed, deviation);
}

/// One row of any type that the engine decodes: encoded where we can, else random blocks whose
/// scales have an ordinary size.
[[nodiscard]] inline std::vector<std::byte> randomRow(engine::gguf::TensorType type,
                                                      std::size_t columns, unsigned seed)
{
    const auto& info = engine::gguf::tensorTypeInfo(type);
    std::vector<std::byte> bytes(columns / info.blockSize * info.typeSize);
    if (const auto encode = engine::quant::codec(type)->encode) {
        encode(randomFloats(columns, seed).data(), bytes.data(), columns / info.blockSize);
        return bytes;
    }
    return randomBlocks(type, columns, seed);
}

/// A matrix of random weights that owns its bytes.
struct RandomMatrix
{
    RandomMatrix(engine::gguf::TensorType type, std::size_t columns, std::size_t rows,
                 unsigned seed)
    {
        for (std::size_t r = 0; r < rows; ++r) {
            const auto row = randomRow(type, columns, seed + static_cast<unsigned>(r));
            bytes.insert(bytes.end(), row.begin(), row.end());
        }
        matrix = { type, columns, rows, bytes.size() / rows, bytes };
    }
    RandomMatrix(const RandomMatrix&) = delete;
    RandomMatrix& operator=(const RandomMatrix&) = delete;

    /// A row as the codec decodes it.
    [[nodiscard]] std::vector<float> decoded(std::size_t row) const
    {
        std::vector<float> values(matrix.columns);
        const auto blockSize = engine::gguf::tensorTypeInfo(matrix.type).blockSize;
        engine::quant::codec(matrix.type)
            ->decode(matrix.row(row), values.data(), matrix.columns / blockSize);
        return values;
    }

    std::vector<std::byte> bytes;
    engine::model::Matrix matrix;
};

/// An execution whose slots a test fills and reads.
class OpBench
{
public:
    OpBench(const engine::backend::cpu::Kernels& table, int threads, std::size_t rows,
            std::uint32_t position = 0)
        : execution(table, threads)
    {
        execution.rows = rows;
        execution.batch.position = position;
    }

    /// A slot with these rows.
    engine::model::Slot slot(std::uint32_t width, std::vector<float> values)
    {
        execution.widths.push_back(width);
        execution.slots.push_back(std::move(values));
        return static_cast<engine::model::Slot>(execution.slots.size()) - 1;
    }
    /// A slot for results, still empty.
    engine::model::Slot slot(std::uint32_t width) { return slot(width, {}); }

    [[nodiscard]] const std::vector<float>& values(engine::model::Slot index) const
    {
        return execution.slots[static_cast<std::size_t>(index)];
    }

    engine::backend::cpu::Execution execution;
};

/// Rows "scalar", "AVX2", … of a data-driven test, for every table that this machine can run.
inline void addKernelTables()
{
    QTest::addColumn<int>("table");
    const auto all = engine::backend::cpu::runnableKernels();
    for (std::size_t i = 0; i < all.size(); ++i) {
        QTest::newRow(all[i]->name) << static_cast<int>(i);
    }
}
/// The table of the current row.
[[nodiscard]] inline const engine::backend::cpu::Kernels& kernelTable()
{
    const int index = *static_cast<int*>(QTest::qData("table", qMetaTypeId<int>()));
    return *engine::backend::cpu::runnableKernels()[static_cast<std::size_t>(index)];
}

/// False for NaN.
[[nodiscard]] inline bool near(double a, double b, double tolerance)
{
    return std::fabs(a - b) <= tolerance;
}

} // namespace tests
