// What a backend does: prepares a model's graph with a KV cache and runs batches of tokens through
// it. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/model/graph.h"
#include "engine/text/vocabulary.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace engine::backend {

using text::TokenId;

enum class CacheType { F32, F16 };

/// How matrix products see activations: rounded to 8 bits in groups of 16 where the weights are
/// quantized (fast), or as floats.
enum class ActivationMode { Q8, Float };

struct RunnerOptions
{
    std::uint32_t contextLength = 0; ///< capacity of the cache, in tokens
    std::uint32_t batchLength = 256; ///< most tokens of one run
    CacheType cacheType = CacheType::F16;
    ActivationMode activations = ActivationMode::Q8;
    int threads = 0; ///< 0: one a core
    /// On a device: how many of the last blocks run there, the CPU runs the others; as many as fit
    /// unless said.
    std::optional<std::uint32_t> deviceBlocks;
    /// On a device: multiplications of one submission at most (above 0), so that one can stop
    /// between; unless said, what seems to take 50 ms.
    std::optional<double> submissionWork;
    /// Where weights are copied to a device: gives it up (Cancelled), is told the fraction done.
    std::stop_token stop;
    std::function<void(double)> progress;
};

/// Which rows of logits a run computes.
enum class Outputs { None, Last, All };

/// Tokens at consecutive positions, the first at `position`; everything before is in the cache.
struct Batch
{
    std::span<const TokenId> tokens;
    std::uint32_t position = 0;
    Outputs outputs = Outputs::Last;
};

/// How long one kind of op took, all its calls together.
struct OpTime
{
    std::string_view op; ///< the name of its file: "linear", "attention", …
    std::uint64_t calls = 0;
    double milliseconds = 0;
};

/// One graph with its cache and scratch memory. Used by one thread at a time; the graph's model
/// must outlive it.
class Runner
{
public:
    virtual ~Runner() = default;
    /// Evaluates a batch that fits the context and the batch length. Errors: Cancelled (within
    /// about 50 ms of the stop request; the cache is then valid up to `position`, recurrent states
    /// are not: restore them, or begin at position 0, where they are zeros). On a
    /// device also DeviceLost, DeviceFailed: the runner is of no use any more.
    [[nodiscard]] virtual Result<void> run(const Batch& batch, std::stop_token stop) = 0;
    /// Rows that an activation holds at once: a run of more is cut by the runner.
    [[nodiscard]] virtual std::uint32_t mostRows() const = 0;
    /// Puts rows into an activation, as many as fit; the next run must be one of mostRows at most
    /// and finds them there. For graphs that go on from another runner.
    [[nodiscard]] virtual Result<void> writeSlot(model::Slot slot, std::span<const float> rows) = 0;
    /// Rows of an activation after a run.
    [[nodiscard]] virtual Result<void> readSlot(model::Slot slot, std::span<float> rows) = 0;
    /// Rows of the last run: one for Outputs::Last, one a token for All. May be changed by the
    /// caller.
    [[nodiscard]] virtual std::span<float> logits() = 0;
    /// Bytes of the graph's recurrent states together; 0 where it has none.
    [[nodiscard]] virtual std::uint64_t stateBytes() const = 0;
    /// Copies the states as they are after the last run. `out`: stateBytes long.
    virtual void saveState(std::span<std::byte> out) const = 0;
    /// Sets them again to what was saved, of this runner. The next batch must begin at the position
    /// where that was.
    virtual void restoreState(std::span<const std::byte> saved) = 0;
    /// Bytes set aside for cache, states and scratch (touched only as the context fills).
    [[nodiscard]] virtual std::uint64_t memoryBytes() const = 0;
    [[nodiscard]] virtual int threads() const = 0;
    /// How many of the graph's blocks run on a device; 0 for the CPU.
    [[nodiscard]] virtual std::uint32_t deviceBlocks() const { return 0; }
    /// From now on the time of each kind of op is kept, beginning at zero.
    virtual void startProfile() = 0;
    /// What was kept since, in the order of the ops in a graph; empty without startProfile.
    [[nodiscard]] virtual std::vector<OpTime> profile() const = 0;
};

/// Weights that are on a device already.
struct HeldWeights
{
    std::shared_ptr<const void> hold; ///< they stay there while it is kept; null: there are none
    std::uint64_t bytes = 0; ///< of the device
};

struct OffloadNeeds; // see offload.h

class Backend
{
public:
    virtual ~Backend() = default;
    /// For people: "CPU AVX-512".
    [[nodiscard]] virtual std::string description() const = 0;
    /// What a layer that watches the driver's use found wrong, where one is switched on
    /// (VITRINE_VULKAN_VALIDATION=1).
    [[nodiscard]] virtual std::vector<std::string> complaints() const { return {}; }
    /// Bytes that a model may take now of a device's own memory; the CPU, and what shares its
    /// memory, has no bound but the machine's.
    [[nodiscard]] virtual std::uint64_t freeBytes() const { return UINT64_MAX; }
    /// What the graph would take of the device's memory.
    [[nodiscard]] virtual OffloadNeeds needs(const model::Graph& graph,
                                             const RunnerOptions& options) const;
    /// How many of the graph's blocks `prepare` would run on the device; 0 for the CPU.
    [[nodiscard]] virtual std::uint32_t deviceBlocks(const model::Graph& /*graph*/,
                                                     const RunnerOptions& /*options*/) const
    {
        return 0;
    }
    /// What other runners have on the device of the weights that the graph's last `blocks` blocks
    /// need there: `prepare` takes no memory for them again. The graph's model must outlive it.
    [[nodiscard]] virtual HeldWeights heldWeights(const model::Graph& /*graph*/,
                                                  std::uint32_t /*blocks*/) const
    {
        return {};
    }
    /// Errors: OutOfMemory; of a device also DeviceOutOfMemory, DeviceLost, DeviceFailed,
    /// Cancelled.
    [[nodiscard]] virtual Result<std::unique_ptr<Runner>>
    prepare(const model::Graph& graph, const RunnerOptions& options) const = 0;
};

/// The backend that runs everywhere.
[[nodiscard]] const Backend& cpuBackend();
/// The same by plain loops: the reference that devices are measured by.
[[nodiscard]] const Backend& scalarBackend();

/// Of codes that a device's run may end with: the work can go on elsewhere.
[[nodiscard]] constexpr bool isDeviceFailure(ErrorCode code)
{
    return code == ErrorCode::DeviceLost || code == ErrorCode::DeviceFailed
        || code == ErrorCode::DeviceOutOfMemory;
}

} // namespace engine::backend
