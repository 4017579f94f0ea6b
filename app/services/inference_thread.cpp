#include "app/services/inference_thread.h"

#include "app/services/context_fit.h"

#include <exception>
#include <new>
#include <optional>
#include <utility>

namespace app {

namespace {

using engine::ErrorCode;
using Clock = std::chrono::steady_clock;

constexpr auto kProgressInterval = std::chrono::milliseconds(TokenStream::kUpdateIntervalMs);

double millisecondsSince(Clock::time_point start)
{
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The engine reports errors as results; memory that runs out while standard containers grow still
// arrives as an exception, and must not take the window down.
template <typename T, typename Function>
engine::Result<T> guarded(const char* memoryFor, Function&& function)
{
    try {
        return function();
    } catch (const std::bad_alloc&) {
        return engine::failure(ErrorCode::OutOfMemory, { memoryFor });
    } catch (const std::exception& exception) {
        return engine::failure(ErrorCode::InternalError, { exception.what() });
    }
}

engine::model::LoadProgress atDisplayRate(const engine::model::LoadProgress& progress)
{
    struct Last
    {
        std::optional<engine::model::LoadStage> stage;
        Clock::time_point at;
    };
    return [&progress, last = Last {}](engine::model::LoadStage stage, double fraction) mutable {
        const auto now = Clock::now();
        if (last.stage != stage || now - last.at >= kProgressInterval) {
            last = { stage, now };
            progress(stage, fraction);
        }
    };
}

engine::Result<FittedPrompt> promptOf(LoadedModel& model, const AskRequest& request,
                                      const std::stop_token& stop)
{
    const auto render = [&](std::span<const engine::chat::Message> messages) {
        return model.prompt(messages, request.format, request.thinking);
    };
    if (!request.whole) {
        return fitPrompt(request.messages, request.leftOut, model.facts().contextLength,
                         request.options.maxTokens, render, stop);
    }
    auto tokens = render(request.messages);
    if (!tokens) {
        return tl::make_unexpected(tokens.error());
    }
    return FittedPrompt { std::move(*tokens), 0 };
}

} // namespace

InferenceThread::InferenceThread(std::unique_ptr<InferenceEngine> engine)
    : m_model(std::make_shared<Model>())
    , m_thread("vitrine-infer", TaskPriority::Background)
{
    m_model->engine = std::move(engine);
}

InferenceThread::~InferenceThread() = default;

void InferenceThread::load(LoadJob job)
{
    m_thread.post([model = m_model, job = std::move(job)] { runLoad(*model, job); });
}

void InferenceThread::ask(AskJob job)
{
    m_thread.post([model = m_model, job = std::move(job)] { runAsk(*model, job); });
}

void InferenceThread::unload()
{
    m_thread.post([model = m_model] { model->loaded.reset(); });
}

void InferenceThread::runLoad(Model& model, const LoadJob& job)
{
    if (job.stop.stop_requested()) {
        return; // overtaken by a cancel or another load before it began
    }
    auto loaded = guarded<std::unique_ptr<LoadedModel>>("the model", [&] {
        return model.engine->load(job.path, job.request, job.stop, atDisplayRate(job.onProgress));
    });
    if (!job.ticket->commit()) {
        return;
    }
    if (!loaded) {
        job.onFailed(loaded.error());
        return;
    }
    model.loaded = std::move(*loaded);
    model.toldDevice = model.loaded->facts().deviceName;
    job.onLoaded(model.loaded->facts(), model.loaded->changeProbe(), model.loaded->tokenCounter());
}

void InferenceThread::runAsk(Model& model, const AskJob& job)
{
    AnswerResult result;
    const auto answer = [&]() -> engine::Result<engine::session::Generated> {
        if (!model.loaded) {
            return engine::failure(ErrorCode::InternalError, { "no model is loaded" });
        }
        const auto changed = model.loaded->changeProbe();
        const engine::Where file { model.loaded->facts().path, {}, {} };
        if (changed()) {
            return engine::failure(ErrorCode::FileChanged, {}, file);
        }
        if (job.stop.stop_requested()) {
            engine::session::Generated nothing;
            nothing.finish = engine::session::FinishReason::Cancelled;
            return nothing;
        }
        const AskRequest& request = job.request;
        const auto prompt = promptOf(*model.loaded, request, job.stop);
        if (!prompt) {
            return tl::make_unexpected(prompt.error());
        }
        result.promptTokens = prompt->tokens.size();
        result.leftOut = prompt->leftOut;
        job.sink->setLeftOut(prompt->leftOut);
        job.sink->setPromptProgress(0, prompt->tokens.size());

        engine::session::GenerateCallbacks callbacks;
        const auto tellFacts = [&] {
            const LoadedFacts& facts = model.loaded->facts();
            if (facts.deviceName != model.toldDevice) {
                model.toldDevice = facts.deviceName;
                job.onFacts(facts);
            }
        };
        tellFacts();
        callbacks.onPrefill = [&](std::size_t done, std::size_t total) {
            tellFacts();
            job.sink->setPromptProgress(done, total);
        };
        const auto count = [&](std::size_t tokens) {
            if (result.firstTokenMs == 0 && tokens > 0) {
                result.firstTokenMs = millisecondsSince(job.asked);
            }
            result.answerTokens = tokens;
            tellFacts();
        };
        callbacks.onText = [&](std::string_view text, std::size_t tokens) {
            count(tokens);
            job.sink->push(text, tokens, job.stop);
        };
        callbacks.onReasoning = [&](std::string_view text, std::size_t tokens) {
            count(tokens);
            job.sink->pushReasoning(text, tokens, job.stop);
        };
        callbacks.onTurned = [&] { job.sink->turn(); };
        auto generated = model.loaded->generate(prompt->tokens, request.options, request.format,
                                                job.stop, callbacks);
        tellFacts();
        if (changed()) { // what was written since may be made of zeros
            return engine::failure(ErrorCode::FileChanged, {}, file);
        }
        return generated;
    };
    result.generated = guarded<engine::session::Generated>("the answer", answer);
    job.sink->close();
    job.onDone(result);
}

} // namespace app
