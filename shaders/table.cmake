# Every shader of the build. Keep sorted.
vitrine_shader(add)
vitrine_shader(embed_f32 SOURCE embed.comp)
vitrine_shader(gate)
vitrine_shader(numbers)
vitrine_shader(rms_norm)
vitrine_shader(scale_by)
vitrine_shader(scale_by_position)
