// The tests: what may stand behind "is".

#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/methods.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/registry.h"
#include "engine/chat/jinja/text_operations.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>
#include <array>

namespace engine::chat::jinja {

namespace {

using Kind = Value::Kind;

template <Kind kind>
bool isKind(Runtime&, const Value& subject, const Arguments&)
{
    return subject.is(kind);
}

template <Comparison comparison>
bool compares(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "the test", arguments, { "other" }, 1);
    return compare(runtime, comparison, subject, *bound[0]);
}

bool isDefined(Runtime&, const Value& subject, const Arguments&)
{
    return !subject.isUndefined();
}

bool isCallable(Runtime&, const Value& subject, const Arguments&)
{
    return subject.isUndefined() || (subject.is(Kind::Object) && subject.asObject()->callable());
}

template <bool wanted>
bool isExactly(Runtime&, const Value& subject, const Arguments&)
{
    return subject.is(Kind::Boolean) && subject.asBoolean() == wanted;
}

bool isNumber(Runtime&, const Value& subject, const Arguments&)
{
    return subject.isNumber();
}

bool isSequence(Runtime&, const Value& subject, const Arguments&)
{
    return subject.isUndefined() || subject.isString() || subject.is(Kind::Mapping)
        || (subject.is(Kind::Sequence) && subject.asSequence().indexable());
}

bool isIterable(Runtime&, const Value& subject, const Arguments&)
{
    return subject.isUndefined() || subject.isString() || subject.is(Kind::Mapping)
        || subject.is(Kind::Sequence);
}

bool isSame(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "sameas", arguments, { "other" }, 1);
    return subject.sameAs(*bound[0]);
}

bool divides(Runtime& runtime, const Value& subject, const Value& by)
{
    return !applyBinary(runtime, BinaryOperator::Modulo, subject, by).truthy();
}

bool isDivisibleBy(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "divisibleby", arguments, { "num" }, 1);
    return divides(runtime, subject, *bound[0]);
}

template <int rest>
bool hasParity(Runtime& runtime, const Value& subject, const Arguments&)
{
    const Value modulo = applyBinary(runtime, BinaryOperator::Modulo, subject, Value::integer(2));
    return equal(runtime, modulo, Value::integer(rest));
}

template <std::uint16_t wanted>
bool hasCase(Runtime& runtime, const Value& subject, const Arguments&)
{
    const std::u32string text = toCharacters(printed(runtime, subject).bytes());
    runtime.step(text.size());
    constexpr std::uint16_t other = kCased & ~wanted;
    return std::any_of(text.begin(), text.end(), [](char32_t c) { return hasClass(c, wanted); })
        && std::none_of(text.begin(), text.end(), [](char32_t c) { return hasClass(c, other); });
}

bool namesFilter(Runtime&, const Value& subject, const Arguments&)
{
    return subject.isString() && findFilter(subject.asBytes());
}

bool namesTest(Runtime&, const Value& subject, const Arguments&)
{
    return subject.isString() && findTest(subject.asBytes());
}

bool isEscaped(Runtime&, const Value& subject, const Arguments&)
{
    return subject.isSafe();
}

constexpr auto kTests = std::to_array<TestEntry>({
    { "boolean", isKind<Kind::Boolean> },
    { "callable", isCallable },
    { "defined", isDefined },
    { "divisibleby", isDivisibleBy },
    { "eq", compares<Comparison::Equal> },
    { "equalto", compares<Comparison::Equal> },
    { "escaped", isEscaped },
    { "even", hasParity<0> },
    { "false", isExactly<false> },
    { "filter", namesFilter },
    { "float", isKind<Kind::Float> },
    { "ge", compares<Comparison::GreaterEqual> },
    { "greaterthan", compares<Comparison::Greater> },
    { "gt", compares<Comparison::Greater> },
    { "in", compares<Comparison::In> },
    { "integer", isKind<Kind::Integer> },
    { "iterable", isIterable },
    { "le", compares<Comparison::LessEqual> },
    { "lessthan", compares<Comparison::Less> },
    { "lower", hasCase<kLower> },
    { "lt", compares<Comparison::Less> },
    { "mapping", isKind<Kind::Mapping> },
    { "ne", compares<Comparison::NotEqual> },
    { "none", isKind<Kind::None> },
    { "number", isNumber },
    { "odd", hasParity<1> },
    { "sameas", isSame },
    { "sequence", isSequence },
    { "string", isKind<Kind::String> },
    { "test", namesTest },
    { "true", isExactly<true> },
    { "undefined", isKind<Kind::Undefined> },
    { "upper", hasCase<kUpper> },
    { "==", compares<Comparison::Equal> },
    { "!=", compares<Comparison::NotEqual> },
    { "<", compares<Comparison::Less> },
    { "<=", compares<Comparison::LessEqual> },
    { ">", compares<Comparison::Greater> },
    { ">=", compares<Comparison::GreaterEqual> },
});

} // namespace

TestBody findTest(std::string_view name)
{
    const auto* const found = std::find_if(
        kTests.begin(), kTests.end(), [&](const TestEntry& entry) { return entry.name == name; });
    return found == kTests.end() ? nullptr : found->body;
}

} // namespace engine::chat::jinja
