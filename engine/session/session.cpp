#include "engine/session/session.h"

#include "engine/backend/offload.h"
#include "engine/session/context_plan.h"
#include "engine/session/device_plan.h"
#include "engine/session/memory.h"
#include "engine/session/state_history.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

namespace engine::session {

namespace {

using Clock = std::chrono::steady_clock;

// A prefill runs in chunks, so that progress shows; longer ones unpack the weights less often.
constexpr std::size_t kFirstChunk = 64;
constexpr double kChunkSeconds = 0.4;
constexpr std::size_t kAllLogitsChunk =
    32; // every row of logits is kept: short chunks keep them small
// The next prompt often shares all but the last few tokens: an answer is asked for in other words.
constexpr std::size_t kAskingTokens = 16;

ContextPlan contextPlan(const model::Model& model, const SessionOptions& options)
{
    const auto& graph = model.graph();
    return planContext(graph.kv, model.hparams().contextLength, options.cacheType,
                       availableMemory(), mostStateBytes(graph.stateBytes()));
}

} // namespace

struct Session::Impl
{
    std::shared_ptr<const model::Model> model;
    backend::RunnerOptions options;
    std::shared_ptr<const backend::Backend> device; // null: the CPU
    std::optional<Error> fallback;
    std::unique_ptr<backend::Runner> runner;
    Placement placement; // of the runner
    std::uint32_t contextLength = 0;
    std::optional<StateHistory> history; // of the runner
    std::vector<TokenId> tokens;
    std::size_t evaluated = 0; // the runner has so many of them; fewer after a move to the CPU
    bool isProfiled = false;
    std::size_t chunk = kFirstChunk;
    bool hasLogits = false;

    Result<void> check(std::span<const TokenId> ids) const
    {
        if (ids.empty()) {
            return failure(ErrorCode::InvalidArgument, { "A prompt needs at least one token." });
        }
        const auto vocabulary = static_cast<TokenId>(model->hparams().vocabularySize);
        for (const auto id : ids) {
            if (id < 0 || id >= vocabulary) {
                return failure(ErrorCode::InvalidArgument,
                               { "There is no token " + std::to_string(id) + "; the model has "
                                 + std::to_string(vocabulary) + "." });
            }
        }
        if (ids.size() > contextLength) {
            return failure(ErrorCode::PromptTooLong,
                           { std::to_string(ids.size()), std::to_string(contextLength) });
        }
        return {};
    }

    [[nodiscard]] const backend::Backend& backend() const
    {
        return device ? *device : backend::cpuBackend();
    }

    /// What the runner has on the device.
    [[nodiscard]] Placement placed() const
    {
        Placement out;
        out.blocks = static_cast<std::uint32_t>(model->graph().blockStarts.size());
        out.deviceBlocks = runner->deviceBlocks();
        out.deviceBytes = out.deviceBlocks == 0
            ? 0
            : backend().needs(model->graph(), options).deviceBytes(out.deviceBlocks);
        return out;
    }

    Result<void> prepare()
    {
        auto prepared = backend().prepare(model->graph(), options);
        if (!prepared) {
            return tl::unexpected(prepared.error());
        }
        history.reset();
        runner = std::move(*prepared);
        placement = placed();
        history.emplace(*runner);
        evaluated = 0;
        hasLogits = false;
        if (isProfiled) {
            runner->startProfile();
        }
        return {};
    }

    /// Where the CPU has no memory for it, all is as before.
    Result<void> moveToCpu()
    {
        const auto left = std::exchange(device, nullptr);
        auto prepared = prepare();
        if (!prepared) {
            device = left;
        }
        return prepared;
    }

    /// On the device, or on the CPU where that fails.
    Result<void> prepareSomewhere()
    {
        auto prepared = prepare();
        if (!prepared && device && backend::isDeviceFailure(prepared.error().code)) {
            fallback = std::move(prepared.error());
            device.reset();
            prepared = prepare();
        }
        return prepared;
    }

    /// Does `work`; a second time, on the CPU, where the device fails in it.
    template <typename Work>
    auto withFallback(Work&& work) -> decltype(work())
    {
        auto result = work();
        if (result || !device || !backend::isDeviceFailure(result.error().code)) {
            return result;
        }
        if (auto moved = moveToCpu(); !moved) {
            return tl::unexpected(moved.error()); // the next attempt ends here again
        }
        fallback = std::move(result.error());
        return work();
    }

    /// How many of the first `limit` tokens need not be evaluated again.
    [[nodiscard]] std::size_t reachable(std::size_t limit) const
    {
        return history->reachable(std::min(limit, evaluated));
    }

    /// Evaluates again what the runner lacks of the tokens: recurrent states are kept at a few
    /// positions alone, and another runner knows none of them.
    Result<void> catchUp(const std::stop_token& stop)
    {
        auto position = reachable(tokens.size());
        history->goTo(position);
        while (position < tokens.size()) {
            const auto length = std::min(chunk, tokens.size() - position);
            const auto batch = std::span(tokens).subspan(position, length);
            if (auto done = evaluate(batch, position, backend::Outputs::None, stop); !done) {
                return done;
            }
            position += length;
        }
        return {};
    }

    Result<void> evaluate(std::span<const TokenId> batch, std::size_t position,
                          backend::Outputs outputs, const std::stop_token& stop)
    {
        auto done = runner->run({ batch, static_cast<std::uint32_t>(position), outputs }, stop);
        if (done && model->file().changed()) {
            done = failure(ErrorCode::FileChanged, {}, { model->file().path(), std::nullopt, "" });
        }
        if (done) {
            history->moveTo(position + batch.size());
            evaluated = position + batch.size();
        } else {
            history->lose();
            evaluated = std::min(evaluated, position);
        }
        return done;
    }

    Result<void> run(std::span<const TokenId> batch, backend::Outputs outputs,
                     const std::stop_token& stop)
    {
        hasLogits = false;
        if (auto there = catchUp(stop); !there) {
            return there;
        }
        if (auto done = evaluate(batch, tokens.size(), outputs, stop); !done) {
            return done;
        }
        tokens.insert(tokens.end(), batch.begin(), batch.end());
        hasLogits = outputs != backend::Outputs::None;
        return {};
    }

    /// Where a prompt of `total` tokens is cut for a copy of the states next.
    [[nodiscard]] std::size_t nextCut(std::size_t done, std::size_t total) const
    {
        if (history->isNeeded() && total > done + kAskingTokens) {
            return total - kAskingTokens;
        }
        // the last token is evaluated again when the same is asked once more
        return history->isNeeded() && total > done + 1 ? total - 1 : total;
    }

    /// Longer chunks while they are fast, shorter ones for large models.
    void adaptChunk(std::size_t length, double seconds)
    {
        const double fitting = kChunkSeconds / std::max(seconds, 1e-6) * double(length);
        while (chunk * 2 <= kLongestChunk && double(chunk) * 2 <= fitting) {
            chunk *= 2;
        }
        while (chunk > 16 && double(chunk) > 2 * fitting) {
            chunk /= 2;
        }
    }
};

Session::Session()
    : m_impl(std::make_unique<Impl>())
{
}

Session::~Session() = default;

std::uint32_t Session::defaultContext(const model::Model& model, const SessionOptions& options)
{
    const auto longest = contextPlan(model, options).defaultLength;
    return options.device ? planDevice(model.graph(), options.cacheType, *options.device)
                                .defaultContext(longest, options.deviceBlocks)
                          : longest;
}

Result<std::unique_ptr<Session>> Session::create(std::shared_ptr<const model::Model> model,
                                                 const SessionOptions& options,
                                                 std::stop_token stop,
                                                 const std::function<void(double)>& progress)
{
    const auto plan = contextPlan(*model, options);
    std::uint64_t context = options.contextLength;
    if (context == 0) {
        context = defaultContext(*model, options);
    } else if (context > plan.largestLength) {
        return failure(ErrorCode::OutOfMemory,
                       { "the KV cache of " + std::to_string(context) + " tokens ("
                         + std::to_string(context * plan.bytesPerToken / 1'000'000) + " MB)" });
    }
    std::unique_ptr<Session> session(new Session);
    auto& impl = *session->m_impl;
    impl.contextLength = static_cast<std::uint32_t>(context);
    impl.options = { .contextLength = impl.contextLength,
                     .batchLength = kLongestChunk,
                     .cacheType = options.cacheType,
                     .activations = options.activations,
                     .threads = options.threads,
                     .deviceBlocks = options.deviceBlocks,
                     .stop = std::move(stop),
                     .progress = progress };
    impl.device = options.device;
    impl.model = std::move(model);
    if (auto prepared = impl.prepareSomewhere(); !prepared) {
        return tl::unexpected(prepared.error());
    }
    impl.options.stop = {};
    impl.options.progress = {};
    return session;
}

std::shared_ptr<const model::Model> Session::sharedModel() const
{
    return m_impl->model;
}

const model::Model& Session::model() const
{
    return *m_impl->model;
}

std::uint32_t Session::contextLength() const
{
    return m_impl->contextLength;
}

int Session::threads() const
{
    return m_impl->runner->threads();
}

std::string Session::deviceName() const
{
    return m_impl->backend().description();
}

std::optional<Placement> Session::placement() const
{
    return m_impl->device ? std::optional(m_impl->placement) : std::nullopt;
}

const std::optional<Error>& Session::fallback() const
{
    return m_impl->fallback;
}

bool Session::leaveDevice()
{
    return m_impl->device && m_impl->moveToCpu();
}

std::span<const TokenId> Session::tokens() const
{
    return m_impl->tokens;
}

std::uint64_t Session::memoryBytes() const
{
    return m_impl->runner->memoryBytes() + m_impl->history->bytes();
}

std::size_t Session::reusable(std::span<const TokenId> tokens) const
{
    if (tokens.empty()) {
        return 0;
    }
    const auto& cached = m_impl->tokens;
    const auto common =
        std::mismatch(cached.begin(), cached.end(), tokens.begin(), tokens.end()).first
        - cached.begin();
    return m_impl->reachable(
        std::min<std::size_t>(static_cast<std::size_t>(common), tokens.size() - 1));
}

Result<std::size_t> Session::prefill(std::span<const TokenId> tokens, std::stop_token stop,
                                     const PrefillProgress& progress)
{
    if (auto checked = m_impl->check(tokens); !checked) {
        return tl::unexpected(checked.error());
    }
    return m_impl->withFallback([&] { return evaluatePrompt(tokens, stop, progress); });
}

Result<std::size_t> Session::evaluatePrompt(std::span<const TokenId> tokens,
                                            const std::stop_token& stop,
                                            const PrefillProgress& progress)
{
    auto& impl = *m_impl;
    const auto kept = reusable(tokens);
    truncate(kept);
    impl.history->goTo(kept);
    auto cut = kept;
    for (auto done = kept; done < tokens.size();) {
        if (progress) {
            progress(done, tokens.size());
        }
        impl.history->save(done == cut ? StateHistory::Keep::Long : StateHistory::Keep::UntilNext);
        cut = impl.nextCut(done, tokens.size());
        const auto length = std::min(impl.chunk, cut - done);
        const bool last = done + length == tokens.size();
        const auto start = Clock::now();
        auto ran = impl.run(tokens.subspan(done, length),
                            last ? backend::Outputs::Last : backend::Outputs::None, stop);
        if (!ran) {
            return tl::unexpected(ran.error());
        }
        done += length;
        if (length == impl.chunk) {
            impl.adaptChunk(length, std::chrono::duration<double>(Clock::now() - start).count());
        }
    }
    if (progress) {
        progress(tokens.size(), tokens.size());
    }
    return tokens.size() - kept;
}

Result<void> Session::append(TokenId token, std::stop_token stop)
{
    auto& impl = *m_impl;
    if (impl.tokens.size() >= impl.contextLength) {
        return failure(ErrorCode::ContextFull, { std::to_string(impl.contextLength) });
    }
    if (auto checked = impl.check({ &token, 1 }); !checked) {
        return checked;
    }
    return impl.withFallback([&] { return impl.run({ &token, 1 }, backend::Outputs::Last, stop); });
}

std::span<float> Session::logits()
{
    if (!m_impl->hasLogits) {
        return {};
    }
    const auto rows = m_impl->runner->logits();
    const auto vocabulary = m_impl->model->hparams().vocabularySize;
    return rows.subspan(rows.size() - vocabulary);
}

Result<std::vector<float>> Session::logitsOfAll(std::span<const TokenId> tokens,
                                                std::stop_token stop)
{
    if (auto checked = m_impl->check(tokens); !checked) {
        return tl::unexpected(checked.error());
    }
    return m_impl->withFallback([&] { return evaluateAll(tokens, stop); });
}

Result<std::vector<float>> Session::evaluateAll(std::span<const TokenId> tokens,
                                                const std::stop_token& stop)
{
    auto& impl = *m_impl;
    truncate(0);
    std::vector<float> all;
    all.reserve(tokens.size() * impl.model->hparams().vocabularySize);
    for (std::size_t done = 0; done < tokens.size();) {
        const auto length = std::min(kAllLogitsChunk, tokens.size() - done);
        if (auto ran = impl.run(tokens.subspan(done, length), backend::Outputs::All, stop); !ran) {
            return tl::unexpected(ran.error());
        }
        const auto rows = impl.runner->logits();
        all.insert(all.end(), rows.begin(), rows.end());
        done += length;
    }
    return all;
}

void Session::startProfile()
{
    m_impl->isProfiled = true;
    m_impl->runner->startProfile();
}

std::vector<backend::OpTime> Session::profile() const
{
    return m_impl->runner->profile();
}

void Session::truncate(std::size_t length)
{
    if (length < m_impl->tokens.size()) {
        m_impl->tokens.resize(length);
        m_impl->evaluated = std::min(m_impl->evaluated, length);
        m_impl->history->forgetBehind(length);
        m_impl->hasLogits = false;
    }
}

} // namespace engine::session
