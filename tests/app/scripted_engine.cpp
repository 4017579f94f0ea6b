#include "tests/app/scripted_engine.h"

#include "engine/chat/reasoning_splitter.h"

#include <algorithm>
#include <new>
#include <thread>
#include <utility>

namespace tests {

namespace {

using engine::ErrorCode;
using engine::Result;
using engine::session::FinishReason;
using engine::session::Generated;
using engine::text::TokenId;
using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

class ScriptedModel : public app::LoadedModel
{
public:
    ScriptedModel(std::shared_ptr<Script> script, app::LoadedFacts facts)
        : m_script(std::move(script))
        , m_facts(std::move(facts))
    {
        ++m_script->modelsAlive;
    }
    ~ScriptedModel() override { --m_script->modelsAlive; }

    [[nodiscard]] const app::LoadedFacts& facts() const override { return m_facts; }

    [[nodiscard]] Result<std::vector<TokenId>>
    prompt(std::span<const engine::chat::Message> messages, app::PromptFormat format,
           std::optional<bool> thinking) override
    {
        m_script->remember(messages, format, thinking);
        if (m_script->promptError && format == app::PromptFormat::Model) {
            return tl::make_unexpected(*m_script->promptError);
        }
        std::size_t bytes = 0;
        for (const auto& message : messages) {
            bytes += message.content.size();
        }
        return std::vector<TokenId>(bytes, 1);
    }

    [[nodiscard]] Result<Generated>
    generate(std::span<const TokenId> prompt, const engine::session::GenerateOptions& options,
             app::PromptFormat /*format*/, std::stop_token stop,
             const engine::session::GenerateCallbacks& callbacks) override
    {
        ++m_script->answers;
        if (m_script->throws) {
            throw std::bad_alloc();
        }
        if (prompt.size() > m_facts.contextLength) {
            return engine::failure(
                ErrorCode::PromptTooLong,
                { std::to_string(prompt.size()), std::to_string(m_facts.contextLength) });
        }
        Generated generated;
        generated.finish = FinishReason::Cancelled;
        const auto start = Clock::now();
        const std::size_t reused = std::min(m_script->promptReused, prompt.size());
        callbacks.onPrefill(reused, prompt.size());
        for (int step = 1; step <= m_script->promptSteps; ++step) {
            std::this_thread::sleep_for(m_script->promptStep);
            if (stop.stop_requested()) {
                return generated;
            }
            callbacks.onPrefill(reused
                                    + (prompt.size() - reused) * static_cast<std::size_t>(step)
                                        / static_cast<std::size_t>(m_script->promptSteps),
                                prompt.size());
        }
        generated.timings.prefillTokens = prompt.size() - reused;
        generated.timings.reusedTokens = reused;
        generated.timings.prefillMs = millisecondsSince(start);
        generated.timings.firstTokenMs = generated.timings.prefillMs;
        if (!write(generated, options, stop, callbacks)) {
            return generated;
        }
        if (m_script->answerError) {
            return tl::make_unexpected(*m_script->answerError);
        }
        return generated;
    }

    [[nodiscard]] std::function<bool()> changeProbe() const override
    {
        return [script = m_script] { return script->fileChanged.load(); };
    }

    [[nodiscard]] app::CountTokens tokenCounter() const override
    {
        return [time = m_script->countTime](std::string_view text) {
            if (time.count() > 0) {
                std::this_thread::sleep_for(time);
            }
            return text.size();
        };
    }

private:
    // False when stopped.
    bool write(Generated& generated, const engine::session::GenerateOptions& options,
               const std::stop_token& stop, const engine::session::GenerateCallbacks& callbacks)
    {
        const auto start = Clock::now();
        const auto splitter =
            m_script->marks ? engine::chat::makeReasoningSplitter(*m_script->marks, {}) : nullptr;
        for (const auto& piece : m_script->pieces) {
            if (options.maxTokens >= 0
                && generated.ids.size() >= static_cast<std::size_t>(options.maxTokens)) {
                generated.finish = FinishReason::Length;
                return true;
            }
            if (m_script->pieceTime.count() > 0) {
                std::this_thread::sleep_for(m_script->pieceTime);
            }
            if (stop.stop_requested()) {
                return false;
            }
            if (m_script->deviceFails && generated.ids.size() == 1) {
                m_facts.deviceFailure = m_script->deviceFails;
                m_facts.deviceName = "CPU";
            }
            generated.ids.push_back(1);
            generated.timings.decodeTokens = generated.ids.size() - 1;
            generated.timings.decodeMs = millisecondsSince(start);
            if (splitter) {
                give(generated, splitter->push(piece), callbacks);
            } else {
                give(generated, { false, {}, piece }, callbacks);
            }
        }
        if (splitter) {
            give(generated, splitter->finish(), callbacks);
        }
        generated.finish = m_script->finish;
        return true;
    }

    static void give(Generated& generated, const engine::chat::SplitText& parts,
                     const engine::session::GenerateCallbacks& callbacks)
    {
        if (parts.turned) {
            generated.reasoning += std::exchange(generated.text, {});
            callbacks.onTurned();
        }
        if (!parts.reasoning.empty()) {
            generated.reasoning += parts.reasoning;
            generated.timings.reasoningMs = generated.timings.decodeMs;
            callbacks.onReasoning(parts.reasoning, generated.ids.size());
        }
        if (!parts.answer.empty() || parts.reasoning.empty()) {
            generated.text += parts.answer;
            callbacks.onText(parts.answer, generated.ids.size());
        }
    }

    std::shared_ptr<Script> m_script;
    app::LoadedFacts m_facts;
};

class ScriptedEngine : public app::InferenceEngine
{
public:
    explicit ScriptedEngine(std::shared_ptr<Script> script)
        : m_script(std::move(script))
    {
    }

    [[nodiscard]] Result<std::unique_ptr<app::LoadedModel>>
    load(const std::string& path, const app::LoadRequest& request, std::stop_token stop,
         const engine::model::LoadProgress& progress) override
    {
        using engine::model::LoadStage;
        ++m_script->loads;
        m_script->remember(request);
        for (int step = 0; step < m_script->loadSteps; ++step) {
            const double fraction = static_cast<double>(step) / m_script->loadSteps;
            progress(fraction < 0.3 ? LoadStage::File : LoadStage::Weights, fraction);
            std::this_thread::sleep_for(m_script->loadStep);
            if (stop.stop_requested()) {
                return engine::failure(ErrorCode::Cancelled);
            }
        }
        if (const auto error = m_script->loadErrors.find(path);
            error != m_script->loadErrors.end()) {
            return tl::make_unexpected(error->second);
        }
        app::LoadedFacts facts = m_script->facts;
        facts.path = path;
        if (facts.displayName.empty()) {
            facts.displayName = path;
        }
        if (facts.contextLength == 0) {
            facts.contextLength = request.contextLength > 0 ? request.contextLength : 4096;
        }
        return std::make_unique<ScriptedModel>(m_script, std::move(facts));
    }

private:
    std::shared_ptr<Script> m_script;
};

} // namespace

std::vector<engine::chat::Message> Script::lastMessages()
{
    const std::lock_guard lock(m_mutex);
    return m_messages;
}

app::LoadRequest Script::lastRequest()
{
    const std::lock_guard lock(m_mutex);
    return m_request;
}

app::PromptFormat Script::lastFormat()
{
    const std::lock_guard lock(m_mutex);
    return m_format;
}

std::optional<bool> Script::lastThinking()
{
    const std::lock_guard lock(m_mutex);
    return m_thinking;
}

void Script::remember(std::span<const engine::chat::Message> messages, app::PromptFormat format,
                      std::optional<bool> thinking)
{
    const std::lock_guard lock(m_mutex);
    m_format = format;
    m_thinking = thinking;
    m_messages.assign(messages.begin(), messages.end());
}

void Script::remember(const app::LoadRequest& request)
{
    const std::lock_guard lock(m_mutex);
    m_request = request;
}

std::unique_ptr<app::InferenceEngine> makeScriptedEngine(std::shared_ptr<Script> script)
{
    return std::make_unique<ScriptedEngine>(std::move(script));
}

} // namespace tests
