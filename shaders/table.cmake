# Every shader of the build. Keep sorted.
# The tensor types that shaders read, as include/types/<type>.glsl decodes them (see shader_types.h).
set(_types
  bf16 f16 f32 i16 i32 i8 iq1_m iq1_s iq2_s iq2_xs iq2_xxs iq3_s iq3_xxs iq4_nl iq4_xs mxfp4 nvfp4 q1_0 q2_0 q2_k q3_k
  q4_0 q4_1 q4_k q5_0 q5_1 q5_k q6_k q8_0 q8_1 q8_k tq1_0 tq2_0)
# For rows that begin at multiples of 4, 8 or 16 bytes (see product_batches.cpp).
set(_aligned_types f16_aligned f32_aligned q4_0_aligned q4_1_aligned q4_k_aligned q8_0_aligned)

# Of products with many tokens (see tile_product.cpp): no more than 32 weights decoded at once; in halves what models
# are kept in.
set(_tile_types ${_types} f16_aligned f32_aligned)
set(_half_types ${_tile_types})
list(REMOVE_ITEM _half_types f32 f32_aligned i8 i16 i32 q8_1 q8_k)

# Of products by integer dot products (see dot_product.cpp): levels that fit into bytes.
set(_dot_types iq4_nl iq4_xs q3_k q4_0 q4_1 q4_k q5_0 q5_1 q5_k q6_k q8_0)

vitrine_shader(add NO_SUMS)
vitrine_shader(attention_f16 SOURCE attention.comp)
vitrine_shader(attention_f32 SOURCE attention.comp DEFINES CACHE_F32)
vitrine_shader(attention_join NO_SUMS)
vitrine_shader(combine_experts NO_SUMS)
vitrine_shader(copy_pieces NO_SUMS)
vitrine_type_shaders(embed NO_SUMS ${_types})
vitrine_shader(gate NO_SUMS)
vitrine_shader(gated_delta)
vitrine_shader(layer_norm)
vitrine_type_shaders(linear ${_types} ${_aligned_types})
vitrine_type_shaders(linear_dot SAME ${_dot_types})
vitrine_type_shaders(linear_matrix MATRICES ${_half_types} q4_0_aligned q4_k_aligned q8_0_aligned)
vitrine_type_shaders(linear_tile SAME ${_tile_types})
vitrine_type_shaders(linear_tile16 SAME SOURCE linear_tile.comp DEFINE FLOAT16 ${_half_types})
vitrine_shader(match_length)
vitrine_shader(mix_pieces NO_SUMS)
vitrine_shader(numbers NO_SUMS)
vitrine_shader(rms_norm)
vitrine_shader(rope NO_SUMS)
vitrine_shader(rope_store_f16 NO_SUMS SOURCE rope_store.comp)
vitrine_shader(rope_store_f32 NO_SUMS SOURCE rope_store.comp DEFINES CACHE_F32)
vitrine_shader(route)
vitrine_shader(scale_by NO_SUMS)
vitrine_shader(scale_by_position NO_SUMS)
vitrine_shader(short_conv NO_SUMS)
vitrine_shader(sparsify)
vitrine_shader(state_scan)
vitrine_shader(state_scan_short NO_SUMS)
vitrine_shader(store_kv_f16 NO_SUMS SOURCE store_kv.comp)
vitrine_shader(store_kv_f32 NO_SUMS SOURCE store_kv.comp DEFINES CACHE_F32)
vitrine_shader(to_bytes SAME)
vitrine_shader(to_halves)
