// The table by which SentencePiece normalizes text: what bytes are replaced, and by what.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/value.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace engine::text {

/// tokenizer.ggml.precompiled_charsmap: the size in bytes of a double-array trie, the trie as
/// 32-bit units, then the replacements, each ended by a zero byte. A unit is a node: its label in
/// the low byte, bit 8 when a text ends here, and in bits 10 and up the offset to its children
/// (times 256 where bit 9 is set). The node for a byte lies at (position xor offset xor byte); that
/// of byte 0 is the value, where the replacement begins. This is the format of Darts-clone and
/// SentencePiece.
///
/// Immutable; read from any thread. The file must outlive it.
class Charsmap
{
public:
    struct Replacement
    {
        std::size_t length =
            0; ///< bytes that are replaced; 0: none of the table's texts stands here
        std::string_view text;
    };

    /// Replaces nothing.
    Charsmap() = default;
    /// `value`: an array of bytes; an empty one replaces nothing. Errors: CharsmapBroken.
    [[nodiscard]] static Result<Charsmap> read(const gguf::Value& value);

    /// The longest text of the table that `text` begins with.
    [[nodiscard]] Replacement longest(std::string_view text) const;

private:
    std::vector<std::uint32_t> m_units;
    std::string_view m_replacements;
};

} // namespace engine::text
