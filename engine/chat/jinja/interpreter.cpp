#include "engine/chat/jinja/interpreter.h"

#include "engine/chat/jinja/failure.h"
#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/loop.h"
#include "engine/chat/jinja/objects.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/registry.h"

#include <algorithm>

namespace engine::chat::jinja {

namespace {

/// A macro with the names it was defined among. Kept by the runtime: its scope may hold it.
class Macro final : public Object
{
public:
    Macro(Interpreter& interpreter, const MacroDefinition& definition, std::shared_ptr<Scope> scope)
        : m_interpreter(interpreter)
        , m_definition(definition)
        , m_scope(std::move(scope))
    {
    }
    [[nodiscard]] std::string typeName() const override { return "Macro"; }
    [[nodiscard]] MarkedText describe(Runtime&) const override
    {
        return MarkedText("<Macro '" + m_definition.name + "'>");
    }
    [[nodiscard]] bool callable() const override { return true; }
    [[nodiscard]] Value call(Runtime&, const Arguments& arguments) override
    {
        return m_interpreter.callMacro(m_definition, m_scope, arguments);
    }
    [[nodiscard]] Value attribute(Runtime& runtime, const std::string& name) override
    {
        return name == "name" ? runtime.text(m_definition.name) : Object::attribute(runtime, name);
    }
    void clear() override
    {
        m_scope->values.clear();
        m_scope.reset();
    }

private:
    Interpreter& m_interpreter;
    const MacroDefinition& m_definition;
    std::shared_ptr<Scope> m_scope;
};

} // namespace

const Value* Scope::find(Symbol symbol) const
{
    for (const Scope* scope = this; scope; scope = scope->parent.get()) {
        for (const auto& [name, value] : scope->values) {
            if (name == symbol) {
                return &value;
            }
        }
    }
    return nullptr;
}

void Scope::set(Symbol symbol, Value value)
{
    for (auto& [name, old] : values) {
        if (name == symbol) {
            old = std::move(value);
            return;
        }
    }
    values.emplace_back(symbol, std::move(value));
}

class Interpreter::Frame
{
public:
    Frame(Interpreter& interpreter, std::shared_ptr<Scope> scope, MarkedText* out)
        : m_interpreter(interpreter)
        , m_scope(std::exchange(interpreter.m_scope, std::move(scope)))
        , m_out(std::exchange(interpreter.m_out, out))
    {
    }
    ~Frame()
    {
        m_interpreter.m_scope = std::move(m_scope);
        m_interpreter.m_out = m_out;
    }
    Frame(const Frame&) = delete;
    Frame& operator=(const Frame&) = delete;

private:
    Interpreter& m_interpreter;
    std::shared_ptr<Scope> m_scope;
    MarkedText* m_out;
};

Interpreter::Interpreter(const Template& source, const Value& variables, const Limits& limits,
                         Runtime::Clock clock)
    : m_runtime(limits, std::move(clock))
    , m_template(source)
    , m_scope(std::make_shared<Scope>())
{
    for (const std::string& name : source.symbols.names()) {
        Value value = Value::undefined("'" + name + "' is undefined");
        for (const FunctionEntry& function : globalFunctions()) {
            if (function.name == name) {
                value = Value(std::shared_ptr<Object>(
                    std::make_shared<Function>(function.name, function.body)));
            }
        }
        const Value* const given = variables.find(name);
        m_globals.push_back(given ? *given : std::move(value));
    }
}

MarkedText Interpreter::run()
{
    MarkedText out;
    const Frame frame(*this, m_scope, &out);
    execute(m_template.body);
    return out;
}

void Interpreter::checkOutput()
{
    if (m_out->size() > m_runtime.limits().textBytes) {
        m_runtime.checkText(m_out->size());
    }
}

void Interpreter::output(const Value& value)
{
    printTo(m_runtime, *m_out, value);
    checkOutput();
}

std::shared_ptr<Scope> Interpreter::innerScope() const
{
    auto scope = std::make_shared<Scope>();
    scope->parent = m_scope;
    return scope;
}

Interpreter::Flow Interpreter::execute(const Body& body)
{
    for (const auto& statement : body) {
        const Flow flow = execute(*statement);
        if (flow != Flow::Next) {
            return flow;
        }
    }
    return Flow::Next;
}

Interpreter::Flow Interpreter::execute(const Statement& statement)
{
    using Kind = Statement::Kind;
    const auto level = m_runtime.nodeLevel();
    m_runtime.step();
    m_runtime.setLine(statement.line);
    switch (statement.kind) {
    case Kind::Text:
        m_runtime.checkText(statement.text.size());
        m_out->append(statement.text, Origin::Template);
        checkOutput();
        break;
    case Kind::Output:
        output(evaluate(*statement.expression));
        break;
    case Kind::If:
        return executeIf(statement);
    case Kind::For:
        return executeFor(statement, evaluate(*statement.expression), 0);
    case Kind::Set:
        assign(statement.target, evaluate(*statement.expression));
        break;
    case Kind::SetBlock:
        return executeSetBlock(statement);
    case Kind::With:
        executeWith(statement);
        break;
    case Kind::Macro:
        m_scope->set(statement.macro.symbol, makeMacro(statement.macro));
        break;
    case Kind::Call:
        executeCall(statement);
        break;
    case Kind::FilterBlock:
        return executeFilterBlock(statement);
    case Kind::Scope:
        return executeInner(statement.body);
    case Kind::Break:
        return Flow::Break;
    case Kind::Continue:
        return Flow::Continue;
    }
    return Flow::Next;
}

Interpreter::Flow Interpreter::executeInner(const Body& body)
{
    const Frame frame(*this, innerScope(), m_out);
    return execute(body);
}

Interpreter::Flow Interpreter::executeIf(const Statement& statement)
{
    for (const Branch& branch : statement.branches) {
        if (!branch.condition || evaluate(*branch.condition).truthy()) {
            return execute(branch.body);
        }
    }
    return Flow::Next;
}

std::vector<Value> Interpreter::chosenItems(const Statement& statement, const Value& iterable)
{
    std::vector<Value> items = itemsOf(m_runtime, iterable);
    if (!statement.condition) {
        return items;
    }
    std::vector<Value> out;
    for (const Value& item : items) {
        const Frame frame(*this, innerScope(), m_out);
        assign(statement.target, item);
        if (evaluate(*statement.condition).truthy()) {
            out.push_back(item);
        }
    }
    return out;
}

Interpreter::Flow Interpreter::executeFor(const Statement& statement, const Value& iterable,
                                          int depth)
{
    m_runtime.setLine(statement.line);
    std::vector<Value> items = chosenItems(statement, iterable);
    if (items.empty()) {
        return executeInner(statement.otherwise);
    }
    const std::uint64_t bytes = items.size() * sizeof(Value);
    const auto loop = m_runtime.adopt(
        std::make_shared<Loop>(*this, statement, m_scope, std::move(items), depth), bytes);
    executeIterations(statement, *loop);
    if (loop.use_count() > 1) {
        // Someone holds it still: it must not be part of a chain of destructors.
        m_runtime.keep(loop);
    }
    return Flow::Next;
}

void Interpreter::executeIterations(const Statement& statement, Loop& loop)
{
    const Value loopValue { std::static_pointer_cast<Object>(loop.shared_from_this()) };
    std::shared_ptr<Scope> scope;
    for (std::size_t i = 0; i < loop.items().size(); ++i) {
        m_runtime.step();
        loop.moveTo(i);
        if (scope && scope.use_count() == 1) {
            scope->values.clear();
        } else {
            scope = innerScope();
        }
        const Frame frame(*this, scope, m_out);
        scope->set(m_template.loop, loopValue);
        assign(statement.target, loop.items()[i]);
        if (execute(statement.body) == Flow::Break) {
            break;
        }
    }
}

Value Interpreter::callLoop(const Statement& statement, const std::shared_ptr<Scope>& scope,
                            const Value& items, int depth)
{
    const auto level = m_runtime.callLevel();
    MarkedText out;
    const Frame frame(*this, scope, &out);
    executeFor(statement, items, depth);
    return m_runtime.text(std::move(out));
}

Interpreter::Flow Interpreter::executeSetBlock(const Statement& statement)
{
    MarkedText text;
    Flow flow = Flow::Next;
    {
        const Frame frame(*this, innerScope(), &text);
        flow = execute(statement.body);
    }
    if (flow != Flow::Next) {
        return flow;
    }
    m_captured = m_runtime.text(std::move(text));
    assign(statement.target, evaluate(*statement.expression));
    return Flow::Next;
}

Interpreter::Flow Interpreter::executeFilterBlock(const Statement& statement)
{
    MarkedText text;
    Flow flow = Flow::Next;
    {
        const Frame frame(*this, innerScope(), &text);
        flow = execute(statement.body);
    }
    if (flow != Flow::Next) {
        return flow;
    }
    m_captured = m_runtime.text(std::move(text));
    output(evaluate(*statement.expression));
    return Flow::Next;
}

void Interpreter::executeWith(const Statement& statement)
{
    auto scope = innerScope();
    std::vector<Value> values;
    for (const auto& binding : statement.bindings) {
        values.push_back(evaluate(*binding.second));
    }
    const Frame frame(*this, std::move(scope), m_out);
    for (std::size_t i = 0; i < values.size(); ++i) {
        assign(statement.bindings[i].first, values[i]);
    }
    execute(statement.body);
}

void Interpreter::executeCall(const Statement& statement)
{
    const Expression& call = *statement.expression;
    const Value callee = evaluate(*call.operands.front());
    Arguments arguments = evaluateArguments(call.arguments);
    arguments.keywords.emplace_back("caller", makeMacro(statement.macro));
    at(call);
    output(callValue(m_runtime, callee, arguments));
}

Value Interpreter::makeMacro(const MacroDefinition& definition)
{
    constexpr std::uint64_t kScopeBytes = 256;
    auto macro = m_runtime.adopt(std::make_shared<Macro>(*this, definition, m_scope), kScopeBytes);
    m_runtime.keep(macro);
    return Value(std::shared_ptr<Object>(std::move(macro)));
}

void Interpreter::assign(const Target& target, const Value& value)
{
    switch (target.kind) {
    case Target::Kind::Name:
        m_scope->set(target.symbol, value);
        return;
    case Target::Kind::Attribute: {
        const Value* const found = m_scope->find(target.symbol);
        auto space = found && found->is(Value::Kind::Object)
            ? std::dynamic_pointer_cast<Namespace>(found->asObject())
            : nullptr;
        if (!space) {
            m_runtime.fail("cannot assign attribute on non-namespace object");
        }
        space->set(m_runtime, target.attribute, value);
        return;
    }
    case Target::Kind::Tuple: {
        const auto parts = itemsOf(m_runtime, value);
        if (parts.size() != target.parts.size()) {
            m_runtime.fail("expected " + std::to_string(target.parts.size())
                           + " values to unpack, got " + std::to_string(parts.size()));
        }
        for (std::size_t i = 0; i < parts.size(); ++i) {
            assign(target.parts[i], parts[i]);
        }
        return;
    }
    }
}

Value Interpreter::callMacro(const MacroDefinition& macro, const std::shared_ptr<Scope>& scope,
                             const Arguments& arguments)
{
    const auto level = m_runtime.callLevel();
    m_runtime.step();
    MarkedText out;
    auto inner = std::make_shared<Scope>();
    inner->parent = scope;
    const Frame frame(*this, std::move(inner), &out);
    bindParameters(macro, arguments);
    execute(macro.body);
    return m_runtime.text(std::move(out));
}

void Interpreter::bindParameters(const MacroDefinition& macro, const Arguments& arguments)
{
    for (std::size_t i = 0; i < macro.parameters.size(); ++i) {
        const Parameter& parameter = macro.parameters[i];
        const auto keyword =
            std::find_if(arguments.keywords.begin(), arguments.keywords.end(),
                         [&](const auto& entry) { return entry.first == parameter.name; });
        const bool isNamed = keyword != arguments.keywords.end();
        Value value = Value::undefined("parameter '" + parameter.name + "' was not provided");
        if (i < arguments.positional.size()) {
            if (isNamed) {
                m_runtime.fail("macro '" + macro.name + "' got the argument '" + parameter.name
                               + "' twice");
            }
            value = arguments.positional[i];
        } else if (isNamed) {
            value = keyword->second;
        } else if (parameter.fallback) {
            value = evaluate(*parameter.fallback);
        }
        m_scope->set(parameter.symbol, std::move(value));
    }
    bindRest(macro, arguments);
}

void Interpreter::bindRest(const MacroDefinition& macro, const Arguments& arguments)
{
    const std::size_t count = macro.parameters.size();
    std::vector<Value> others;
    if (arguments.positional.size() > count) {
        others.assign(arguments.positional.begin() + static_cast<std::ptrdiff_t>(count),
                      arguments.positional.end());
    }
    if (!others.empty() && !macro.usesVarargs) {
        m_runtime.fail("macro '" + macro.name + "' takes not more than " + std::to_string(count)
                       + " argument(s)");
    }
    std::vector<Value::Entry> named;
    Value caller = Value::undefined("No caller defined");
    for (const auto& [name, value] : arguments.keywords) {
        const bool isParameter =
            std::any_of(macro.parameters.begin(), macro.parameters.end(),
                        [&, &key = name](const Parameter& p) { return p.name == key; });
        if (isParameter) {
            continue;
        }
        if (name == "caller" && macro.usesCaller) {
            caller = value;
        } else if (macro.usesKwargs) {
            named.emplace_back(m_runtime.text(name), value);
        } else {
            m_runtime.fail("macro '" + macro.name + "' takes no keyword argument '" + name + "'");
        }
    }
    const auto isParameter = [&](Symbol symbol) {
        return std::any_of(macro.parameters.begin(), macro.parameters.end(),
                           [&](const Parameter& p) { return p.symbol == symbol; });
    };
    if (macro.usesCaller && !isParameter(m_template.caller)) {
        m_scope->set(m_template.caller, std::move(caller));
    }
    if (macro.usesVarargs) {
        m_scope->set(m_template.varargs, m_runtime.tuple(std::move(others)));
    }
    if (macro.usesKwargs) {
        m_scope->set(m_template.kwargs, m_runtime.mapping(std::move(named)));
    }
}

MarkedText renderTemplate(const Template& source, const Value& variables, const Limits& limits,
                          Runtime::Clock clock)
{
    return Interpreter(source, variables, limits, std::move(clock)).run();
}

} // namespace engine::chat::jinja
