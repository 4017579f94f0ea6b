// What is asked for when a model is loaded, and what is known of it afterwards.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/error_message.h"
#include "engine/chat/chat_template.h"
#include "engine/gguf/gguf_file.h"
#include "engine/session/sampler.h"
#include "engine/session/session.h"

#include <QMetaType>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

struct LoadRequest
{
    std::uint32_t contextLength = 0; ///< 0: what the model was trained for, capped by memory
    int threads = 0; ///< 0: one a core
    engine::session::CacheType cacheType = engine::session::CacheType::F16;
    std::string device = "auto"; ///< "auto", "cpu" or a name that deviceName gives
    /// How many of the last layers run on the device; as many as fit unless said.
    std::optional<std::uint32_t> deviceLayers = {};

    bool operator==(const LoadRequest&) const = default;
};

/// Facts of a loaded model as the engine gives them (no Qt, no translated text).
struct LoadedFacts
{
    std::string path;
    std::string displayName;
    std::string typeName; ///< e.g. "Q4_1"
    std::string deviceName; ///< e.g. "CPU AVX2"
    std::uint64_t fileSize = 0;
    std::uint64_t parameterCount = 0;
    std::uint64_t sessionBytes = 0; ///< KV cache and scratch memory
    std::uint32_t contextLength = 0;
    std::uint32_t trainedContextLength = 0;
    int threads = 0;
    bool contextCapped = false; ///< shorter than the model was trained for
    engine::session::SamplerOptions modelSampler; ///< what the file asks for, over our defaults
    std::vector<engine::gguf::Problem> warnings;
    /// Nothing: the model has no usable template, and `conversationError` says why it can't hold a
    /// conversation.
    std::optional<engine::chat::TemplateOrigin> templateOrigin;
    std::optional<engine::Error> conversationError;
    /// Whether it thinks when it is told nothing; nothing where its template can't be told.
    std::optional<bool> thinks = {};
    /// Why the device that was asked for, or a better one, is not used.
    std::optional<engine::Error> passedOver = {};
    /// What the device failed with; the CPU does the work since.
    std::optional<engine::Error> deviceFailure = {};
    /// Another model was given its room on the device; the CPU does the work since.
    bool leftDevice = false;
    /// Nothing: it runs on the CPU.
    std::optional<engine::session::Placement> placement = {};
    /// Types that the device has no shader for.
    std::vector<std::string> cpuTypes = {};
};

/// The same for the window, in its words.
struct ModelFacts
{
    QString path;
    QString displayName;
    QString typeName;
    QString deviceName;
    quint64 fileSize = 0;
    quint64 parameterCount = 0;
    quint64 sessionBytes = 0;
    quint32 contextLength = 0;
    quint32 trainedContextLength = 0;
    int threads = 0;
    bool contextCapped = false; ///< shorter than the model was trained for
    engine::session::SamplerOptions modelSampler; ///< what the file asks for, over our defaults
    QStringList warnings; ///< translated sentences
    std::optional<engine::chat::TemplateOrigin> templateOrigin;
    std::optional<ErrorMessage>
        conversationError; ///< why asking will fail, when that is known already
    /// Whether it thinks when it is told nothing; nothing where its template can't be told.
    std::optional<bool> thinks = {};
    /// Nothing: it runs on the CPU.
    std::optional<engine::session::Placement> placement = {};
};

[[nodiscard]] ModelFacts modelFacts(const LoadedFacts& facts);

} // namespace app

Q_DECLARE_METATYPE(app::ModelFacts)
