// The methods of strings, lists and dicts that read; those that change something are refused.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/runtime.h"
#include "engine/chat/jinja/value.h"

#include <string>

namespace engine::chat::jinja {

/// value.name as something to call; undefined where this kind of value has no such method.
[[nodiscard]] Value methodOf(Runtime& runtime, const Value& value, const std::string& name);

} // namespace engine::chat::jinja
