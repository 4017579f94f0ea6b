# Every shader of the build. Keep sorted.
# The tensor types that shaders read, as include/types/<type>.glsl decodes them (see shader_types.h).
set(VITRINE_SHADER_TYPES
  f32)

vitrine_shader(add)
vitrine_shader(combine_experts)
vitrine_shader(copy_pieces)
vitrine_shader(embed_f32 SOURCE embed.comp)
vitrine_shader(gate)
vitrine_shader(layer_norm)
vitrine_shader(match_length)
vitrine_shader(mix_pieces)
vitrine_shader(numbers)
vitrine_type_shaders(embed)
vitrine_shader(rms_norm)
vitrine_shader(scale_by)
vitrine_shader(scale_by_position)
vitrine_shader(sparsify)
