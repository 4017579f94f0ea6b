// The seam between the inference service and the engine: what it needs of one, no more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/ask_request.h"
#include "app/services/model_facts.h"
#include "engine/base/result.h"
#include "engine/chat/message.h"
#include "engine/model/model.h"
#include "engine/session/generate.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace app {

using CountTokens = std::function<std::size_t(std::string_view)>;

/// A model ready to answer. Used by the inference thread alone.
class LoadedModel
{
public:
    virtual ~LoadedModel() = default;

    /// The device's part changes where that fails in an answer.
    [[nodiscard]] virtual const LoadedFacts& facts() const = 0;
    /// Renders and tokenizes a conversation. `thinking`: as in AskRequest.
    [[nodiscard]] virtual engine::Result<std::vector<engine::text::TokenId>>
    prompt(std::span<const engine::chat::Message> messages, PromptFormat format,
           std::optional<bool> thinking) = 0;
    /// As engine::session::generate. `format`: the prompt's.
    [[nodiscard]] virtual engine::Result<engine::session::Generated>
    generate(std::span<const engine::text::TokenId> prompt,
             const engine::session::GenerateOptions& options, PromptFormat format,
             std::stop_token stop, const engine::session::GenerateCallbacks& callbacks) = 0;
    /// Asks whether the file changed underneath. The function may be called from any thread, also
    /// after the model is gone, and is cheap.
    [[nodiscard]] virtual std::function<bool()> changeProbe() const = 0;
    /// Counts the tokens of a text as a message would have them. Used like the probe.
    [[nodiscard]] virtual CountTokens tokenCounter() const = 0;
};

/// Makes loaded models. Used by the inference thread alone.
class InferenceEngine
{
public:
    virtual ~InferenceEngine() = default;

    /// A stop request ends it with ErrorCode::Cancelled.
    [[nodiscard]] virtual engine::Result<std::unique_ptr<LoadedModel>>
    load(const std::string& path, const LoadRequest& request, std::stop_token stop,
         const engine::model::LoadProgress& progress) = 0;
};

struct DeviceSource;
class OpenDevices;

/// The real one: engine::model and engine::session. With a source of devices: for tests; with open
/// devices: where others use the same.
[[nodiscard]] std::unique_ptr<InferenceEngine> makeSessionEngine();
[[nodiscard]] std::unique_ptr<InferenceEngine> makeSessionEngine(DeviceSource devices);
[[nodiscard]] std::unique_ptr<InferenceEngine>
makeSessionEngine(std::shared_ptr<OpenDevices> devices);

} // namespace app
