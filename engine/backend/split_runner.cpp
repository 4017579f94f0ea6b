#include "engine/backend/split_runner.h"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>

namespace engine::backend {

namespace {

class SplitRunner final : public Runner
{
public:
    explicit SplitRunner(std::vector<GraphPart> parts)
        : m_parts(std::make_move_iterator(parts.begin()), std::make_move_iterator(parts.end()))
    {
    }

    Result<void> prepare(const Backend& device, RunnerOptions options)
    {
        for (const auto& part : m_parts) {
            const auto& backend = part.onDevice ? device : cpuBackend();
            options.deviceBlocks.reset();
            auto runner = backend.prepare(part.graph, options);
            if (!runner) {
                return tl::unexpected(runner.error());
            }
            m_mostRows = std::min(m_mostRows, (*runner)->mostRows());
            m_runners.push_back(std::move(*runner));
        }
        return {};
    }

    Result<void> run(const Batch& batch, std::stop_token stop) override
    {
        m_logits.clear();
        for (std::size_t done = 0; done < batch.tokens.size();) {
            const auto count = std::min<std::size_t>(m_mostRows, batch.tokens.size() - done);
            const bool wanted =
                batch.outputs == Outputs::All || done + count == batch.tokens.size();
            const Batch chunk { batch.tokens.subspan(done, count),
                                batch.position + static_cast<std::uint32_t>(done),
                                wanted ? batch.outputs : Outputs::None };
            if (auto ran = runChunk(chunk, stop); !ran) {
                return ran;
            }
            done += count;
        }
        return {};
    }

    std::uint32_t mostRows() const override { return m_mostRows; }
    Result<void> writeSlot(model::Slot slot, std::span<const float> rows) override
    {
        return m_runners.front()->writeSlot(slot, rows);
    }
    Result<void> readSlot(model::Slot slot, std::span<float> rows) override
    {
        return m_runners.back()->readSlot(slot, rows);
    }
    std::span<float> logits() override { return m_logits; }

    std::uint64_t stateBytes() const override
    {
        return sum([](const Runner& runner) { return runner.stateBytes(); });
    }
    void saveState(std::span<std::byte> out) const override
    {
        for (const auto& runner : m_runners) {
            runner->saveState(out.first(runner->stateBytes()));
            out = out.subspan(runner->stateBytes());
        }
    }
    void restoreState(std::span<const std::byte> saved) override
    {
        for (const auto& runner : m_runners) {
            runner->restoreState(saved.first(runner->stateBytes()));
            saved = saved.subspan(runner->stateBytes());
        }
    }
    std::uint64_t memoryBytes() const override
    {
        return sum([](const Runner& runner) { return runner.memoryBytes(); });
    }
    int threads() const override
    {
        int most = 0;
        for (const auto& runner : m_runners) {
            most = std::max(most, runner->threads());
        }
        return most;
    }
    std::uint32_t deviceBlocks() const override
    {
        std::uint32_t blocks = 0;
        for (const auto& part : m_parts) {
            blocks += part.onDevice ? part.blocks : 0;
        }
        return blocks;
    }
    void startProfile() override
    {
        for (const auto& runner : m_runners) {
            runner->startProfile();
        }
    }
    std::vector<OpTime> profile() const override
    {
        std::vector<OpTime> all;
        for (const auto& runner : m_runners) {
            for (const auto& time : runner->profile()) {
                const auto same = std::ranges::find(all, time.op, &OpTime::op);
                if (same == all.end()) {
                    all.push_back(time);
                } else {
                    same->calls += time.calls;
                    same->milliseconds += time.milliseconds;
                }
            }
        }
        return all;
    }

private:
    /// A chunk that every part takes at once.
    Result<void> runChunk(Batch batch, const std::stop_token& stop)
    {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const auto& part = m_parts[i];
            auto& runner = *m_runners[i];
            for (const auto slot : part.needs) {
                if (auto put = runner.writeSlot(slot, m_carried[slot]); !put) {
                    return put;
                }
            }
            const bool isLast = i + 1 == m_parts.size();
            if (auto ran = runner.run(batch, stop); !ran) {
                return ran;
            }
            if (part.keepsOutputs) {
                batch = keptOf(batch);
                if (batch.tokens.empty()) {
                    return {};
                }
            }
            for (const auto slot : part.graph.kept) {
                auto& rows = m_carried[slot];
                rows.resize(batch.tokens.size()
                            * part.graph.slotWidths[static_cast<std::size_t>(slot)]);
                if (auto got = runner.readSlot(slot, rows); !got) {
                    return got;
                }
            }
            if (isLast && batch.outputs != Outputs::None) {
                const auto rows = runner.logits();
                m_logits.insert(m_logits.end(), rows.begin(), rows.end());
            }
        }
        return {};
    }

    /// What is left of a batch when only its outputs are kept.
    static Batch keptOf(const Batch& batch)
    {
        const std::size_t rows = batch.outputs == Outputs::All ? batch.tokens.size()
            : batch.outputs == Outputs::Last                   ? 1
                                                               : 0;
        const auto dropped = batch.tokens.size() - rows;
        return { batch.tokens.subspan(dropped),
                 batch.position + static_cast<std::uint32_t>(dropped), batch.outputs };
    }

    template <typename F>
    [[nodiscard]] std::uint64_t sum(F&& f) const
    {
        return std::accumulate(
            m_runners.begin(), m_runners.end(), std::uint64_t(0),
            [&](std::uint64_t bytes, const auto& runner) { return bytes + f(*runner); });
    }

    std::deque<GraphPart> m_parts; // runners refer to their graphs
    std::vector<std::unique_ptr<Runner>> m_runners;
    std::uint32_t m_mostRows = UINT32_MAX;
    std::map<model::Slot, std::vector<float>> m_carried; // between parts
    std::vector<float> m_logits;
};

} // namespace

Result<std::unique_ptr<Runner>> splitRunner(std::vector<GraphPart> parts, const Backend& device,
                                            const RunnerOptions& options)
{
    auto runner = std::make_unique<SplitRunner>(std::move(parts));
    if (auto prepared = runner->prepare(device, options); !prepared) {
        return tl::unexpected(prepared.error());
    }
    return runner;
}

} // namespace engine::backend
