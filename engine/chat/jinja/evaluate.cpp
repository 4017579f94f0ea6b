// The interpreter's half for expressions.

#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/interpreter.h"
#include "engine/chat/jinja/operators.h"

namespace engine::chat::jinja {

using Kind = Expression::Kind;

Value Interpreter::evaluate(const Expression& node)
{
    switch (node.kind) {
    case Kind::Constant:
        return node.constant;
    case Kind::Captured:
        return m_captured;
    case Kind::Name:
        return evaluateName(node);
    default:
        break;
    }
    const auto level = m_runtime.nodeLevel();
    m_runtime.step();
    at(node);
    return evaluateInner(node);
}

Value Interpreter::evaluateInner(const Expression& node)
{
    switch (node.kind) {
    case Kind::List:
        return m_runtime.list(evaluateAll(node.operands));
    case Kind::Tuple:
        return m_runtime.tuple(evaluateAll(node.operands));
    case Kind::Dict:
        return evaluateDict(node);
    case Kind::Attribute: {
        const Value object = evaluate(*node.operands[0]);
        at(node);
        return attributeOf(m_runtime, object, node.name);
    }
    case Kind::Element: {
        const Value object = evaluate(*node.operands[0]);
        const Value key = evaluate(*node.operands[1]);
        at(node);
        return elementOf(m_runtime, object, key);
    }
    case Kind::Slice:
        return evaluateSlice(node);
    case Kind::Call:
        return evaluateCall(node);
    case Kind::Filter:
        return evaluateFilter(node);
    case Kind::Test:
        return evaluateTest(node);
    case Kind::Negate:
    case Kind::Plus:
        return evaluateSign(node);
    case Kind::Not:
        return Value::boolean(!evaluate(*node.operands[0]).truthy());
    case Kind::Binary:
        return evaluateBinary(node);
    case Kind::Concat:
        return evaluateConcat(node);
    case Kind::Compare:
        return evaluateCompare(node);
    case Kind::And: {
        Value left = evaluate(*node.operands[0]);
        return left.truthy() ? evaluate(*node.operands[1]) : left;
    }
    case Kind::Or: {
        Value left = evaluate(*node.operands[0]);
        return left.truthy() ? left : evaluate(*node.operands[1]);
    }
    case Kind::Conditional:
        return evaluateConditional(node);
    default:
        return {};
    }
}

Value Interpreter::evaluateOptional(const ExpressionPtr& node)
{
    return node ? evaluate(*node) : Value::none();
}

Value Interpreter::evaluateName(const Expression& node) const
{
    const Value* const found = m_scope->find(node.symbol);
    return found ? *found : m_globals[static_cast<std::size_t>(node.symbol)];
}

std::vector<Value> Interpreter::evaluateAll(const std::vector<ExpressionPtr>& nodes)
{
    std::vector<Value> out;
    out.reserve(nodes.size());
    for (const auto& node : nodes) {
        out.push_back(evaluate(*node));
    }
    return out;
}

Value Interpreter::evaluateDict(const Expression& node)
{
    std::vector<Value::Entry> entries;
    for (std::size_t i = 0; i + 1 < node.operands.size(); i += 2) {
        Value key = evaluate(*node.operands[i]);
        entries.emplace_back(std::move(key), evaluate(*node.operands[i + 1]));
    }
    at(node);
    return m_runtime.mapping(std::move(entries));
}

Value Interpreter::evaluateSlice(const Expression& node)
{
    const Value object = evaluate(*node.operands[0]);
    const Value start = evaluateOptional(node.operands[1]);
    const Value stop = evaluateOptional(node.operands[2]);
    const Value step = evaluateOptional(node.operands[3]);
    at(node);
    return sliceOf(m_runtime, object, start, stop, step);
}

Arguments Interpreter::evaluateArguments(const CallArguments& arguments)
{
    Arguments out;
    out.positional = evaluateAll(arguments.positional);
    for (const auto& [name, node] : arguments.keywords) {
        out.keywords.emplace_back(name, evaluate(*node));
    }
    if (arguments.star) {
        const auto more = itemsOf(m_runtime, evaluate(*arguments.star));
        out.positional.insert(out.positional.end(), more.begin(), more.end());
    }
    if (arguments.doubleStar) {
        const Value more = evaluate(*arguments.doubleStar);
        if (!more.is(Value::Kind::Mapping)) {
            m_runtime.fail("argument after ** must be a mapping, not " + more.typeName());
        }
        m_runtime.checkItems(more.asMapping().entries.size() * 4);
        for (const auto& [name, value] : more.asMapping().entries) {
            out.keywords.emplace_back(printed(m_runtime, name).bytes(), value);
        }
    }
    return out;
}

Value Interpreter::evaluateCall(const Expression& node)
{
    const Value callee = evaluate(*node.operands[0]);
    const Arguments arguments = evaluateArguments(node.arguments);
    at(node);
    return callValue(m_runtime, callee, arguments);
}

Value Interpreter::evaluateFilter(const Expression& node)
{
    const Value subject = evaluate(*node.operands[0]);
    const Arguments arguments = evaluateArguments(node.arguments);
    at(node);
    if (!node.filter) {
        m_runtime.fail("there is no filter '" + node.name + "'");
    }
    return node.filter(m_runtime, subject, arguments);
}

Value Interpreter::evaluateTest(const Expression& node)
{
    const Value subject = evaluate(*node.operands[0]);
    const Arguments arguments = evaluateArguments(node.arguments);
    at(node);
    if (!node.test) {
        m_runtime.fail("there is no test '" + node.name + "'");
    }
    return Value::boolean(node.test(m_runtime, subject, arguments));
}

Value Interpreter::evaluateBinary(const Expression& node)
{
    const Value left = evaluate(*node.operands[0]);
    const Value right = evaluate(*node.operands[1]);
    at(node);
    return applyBinary(m_runtime, node.op, left, right);
}

Value Interpreter::evaluateSign(const Expression& node)
{
    const Value value = evaluate(*node.operands[0]);
    at(node);
    if (node.kind == Kind::Negate) {
        return negate(m_runtime, value);
    }
    if (!value.isNumber()) {
        m_runtime.fail(value.isUndefined()
                           ? value.undefinedReason()
                           : "bad operand type for unary +: '" + value.typeName() + "'");
    }
    return value.is(Value::Kind::Boolean) ? Value::integer(value.asInteger()) : value;
}

Value Interpreter::evaluateConcat(const Expression& node)
{
    MarkedText out;
    for (const auto& operand : node.operands) {
        const Value part = evaluate(*operand);
        at(node);
        printTo(m_runtime, out, part);
        if (out.size() > m_runtime.limits().textBytes) {
            m_runtime.checkText(out.size());
        }
    }
    return m_runtime.text(std::move(out));
}

Value Interpreter::evaluateCompare(const Expression& node)
{
    Value left = evaluate(*node.operands[0]);
    for (std::size_t i = 0; i < node.comparisons.size(); ++i) {
        Value right = evaluate(*node.operands[i + 1]);
        at(node);
        if (!compare(m_runtime, node.comparisons[i], left, right)) {
            return Value::boolean(false);
        }
        left = std::move(right);
    }
    return Value::boolean(true);
}

Value Interpreter::evaluateConditional(const Expression& node)
{
    if (evaluate(*node.operands[1]).truthy()) {
        return evaluate(*node.operands[0]);
    }
    return node.operands[2] ? evaluate(*node.operands[2])
                            : Value::undefined("an inline if without else was false");
}

} // namespace engine::chat::jinja
