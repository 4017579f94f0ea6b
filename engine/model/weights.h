// The tensors of a model by their role: views into the map, shapes checked once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/hparams.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::model {

/// A matrix of any tensor type as it lies in the file, row after row. y = W x has `rows` outputs
/// and `columns` inputs.
struct Matrix
{
    gguf::TensorType type = gguf::TensorType::F32;
    std::uint64_t columns = 0; ///< length of a row
    std::uint64_t rows = 0;
    std::uint64_t rowBytes = 0;
    std::span<const std::byte> data;

    [[nodiscard]] explicit operator bool() const { return !data.empty(); }
    [[nodiscard]] const std::byte* row(std::uint64_t index) const
    {
        return data.data() + index * rowBytes;
    }
    /// Some of the rows; none of a matrix that is not there.
    [[nodiscard]] Matrix rowRange(std::uint64_t first, std::uint64_t count) const
    {
        return *this ? Matrix { type, columns, count, rowBytes,
                                data.subspan(first * rowBytes, count * rowBytes) }
                     : Matrix {};
    }
};

/// A small vector (norm weights, biases) as floats. F32 is used where it is mapped; other types are
/// decoded.
class Vector
{
public:
    Vector() = default;
    explicit Vector(std::span<const float> mapped)
        : m_view(mapped)
    {
    }
    explicit Vector(std::vector<float> decoded)
        : m_decoded(std::move(decoded))
    {
    }
    [[nodiscard]] std::span<const float> values() const
    {
        return m_decoded.empty() ? m_view : m_decoded;
    }
    [[nodiscard]] explicit operator bool() const { return !values().empty(); }
    /// A view of some of the numbers, as long as this vector stays; none of one that is not there.
    [[nodiscard]] Vector range(std::uint64_t first, std::uint64_t count) const
    {
        return *this ? Vector(values().subspan(first, count)) : Vector();
    }

private:
    std::span<const float> m_view;
    std::vector<float> m_decoded;
};

/// Matrices of one shape, one behind the other: experts, heads.
struct MatrixStack
{
    Matrix all; ///< `count` times the rows of one
    std::uint32_t count = 0;

    [[nodiscard]] explicit operator bool() const { return count > 0; }
    [[nodiscard]] std::uint64_t rowsOfOne() const { return all.rows / count; }
    [[nodiscard]] Matrix at(std::uint32_t index) const
    {
        return all.rowRange(index * rowsOfOne(), rowsOfOne());
    }
};

/// What a graph refers to: stays where it is while more is added.
struct Weights
{
    std::deque<Matrix> matrices;
    std::deque<MatrixStack> stacks;
    std::deque<Vector> vectors;
};

/// A part of a split model without all of the others.
[[nodiscard]] bool lacksParts(const gguf::GgufFile& file);

/// Errors: NotALanguageModel for a file without tensors, GgufSplitPart for a part of a split
/// model without the others.
[[nodiscard]] Result<void> requireWeights(const gguf::GgufFile& file);

/// A tensor that an architecture asks for.
struct ExpectedTensor
{
    std::string name;
    std::uint64_t columns = 0;
    std::uint64_t rows = 0; ///< 1 for vectors
    std::uint64_t count = 1; ///< of matrices in a stack
    bool required = false; ///< without it the model cannot run
};

/// First: the first failure is kept; later calls do nothing. Survey: every failure is kept, and
/// what was asked for.
enum class BindMode { First, Survey };

/// Looks tensors up by name and checks their shape and type.
class WeightBinder
{
public:
    explicit WeightBinder(const gguf::GgufFile& file, BindMode mode = BindMode::First);

    /// rows × columns; errors: MissingTensor, WrongTensorShape, UnsupportedTensorType,
    /// MisalignedTensor.
    [[nodiscard]] Matrix matrix(const std::string& name, std::uint64_t columns, std::uint64_t rows);
    [[nodiscard]] Matrix optionalMatrix(const std::string& name, std::uint64_t columns,
                                        std::uint64_t rows);
    [[nodiscard]] Vector vector(const std::string& name, std::uint64_t length);
    [[nodiscard]] Vector optionalVector(const std::string& name, std::uint64_t length);
    /// `count` matrices; errors as `matrix`.
    [[nodiscard]] MatrixStack stack(const std::string& name, std::uint64_t columns,
                                    std::uint64_t rows, std::uint32_t count);
    /// `count` vectors of `length`, one behind the other.
    [[nodiscard]] Vector optionalVectors(const std::string& name, std::uint64_t length,
                                         std::uint64_t count);
    [[nodiscard]] Vector vectors(const std::string& name, std::uint64_t length,
                                 std::uint64_t count);
    [[nodiscard]] bool has(const std::string& name) const;
    /// Tensors whose names begin so have a use that the graph has not.
    void ignore(const std::string& prefix) { m_ignored.push_back(prefix); }
    [[nodiscard]] bool isIgnored(std::string_view name) const;
    [[nodiscard]] const gguf::GgufFile& file() const { return m_file; }
    /// What an architecture found wrong with the metadata.
    void add(std::vector<Error> errors);

    /// The first failure.
    [[nodiscard]] Result<void> result() const;
    [[nodiscard]] std::vector<Error> takeErrors() { return std::move(m_errors); }
    /// In the order of asking; empty unless surveyed.
    [[nodiscard]] std::vector<ExpectedTensor> takeExpected() { return std::move(m_expected); }

private:
    /// Columns, rows, count.
    using Shape = std::array<std::uint64_t, 3>;

    void fail(ErrorCode code, std::vector<std::string> arguments, const std::string& name,
              const gguf::TensorInfo* info);
    const gguf::TensorInfo* checked(const std::string& name, const Shape& shape);
    Matrix optional(const std::string& name, const Shape& shape);
    Vector optionalNumbers(const std::string& name, const Shape& shape);

    void expect(const std::string& name, const Shape& shape);
    void require(const std::string& name);
    [[nodiscard]] bool stopped() const { return m_mode == BindMode::First && !m_errors.empty(); }

    const gguf::GgufFile& m_file;
    BindMode m_mode;
    std::vector<Error> m_errors;
    std::vector<ExpectedTensor> m_expected;
    std::vector<std::string> m_ignored;
};

} // namespace engine::model
