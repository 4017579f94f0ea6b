// The inference service on a scripted engine, for its tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/inference_service.h"
#include "tests/app/scripted_engine.h"

#include <QSignalSpy>

namespace tests {

inline const QString kPath = QStringLiteral("/models/a.gguf");
inline const QString kOther = QStringLiteral("/models/b.gguf");

inline std::vector<engine::chat::Message> question(std::string text = "What is up?")
{
    return { { engine::chat::Role::User, std::move(text) } };
}

/// A service on a script, without a model until one is loaded.
struct InferenceBench
{
    std::shared_ptr<Script> script = std::make_shared<Script>();
    std::unique_ptr<app::InferenceService> service =
        std::make_unique<app::InferenceService>(makeScriptedEngine(script));

    bool load(const QString& path = kPath)
    {
        QSignalSpy loaded(service.get(), &app::InferenceService::loaded);
        service->load(path);
        return loaded.wait(5000);
    }
};

} // namespace tests
