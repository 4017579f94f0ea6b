#include "engine/chat/jinja/loop.h"

#include "engine/chat/jinja/operators.h"

#include <algorithm>

namespace engine::chat::jinja {

namespace {

/// loop.cycle or loop.changed.
class LoopMethod final : public Object
{
public:
    enum class Which { Cycle, Changed };
    LoopMethod(std::shared_ptr<Loop> loop, Which which)
        : m_loop(std::move(loop))
        , m_which(which)
    {
    }
    [[nodiscard]] std::string typeName() const override { return "method"; }
    [[nodiscard]] bool callable() const override { return true; }
    [[nodiscard]] Value call(Runtime& runtime, const Arguments& arguments) override
    {
        return m_which == Which::Cycle ? m_loop->cycle(runtime, arguments)
                                       : m_loop->changed(runtime, arguments);
    }

private:
    std::shared_ptr<Loop> m_loop;
    Which m_which;
};

} // namespace

Value Loop::call(Runtime& runtime, const Arguments& arguments)
{
    if (!m_statement.recursive) {
        runtime.fail("the loop must have the 'recursive' marker to be called");
    }
    const Bound bound(runtime, "loop", arguments, { "iterable" }, 1);
    return m_interpreter.callLoop(m_statement, m_scope, *bound[0], m_depth + 1);
}

Value Loop::attribute(Runtime& runtime, const std::string& name)
{
    const auto index = static_cast<std::int64_t>(m_index);
    const auto length = static_cast<std::int64_t>(m_items.size());
    if (name == "index") {
        return Value::integer(index + 1);
    }
    if (name == "index0") {
        return Value::integer(index);
    }
    if (name == "revindex") {
        return Value::integer(length - index);
    }
    if (name == "revindex0") {
        return Value::integer(length - index - 1);
    }
    if (name == "first") {
        return Value::boolean(index == 0);
    }
    if (name == "last") {
        return Value::boolean(index + 1 == length);
    }
    if (name == "length") {
        return Value::integer(length);
    }
    if (name == "depth") {
        return Value::integer(m_depth + 1);
    }
    if (name == "depth0") {
        return Value::integer(m_depth);
    }
    if (name == "previtem") {
        return m_index > 0 && m_index <= m_items.size()
            ? m_items[m_index - 1]
            : Value::undefined("there is no previous item");
    }
    if (name == "nextitem") {
        return m_index + 1 < m_items.size() ? m_items[m_index + 1]
                                            : Value::undefined("there is no next item");
    }
    if (name == "cycle" || name == "changed") {
        const auto which = name == "cycle" ? LoopMethod::Which::Cycle : LoopMethod::Which::Changed;
        auto self = std::static_pointer_cast<Loop>(shared_from_this());
        return Value(std::shared_ptr<Object>(
            runtime.adopt(std::make_shared<LoopMethod>(std::move(self), which), 0)));
    }
    return Object::attribute(runtime, name);
}

Value Loop::cycle(Runtime& runtime, const Arguments& arguments) const
{
    if (arguments.positional.empty()) {
        runtime.fail("no items for cycling given");
    }
    return arguments.positional[m_index % arguments.positional.size()];
}

Value Loop::changed(Runtime& runtime, const Arguments& arguments)
{
    const auto& now = arguments.positional;
    const bool same = m_last
        && std::equal(m_last->begin(), m_last->end(), now.begin(), now.end(),
                      [&](const Value& a, const Value& b) { return equal(runtime, a, b); });
    m_last = now;
    return Value::boolean(!same);
}

} // namespace engine::chat::jinja
