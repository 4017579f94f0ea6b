// A chat template tried on a short conversation, to see what it writes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What came of it.
struct TemplateTrial
{
    /// What had to be left out for the template to go on.
    enum class Without { Nothing, System, EarlierTurns };
    struct Range
    {
        std::size_t begin;
        std::size_t end;
    };

    std::string text; ///< UTF-8 as far as template and vocabulary are; empty after an error
    std::vector<Range> specialTokens; ///< in `text`, ascending
    Without without = Without::Nothing;
    bool dropsSystem = false; ///< the system message was taken, but is not in the text
    bool knowsTokens = true; ///< false: the vocabulary cannot be read
    /// With text: what the template said against the whole conversation. Without: why nothing
    /// helped. The subject names the template's line.
    std::optional<engine::Error> error;
};

/// Renders a question with a system message, its answer and a second question, up to where the
/// answer would begin; then, where the template refuses that, less of it. Any thread; bounded in
/// steps and memory, whatever the template does.
[[nodiscard]] TemplateTrial tryTemplate(const std::shared_ptr<const engine::gguf::GgufFile>& file,
                                        std::string_view source);
