// An inference engine that follows a script, for tests of everything above the engine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/inference_engine.h"

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace tests {

/// What the engine does, and what it saw. Plain members are set before the service is used; the
/// rest is thread-safe.
struct Script
{
    // Loading.
    app::LoadedFacts
        facts; ///< path is filled in by the load; the context holds 4,096 tokens unless said here
    int loadSteps = 3; ///< progress reports, over all stages
    std::chrono::microseconds loadStep { 0 };
    std::map<std::string, engine::Error> loadErrors; ///< by path

    // Answering.
    int promptSteps = 1;
    std::chrono::microseconds promptStep { 0 };
    std::size_t promptReused = 0; ///< tokens that the cache holds already
    /// The marks of reasoning that the pieces may hold, cut anywhere.
    std::optional<engine::chat::ReasoningMarks> marks;
    std::vector<std::string> pieces { "Hello", ", ", "world", "." };
    std::chrono::microseconds pieceTime { 0 };
    engine::session::FinishReason finish = engine::session::FinishReason::End;
    std::optional<engine::Error> promptError;
    std::optional<engine::Error> answerError; ///< after all pieces
    std::optional<engine::Error> deviceFails; ///< after the first piece: the CPU goes on
    bool throws = false; ///< std::bad_alloc out of generate
    std::chrono::microseconds countTime { 0 }; ///< of each call that counts tokens

    std::atomic<bool> fileChanged { false };
    std::atomic<int> modelsAlive { 0 };
    std::atomic<int> loads { 0 };
    std::atomic<int> answers { 0 }; ///< begun

    [[nodiscard]] std::vector<engine::chat::Message> lastMessages();
    [[nodiscard]] app::LoadRequest lastRequest();
    [[nodiscard]] app::PromptFormat lastFormat();
    [[nodiscard]] std::optional<bool> lastThinking();
    void remember(std::span<const engine::chat::Message> messages, app::PromptFormat format,
                  std::optional<bool> thinking);
    void remember(const app::LoadRequest& request);

private:
    std::mutex m_mutex;
    std::vector<engine::chat::Message> m_messages;
    app::PromptFormat m_format = app::PromptFormat::Model;
    std::optional<bool> m_thinking;
    app::LoadRequest m_request;
};

/// One prompt token a byte of the conversation; a prompt longer than the context is refused.
[[nodiscard]] std::unique_ptr<app::InferenceEngine>
makeScriptedEngine(std::shared_ptr<Script> script);

} // namespace tests
