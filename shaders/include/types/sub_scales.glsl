// Scales and minima of 6 bits, of Q4_K and Q5_K.
// SPDX-License-Identifier: Apache-2.0

/// Scale and minimum of a group, see unpackScalesMins.
uvec2 subScale(uvec3 packed, uint group)
{
    const uvec3 bytes = packed >> group % 4u * 8u;
    return group < 4u ? bytes.xy & 63u
                      : uvec2(bytes.z & 15u, bytes.z >> 4u & 15u) | (bytes.xy >> 6u & 3u) << 4u;
}

/// The first 16 bytes of a block: what a level of the group is multiplied by, and what is added.
vec2 formOf(uvec4 head, uint group)
{
    return unpackHalf2x16(head.x) * vec2(subScale(head.yzw, group)) * vec2(1.0, -1.0);
}
