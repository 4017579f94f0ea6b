// How two files differ in their metadata and in their tables of tensors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace engine::gguf {

enum class DiffState { Same, Different, OnlyInA, OnlyInB };

/// Where two arrays differ. Where one is shorter, its missing elements differ from those that are
/// there.
struct ArrayDiff
{
    std::uint64_t different = 0; ///< elements
    std::uint64_t first = 0; ///< index of the first of them
    std::optional<Value> a; ///< the element there; nothing past the end
    std::optional<Value> b;
};

/// One key, in one of the files or in both.
struct MetadataDiff
{
    DiffState state;
    std::optional<std::uint32_t> a; ///< number in the metadata of the file
    std::optional<std::uint32_t> b;
    /// The types differ; arrays have types of elements.
    bool isTypeDifferent = false;
    /// Of different arrays.
    std::optional<ArrayDiff> array;
};

/// One tensor, in one of the files or in both. Its data are not looked at: see eval::compareData.
struct TensorDiff
{
    DiffState state;
    std::optional<std::uint32_t> a; ///< number in the directory of the file
    std::optional<std::uint32_t> b;
    bool isShapeDifferent = false;
    bool isTypeDifferent = false;
};

/// What both have stands in the order of A; what only B has comes last, in the order of B.
struct MetadataComparison
{
    std::vector<MetadataDiff> entries;
    std::uint64_t differences = 0; ///< entries that are not the same
    bool isOrderDifferent = false; ///< of what both have
};

struct TensorComparison
{
    std::vector<TensorDiff> tensors;
    std::uint64_t differences = 0;
    bool isOrderDifferent = false;
};

/// By key, as far as the files could be read; where a key occurs several times, the first is
/// compared with the first, and so on. The same is what has the same type and value, whatever the
/// byte order of the files; numbers are compared by their bits, so that NaN equals itself and 0 is
/// not −0. Arrays are walked to their ends unless their bytes are equal. Stopped, it gives what was
/// found so far.
[[nodiscard]] MetadataComparison compareMetadata(const GgufFile& a, const GgufFile& b,
                                                 const std::stop_token& stop = {});

/// By name, in the same way; shape and type count, places in the file do not.
[[nodiscard]] TensorComparison compareTensors(const GgufFile& a, const GgufFile& b);

} // namespace engine::gguf
