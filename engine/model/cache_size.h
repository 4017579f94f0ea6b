// How large the KV cache of a model is, from its metadata alone, whatever the architecture.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <vector>

namespace engine::model {

/// What one block keeps of every token: a key and a value for each of its key/value heads.
struct CacheLayer
{
    std::uint32_t heads = 0; ///< 0: the block has no cache of its own
    std::uint32_t keyLength = 0; ///< numbers of one head
    std::uint32_t valueLength = 0;
    std::uint32_t window = 0; ///< keeps only so many tokens; 0: the whole context
};

struct CacheShape
{
    std::vector<CacheLayer> layers;
    std::uint32_t trainedContext = 0; ///< 0 where the file doesn't say
    /// Some blocks keep only a window of this many tokens, but the file does not say which: sizes
    /// are those without it, so at most so large.
    std::uint32_t unplacedWindow = 0;

    /// All blocks are alike: the sum is 2 × layers × heads × width × context × bytes.
    [[nodiscard]] bool isUniform() const;
};

/// Head counts and windows may differ from block to block, as the file's arrays say; blocks without
/// attention (recurrent ones) and those that share another's cache keep nothing. Errors:
/// MissingKey, BadKeyValue, WrongKeyType, with the key.
[[nodiscard]] Result<CacheShape> readCacheShape(const gguf::GgufFile& file);

/// Bytes for `context` tokens, each number stored as `type` (F16, Q8_0, Q4_0, …; the numbers of one
/// token in one block fill whole blocks of the type). The largest number where it is larger still.
[[nodiscard]] std::uint64_t cacheBytes(const CacheShape& shape, std::uint64_t context,
                                       gguf::TensorType type);

} // namespace engine::model
