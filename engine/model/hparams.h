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

/// Names follow the GGUF keys; counts are validated against each other when read.
struct Hparams
{
    std::string architecture;
    std::uint32_t vocabularySize = 0;
    std::uint32_t contextLength = 0; ///< trained context
    std::uint32_t embeddingLength = 0;
    std::uint32_t blockCount = 0;
    std::uint32_t feedForwardLength = 0;
    std::uint32_t headCount = 0;
    std::uint32_t headCountKv = 0;
    std::uint32_t keyLength = 0; ///< of one head
    std::uint32_t valueLength = 0;
    float rmsEpsilon = 1e-5F;
    std::uint32_t ropeDimensions = 0;
    float ropeBase = 10000.0F;
    RopeScaling ropeScaling = RopeScaling::None;
    float ropeFactor = 1.0F;
    std::uint32_t ropeOriginalContext = 0;
    float yarnExtrapolation = 1.0F;
    float yarnAttentionFactor = 1.0F;
    float yarnBetaFast = 32.0F;
    float yarnBetaSlow = 1.0F;
};

/// Errors name the key: MissingKey, WrongKeyType, BadKeyValue, UnknownArchitecture,
/// UnsupportedFeature.
[[nodiscard]] Result<Hparams> readHparams(const gguf::GgufFile& file);
/// Everything that readHparams would fail for, the first one first; keys that build on a faulty one
/// are not looked at. Empty for a sound file.
[[nodiscard]] std::vector<Error> hparamFaults(const gguf::GgufFile& file);

} // namespace engine::model
