// Validated hyperparameters of a model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace engine::model {

enum class RopeScaling { None, Linear, Yarn };

/// What every architecture has; its own keys are read where it is composed. Names follow the GGUF
/// keys; counts are validated against each other when read.
struct Hparams
{
    std::string architecture;
    std::uint32_t vocabularySize = 0;
    std::uint32_t contextLength = 0; ///< trained context
    std::uint32_t embeddingLength = 0;
    std::uint32_t blockCount = 0;
    std::vector<std::uint32_t> feedForwardLengths; ///< by block; 0: of experts alone, or none
    std::vector<std::uint32_t> headCounts; ///< by block; 0: no attention there
    std::vector<std::uint32_t> headCountsKv; ///< by block; 0: no attention there
    std::uint32_t headCount = 0; ///< the most of all blocks; 0: no attention at all
    std::uint32_t keyLength = 0; ///< of one head
    std::uint32_t valueLength = 0;
    float rmsEpsilon = 1e-5F;
    float layerNormEpsilon = 1e-5F;
    std::uint32_t ropeDimensions = 0;
    float ropeBase = 10000.0F;
    RopeScaling ropeScaling = RopeScaling::None;
    float ropeFactor = 1.0F;
    std::uint32_t ropeOriginalContext = 0;
    float yarnExtrapolation = 1.0F;
    float yarnAttentionFactor = 1.0F;
    float yarnBetaFast = 32.0F;
    float yarnBetaSlow = 1.0F;
    float yarnLogMultiplier = 0.0F; ///< of YaRN's temperature; 0: the file doesn't say
};

/// Errors name the key: MissingKey, WrongKeyType, BadKeyValue, UnknownArchitecture,
/// UnsupportedFeature, and those of foreignKind.
[[nodiscard]] Result<Hparams> readHparams(const gguf::GgufFile& file);
/// Everything that readHparams would fail for, the first one first; keys that build on a faulty one
/// are not looked at. Empty for a sound file.
[[nodiscard]] std::vector<Error> hparamFaults(const gguf::GgufFile& file);

} // namespace engine::model
