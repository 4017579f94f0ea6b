// A conversation as the templates see it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace engine::chat {

enum class Role { System, User, Assistant };

struct Message
{
    Role role;
    std::string content; ///< UTF-8; untrusted (typed by a person or made by the model)
    /// What the model thought before it wrote `content`; empty where it didn't, or nobody knows.
    std::string reasoning = {};
};

} // namespace engine::chat
