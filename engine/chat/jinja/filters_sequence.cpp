// The filters on lists, objects and other things with elements.

#include "engine/chat/jinja/filters.h"
#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/registry.h"
#include "engine/chat/jinja/text_operations.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace engine::chat::jinja {

namespace {

using Kind = Value::Kind;

/// For comparisons that don't care about case.
Value folded(Runtime& runtime, const Value& value, bool caseSensitive)
{
    return caseSensitive || !value.isString() ? value : runtime.text(lowerText(value.asText()));
}

struct Keyed
{
    Value key;
    Value item;
};

/// Sorts by key, keeping the order of equals in both directions. A merge sort of our own, since the
/// comparison may throw and need not be consistent.
void stableSort(Runtime& runtime, std::vector<Keyed>& items, bool reverse)
{
    std::vector<Keyed> other(items.size());
    for (std::size_t width = 1; width < items.size(); width *= 2) {
        for (std::size_t begin = 0; begin < items.size(); begin += 2 * width) {
            const std::size_t middle = std::min(begin + width, items.size());
            const std::size_t end = std::min(begin + 2 * width, items.size());
            std::size_t left = begin;
            std::size_t right = middle;
            for (std::size_t out = begin; out < end; ++out) {
                bool takesRight = left == middle;
                if (!takesRight && right < end) {
                    takesRight = reverse ? lessThan(runtime, items[left].key, items[right].key)
                                         : lessThan(runtime, items[right].key, items[left].key);
                }
                other[out] = std::move(items[takesRight ? right++ : left++]);
            }
        }
        items.swap(other);
    }
}

std::vector<Value> itemsOnly(std::vector<Keyed> keyed)
{
    std::vector<Value> out;
    out.reserve(keyed.size());
    for (auto& entry : keyed) {
        out.push_back(std::move(entry.item));
    }
    return out;
}

Value lengthFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    return Value::integer(lengthOf(runtime, subject));
}

Value listFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    return runtime.list(itemsOf(runtime, subject));
}

Value firstFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    const auto items = itemsOf(runtime, subject);
    return items.empty() ? Value::undefined("there is no first item in an empty sequence")
                         : items.front();
}

Value lastFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    if (subject.is(Kind::Sequence)
        && subject.asSequence().flavour == Sequence::Flavour::Generator) {
        runtime.fail("'generator' object is not reversible");
    }
    const auto items = itemsOf(runtime, subject);
    return items.empty() ? Value::undefined("there is no last item in an empty sequence")
                         : items.back();
}

Value joinFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "join", arguments, { "d", "attribute" });
    const MarkedText between = bound[0] ? printed(runtime, *bound[0]) : MarkedText();
    const auto path = attributePath(runtime, bound[1]);
    MarkedText out;
    bool first = true;
    for (const Value& item : itemsOf(runtime, subject)) {
        if (!first) {
            out.append(between);
        }
        first = false;
        printTo(runtime, out, followPath(runtime, item, path));
        if (out.size() > runtime.limits().textBytes) {
            runtime.checkText(out.size());
        }
    }
    return runtime.text(std::move(out));
}

Value itemsFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    std::vector<Value> out;
    if (subject.is(Kind::Mapping)) {
        for (const auto& [key, value] : subject.asMapping().entries) {
            out.push_back(runtime.tuple({ key, value }));
        }
    } else if (!subject.isUndefined()) {
        runtime.fail("items() needs an object, not a " + subject.typeName());
    }
    return runtime.generator(std::move(out));
}

Value dictSortFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "dictsort", arguments, { "case_sensitive", "by", "reverse" });
    const std::string by = bound.textOr(1, "key").bytes();
    if (by != "key" && by != "value") {
        runtime.fail("dictsort() sorts by 'key' or 'value'");
    }
    if (!subject.is(Kind::Mapping)) {
        runtime.fail("dictsort() needs an object, not a " + subject.typeName());
    }
    std::vector<Keyed> keyed;
    for (const auto& [key, value] : subject.asMapping().entries) {
        keyed.push_back({ folded(runtime, by == "key" ? key : value, bound.flag(0)),
                          runtime.tuple({ key, value }) });
    }
    stableSort(runtime, keyed, bound.flag(2));
    return runtime.list(itemsOnly(std::move(keyed)));
}

/// The sort key of an item: one value, or several paths with commas between them as a tuple.
std::vector<Keyed> keyedItems(Runtime& runtime, const Value& subject, const Value* attribute,
                              bool caseSensitive)
{
    std::vector<std::vector<Value>> paths;
    if (attribute && attribute->isString()) {
        const MarkedText comma(",");
        for (const auto& part : split(runtime, attribute->asText(), &comma, -1, From::Left)) {
            const Value name = runtime.text(part);
            paths.push_back(attributePath(runtime, &name));
        }
    } else {
        paths.push_back(attributePath(runtime, attribute));
    }
    std::vector<Keyed> out;
    for (const Value& item : itemsOf(runtime, subject)) {
        std::vector<Value> keys;
        for (const auto& path : paths) {
            keys.push_back(folded(runtime, followPath(runtime, item, path), caseSensitive));
        }
        Value key = keys.size() == 1 ? std::move(keys.front()) : runtime.list(std::move(keys));
        out.push_back({ std::move(key), item });
    }
    return out;
}

Value sortFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "sort", arguments, { "reverse", "case_sensitive", "attribute" });
    auto keyed = keyedItems(runtime, subject, bound[2], bound.flag(1));
    stableSort(runtime, keyed, bound.flag(0));
    return runtime.list(itemsOnly(std::move(keyed)));
}

template <bool wantsLargest>
Value extremeFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, wantsLargest ? "max" : "min", arguments,
                      { "case_sensitive", "attribute" });
    const auto keyed = keyedItems(runtime, subject, bound[1], bound.flag(0));
    if (keyed.empty()) {
        return Value::undefined("there is no item in an empty sequence");
    }
    const Keyed* best = &keyed.front();
    for (std::size_t i = 1; i < keyed.size(); ++i) {
        const Keyed& entry = keyed[i];
        const bool better = wantsLargest ? lessThan(runtime, best->key, entry.key)
                                         : lessThan(runtime, entry.key, best->key);
        best = better ? &entry : best;
    }
    return best->item;
}

Value uniqueFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "unique", arguments, { "case_sensitive", "attribute" });
    std::vector<Value> keys;
    std::vector<Value> out;
    for (auto& entry : keyedItems(runtime, subject, bound[1], bound.flag(0))) {
        if (!entry.key.hashable()) {
            runtime.fail("unhashable type: '" + entry.key.typeName() + "'");
        }
        const bool isKnown = std::any_of(keys.begin(), keys.end(), [&](const Value& key) {
            return equal(runtime, key, entry.key);
        });
        if (!isKnown) {
            keys.push_back(entry.key);
            out.push_back(entry.item);
        }
    }
    return runtime.generator(std::move(out));
}

Value groupByFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "groupby", arguments, { "attribute", "default", "case_sensitive" },
                      1);
    const auto path = attributePath(runtime, bound[0]);
    std::vector<Keyed> keyed;
    const auto keyOf = [&](const Value& item) {
        Value key = followPath(runtime, item, path);
        return key.isUndefined() && bound[1] ? *bound[1] : key;
    };
    for (const Value& item : itemsOf(runtime, subject)) {
        keyed.push_back({ folded(runtime, keyOf(item), bound.flag(2)), item });
    }
    stableSort(runtime, keyed, false);
    std::vector<Value> groups;
    for (std::size_t begin = 0; begin < keyed.size();) {
        std::size_t end = begin;
        std::vector<Value> members;
        while (end < keyed.size() && equal(runtime, keyed[begin].key, keyed[end].key)) {
            members.push_back(keyed[end++].item);
        }
        if (end == begin) { // a value that is not even equal to itself
            members.push_back(keyed[end++].item);
        }
        const Value name = keyOf(members.front());
        groups.push_back(
            runtime.sequence(Sequence::Flavour::Group, { name, runtime.list(std::move(members)) }));
        begin = end;
    }
    return runtime.list(std::move(groups));
}

Value reverseFilter(Runtime& runtime, const Value& subject, const Arguments&)
{
    auto items = itemsOf(runtime, subject);
    std::reverse(items.begin(), items.end());
    if (!subject.isString()) {
        return runtime.generator(std::move(items));
    }
    MarkedText out;
    for (const Value& character : items) {
        out.append(character.asText());
    }
    return runtime.text(std::move(out));
}

Value sumFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "sum", arguments, { "attribute", "start" });
    const auto path = attributePath(runtime, bound[0]);
    Value total = bound.get(1, Value::integer(0));
    if (total.isString()) {
        runtime.fail("sum() can't sum strings [use ''.join(seq) instead]");
    }
    for (const Value& item : itemsOf(runtime, subject)) {
        total = applyBinary(runtime, BinaryOperator::Add, total, followPath(runtime, item, path));
    }
    return total;
}

Value batchFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "batch", arguments, { "linecount", "fill_with" }, 1);
    const std::int64_t count = bound.integer(0, 1);
    if (count < 1) {
        runtime.fail("batch() needs a positive number");
    }
    std::vector<Value> out;
    std::vector<Value> line;
    const bool fills = bound[1] && !bound[1]->isNone();
    for (const Value& item : itemsOf(runtime, subject)) {
        if (static_cast<std::int64_t>(line.size()) == count) {
            out.push_back(runtime.list(std::exchange(line, {})));
        }
        line.push_back(item);
    }
    if (!line.empty()) {
        if (fills) {
            runtime.checkItems(static_cast<std::uint64_t>(count));
            line.resize(static_cast<std::size_t>(count), *bound[1]);
        }
        out.push_back(runtime.list(std::move(line)));
    }
    return runtime.generator(std::move(out));
}

Value sliceFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "slice", arguments, { "slices", "fill_with" }, 1);
    const std::int64_t slices = bound.integer(0, 1);
    if (slices < 1) {
        runtime.fail("slice() needs a positive number");
    }
    runtime.checkItems(static_cast<std::uint64_t>(slices));
    const auto items = itemsOf(runtime, subject);
    const auto length = static_cast<std::int64_t>(items.size());
    const std::int64_t each = length / slices;
    const std::int64_t longer = length % slices;
    std::vector<Value> out;
    std::int64_t at = 0;
    for (std::int64_t i = 0; i < slices; ++i) {
        const std::int64_t end = at + each + (i < longer ? 1 : 0);
        std::vector<Value> part(items.begin() + at, items.begin() + end);
        if (bound[1] && !bound[1]->isNone() && i >= longer) {
            part.push_back(*bound[1]);
        }
        out.push_back(runtime.list(std::move(part)));
        at = end;
    }
    return runtime.generator(std::move(out));
}

constexpr auto kFilters = std::to_array<FilterEntry>({
    { "batch", batchFilter },
    { "count", lengthFilter },
    { "dictsort", dictSortFilter },
    { "first", firstFilter },
    { "groupby", groupByFilter },
    { "items", itemsFilter },
    { "join", joinFilter },
    { "last", lastFilter },
    { "length", lengthFilter },
    { "list", listFilter },
    { "max", extremeFilter<true> },
    { "min", extremeFilter<false> },
    { "reverse", reverseFilter },
    { "slice", sliceFilter },
    { "sort", sortFilter },
    { "sum", sumFilter },
    { "unique", uniqueFilter },
});

} // namespace

std::vector<Value> attributePath(Runtime& runtime, const Value* attribute)
{
    if (!attribute || attribute->isNone()) {
        return {};
    }
    if (!attribute->isString()) {
        return { *attribute };
    }
    std::vector<Value> out;
    const MarkedText dot(".");
    for (auto& part : split(runtime, attribute->asText(), &dot, -1, From::Left)) {
        std::int64_t index = 0;
        const char* const end = part.bytes().data() + part.size();
        const auto read = std::from_chars(part.bytes().data(), end, index);
        const bool isIndex =
            !part.empty() && part.bytes()[0] != '-' && read.ec == std::errc() && read.ptr == end;
        out.push_back(isIndex ? Value::integer(index) : runtime.text(std::move(part)));
    }
    return out;
}

Value followPath(Runtime& runtime, const Value& item, const std::vector<Value>& path)
{
    Value at = item;
    for (const Value& key : path) {
        at = elementOf(runtime, at, key);
    }
    return at;
}

std::span<const FilterEntry> sequenceFilters()
{
    return kFilters;
}

} // namespace engine::chat::jinja
