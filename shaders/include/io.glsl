// How shaders read and write: inputs are texel buffers or storage buffers, as the variant says.
// SPDX-License-Identifier: Apache-2.0
//
//   FLOATS(0, x)         input of vec4 of 4 floats:   vec4 v = floats4(x, i)   (numbers 4i … 4i + 3)
//   BITS(1, w)           input of 16-byte pieces:     uvec4 v = bits16(w, i)   (bytes 16i … 16i + 15)
//   HALVES(2, k)         input of 4 halves a piece:   vec4 v = halves4(k, i)   (numbers 4i … 4i + 3)
//   OUTPUT(3, y, float)  storage buffer:              y.data[i]
//   GROUP_SIZE           invocations of the workgroup, constant 0 of every shader
#extension GL_EXT_control_flow_attributes : enable

layout(local_size_x_id = 0, local_size_y = 1, local_size_z = 1) in;
#define GROUP_SIZE gl_WorkGroupSize.x

#ifdef TEXELS
#define FLOATS(slot, name) layout(set = 0, binding = slot) uniform samplerBuffer name
#define BITS(slot, name) layout(set = 0, binding = slot) uniform usamplerBuffer name
#define HALVES(slot, name) layout(set = 0, binding = slot) uniform samplerBuffer name
#define floats4(name, i) texelFetch(name, int(i))
#define bits16(name, i) texelFetch(name, int(i))
#define halves4(name, i) texelFetch(name, int(i))
#else
#define FLOATS(slot, name)                                                                         \
    layout(set = 0, binding = slot, std430) readonly buffer name##_block { vec4 data[]; } name
#define BITS(slot, name)                                                                           \
    layout(set = 0, binding = slot, std430) readonly buffer name##_block { uvec4 data[]; } name
#define HALVES(slot, name)                                                                         \
    layout(set = 0, binding = slot, std430) readonly buffer name##_block { uvec2 data[]; } name
#define floats4(name, i) (name.data[i])
#define bits16(name, i) (name.data[i])
#define halves4(name, i)                                                                           \
    vec4(unpackHalf2x16(name.data[i].x), unpackHalf2x16(name.data[i].y))
#endif
#define OUTPUT(slot, name, type)                                                                   \
    layout(set = 0, binding = slot, std430) buffer name##_block { type data[]; } name

/// Number i of an input of floats.
#define float1(name, i) (floats4(name, (i) / 4u)[(i) % 4u])
