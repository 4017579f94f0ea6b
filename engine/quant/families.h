// The decode and encode functions and the block layouts behind the codec table, family by family;
// only codec.cpp includes all of them. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/quant/block_layout.h"

#include <cstddef>

namespace engine::quant {

// plain.cpp: numbers without a scale, one element a block. Numbers that a float cannot hold are
// rounded.
void decodeF64(const std::byte* source, float* values, std::size_t blocks);
void decodeF32(const std::byte* source, float* values, std::size_t blocks);
void decodeF16(const std::byte* source, float* values, std::size_t blocks);
void decodeBF16(const std::byte* source, float* values, std::size_t blocks);
void decodeI8(const std::byte* source, float* values, std::size_t blocks);
void decodeI16(const std::byte* source, float* values, std::size_t blocks);
void decodeI32(const std::byte* source, float* values, std::size_t blocks);
void decodeI64(const std::byte* source, float* values, std::size_t blocks);
void encodeF32(const float* values, std::byte* target, std::size_t blocks);
void encodeF16(const float* values, std::byte* target, std::size_t blocks);
void encodeBF16(const float* values, std::byte* target, std::size_t blocks);
// plain_fields.cpp
extern const BlockLayout kLayoutF64;
extern const BlockLayout kLayoutF32;
extern const BlockLayout kLayoutF16;
extern const BlockLayout kLayoutBF16;
extern const BlockLayout kLayoutI8;
extern const BlockLayout kLayoutI16;
extern const BlockLayout kLayoutI32;
extern const BlockLayout kLayoutI64;

// legacy.cpp: blocks of 32 with one scale.
void decodeQ4_0(const std::byte* source, float* values, std::size_t blocks);
void decodeQ4_1(const std::byte* source, float* values, std::size_t blocks);
void decodeQ5_0(const std::byte* source, float* values, std::size_t blocks);
void decodeQ5_1(const std::byte* source, float* values, std::size_t blocks);
void decodeQ8_0(const std::byte* source, float* values, std::size_t blocks);
void encodeQ4_0(const float* values, std::byte* target, std::size_t blocks);
void encodeQ4_1(const float* values, std::byte* target, std::size_t blocks);
void encodeQ5_0(const float* values, std::byte* target, std::size_t blocks);
void encodeQ5_1(const float* values, std::byte* target, std::size_t blocks);
void encodeQ8_0(const float* values, std::byte* target, std::size_t blocks);
// legacy_fields.cpp
extern const BlockLayout kLayoutQ4_0;
extern const BlockLayout kLayoutQ4_1;
extern const BlockLayout kLayoutQ5_0;
extern const BlockLayout kLayoutQ5_1;
extern const BlockLayout kLayoutQ8_0;

// k_quants.cpp: blocks of 256 whose groups have scales of their own.
void decodeQ2_K(const std::byte* source, float* values, std::size_t blocks);
void decodeQ3_K(const std::byte* source, float* values, std::size_t blocks);
void decodeQ4_K(const std::byte* source, float* values, std::size_t blocks);
void decodeQ5_K(const std::byte* source, float* values, std::size_t blocks);
void decodeQ6_K(const std::byte* source, float* values, std::size_t blocks);
// k_quants_fields.cpp
extern const BlockLayout kLayoutQ2_K;
extern const BlockLayout kLayoutQ3_K;
extern const BlockLayout kLayoutQ4_K;
extern const BlockLayout kLayoutQ5_K;
extern const BlockLayout kLayoutQ6_K;

// iq_codebooks.cpp: blocks of 256 whose weights are entries of a codebook.
void decodeIQ1_S(const std::byte* source, float* values, std::size_t blocks);
void decodeIQ1_M(const std::byte* source, float* values, std::size_t blocks);
void decodeIQ2_XXS(const std::byte* source, float* values, std::size_t blocks);
void decodeIQ2_XS(const std::byte* source, float* values, std::size_t blocks);
void decodeIQ2_S(const std::byte* source, float* values, std::size_t blocks);
void decodeIQ3_XXS(const std::byte* source, float* values, std::size_t blocks);
void decodeIQ3_S(const std::byte* source, float* values, std::size_t blocks);
// iq_codebooks_fields.cpp
extern const BlockLayout kLayoutIQ1_S;
extern const BlockLayout kLayoutIQ1_M;
extern const BlockLayout kLayoutIQ2_XXS;
extern const BlockLayout kLayoutIQ2_XS;
extern const BlockLayout kLayoutIQ2_S;
extern const BlockLayout kLayoutIQ3_XXS;
extern const BlockLayout kLayoutIQ3_S;

// iq4.cpp: levels that choose from 16 values.
void decodeIQ4_NL(const std::byte* source, float* values, std::size_t blocks);
void decodeIQ4_XS(const std::byte* source, float* values, std::size_t blocks);
// iq4_fields.cpp
extern const BlockLayout kLayoutIQ4_NL;
extern const BlockLayout kLayoutIQ4_XS;

// fp4.cpp: floats of 4 bits under a small float.
void decodeMXFP4(const std::byte* source, float* values, std::size_t blocks);
void decodeNVFP4(const std::byte* source, float* values, std::size_t blocks);
// fp4_fields.cpp
extern const BlockLayout kLayoutMXFP4;
extern const BlockLayout kLayoutNVFP4;

// ternary.cpp: −1, 0 and 1 under one scale.
void decodeTQ1_0(const std::byte* source, float* values, std::size_t blocks);
void decodeTQ2_0(const std::byte* source, float* values, std::size_t blocks);
// ternary_fields.cpp
extern const BlockLayout kLayoutTQ1_0;
extern const BlockLayout kLayoutTQ2_0;

// low_bit.cpp: one or two bits a weight under one scale.
void decodeQ1_0(const std::byte* source, float* values, std::size_t blocks);
void decodeQ2_0(const std::byte* source, float* values, std::size_t blocks);
// low_bit_fields.cpp
extern const BlockLayout kLayoutQ1_0;
extern const BlockLayout kLayoutQ2_0;

// activations.cpp: what ggml makes of activations; they carry sums for products along.
void decodeQ8_1(const std::byte* source, float* values, std::size_t blocks);
void decodeQ8_K(const std::byte* source, float* values, std::size_t blocks);
// activations_fields.cpp
extern const BlockLayout kLayoutQ8_1;
extern const BlockLayout kLayoutQ8_K;

} // namespace engine::quant
