// 32 levels that are signed bytes, from a multiple of 4 on.
// SPDX-License-Identifier: Apache-2.0

void signedLevels(uint byte, out vec4 w[8])
{
    const uvec4 first = words16(byte);
    const uvec4 second = words16(byte + 16u);
    [[unroll]] for (uint i = 0u; i < 4u; ++i) {
        w[i] = vec4(signedBytes(first[i]));
        w[i + 4u] = vec4(signedBytes(second[i]));
    }
}
