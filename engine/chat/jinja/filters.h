// What the filters share: reaching for an attribute of each item.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/runtime.h"
#include "engine/chat/jinja/value.h"

#include <vector>

namespace engine::chat::jinja {

/// The keys of "a.b.0"; none where no attribute is given.
[[nodiscard]] std::vector<Value> attributePath(Runtime& runtime, const Value* attribute);
[[nodiscard]] Value followPath(Runtime& runtime, const Value& item, const std::vector<Value>& path);

} // namespace engine::chat::jinja
