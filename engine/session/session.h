// One conversation's state on one model: the KV cache, prefill, decode, and re-use of a common
// prefix. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/base/result.h"
#include "engine/model/model.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace engine::session {

using text::TokenId;

using backend::ActivationMode;
using backend::CacheType;

struct SessionOptions
{
    std::uint32_t contextLength = 0; ///< 0: what the model was trained for, capped by memory
    CacheType cacheType = CacheType::F16;
    ActivationMode activations = ActivationMode::Q8;
    int threads = 0; ///< 0: one a core
    std::shared_ptr<const backend::Backend> device = {}; ///< null: the CPU
    /// How many of the last blocks run on the device; as many as fit unless said.
    std::optional<std::uint32_t> deviceBlocks = {};
};

/// How a model is shared between a device and the CPU.
struct Placement
{
    std::uint32_t blocks = 0; ///< transformer layers of the model
    std::uint32_t deviceBlocks = 0; ///< those that run on the device
    std::uint64_t deviceBytes = 0; ///< what they take there: weights, cache, activations
    [[nodiscard]] bool isWhole() const { return deviceBlocks == blocks; }
    bool operator==(const Placement&) const = default;
};

/// `done` of `total` prompt tokens are in the cache.
using PrefillProgress = std::function<void(std::size_t done, std::size_t total)>;

/// Used by one thread at a time. Keeps its model alive.
class Session
{
public:
    /// A device that fails (too little memory, mostly) gives way to the CPU: see `fallback`.
    /// `progress`: the fraction of the weights that are on the device. Errors: OutOfMemory,
    /// Cancelled.
    [[nodiscard]] static Result<std::unique_ptr<Session>>
    create(std::shared_ptr<const model::Model> model, const SessionOptions& options = {},
           std::stop_token stop = {}, const std::function<void(double)>& progress = {});
    ~Session();
    /// What a context length of 0 stands for now.
    [[nodiscard]] static std::uint32_t defaultContext(const model::Model& model,
                                                      const SessionOptions& options);

    [[nodiscard]] const model::Model& model() const;
    [[nodiscard]] std::shared_ptr<const model::Model> sharedModel() const;
    [[nodiscard]] std::uint32_t contextLength() const;
    [[nodiscard]] int threads() const;
    /// What it runs on now, for people: "CPU AVX-512".
    [[nodiscard]] std::string deviceName() const;
    /// What of the model is on the device; nothing where the CPU does all the work for want of one.
    [[nodiscard]] std::optional<Placement> placement() const;
    /// Why it runs on the CPU although a device was given: what that failed with. From then on the
    /// CPU does the work, beginning with the tokens again; nothing is lost but time.
    [[nodiscard]] const std::optional<Error>& fallback() const;
    /// Goes on on the CPU, which leaves the device's memory to others; `fallback` stays. False
    /// where it is there already, or has no memory for it.
    bool leaveDevice();
    /// The tokens whose keys and values are in the cache.
    [[nodiscard]] std::span<const TokenId> tokens() const;
    /// Bytes of KV cache, recurrent states with their copies, and scratch memory.
    [[nodiscard]] std::uint64_t memoryBytes() const;

    /// How many of `tokens` a prefill would not have to evaluate: those in the cache, but the last
    /// one is always evaluated, for its logits. A model with recurrent states goes back to one of a
    /// few positions only: the ends of the last prompts and answers.
    [[nodiscard]] std::size_t reusable(std::span<const TokenId> tokens) const;
    /// Makes the cache hold exactly `tokens` and computes the logits after the last one. Re-uses
    /// what `reusable` says. Returns how many tokens were evaluated.
    /// Errors: PromptTooLong, Cancelled (what was evaluated stays usable), FileChanged,
    /// InvalidArgument (empty, or an id out of range).
    [[nodiscard]] Result<std::size_t> prefill(std::span<const TokenId> tokens,
                                              std::stop_token stop = {},
                                              const PrefillProgress& progress = {});
    /// Adds one token. Errors: ContextFull, Cancelled, FileChanged.
    [[nodiscard]] Result<void> append(TokenId token, std::stop_token stop = {});
    /// Logits after the last token; one float a token of the vocabulary. Empty before the first
    /// evaluation.
    [[nodiscard]] std::span<float> logits();
    /// Evaluates from an empty cache in one batch (or one token a time) and gives the logits after
    /// every token, rows of vocabulary size.
    [[nodiscard]] Result<std::vector<float>> logitsOfAll(std::span<const TokenId> tokens,
                                                         std::stop_token stop = {});
    /// Keeps the time of each kind of op from now on; see backend::Runner.
    void startProfile();
    [[nodiscard]] std::vector<backend::OpTime> profile() const;
    /// Keeps the first `length` tokens. Recurrent states follow with the next evaluation.
    void truncate(std::size_t length);

private:
    Session();
    Result<std::size_t> evaluatePrompt(std::span<const TokenId> tokens, const std::stop_token& stop,
                                       const PrefillProgress& progress);
    Result<std::vector<float>> evaluateAll(std::span<const TokenId> tokens,
                                           const std::stop_token& stop);
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::session
