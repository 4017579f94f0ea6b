// What a running template may use: steps, memory, the clock; and the objects that it can call.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/value.h"

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine::chat::jinja {

/// Bounds on what a template out of an untrusted file may take.
struct Limits
{
    std::uint64_t steps = 10'000'000;
    std::uint64_t textBytes = 4u << 20; ///< of the output, and of every string on the way to it
    std::uint64_t memoryBytes = 128u << 20; ///< of all values alive at a time
    int depth = 200; ///< calls within calls, containers within containers
};

/// Counts what a rendering takes and makes its values. One per rendering; members throw Failure.
class Runtime
{
public:
    using Clock = std::function<std::chrono::system_clock::time_point()>;
    Runtime(const Limits& limits, Clock clock);
    Runtime(const Runtime&) = delete;
    Runtime& operator=(const Runtime&) = delete;
    /// Cuts the cycles that namespaces and macros may have made.
    ~Runtime();

    /// Counts work done.
    void step(std::uint64_t count = 1);
    /// Counts the work of handling so many bytes of text, and refuses more than a string may have.
    void checkText(std::uint64_t bytes);
    /// Refuses a sequence of so many elements before it is built.
    void checkItems(std::uint64_t count);
    [[noreturn]] void fail(std::string message) const;
    [[noreturn]] void exceed(std::string what) const;

    [[nodiscard]] Value text(MarkedText text);
    /// Text that counts as HTML.
    [[nodiscard]] Value safeText(MarkedText text);
    /// Text that is HTML if `like` is.
    [[nodiscard]] Value textLike(const Value& like, MarkedText text);
    [[nodiscard]] Value text(std::string text, Origin origin = Origin::Template);
    [[nodiscard]] Value sequence(Sequence::Flavour flavour, std::vector<Value> items,
                                 std::string name = {});
    [[nodiscard]] Value list(std::vector<Value> items);
    [[nodiscard]] Value tuple(std::vector<Value> items);
    [[nodiscard]] Value generator(std::vector<Value> items);
    /// Later entries replace earlier ones of an equal key; keys must be hashable.
    [[nodiscard]] Value mapping(std::vector<Value::Entry> entries);
    /// Charges a new object to this rendering.
    template <typename T>
    [[nodiscard]] std::shared_ptr<T> adopt(std::shared_ptr<T> object, std::uint64_t bytes)
    {
        charge(*object, bytes + sizeof(T));
        return object;
    }
    /// Keeps an object to the end of the rendering and then empties it: only such objects can be
    /// part of a cycle or of an endless chain.
    void keep(std::shared_ptr<Object> object);

    [[nodiscard]] std::chrono::system_clock::time_point now() const { return m_clock(); }
    [[nodiscard]] const Limits& limits() const { return m_limits; }
    [[nodiscard]] int line() const { return m_line; }
    void setLine(int line) { m_line = line; }

    /// Counts a level of nesting while it lives.
    class Level
    {
    public:
        Level(Runtime& runtime, int& counter, int limit);
        ~Level() { --m_counter; }
        Level(const Level&) = delete;
        Level& operator=(const Level&) = delete;

    private:
        int& m_counter;
    };
    /// A macro call or a recursive loop.
    [[nodiscard]] Level callLevel() { return { *this, m_calls, m_limits.depth }; }
    /// An expression or statement within another: bounds the native stack.
    [[nodiscard]] Level nodeLevel() { return { *this, m_nodes, m_limits.depth * 8 }; }

private:
    void charge(Charged& target, std::uint64_t bytes);
    [[nodiscard]] Value makeText(MarkedText text, bool safe);

    Limits m_limits;
    Clock m_clock;
    Budget m_budget;
    std::uint64_t m_steps = 0;
    int m_calls = 0;
    int m_nodes = 0;
    int m_line = 1;
    std::vector<std::shared_ptr<Object>> m_kept;
};

/// The arguments of a call as written.
struct Arguments
{
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> keywords;
};

/// Arguments sorted into the parameters of a native function.
class Bound
{
public:
    /// Fails where a required argument is missing, or one is unknown or given twice.
    Bound(Runtime& runtime, std::string_view function, const Arguments& arguments,
          std::initializer_list<std::string_view> parameters, std::size_t required = 0);
    /// nullptr where it was not given.
    [[nodiscard]] const Value* operator[](std::size_t i) const { return m_values[i]; }
    [[nodiscard]] Value get(std::size_t i, Value fallback = Value::none()) const;
    [[nodiscard]] bool flag(std::size_t i, bool fallback = false) const;
    /// Fails unless it is a whole number.
    [[nodiscard]] std::int64_t integer(std::size_t i, std::int64_t fallback) const;
    /// Fails unless it is a string.
    [[nodiscard]] const MarkedText& text(std::size_t i) const;
    [[nodiscard]] MarkedText textOr(std::size_t i, std::string_view fallback) const;

private:
    Runtime& m_runtime;
    std::string_view m_function;
    std::vector<const Value*> m_values;
};

/// Something with attributes or that can be called: loop, namespace, macro, function, bound method.
class Object : public Charged, public std::enable_shared_from_this<Object>
{
public:
    virtual ~Object() = default;
    [[nodiscard]] virtual std::string typeName() const = 0;
    /// What it prints as.
    [[nodiscard]] virtual MarkedText describe(Runtime& runtime) const;
    [[nodiscard]] virtual bool callable() const { return false; }
    [[nodiscard]] virtual Value call(Runtime& runtime, const Arguments& arguments);
    /// Undefined where there is none.
    [[nodiscard]] virtual Value attribute(Runtime& runtime, const std::string& name);
    [[nodiscard]] virtual bool truthy() const { return true; }
    /// Lets go of all values.
    virtual void clear() { }
};

/// A function of our own.
class Function final : public Object
{
public:
    using Body = Value (*)(Runtime&, const Arguments&);
    Function(std::string_view name, Body body)
        : m_name(name)
        , m_body(body)
    {
    }
    [[nodiscard]] std::string typeName() const override { return "function"; }
    [[nodiscard]] MarkedText describe(Runtime&) const override;
    [[nodiscard]] bool callable() const override { return true; }
    [[nodiscard]] Value call(Runtime& runtime, const Arguments& arguments) override;

private:
    std::string_view m_name;
    Body m_body;
};

/// Calls any value; fails where it can't be called.
[[nodiscard]] Value callValue(Runtime& runtime, const Value& callee, const Arguments& arguments);

} // namespace engine::chat::jinja
