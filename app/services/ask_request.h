// What is asked of a model: the conversation so far, and how to answer. No Qt.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/message.h"
#include "engine/session/generate.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace app {

/// Whose form a prompt has: the model's own template, or our plain one (for a template that fails).
enum class PromptFormat { Model, Plain };

struct AskRequest
{
    std::vector<engine::chat::Message> messages; ///< the system message first, if any
    engine::session::GenerateOptions options;
    PromptFormat format = PromptFormat::Model;
    /// Whether the model should think before it answers; nothing: as its template sees fit.
    std::optional<bool> thinking = {};
    /// So many messages behind the system message were left out for earlier answers already.
    std::size_t leftOut = 0;
    /// Nothing is left out: where the context is too short for it all, the answer fails.
    bool whole = false;
};

} // namespace app
