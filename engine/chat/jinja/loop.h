// The variable "loop" of a for statement.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/interpreter.h"

#include <optional>

namespace engine::chat::jinja {

class Loop final : public Object
{
public:
    Loop(Interpreter& interpreter, const Statement& statement, std::shared_ptr<Scope> scope,
         std::vector<Value> items, int nesting)
        : m_interpreter(interpreter)
        , m_statement(statement)
        , m_scope(std::move(scope))
        , m_items(std::move(items))
        , m_depth(nesting)
    {
    }
    [[nodiscard]] std::string typeName() const override { return "LoopContext"; }
    [[nodiscard]] bool callable() const override { return m_statement.recursive; }
    [[nodiscard]] Value call(Runtime& runtime, const Arguments& arguments) override;
    [[nodiscard]] Value attribute(Runtime& runtime, const std::string& name) override;
    void clear() override
    {
        m_items.clear();
        m_last.reset();
        m_scope.reset();
    }

    [[nodiscard]] const std::vector<Value>& items() const { return m_items; }
    void moveTo(std::size_t index) { m_index = index; }
    /// One of the values in turn, by the number of the iteration.
    [[nodiscard]] Value cycle(Runtime& runtime, const Arguments& arguments) const;
    /// Whether the values differ from those of the call before.
    [[nodiscard]] Value changed(Runtime& runtime, const Arguments& arguments);

private:
    Interpreter& m_interpreter;
    const Statement& m_statement;
    std::shared_ptr<Scope> m_scope;
    std::vector<Value> m_items;
    int m_depth;
    std::size_t m_index = 0;
    std::optional<std::vector<Value>> m_last;
};

} // namespace engine::chat::jinja
