// The integer dot product, which this compiler of shaders knows no function for (SPV_KHR_integer_dot_product).
// SPDX-License-Identifier: Apache-2.0
#extension GL_EXT_spirv_intrinsics : require

// capabilities DotProduct and DotProductInput4x8BitPacked, instruction OpSDot
spirv_instruction(extensions = ["SPV_KHR_integer_dot_product"], capabilities = [6019, 6018], id = 4450)
int packedDot(uint a, uint b, spirv_literal int format);

/// Σ aᵢ bᵢ of four signed bytes.
int dot4(uint a, uint b)
{
    return packedDot(a, b, 0); // PackedVectorFormat4x8Bit
}

/// Of 16.
int dot16(uvec4 a, uvec4 b)
{
    return dot4(a.x, b.x) + dot4(a.y, b.y) + dot4(a.z, b.z) + dot4(a.w, b.w);
}
