// Picks the next token from logits: a chain of named stages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/text/vocabulary.h"

#include <cstdint>
#include <memory>
#include <span>

namespace engine::session {

using text::TokenId;

/// Defaults are the application's. A stage at its neutral value does nothing.
struct SamplerOptions
{
    float temperature = 0.8F; ///< 0: always the most likely token
    int topK = 40; ///< 0: all
    float topP = 0.95F; ///< 1: all
    float minP = 0.05F; ///< 0: all
    float typicalP = 1.0F; ///< 1: all
    float repeatPenalty =
        1.0F; ///< 1: none; divides positive and multiplies negative logits of recent tokens
    float presencePenalty = 0.0F;
    float frequencyPenalty = 0.0F;
    int penaltyWindow = 64; ///< how many recent tokens the penalties look at; -1: all
    std::uint64_t seed = 0; ///< 0: another one each time
};

/// Order of stages: penalties, top-k, typical, top-p, min-p, temperature, draw. Not thread-safe.
class Sampler
{
public:
    explicit Sampler(const SamplerOptions& options);
    ~Sampler();

    /// Tells the penalties of a token (prompt or answer).
    void accept(TokenId token);
    /// logits: one float a token of the vocabulary, at least one; changed in place by the
    /// penalties. NaN counts as impossible.
    [[nodiscard]] TokenId sample(std::span<float> logits);
    /// The seed in use (the drawn one where options.seed was 0).
    [[nodiscard]] std::uint64_t seed() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::session
