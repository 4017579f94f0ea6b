// Scales and minima of 6 bits, of Q4_K and Q5_K.
// SPDX-License-Identifier: Apache-2.0

/// Scale and minimum of a group, see unpackScalesMins.
uvec2 subScale(uvec3 packed, uint group)
{
    const uvec3 bytes = packed >> group % 4u * 8u;
    return group < 4u ? bytes.xy & 63u
                      : uvec2(bytes.z & 15u, bytes.z >> 4u & 15u) | (bytes.xy >> 6u & 3u) << 4u;
}
