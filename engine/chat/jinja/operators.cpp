#include "engine/chat/jinja/operators.h"

#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/text_operations.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine::chat::jinja {

namespace {

using Kind = Value::Kind;

[[noreturn]] void refuse(Runtime& runtime, std::string_view sign, const Value& left,
                         const Value& right)
{
    for (const Value* side : { &left, &right }) {
        if (side->isUndefined()) {
            runtime.fail(side->undefinedReason());
        }
    }
    if (sign == "+" && left.isString()) {
        runtime.fail("can only concatenate str (not \"" + right.typeName() + "\") to str");
    }
    runtime.fail("unsupported operand type(s) for " + std::string(sign) + ": '" + left.typeName()
                 + "' and '" + right.typeName() + "'");
}

std::string_view signOf(BinaryOperator op)
{
    switch (op) {
    case BinaryOperator::Add:
        return "+";
    case BinaryOperator::Subtract:
        return "-";
    case BinaryOperator::Multiply:
        return "*";
    case BinaryOperator::Divide:
        return "/";
    case BinaryOperator::FloorDivide:
        return "//";
    case BinaryOperator::Modulo:
        return "%";
    case BinaryOperator::Power:
        return "**";
    }
    return {};
}

[[noreturn]] void overflow(Runtime& runtime)
{
    runtime.fail("the result is too large for a 64-bit integer");
}

std::int64_t floorDivide(Runtime& runtime, std::int64_t a, std::int64_t b)
{
    if (a == std::numeric_limits<std::int64_t>::min() && b == -1) {
        overflow(runtime);
    }
    const std::int64_t quotient = a / b;
    return a % b != 0 && (a % b < 0) != (b < 0) ? quotient - 1 : quotient;
}

std::int64_t moduloOf(std::int64_t a, std::int64_t b)
{
    if (b == -1) {
        return 0; // the smallest integer would trap
    }
    const std::int64_t rest = a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

Value powerOf(Runtime& runtime, std::int64_t base, std::int64_t exponent)
{
    if (exponent < 0) {
        if (base == 0) {
            runtime.fail("zero cannot be raised to a negative power");
        }
        return Value::real(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
    }
    if (base == 0 || base == 1) {
        return Value::integer(exponent == 0 ? 1 : base);
    }
    if (base == -1) {
        return Value::integer(exponent % 2 == 0 ? 1 : -1);
    }
    std::int64_t out = 1;
    for (; exponent > 0; --exponent) { // at most 63 rounds before it overflows
        if (__builtin_mul_overflow(out, base, &out)) {
            overflow(runtime);
        }
    }
    return Value::integer(out);
}

Value integerOperation(Runtime& runtime, BinaryOperator op, std::int64_t a, std::int64_t b)
{
    std::int64_t out = 0;
    bool tooLarge = false;
    const bool divides = op == BinaryOperator::Divide || op == BinaryOperator::FloorDivide
        || op == BinaryOperator::Modulo;
    if (divides && b == 0) {
        runtime.fail(op == BinaryOperator::Divide ? "division by zero"
                                                  : "integer division or modulo by zero");
    }
    switch (op) {
    case BinaryOperator::Add:
        tooLarge = __builtin_add_overflow(a, b, &out);
        break;
    case BinaryOperator::Subtract:
        tooLarge = __builtin_sub_overflow(a, b, &out);
        break;
    case BinaryOperator::Multiply:
        tooLarge = __builtin_mul_overflow(a, b, &out);
        break;
    case BinaryOperator::Divide:
        return Value::real(static_cast<double>(a) / static_cast<double>(b));
    case BinaryOperator::FloorDivide:
        out = floorDivide(runtime, a, b);
        break;
    case BinaryOperator::Modulo:
        out = moduloOf(a, b);
        break;
    case BinaryOperator::Power:
        return powerOf(runtime, a, b);
    }
    if (tooLarge) {
        overflow(runtime);
    }
    return Value::integer(out);
}

/// Quotient, rounded down, and rest with the divisor's sign, by Python's way of getting them right.
struct RealDivision
{
    double quotient;
    double rest;
};

RealDivision divideReals(double a, double b)
{
    double rest = std::fmod(a, b);
    double quotient = (a - rest) / b;
    if (rest == 0.0) {
        rest = std::copysign(0.0, b);
    } else if ((rest < 0) != (b < 0)) {
        rest += b;
        quotient -= 1;
    }
    if (quotient == 0.0) {
        return { std::copysign(0.0, a / b), rest };
    }
    const double whole = std::floor(quotient);
    return { quotient - whole > 0.5 ? whole + 1 : whole, rest };
}

Value realOperation(Runtime& runtime, BinaryOperator op, double a, double b)
{
    const bool divides = op == BinaryOperator::Divide || op == BinaryOperator::FloorDivide
        || op == BinaryOperator::Modulo;
    if (divides && b == 0.0) {
        runtime.fail("float division by zero");
    }
    switch (op) {
    case BinaryOperator::Add:
        return Value::real(a + b);
    case BinaryOperator::Subtract:
        return Value::real(a - b);
    case BinaryOperator::Multiply:
        return Value::real(a * b);
    case BinaryOperator::Divide:
        return Value::real(a / b);
    case BinaryOperator::FloorDivide:
        return Value::real(divideReals(a, b).quotient);
    case BinaryOperator::Modulo:
        return Value::real(divideReals(a, b).rest);
    case BinaryOperator::Power:
        if (a < 0 && b != std::floor(b)) {
            runtime.fail("a negative number cannot be raised to a fraction");
        }
        return Value::real(std::pow(a, b));
    }
    return {};
}

Value addTexts(Runtime& runtime, const Value& left, const Value& right)
{
    runtime.checkText(left.asText().size() + right.asText().size());
    const bool safe = left.isSafe() || right.isSafe();
    const auto part = [&](const Value& side) {
        return safe && !side.isSafe() ? htmlEscaped(side.asText()) : side.asText();
    };
    MarkedText out = part(left);
    out.append(part(right));
    return safe ? runtime.safeText(std::move(out)) : runtime.text(std::move(out));
}

Value addSequences(Runtime& runtime, const Value& left, const Value& right)
{
    const Sequence& a = left.asSequence();
    const Sequence& b = right.asSequence();
    const bool lists = a.flavour == Sequence::Flavour::List && b.flavour == Sequence::Flavour::List;
    if (!lists && !(a.isTuple() && b.isTuple())) {
        refuse(runtime, "+", left, right);
    }
    runtime.checkItems(a.items.size() + b.items.size());
    std::vector<Value> items;
    items.reserve(a.items.size() + b.items.size());
    items.insert(items.end(), a.items.begin(), a.items.end());
    items.insert(items.end(), b.items.begin(), b.items.end());
    return lists ? runtime.list(std::move(items)) : runtime.tuple(std::move(items));
}

bool equalSequences(Runtime& runtime, const Sequence& a, const Sequence& b)
{
    const bool comparable =
        a.indexable() && b.indexable() && (a.flavour == b.flavour || (a.isTuple() && b.isTuple()));
    if (!comparable) {
        return &a == &b;
    }
    return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(),
                      [&](const Value& x, const Value& y) { return equal(runtime, x, y); });
}

bool equalMappings(Runtime& runtime, const Mapping& a, const Mapping& b)
{
    return a.entries.size() == b.entries.size()
        && std::all_of(a.entries.begin(), a.entries.end(), [&](const Value::Entry& entry) {
               const Value* const other = findEntry(runtime, b, entry.first);
               return other && equal(runtime, entry.second, *other);
           });
}

/// -1, 0 or 1; text and sequences by their first difference.
int order(Runtime& runtime, const Value& left, const Value& right, std::string_view sign)
{
    runtime.step();
    if (left.isNumber() && right.isNumber()) {
        if (left.isIntegral() && right.isIntegral()) {
            return left.asInteger() < right.asInteger() ? -1 : left.asInteger() > right.asInteger();
        }
        return left.asReal() < right.asReal() ? -1 : left.asReal() > right.asReal();
    }
    if (left.isString() && right.isString()) {
        runtime.checkText(std::min(left.asText().size(), right.asText().size()));
        const int difference =
            left.asBytes().compare(right.asBytes()); // UTF-8 sorts as its characters do
        return difference < 0 ? -1 : difference > 0;
    }
    const bool sequences = left.is(Kind::Sequence) && right.is(Kind::Sequence)
        && left.asSequence().isListOrTuple() && right.asSequence().isListOrTuple()
        && left.asSequence().isTuple() == right.asSequence().isTuple();
    if (!sequences) {
        refuse(runtime, sign, left, right);
    }
    const auto& a = left.asSequence().items;
    const auto& b = right.asSequence().items;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
        if (!equal(runtime, a[i], b[i])) {
            return order(runtime, a[i], b[i], sign);
        }
    }
    return a.size() < b.size() ? -1 : a.size() > b.size();
}

bool contains(Runtime& runtime, const Value& container, const Value& item)
{
    if (container.isString()) {
        if (!item.isString()) {
            runtime.fail("'in <string>' requires string as left operand, not " + item.typeName());
        }
        runtime.checkText(container.asText().size());
        return container.asBytes().find(item.asBytes()) != std::string::npos;
    }
    if (container.is(Kind::Mapping)) {
        return findEntry(runtime, container.asMapping(), item) != nullptr;
    }
    const auto items = itemsOf(runtime, container);
    return std::any_of(items.begin(), items.end(),
                       [&](const Value& x) { return x.sameAs(item) || equal(runtime, x, item); });
}

} // namespace

Value applyBinary(Runtime& runtime, BinaryOperator op, const Value& left, const Value& right)
{
    runtime.step();
    if (left.isIntegral() && right.isIntegral()) {
        return integerOperation(runtime, op, left.asInteger(), right.asInteger());
    }
    if (left.isNumber() && right.isNumber()) {
        return realOperation(runtime, op, left.asReal(), right.asReal());
    }
    if (op == BinaryOperator::Add && left.isString() && right.isString()) {
        return addTexts(runtime, left, right);
    }
    if (op == BinaryOperator::Add && left.is(Kind::Sequence) && right.is(Kind::Sequence)) {
        return addSequences(runtime, left, right);
    }
    const auto repeatable = [](const Value& v) {
        return v.isString() || (v.is(Kind::Sequence) && v.asSequence().isListOrTuple());
    };
    if (op == BinaryOperator::Multiply && repeatable(left) && right.isIntegral()) {
        return repeated(runtime, left, right.asInteger());
    }
    if (op == BinaryOperator::Multiply && left.isIntegral() && repeatable(right)) {
        return repeated(runtime, right, left.asInteger());
    }
    if (op == BinaryOperator::Modulo && left.isString()) {
        return percentFormat(runtime, left.asText(), right);
    }
    refuse(runtime, signOf(op), left, right);
}

Value repeated(Runtime& runtime, const Value& value, std::int64_t times)
{
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(times, 0));
    const std::uint64_t size =
        value.isString() ? value.asText().size() : value.asSequence().items.size();
    // Both factors are bounded before they are multiplied.
    const std::uint64_t total =
        size == 0 || count == 0 ? 0 : (count > (1ull << 32) ? 1ull << 62 : size * count);
    if (value.isString()) {
        runtime.checkText(total);
        MarkedText out;
        for (std::uint64_t i = 0; i < count && total > 0; ++i) {
            out.append(value.asText());
        }
        return runtime.textLike(value, std::move(out));
    }
    runtime.checkItems(total);
    std::vector<Value> items;
    for (std::uint64_t i = 0; i < count && total > 0; ++i) {
        items.insert(items.end(), value.asSequence().items.begin(), value.asSequence().items.end());
    }
    return value.asSequence().isTuple() ? runtime.tuple(std::move(items))
                                        : runtime.list(std::move(items));
}

Value negate(Runtime& runtime, const Value& value)
{
    if (value.isIntegral()) {
        if (value.asInteger() == std::numeric_limits<std::int64_t>::min()) {
            overflow(runtime);
        }
        return Value::integer(-value.asInteger());
    }
    if (value.is(Kind::Float)) {
        return Value::real(-value.asReal());
    }
    if (value.isUndefined()) {
        runtime.fail(value.undefinedReason());
    }
    runtime.fail("bad operand type for unary -: '" + value.typeName() + "'");
}

const Value* findEntry(Runtime& runtime, const Mapping& mapping, const Value& key)
{
    if (key.isString()) {
        return mapping.find(key.asBytes());
    }
    for (const auto& [name, value] : mapping.entries) {
        if (equal(runtime, name, key)) {
            return &value;
        }
    }
    return nullptr;
}

bool equal(Runtime& runtime, const Value& left, const Value& right)
{
    runtime.step();
    if (left.isNumber() && right.isNumber()) {
        if (left.isIntegral() && right.isIntegral()) {
            return left.asInteger() == right.asInteger();
        }
        return left.asReal() == right.asReal();
    }
    if (left.kind() != right.kind()) {
        return false;
    }
    switch (left.kind()) {
    case Kind::Sequence:
        return equalSequences(runtime, left.asSequence(), right.asSequence());
    case Kind::Mapping:
        return equalMappings(runtime, left.asMapping(), right.asMapping());
    case Kind::String:
        if (left.asText().size() != right.asText().size()) {
            return false;
        }
        runtime.checkText(left.asText().size());
        return left.asBytes() == right.asBytes();
    default:
        return left.sameAs(right);
    }
}

bool lessThan(Runtime& runtime, const Value& left, const Value& right)
{
    return order(runtime, left, right, "<") < 0;
}

bool compare(Runtime& runtime, Comparison op, const Value& left, const Value& right)
{
    const auto isNan = [](const Value& v) { return v.is(Kind::Float) && std::isnan(v.asReal()); };
    const bool unordered = (isNan(left) && right.isNumber()) || (isNan(right) && left.isNumber());
    switch (op) {
    case Comparison::Equal:
        return equal(runtime, left, right);
    case Comparison::NotEqual:
        return !equal(runtime, left, right);
    case Comparison::Less:
        return !unordered && order(runtime, left, right, "<") < 0;
    case Comparison::LessEqual:
        return !unordered && order(runtime, left, right, "<=") <= 0;
    case Comparison::Greater:
        return !unordered && order(runtime, left, right, ">") > 0;
    case Comparison::GreaterEqual:
        return !unordered && order(runtime, left, right, ">=") >= 0;
    case Comparison::In:
        return contains(runtime, right, left);
    case Comparison::NotIn:
        return !contains(runtime, right, left);
    }
    return false;
}

} // namespace engine::chat::jinja
