// Running the cases of the chat template pack.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/chat_template.h"
#include "engine/chat/jinja/json.h"

#include <nlohmann/json.hpp>

#include <ctime>
#include <string>

namespace tests {

/// The clock of the pack: 2026-11-29 12:00:00 in local time.
inline engine::chat::RenderOptions packOptions()
{
    engine::chat::RenderOptions options;
    options.now = [] {
        std::tm parts {};
        parts.tm_year = 2026 - 1900;
        parts.tm_mon = 10;
        parts.tm_mday = 29;
        parts.tm_hour = 12;
        parts.tm_isdst = -1;
        return std::chrono::system_clock::from_time_t(std::mktime(&parts));
    };
    return options;
}

inline engine::chat::jinja::Value toValue(const nlohmann::ordered_json& json)
{
    return engine::chat::jinja::valueFromJson(json.dump())
        .value_or(engine::chat::jinja::Value::none());
}

/// What a case came to: the text, or the error's code and message.
struct Rendered
{
    std::string text;
    std::string slug;
    std::string message;
    std::string subject;
};

inline Rendered failed(const engine::Error& error)
{
    return { {},
             std::string(engine::errorSlug(error.code)),
             error.arguments.empty() ? "" : error.arguments[0],
             error.where.subject };
}

inline Rendered render(const std::string& source, const engine::chat::jinja::Value& variables,
                       const engine::chat::RenderOptions& options = packOptions())
{
    const auto chatTemplate = engine::chat::ChatTemplate::parse(source);
    if (!chatTemplate) {
        return failed(chatTemplate.error());
    }
    const auto parts = chatTemplate->render(variables, options);
    return parts ? Rendered { engine::chat::joined(*parts), {}, {}, {} } : failed(parts.error());
}

/// The variables of a case of a model's folder.
inline engine::chat::jinja::Value caseVariables(const nlohmann::ordered_json& test)
{
    nlohmann::ordered_json variables = { { "messages", test["messages"] },
                                         { "tools", test["tools"] },
                                         { "documents", nullptr },
                                         { "add_generation_prompt", test["add_generation_prompt"] },
                                         { "bos_token", test["bos_token"] },
                                         { "eos_token", test["eos_token"] } };
    for (const auto& [name, value] : test["extra"].items()) {
        variables[name] = value;
    }
    return toValue(variables);
}

} // namespace tests
