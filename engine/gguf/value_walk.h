// Finding the end of a metadata value without copying it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/byte_reader.h"
#include "engine/gguf/value.h"

#include <cstdint>

namespace engine::gguf {

/// Levels of arrays within arrays that are read; more is an attack on the stack rather than data.
constexpr int kMaxArrayDepth = 4;

/// How a walk over one value ended, and, where it failed, with which number at which place.
struct ValueWalk
{
    enum class Fault { None, FileEnds, TextLength, ArrayCount, UnknownType, TooDeep };

    Fault fault = Fault::None;
    std::uint64_t offset = 0; ///< of the field that is wrong
    std::uint64_t number = 0; ///< the length, count or type number found there
    std::uint64_t left = 0; ///< bytes of the file after that field
    ValueType elementType = ValueType::U8; ///< of the array whose count is wrong
    int depth = 0; ///< levels of arrays met so far
};

/// Whether `number` is one of the 13 value types.
[[nodiscard]] bool isValueType(std::uint32_t number);

/// Moves `reader` from the first byte of a value behind its last one. Costs O(1), except for arrays
/// of text and of arrays, whose elements are visited; a count that cannot fit into the remaining
/// bytes fails at once.
[[nodiscard]] ValueWalk skipValue(ByteReader& reader, ValueType type);

} // namespace engine::gguf
