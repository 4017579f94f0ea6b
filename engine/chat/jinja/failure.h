// How the interpreter gives up: thrown inside engine/chat only, turned into an Error at its border.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"

#include <string>

namespace engine::chat::jinja {

/// Never leaves the public functions of engine/chat.
struct Failure
{
    ErrorCode code;
    std::string message;
    int line = 0; ///< of the template; 0 where the interpreter knows it better
};

/// The Error that the callers of engine/chat see.
[[nodiscard]] inline Error toError(const Failure& failure)
{
    return { failure.code,
             { failure.message },
             { {}, {}, "line " + std::to_string(failure.line) } };
}

} // namespace engine::chat::jinja
