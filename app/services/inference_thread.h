// The thread that owns the loaded model: it loads, answers and forgets, one after another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/inference_engine.h"
#include "app/services/task_thread.h"
#include "app/services/token_stream.h"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace app {

/// Decides between the thread that is about to take a freshly loaded model into use and the one
/// that cancels the load: the first to come wins.
class LoadTicket
{
public:
    /// True when the load was not cancelled; it can't be any more.
    [[nodiscard]] bool commit() { return decide(State::Committed); }
    /// True when the load was not committed; it never will be.
    [[nodiscard]] bool cancel() { return decide(State::Cancelled); }

private:
    enum class State { Open, Committed, Cancelled };
    bool decide(State state)
    {
        State open = State::Open;
        return m_state.compare_exchange_strong(open, state);
    }
    std::atomic<State> m_state { State::Open };
};

struct LoadJob
{
    std::string path;
    LoadRequest request;
    std::stop_token stop;
    std::shared_ptr<LoadTicket> ticket;
    engine::model::LoadProgress onProgress; ///< at most 30 times a second and at each stage
    std::function<void(const LoadedFacts&, std::function<bool()> changeProbe, CountTokens counter)>
        onLoaded;
    std::function<void(const engine::Error&)> onFailed; ///< never after a cancelled ticket
};

/// What an answer was like, in the engine's terms.
struct AnswerResult
{
    engine::Result<engine::session::Generated> generated;
    std::size_t promptTokens = 0;
    std::size_t answerTokens = 0; ///< handed to the sink, also before an error
    std::size_t leftOut = 0;
    double firstTokenMs = 0; ///< since `AskJob::asked`
};

struct AskJob
{
    AskRequest request;
    std::stop_token stop;
    std::shared_ptr<TokenSink> sink;
    std::chrono::steady_clock::time_point asked;
    std::function<void(const LoadedFacts&)>
        onFacts; ///< where the model is not on its device any more
    std::function<void(const AnswerResult&)> onDone; ///< after the sink is closed
};

/// All functions in a job run on the inference thread. Methods may be called from one other thread
/// and never wait.
class InferenceThread
{
public:
    explicit InferenceThread(std::unique_ptr<InferenceEngine> engine);
    /// Waits for the running job, whose stop must have been requested; drops those behind it.
    ~InferenceThread();

    void load(LoadJob job);
    void ask(AskJob job);
    void unload();

private:
    struct Model
    {
        std::unique_ptr<InferenceEngine> engine;
        std::unique_ptr<LoadedModel> loaded;
        std::string toldDevice; ///< of the facts that were told last
    };
    static void runLoad(Model& model, const LoadJob& job);
    static void runAsk(Model& model, const AskJob& job);

    std::shared_ptr<Model> m_model; // touched by tasks only
    TaskThread m_thread; // last: joined before the model goes
};

} // namespace app
