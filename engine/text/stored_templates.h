// The chat templates that a file holds: its own, and others by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <optional>
#include <string_view>
#include <vector>

namespace engine::text {

/// Views into the file, which must outlive them.
struct StoredTemplates
{
    static constexpr std::string_view kKey = "tokenizer.chat_template";

    struct Named
    {
        std::string_view name; ///< what stands behind "tokenizer.chat_template."
        std::string_view source;
    };

    /// tokenizer.chat_template; where a file has only named ones the one that is called "default",
    /// else the first.
    std::optional<std::string_view> own;
    std::vector<Named> named; ///< in the file's order

    [[nodiscard]] static StoredTemplates of(const gguf::GgufFile& file);
    /// "default" is the file's own unless there is one of that name.
    [[nodiscard]] std::optional<std::string_view> find(std::string_view name) const;
    /// For conversations with tools: "tool_use", else the file's own.
    [[nodiscard]] std::optional<std::string_view> forTools() const;
};

} // namespace engine::text
