// Pieces of rows, by vec4 where their begins and lengths allow it, else number by number: the same source for both.
// Needs io.glsl. SPDX-License-Identifier: Apache-2.0

/// Pieces begin at multiples of 4 numbers, and behind each lies either the next one's begin or padding of the row.
layout(constant_id = 1) const bool WHOLE = true;

/// Steps over a piece.
uint pieceSteps(uint length)
{
    return WHOLE ? (length + 3u) / 4u : length;
}

/// What step k of a piece reads, from number `begin` on; where it is one number it comes first, before zeros.
#define pieceAt(name, begin, k)                                                                    \
    (WHOLE ? floats4(name, (begin) / 4u + (k)) : vec4(float1(name, (begin) + (k)), 0.0, 0.0, 0.0))
/// Writes the same place of an OUTPUT of vec4.
#define setPieceAt(name, begin, k, value)                                                          \
    {                                                                                              \
        if (WHOLE) {                                                                               \
            name.data[(begin) / 4u + (k)] = value;                                                 \
        } else {                                                                                   \
            name.data[((begin) + (k)) / 4u][((begin) + (k)) % 4u] = (value).x;                     \
        }                                                                                          \
    }

/// v of step k without what lies behind the piece.
vec4 insidePiece(vec4 v, uint k, uint length)
{
    const uint left = WHOLE ? length - 4u * k : 1u;
    return left >= 4u ? v : mix(v, vec4(0.0), greaterThanEqual(uvec4(0u, 1u, 2u, 3u), uvec4(left)));
}

/// vec4 reader(begin, first, length): numbers first … first + 3 of a piece that begins at `begin`; 0 behind its end.
#define BLOCK_READER(reader, name)                                                                 \
    vec4 reader(uint begin, uint first, uint length)                                               \
    {                                                                                              \
        vec4 v = vec4(0.0);                                                                        \
        if (!WHOLE) {                                                                              \
            [[unroll]] for (uint c = 0u; c < 4u; ++c) {                                                      \
                if (first + c < length) {                                                          \
                    v[c] = float1(name, begin + first + c);                                        \
                }                                                                                  \
            }                                                                                      \
        } else if (first < length) {                                                               \
            v = floats4(name, (begin + first) / 4u);                                               \
        }                                                                                          \
        return v;                                                                                  \
    }
/// void writer(begin, first, length, v): the same place of an OUTPUT of vec4; nothing behind the piece's end.
#define BLOCK_WRITER(writer, name)                                                                 \
    void writer(uint begin, uint first, uint length, vec4 v)                                       \
    {                                                                                              \
        if (!WHOLE) {                                                                              \
            [[unroll]] for (uint c = 0u; c < 4u; ++c) {                                                      \
                if (first + c < length) {                                                          \
                    name.data[(begin + first + c) / 4u][(begin + first + c) % 4u] = v[c];          \
                }                                                                                  \
            }                                                                                      \
        } else if (first < length) {                                                               \
            name.data[(begin + first) / 4u] = v;                                                   \
        }                                                                                          \
    }
