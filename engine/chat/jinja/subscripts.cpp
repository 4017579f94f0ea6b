// Attributes, elements, slices and lengths: how a template reaches into a value.

#include "engine/chat/jinja/methods.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>

namespace engine::chat::jinja {

namespace {

using Kind = Value::Kind;

/// The byte offsets of all characters and of the end.
std::vector<std::size_t> characterOffsets(const std::string& text)
{
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < text.size();) {
        out.push_back(i);
        nextCharacter(text, i);
    }
    out.push_back(text.size());
    return out;
}

/// Which elements a slice takes, in order.
struct SliceRange
{
    std::int64_t start;
    std::int64_t step;
    std::int64_t count;
};

std::int64_t sliceBound(Runtime& runtime, const Value& bound, std::int64_t length,
                        std::int64_t fallback, bool backwards)
{
    if (bound.isNone()) {
        return fallback;
    }
    if (!bound.isIntegral()) {
        runtime.fail("slice indices must be integers or None");
    }
    std::int64_t at = bound.asInteger();
    at = at < 0 ? std::max(at, -length - 1) + length : at; // clamped first: no overflow
    return backwards ? std::clamp<std::int64_t>(at, -1, length - 1)
                     : std::clamp<std::int64_t>(at, 0, length);
}

SliceRange sliceRange(Runtime& runtime, std::int64_t length, const Value& start, const Value& stop,
                      const Value& step)
{
    std::int64_t stride = 1;
    if (!step.isNone()) {
        if (!step.isIntegral() || step.asInteger() == 0) {
            runtime.fail("the step of a slice must be an integer other than zero");
        }
        stride = std::clamp<std::int64_t>(step.asInteger(), -length - 1, length + 1);
    }
    const bool backwards = stride < 0;
    const std::int64_t first =
        sliceBound(runtime, start, length, backwards ? length - 1 : 0, backwards);
    const std::int64_t end = sliceBound(runtime, stop, length, backwards ? -1 : length, backwards);
    const std::int64_t span = backwards ? first - end : end - first;
    const std::int64_t width = backwards ? -stride : stride;
    return { first, stride, span <= 0 ? 0 : (span + width - 1) / width };
}

Value sliceOfText(Runtime& runtime, const MarkedText& text, const Value& start, const Value& stop,
                  const Value& step)
{
    runtime.checkText(text.size());
    const bool ascii = isAscii(text.bytes());
    const auto offsets = ascii ? std::vector<std::size_t> {} : characterOffsets(text.bytes());
    const auto offsetOf = [&](std::int64_t i) {
        return ascii ? static_cast<std::size_t>(i) : offsets[static_cast<std::size_t>(i)];
    };
    const auto length = static_cast<std::int64_t>(ascii ? text.size() : offsets.size() - 1);
    const SliceRange range = sliceRange(runtime, length, start, stop, step);
    MarkedText out;
    if (range.step == 1 && range.count > 0) {
        out = text.slice(offsetOf(range.start), offsetOf(range.start + range.count));
    } else {
        for (std::int64_t i = 0; i < range.count; ++i) {
            const std::int64_t at = range.start + i * range.step;
            out.append(text, offsetOf(at), offsetOf(at + 1));
        }
    }
    return runtime.text(std::move(out));
}

Value characterAt(Runtime& runtime, const MarkedText& text, std::int64_t index)
{
    const auto length = static_cast<std::int64_t>(characterCount(text.bytes()));
    runtime.checkText(text.size());
    index = index < 0 ? index + length : index;
    if (index < 0 || index >= length) {
        return Value::undefined("str object has no element " + std::to_string(index));
    }
    std::size_t begin = 0;
    if (static_cast<std::size_t>(length) == text.size()) {
        begin = static_cast<std::size_t>(index);
    } else {
        for (std::int64_t i = 0; i < index; ++i) {
            nextCharacter(text.bytes(), begin);
        }
    }
    std::size_t end = begin;
    nextCharacter(text.bytes(), end);
    return runtime.text(text.slice(begin, end));
}

Value missing(const Value& value, const std::string& name)
{
    return Value::undefined(
        concat({ "'", value.typeName(), " object' has no attribute '", name, "'" }));
}

} // namespace

Value attributeOf(Runtime& runtime, const Value& value, const std::string& name)
{
    runtime.step();
    if (value.isUndefined()) {
        runtime.fail(value.undefinedReason());
    }
    if (value.is(Kind::Object)) {
        return value.asObject()->attribute(runtime, name);
    }
    Value method = methodOf(runtime, value, name);
    if (!method.isUndefined()) {
        return method;
    }
    if (const Value* const entry = value.find(name)) {
        return *entry;
    }
    return value.is(Kind::Mapping) || value.is(Kind::Sequence) ? method : missing(value, name);
}

Value elementOf(Runtime& runtime, const Value& value, const Value& key)
{
    runtime.step();
    if (value.isUndefined()) {
        runtime.fail(value.undefinedReason());
    }
    if (value.is(Kind::Mapping)) {
        if (const Value* const entry = findEntry(runtime, value.asMapping(), key)) {
            return *entry;
        }
    } else if (key.isIntegral() && value.isString()) {
        return characterAt(runtime, value.asText(), key.asInteger());
    } else if (key.isIntegral() && value.is(Kind::Sequence) && value.asSequence().indexable()) {
        const auto& items = value.asSequence().items;
        const auto length = static_cast<std::int64_t>(items.size());
        const std::int64_t at = key.asInteger() < 0 ? key.asInteger() + length : key.asInteger();
        if (at >= 0 && at < length) {
            return items[static_cast<std::size_t>(at)];
        }
    }
    if (key.isString()) {
        return attributeOf(runtime, value, key.asBytes());
    }
    if (key.isUndefined()) {
        return Value::undefined(
            concat({ "'", value.typeName(), " object' was asked for an element, but ",
                     key.undefinedReason() }));
    }
    const std::string what = key.isIntegral() ? std::to_string(key.asInteger()) : key.typeName();
    return Value::undefined(concat({ "'", value.typeName(), " object' has no element ", what }));
}

Value sliceOf(Runtime& runtime, const Value& value, const Value& start, const Value& stop,
              const Value& step)
{
    runtime.step();
    if (value.isString()) {
        return sliceOfText(runtime, value.asText(), start, stop, step);
    }
    if (value.isUndefined()) {
        runtime.fail(value.undefinedReason());
    }
    if (!value.is(Kind::Sequence) || !value.asSequence().indexable()) {
        return Value::undefined(concat({ "'", value.typeName(), " object' cannot be sliced" }));
    }
    const Sequence& whole = value.asSequence();
    const SliceRange range =
        sliceRange(runtime, static_cast<std::int64_t>(whole.items.size()), start, stop, step);
    runtime.checkItems(static_cast<std::uint64_t>(range.count));
    std::vector<Value> items;
    items.reserve(static_cast<std::size_t>(range.count));
    for (std::int64_t i = 0; i < range.count; ++i) {
        items.push_back(whole.items[static_cast<std::size_t>(range.start + i * range.step)]);
    }
    return whole.isTuple() ? runtime.tuple(std::move(items)) : runtime.list(std::move(items));
}

std::vector<Value> charactersOf(Runtime& runtime, const MarkedText& text)
{
    runtime.checkItems(text.size());
    std::vector<Value> out;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t begin = i;
        nextCharacter(text.bytes(), i);
        out.push_back(runtime.text(text.slice(begin, i)));
    }
    return out;
}

std::vector<Value> itemsOf(Runtime& runtime, const Value& value)
{
    runtime.step();
    switch (value.kind()) {
    case Kind::Undefined:
        return {};
    case Kind::String:
        return charactersOf(runtime, value.asText());
    case Kind::Sequence: {
        const Sequence& sequence = value.asSequence();
        if (sequence.flavour == Sequence::Flavour::Generator
            && std::exchange(sequence.spent, true)) {
            return {};
        }
        runtime.checkItems(sequence.items.size());
        return sequence.items;
    }
    case Kind::Mapping: {
        std::vector<Value> keys;
        runtime.checkItems(value.asMapping().entries.size());
        for (const auto& entry : value.asMapping().entries) {
            keys.push_back(entry.first);
        }
        return keys;
    }
    default:
        runtime.fail("'" + value.typeName() + "' object is not iterable");
    }
}

std::int64_t lengthOf(Runtime& runtime, const Value& value)
{
    switch (value.kind()) {
    case Kind::Undefined:
        return 0;
    case Kind::String:
        runtime.checkText(value.asText().size());
        return static_cast<std::int64_t>(characterCount(value.asBytes()));
    case Kind::Mapping:
        return static_cast<std::int64_t>(value.asMapping().entries.size());
    case Kind::Sequence:
        if (value.asSequence().flavour != Sequence::Flavour::Generator) {
            return static_cast<std::int64_t>(value.asSequence().items.size());
        }
        break;
    default:
        break;
    }
    runtime.fail("object of type '" + value.typeName() + "' has no len()");
}

} // namespace engine::chat::jinja
