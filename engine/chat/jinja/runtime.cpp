#include "engine/chat/jinja/runtime.h"

#include "engine/chat/jinja/failure.h"
#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/operators.h"

#include <algorithm>

namespace engine::chat::jinja {

namespace {

// Work on text is fast: so many bytes count as one step.
constexpr std::uint64_t kBytesPerStep = 64;
constexpr std::uint64_t kItemsPerStep = 8;

} // namespace

Runtime::Runtime(const Limits& limits, Clock clock)
    : m_limits(limits)
    , m_clock(std::move(clock))
{
    m_budget.limit = limits.memoryBytes;
}

Runtime::~Runtime()
{
    for (const auto& object : m_kept) {
        object->clear();
    }
}

void Runtime::step(std::uint64_t count)
{
    m_steps += count;
    if (m_steps > m_limits.steps) {
        exceed(std::to_string(m_limits.steps) + " steps");
    }
}

void Runtime::checkText(std::uint64_t bytes)
{
    if (bytes > m_limits.textBytes) {
        exceed(std::to_string(m_limits.textBytes) + " bytes of text");
    }
    step(bytes / kBytesPerStep);
}

void Runtime::checkItems(std::uint64_t count)
{
    if (count > (m_limits.memoryBytes - m_budget.held) / sizeof(Value)) {
        exceed(std::to_string(m_limits.memoryBytes) + " bytes of memory");
    }
    step(count / kItemsPerStep);
}

void Runtime::fail(std::string message) const
{
    throw Failure { ErrorCode::TemplateRuntime, std::move(message), m_line };
}

void Runtime::exceed(std::string what) const
{
    throw Failure { ErrorCode::TemplateLimit, std::move(what), m_line };
}

void Runtime::charge(Charged& target, std::uint64_t bytes)
{
    if (bytes > m_budget.limit - m_budget.held) {
        exceed(std::to_string(m_limits.memoryBytes) + " bytes of memory");
    }
    m_budget.held += bytes;
    target.budget = &m_budget;
    target.charge = bytes;
}

Value Runtime::makeText(MarkedText text, bool safe)
{
    checkText(text.size());
    auto cell = std::make_shared<TextCell>();
    cell->text = std::move(text);
    cell->safe = safe;
    charge(*cell,
           sizeof(TextCell) + cell->text.size()
               + cell->text.inputRanges().size() * sizeof(MarkedText::Range));
    return Value(std::shared_ptr<const TextCell>(std::move(cell)));
}

Value Runtime::text(MarkedText text)
{
    return makeText(std::move(text), false);
}

Value Runtime::safeText(MarkedText text)
{
    return makeText(std::move(text), true);
}

Value Runtime::textLike(const Value& like, MarkedText text)
{
    return makeText(std::move(text), like.isSafe());
}

Value Runtime::text(std::string text, Origin origin)
{
    return this->text(MarkedText(std::move(text), origin));
}

Value Runtime::sequence(Sequence::Flavour flavour, std::vector<Value> items, std::string name)
{
    checkItems(items.size());
    auto out = std::make_shared<Sequence>();
    out->flavour = flavour;
    out->items = std::move(items);
    out->name = std::move(name);
    for (const Value& item : out->items) {
        out->depth = std::max(out->depth, item.depth() + 1);
    }
    if (out->depth > m_limits.depth) {
        exceed(std::to_string(m_limits.depth) + " levels of lists and objects");
    }
    charge(*out, sizeof(Sequence) + out->items.size() * sizeof(Value));
    return Value(std::shared_ptr<const Sequence>(std::move(out)));
}

Value Runtime::list(std::vector<Value> items)
{
    return sequence(Sequence::Flavour::List, std::move(items));
}

Value Runtime::tuple(std::vector<Value> items)
{
    return sequence(Sequence::Flavour::Tuple, std::move(items));
}

Value Runtime::generator(std::vector<Value> items)
{
    return sequence(Sequence::Flavour::Generator, std::move(items));
}

Value Runtime::mapping(std::vector<Value::Entry> entries)
{
    checkItems(entries.size() * 4);
    auto out = std::make_shared<Mapping>();
    std::unordered_map<std::string_view, std::size_t> named;
    std::vector<std::size_t> others; // keys that are not strings: few, compared one by one
    for (auto& [key, value] : entries) {
        if (!key.hashable()) {
            fail("a " + key.typeName() + " cannot be the key of a dict");
        }
        out->depth = std::max({ out->depth, value.depth() + 1, key.depth() + 1 });
        auto place = out->entries.size();
        if (key.isString()) {
            place = named.try_emplace(key.asBytes(), place).first->second;
        } else {
            const auto same =
                std::find_if(others.begin(), others.end(), [&, &wanted = key](std::size_t i) {
                    return equal(*this, out->entries[i].first, wanted);
                });
            place = same == others.end() ? place : *same;
            if (same == others.end()) {
                others.push_back(place);
            }
        }
        if (place == out->entries.size()) {
            out->entries.emplace_back(key, value);
        } else {
            out->entries[place].second = value;
        }
    }
    if (out->depth > m_limits.depth) {
        exceed(std::to_string(m_limits.depth) + " levels of lists and objects");
    }
    out->buildIndex();
    charge(*out, sizeof(Mapping) + out->entries.size() * 4 * sizeof(Value));
    return Value(std::shared_ptr<const Mapping>(std::move(out)));
}

void Runtime::keep(std::shared_ptr<Object> object)
{
    m_kept.push_back(std::move(object));
}

Runtime::Level::Level(Runtime& runtime, int& counter, int limit)
    : m_counter(counter)
{
    if (counter >= limit) {
        runtime.exceed(std::to_string(limit) + " levels of nesting");
    }
    ++m_counter;
}

Bound::Bound(Runtime& runtime, std::string_view function, const Arguments& arguments,
             std::initializer_list<std::string_view> parameters, std::size_t required)
    : m_runtime(runtime)
    , m_function(function)
    , m_values(parameters.size(), nullptr)
{
    if (arguments.positional.size() > parameters.size()) {
        runtime.fail(std::string(function) + "() takes at most " + std::to_string(parameters.size())
                     + " arguments, not " + std::to_string(arguments.positional.size()));
    }
    for (std::size_t i = 0; i < arguments.positional.size(); ++i) {
        m_values[i] = &arguments.positional[i];
    }
    for (const auto& [name, value] : arguments.keywords) {
        const auto* const place = std::find(parameters.begin(), parameters.end(), name);
        if (place == parameters.end()) {
            runtime.fail(std::string(function) + "() has no argument '" + name + "'");
        }
        const Value*& slot = m_values[static_cast<std::size_t>(place - parameters.begin())];
        if (slot) {
            runtime.fail(std::string(function) + "() got the argument '" + name + "' twice");
        }
        slot = &value;
    }
    for (std::size_t i = 0; i < required; ++i) {
        if (!m_values[i]) {
            runtime.fail(std::string(function) + "() needs the argument '"
                         + std::string(parameters.begin()[i]) + "'");
        }
    }
}

Value Bound::get(std::size_t i, Value fallback) const
{
    return m_values[i] ? *m_values[i] : std::move(fallback);
}

bool Bound::flag(std::size_t i, bool fallback) const
{
    return m_values[i] ? m_values[i]->truthy() : fallback;
}

std::int64_t Bound::integer(std::size_t i, std::int64_t fallback) const
{
    if (!m_values[i]) {
        return fallback;
    }
    if (!m_values[i]->isIntegral()) {
        m_runtime.fail(std::string(m_function) + "() needs an integer, not a "
                       + m_values[i]->typeName());
    }
    return m_values[i]->asInteger();
}

const MarkedText& Bound::text(std::size_t i) const
{
    if (!m_values[i] || !m_values[i]->isString()) {
        m_runtime.fail(std::string(m_function) + "() needs a string"
                       + (m_values[i] ? ", not a " + m_values[i]->typeName() : std::string()));
    }
    return m_values[i]->asText();
}

MarkedText Bound::textOr(std::size_t i, std::string_view fallback) const
{
    return m_values[i] ? text(i) : MarkedText(std::string(fallback));
}

MarkedText Object::describe(Runtime&) const
{
    return MarkedText(concat({ "<", typeName(), ">" }));
}

Value Object::call(Runtime& runtime, const Arguments&)
{
    runtime.fail(concat({ "'", typeName(), "' object is not callable" }));
}

Value Object::attribute(Runtime&, const std::string& name)
{
    return Value::undefined(concat({ "'", typeName(), " object' has no attribute '", name, "'" }));
}

MarkedText Function::describe(Runtime&) const
{
    return MarkedText("<function " + std::string(m_name) + ">");
}

Value Function::call(Runtime& runtime, const Arguments& arguments)
{
    return m_body(runtime, arguments);
}

Value callValue(Runtime& runtime, const Value& callee, const Arguments& arguments)
{
    runtime.step();
    if (callee.isUndefined()) {
        runtime.fail(callee.undefinedReason());
    }
    if (!callee.is(Value::Kind::Object)) {
        runtime.fail("'" + callee.typeName() + "' object is not callable");
    }
    const std::shared_ptr<Object> object = callee.asObject(); // outlives its own call
    return object->call(runtime, arguments);
}

} // namespace engine::chat::jinja
