// A walk over all values of a tensor in pieces, that can be stopped and watched.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/eval/decodable_tensor.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <utility>

namespace engine::eval {

/// How far a scan is: one thread scans, any other may look.
class ScanProgress
{
public:
    /// Called with the fraction after each step, on the thread that scans.
    using Watcher = std::function<void(double)>;

    ScanProgress() = default;
    explicit ScanProgress(Watcher watcher)
        : m_watcher(std::move(watcher))
    {
    }

    /// From 0 to 1.
    [[nodiscard]] double fraction() const
    {
        const auto total = m_total.load(std::memory_order_relaxed);
        const auto done = m_done.load(std::memory_order_relaxed);
        const double part = total ? static_cast<double>(done) / static_cast<double>(total) : 0;
        const double from = m_from.load(std::memory_order_relaxed);
        return from + (m_to.load(std::memory_order_relaxed) - from) * part;
    }

    /// For work that scans several times: the next scan goes from `from` to `to` of the whole.
    void beginPart(double from, double to)
    {
        begin(0);
        m_from.store(from, std::memory_order_relaxed);
        m_to.store(to, std::memory_order_relaxed);
    }

    /// For the scan itself: `total` steps lie ahead, none is done.
    void begin(std::uint64_t total)
    {
        m_done.store(0, std::memory_order_relaxed);
        m_total.store(total, std::memory_order_relaxed);
    }
    void advance(std::uint64_t steps)
    {
        m_done.fetch_add(steps, std::memory_order_relaxed);
        if (m_watcher) {
            m_watcher(fraction());
        }
    }

private:
    Watcher m_watcher;
    std::atomic<double> m_from = 0;
    std::atomic<double> m_to = 1;
    std::atomic<std::uint64_t> m_total = 0;
    std::atomic<std::uint64_t> m_done = 0;
};

/// How a caller stops and watches a scan that runs on another thread. Scans look at the stop token
/// between pieces of some ten microseconds.
struct ScanControl
{
    // Not explicit: most callers have a stop token alone.
    ScanControl(std::stop_token stopToken = {}, ScanProgress* watched = nullptr)
        : stop(std::move(stopToken))
        , progress(watched)
    {
    }

    std::stop_token stop;
    ScanProgress* progress; ///< may be null

    void beginPart(double from, double to) const
    {
        if (progress) {
            progress->beginPart(from, to);
        }
    }
    void begin(std::uint64_t total) const
    {
        if (progress) {
            progress->begin(total);
        }
    }
    void advance(std::uint64_t steps) const
    {
        if (progress) {
            progress->advance(steps);
        }
    }
};

/// Values that are decoded at a time; a multiple of every block size.
inline constexpr std::uint64_t kScanPiece = 8192;

/// Decodes the tensor piece by piece in constant memory and calls `visit` with at most kScanPiece
/// values each time, in order. Errors: Cancelled, FileChanged.
[[nodiscard]] Result<void> scanValues(const gguf::GgufFile& file, const gguf::TensorInfo& tensor,
                                      const DecodableTensor& decodable, const ScanControl& control,
                                      const std::function<void(std::span<const float>)>& visit);

} // namespace engine::eval
