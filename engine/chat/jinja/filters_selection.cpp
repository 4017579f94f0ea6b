// The filters that apply a filter or a test to each item: map, select, reject and their relatives.

#include "engine/chat/jinja/filters.h"
#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/registry.h"

#include <array>

namespace engine::chat::jinja {

namespace {

/// The arguments behind the first `count`.
Arguments rest(const Arguments& arguments, std::size_t count)
{
    Arguments out;
    if (arguments.positional.size() > count) {
        out.positional.assign(arguments.positional.begin() + static_cast<std::ptrdiff_t>(count),
                              arguments.positional.end());
    }
    out.keywords = arguments.keywords;
    return out;
}

Value mapAttribute(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    const Bound bound(runtime, "map", arguments, { "attribute", "default" }, 1);
    const auto path = attributePath(runtime, bound[0]);
    std::vector<Value> out;
    for (const Value& item : itemsOf(runtime, subject)) {
        Value value = followPath(runtime, item, path);
        const bool replaces = value.isUndefined() && bound[1] && !bound[1]->isNone();
        out.push_back(replaces ? *bound[1] : std::move(value));
    }
    return runtime.generator(std::move(out));
}

Value mapFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    if (!subject.truthy()) { // none as well
        return runtime.generator({});
    }
    if (arguments.positional.empty()) {
        return mapAttribute(runtime, subject, arguments);
    }
    const std::string name = printed(runtime, arguments.positional.front()).bytes();
    const FilterBody filter = findFilter(name);
    if (!filter) {
        runtime.fail("there is no filter '" + name + "'");
    }
    const auto level = runtime.callLevel();
    const Arguments others = rest(arguments, 1);
    std::vector<Value> out;
    for (const Value& item : itemsOf(runtime, subject)) {
        runtime.step();
        out.push_back(filter(runtime, item, others));
    }
    return runtime.generator(std::move(out));
}

enum class What { Item, Attribute };

template <What what, bool keeps>
Value selectFilter(Runtime& runtime, const Value& subject, const Arguments& arguments)
{
    if (!subject.truthy()) { // none as well
        return runtime.generator({});
    }
    std::size_t used = 0;
    std::vector<Value> path;
    if (what == What::Attribute) {
        if (arguments.positional.empty()) {
            runtime.fail("the filter needs the name of an attribute");
        }
        path = attributePath(runtime, &arguments.positional[used++]);
    }
    TestBody test = nullptr;
    if (arguments.positional.size() > used) {
        const std::string name = printed(runtime, arguments.positional[used++]).bytes();
        test = findTest(name);
        if (!test) {
            runtime.fail("there is no test '" + name + "'");
        }
    }
    const Arguments others = rest(arguments, used);
    std::vector<Value> out;
    for (const Value& item : itemsOf(runtime, subject)) {
        runtime.step();
        const Value value = followPath(runtime, item, path);
        if ((test ? test(runtime, value, others) : value.truthy()) == keeps) {
            out.push_back(item);
        }
    }
    return runtime.generator(std::move(out));
}

constexpr auto kFilters = std::to_array<FilterEntry>({
    { "map", mapFilter },
    { "reject", selectFilter<What::Item, false> },
    { "rejectattr", selectFilter<What::Attribute, false> },
    { "select", selectFilter<What::Item, true> },
    { "selectattr", selectFilter<What::Attribute, true> },
});

} // namespace

std::span<const FilterEntry> selectionFilters()
{
    return kFilters;
}

} // namespace engine::chat::jinja
