// Tensors of random bytes in a file in memory, for tests of what reads whole tensors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/quant/block_fields.h"
#include "engine/quant/codec.h"
#include "tests/support/tiny_gguf.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

namespace tests {

/// A file with a small tensor in front of `w`, which has `rows` × 2 rows. A block of random bytes
/// is drawn again until its values and all its numbers are finite, where that is asked for.
class RandomTensor
{
public:
    enum class Numbers { Finite, Any };

    RandomTensor(engine::gguf::TensorType type, std::uint64_t columns, std::uint64_t rows,
                 Numbers numbers)
        : m_columns(columns)
        , m_rows(2 * rows)
    {
        const auto& info = engine::gguf::tensorTypeInfo(type);
        const auto* codec = engine::quant::codec(type);
        const std::uint64_t blocks = m_rows * columns / info.blockSize;
        std::vector<std::byte> data(blocks * info.typeSize);
        m_values.resize(m_rows * columns);
        const auto numbersOf = engine::quant::floatFields(type);
        std::mt19937 random(static_cast<unsigned>(type) + 1);
        for (std::uint64_t b = 0; b < blocks; ++b) {
            std::byte* block = data.data() + b * info.typeSize;
            float* values = m_values.data() + b * info.blockSize;
            do {
                for (std::uint32_t i = 0; i < info.typeSize; ++i) {
                    block[i] = static_cast<std::byte>(random());
                }
                codec->decode(block, values, 1);
            } while (numbers == Numbers::Finite
                     && !(std::all_of(values, values + info.blockSize,
                                      [](float value) { return std::isfinite(value); })
                          && std::ranges::all_of(numbersOf, [block](const auto& field) {
                                 return std::isfinite(field.read(block));
                             })));
        }
        m_bytes =
            tinyGguf({ { "front", 0, { 3 }, bytesOf<float>({ 1, 2, 3 }) },
                       { "w", static_cast<std::uint32_t>(type), { columns, rows, 2 }, data } });
        m_file = engine::gguf::GgufFile::parse(m_bytes, "tiny.gguf").value();
    }

    [[nodiscard]] const engine::gguf::GgufFile& file() const { return *m_file; }
    [[nodiscard]] const engine::gguf::TensorInfo& tensor() const
    {
        return *m_file->findTensor("w");
    }
    [[nodiscard]] std::uint64_t rows() const { return m_rows; }
    [[nodiscard]] std::uint64_t columns() const { return m_columns; }
    /// All of them, as the codec decodes them.
    [[nodiscard]] const std::vector<float>& values() const { return m_values; }
    [[nodiscard]] float at(std::uint64_t row, std::uint64_t column) const
    {
        return m_values[row * m_columns + column];
    }

private:
    std::uint64_t m_columns;
    std::uint64_t m_rows;
    std::vector<float> m_values;
    std::vector<std::byte> m_bytes;
    std::shared_ptr<const engine::gguf::GgufFile> m_file;
};

} // namespace tests
