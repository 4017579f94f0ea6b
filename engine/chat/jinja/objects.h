// The objects that templates make for themselves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/runtime.h"
#include "engine/chat/jinja/value.h"

#include <string>
#include <utility>
#include <vector>

namespace engine::chat::jinja {

/// namespace(…): the one thing whose attributes can be set. Kept by the runtime, since it may come
/// to hold itself.
class Namespace final : public Object
{
public:
    [[nodiscard]] std::string typeName() const override { return "Namespace"; }
    [[nodiscard]] MarkedText describe(Runtime& runtime) const override;
    [[nodiscard]] Value attribute(Runtime& runtime, const std::string& name) override;
    void set(Runtime& runtime, const std::string& name, Value value);
    void clear() override { m_values.clear(); }

private:
    std::vector<std::pair<std::string, Value>> m_values;
};

} // namespace engine::chat::jinja
