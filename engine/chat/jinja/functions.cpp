// The functions that every template knows, and the objects they make.

#include "engine/chat/jinja/failure.h"
#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/objects.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/registry.h"
#include "engine/chat/jinja/time_format.h"

#include <algorithm>
#include <array>

namespace engine::chat::jinja {

MarkedText Namespace::describe(Runtime& runtime) const
{
    const auto level = runtime.callLevel(); // it may hold itself
    MarkedText out("<Namespace {");
    for (std::size_t i = 0; i < m_values.size(); ++i) {
        out.append(i > 0 ? ", '" : "'", Origin::Template);
        out.append(m_values[i].first, Origin::Template);
        out.append("': ", Origin::Template);
        reprTo(runtime, out, m_values[i].second);
    }
    out.append("}>", Origin::Template);
    return out;
}

Value Namespace::attribute(Runtime& runtime, const std::string& name)
{
    for (const auto& [known, value] : m_values) {
        if (known == name) {
            return value;
        }
    }
    return Object::attribute(runtime, name);
}

void Namespace::set(Runtime& runtime, const std::string& name, Value value)
{
    runtime.step();
    for (auto& [known, old] : m_values) {
        if (known == name) {
            old = std::move(value);
            return;
        }
    }
    runtime.checkItems(m_values.size());
    m_values.emplace_back(name, std::move(value));
}

namespace {

using Kind = Value::Kind;

/// cycler(a, b, …): hands out its items in turn.
struct Cycle
{
    std::vector<Value> items;
    std::size_t at = 0;
};

class Cycler final : public Object
{
public:
    enum class Part { Whole, Next, Reset };
    /// The cycler itself, or one of its methods: they share what they turn.
    Cycler(std::shared_ptr<Cycle> cycle, Part part)
        : m_cycle(std::move(cycle))
        , m_part(part)
    {
        for (const Value& item : m_cycle->items) {
            depth = std::max(depth, item.depth() + 1);
        }
    }
    [[nodiscard]] std::string typeName() const override
    {
        return m_part == Part::Whole ? "Cycler" : "method";
    }
    [[nodiscard]] bool callable() const override { return m_part != Part::Whole; }
    [[nodiscard]] Value call(Runtime& runtime, const Arguments& arguments) override
    {
        if (m_part == Part::Whole) {
            return Object::call(runtime, arguments);
        }
        if (m_part == Part::Reset) {
            m_cycle->at = 0;
            return Value::none();
        }
        const std::size_t now =
            std::exchange(m_cycle->at, (m_cycle->at + 1) % m_cycle->items.size());
        return m_cycle->items[now];
    }
    [[nodiscard]] Value attribute(Runtime& runtime, const std::string& name) override
    {
        const bool isMethod = name == "next" || name == "reset";
        if (m_part == Part::Whole && isMethod) {
            const Part part = name == "next" ? Part::Next : Part::Reset;
            return Value(
                std::shared_ptr<Object>(runtime.adopt(std::make_shared<Cycler>(m_cycle, part), 0)));
        }
        return m_part == Part::Whole && name == "current" ? m_cycle->items[m_cycle->at]
                                                          : Object::attribute(runtime, name);
    }

private:
    std::shared_ptr<Cycle> m_cycle;
    Part m_part;
};

/// joiner(separator): nothing at its first call, the separator afterwards.
class Joiner final : public Object
{
public:
    explicit Joiner(Value separator)
        : m_separator(std::move(separator))
    {
        depth = m_separator.depth() + 1;
    }
    [[nodiscard]] std::string typeName() const override { return "Joiner"; }
    [[nodiscard]] bool callable() const override { return true; }
    [[nodiscard]] Value call(Runtime& runtime, const Arguments&) override
    {
        return std::exchange(m_used, true) ? m_separator : runtime.text(std::string());
    }

private:
    Value m_separator;
    bool m_used = false;
};

template <typename T>
Value objectValue(std::shared_ptr<T> object)
{
    return Value(std::shared_ptr<Object>(std::move(object)));
}

Value cyclerFunction(Runtime& runtime, const Arguments& arguments)
{
    if (arguments.positional.empty()) {
        runtime.fail("at least one item has to be provided");
    }
    runtime.checkItems(arguments.positional.size());
    auto cycle = std::make_shared<Cycle>(Cycle { arguments.positional });
    return objectValue(
        runtime.adopt(std::make_shared<Cycler>(std::move(cycle), Cycler::Part::Whole),
                      arguments.positional.size() * sizeof(Value)));
}

Value joinerFunction(Runtime& runtime, const Arguments& arguments)
{
    const Bound bound(runtime, "joiner", arguments, { "sep" });
    return objectValue(
        runtime.adopt(std::make_shared<Joiner>(bound.get(0, runtime.text(std::string(", ")))), 0));
}

/// The entries of an object, or of a list of pairs, and of keyword arguments.
std::vector<Value::Entry> entriesOf(Runtime& runtime, const Arguments& arguments)
{
    std::vector<Value::Entry> out;
    if (arguments.positional.size() > 1) {
        runtime.fail("at most one object can be given");
    }
    for (const Value& from : arguments.positional) {
        if (from.is(Kind::Mapping)) {
            out = from.asMapping().entries;
            continue;
        }
        for (const Value& pair : itemsOf(runtime, from)) {
            auto parts = itemsOf(runtime, pair);
            if (parts.size() != 2) {
                runtime.fail("an object is made of pairs");
            }
            out.emplace_back(std::move(parts[0]), std::move(parts[1]));
        }
    }
    for (const auto& [name, value] : arguments.keywords) {
        out.emplace_back(runtime.text(name), value);
    }
    return out;
}

Value dictFunction(Runtime& runtime, const Arguments& arguments)
{
    return runtime.mapping(entriesOf(runtime, arguments));
}

Value namespaceFunction(Runtime& runtime, const Arguments& arguments)
{
    constexpr std::uint64_t kUsualSize = 256;
    auto out = runtime.adopt(std::make_shared<Namespace>(), kUsualSize);
    runtime.keep(out);
    for (auto& [key, value] : entriesOf(runtime, arguments)) {
        out->set(runtime, printed(runtime, key).bytes(), std::move(value));
    }
    return objectValue(std::move(out));
}

Value rangeFunction(Runtime& runtime, const Arguments& arguments)
{
    constexpr std::int64_t kMostItems = 100'000; // as Jinja's sandbox
    const Bound bound(runtime, "range", arguments, { "start", "stop", "step" }, 1);
    const std::int64_t start = bound[1] ? bound.integer(0, 0) : 0;
    const std::int64_t stop = bound[1] ? bound.integer(1, 0) : bound.integer(0, 0);
    const std::int64_t step = bound.integer(2, 1);
    if (step == 0) {
        runtime.fail("range() arg 3 must not be zero");
    }
    std::vector<Value> items;
    for (std::int64_t at = start; step > 0 ? at < stop : at > stop;) {
        if (static_cast<std::int64_t>(items.size()) >= kMostItems) {
            runtime.fail("Range too big. The sandbox blocks ranges larger than 100000.");
        }
        items.push_back(Value::integer(at));
        if (__builtin_add_overflow(at, step, &at)) {
            break;
        }
    }
    std::string name = "range(" + std::to_string(start) + ", " + std::to_string(stop);
    name += step == 1 ? ")" : ", " + std::to_string(step) + ")";
    return runtime.sequence(Sequence::Flavour::Range, std::move(items), std::move(name));
}

Value raiseFunction(Runtime& runtime, const Arguments& arguments)
{
    const Bound bound(runtime, "raise_exception", arguments, { "message" }, 1);
    throw Failure { ErrorCode::TemplateRaised, printed(runtime, *bound[0]).bytes(),
                    runtime.line() };
}

Value timeFunction(Runtime& runtime, const Arguments& arguments)
{
    const Bound bound(runtime, "strftime_now", arguments, { "format" }, 1);
    MarkedText out = formatTime(runtime, bound.text(0), runtime.now());
    return runtime.text(std::move(out));
}

Value loremFunction(Runtime& runtime, const Arguments&)
{
    runtime.fail("lipsum() makes random text, which no prompt can use");
}

constexpr auto kFunctions = std::to_array<FunctionEntry>({
    { "cycler", cyclerFunction },
    { "dict", dictFunction },
    { "joiner", joinerFunction },
    { "lipsum", loremFunction },
    { "namespace", namespaceFunction },
    { "raise_exception", raiseFunction },
    { "range", rangeFunction },
    { "strftime_now", timeFunction },
});

} // namespace

std::span<const FunctionEntry> globalFunctions()
{
    return kFunctions;
}

} // namespace engine::chat::jinja
