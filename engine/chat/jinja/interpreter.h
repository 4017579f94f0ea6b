// Runs a parsed template.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/ast.h"
#include "engine/chat/jinja/runtime.h"
#include "engine/chat/jinja/value.h"

#include <memory>
#include <utility>
#include <vector>

namespace engine::chat::jinja {

/// The text of the template for an object of variables. Throws Failure with the line it happened
/// at.
[[nodiscard]] MarkedText renderTemplate(const Template& source, const Value& variables,
                                        const Limits& limits, Runtime::Clock clock);

/// Names and what they stand for, within the names of a surrounding scope.
struct Scope
{
    std::shared_ptr<Scope> parent;
    std::vector<std::pair<Symbol, Value>> values;

    [[nodiscard]] const Value* find(Symbol symbol) const;
    void set(Symbol symbol, Value value);
};

class Loop;

/// One rendering: the state of it. Not thread-safe; used once.
class Interpreter
{
public:
    Interpreter(const Template& source, const Value& variables, const Limits& limits,
                Runtime::Clock clock);
    [[nodiscard]] MarkedText run();

    /// For Macro: binds the arguments and renders the body.
    [[nodiscard]] Value callMacro(const MacroDefinition& macro, const std::shared_ptr<Scope>& scope,
                                  const Arguments& arguments);
    /// For Loop: renders a recursive loop again, one level down.
    [[nodiscard]] Value callLoop(const Statement& statement, const std::shared_ptr<Scope>& scope,
                                 const Value& items, int depth);

private:
    enum class Flow { Next, Break, Continue };
    /// Puts a scope, and a text that output goes to, in place while it lives.
    class Frame;

    Flow execute(const Body& body);
    Flow execute(const Statement& statement);
    Flow executeIf(const Statement& statement);
    Flow executeFor(const Statement& statement, const Value& iterable, int depth);
    void executeIterations(const Statement& statement, Loop& loop);
    Flow executeInner(const Body& body);
    Flow executeSetBlock(const Statement& statement);
    Flow executeFilterBlock(const Statement& statement);
    void executeWith(const Statement& statement);
    void executeCall(const Statement& statement);
    void output(const Value& value);
    void checkOutput();
    [[nodiscard]] std::vector<Value> chosenItems(const Statement& statement, const Value& iterable);
    void assign(const Target& target, const Value& value);
    [[nodiscard]] Value makeMacro(const MacroDefinition& definition);
    void bindParameters(const MacroDefinition& macro, const Arguments& arguments);
    void bindRest(const MacroDefinition& macro, const Arguments& arguments);
    [[nodiscard]] std::shared_ptr<Scope> innerScope() const;

    [[nodiscard]] Value evaluate(const Expression& node);
    [[nodiscard]] Value evaluateInner(const Expression& node);
    [[nodiscard]] Value evaluateOptional(const ExpressionPtr& node);
    [[nodiscard]] Value evaluateName(const Expression& node) const;
    [[nodiscard]] std::vector<Value> evaluateAll(const std::vector<ExpressionPtr>& nodes);
    [[nodiscard]] Value evaluateDict(const Expression& node);
    [[nodiscard]] Value evaluateSlice(const Expression& node);
    [[nodiscard]] Value evaluateCall(const Expression& node);
    [[nodiscard]] Value evaluateFilter(const Expression& node);
    [[nodiscard]] Value evaluateTest(const Expression& node);
    [[nodiscard]] Value evaluateBinary(const Expression& node);
    [[nodiscard]] Value evaluateSign(const Expression& node);
    [[nodiscard]] Value evaluateConcat(const Expression& node);
    [[nodiscard]] Value evaluateCompare(const Expression& node);
    [[nodiscard]] Value evaluateConditional(const Expression& node);
    [[nodiscard]] Arguments evaluateArguments(const CallArguments& arguments);
    void at(const Expression& node) { m_runtime.setLine(node.line); }

    Runtime m_runtime; // first: all values give their memory back to it
    const Template& m_template;
    std::vector<Value> m_globals; ///< by symbol
    std::shared_ptr<Scope> m_scope;
    MarkedText* m_out = nullptr;
    Value m_captured; ///< what a filter of a block works on
};

} // namespace engine::chat::jinja
