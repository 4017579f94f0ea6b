// The values of the template language: what a template reads, computes and prints.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/chat/jinja/marked_text.h"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace engine::chat::jinja {

class Object;
struct Sequence;
struct Mapping;

/// How much memory the values of one rendering may hold at a time. Not thread-safe: one per
/// rendering.
struct Budget
{
    std::uint64_t held = 0;
    std::uint64_t limit = 0;
};

/// Base of everything a value points to; gives its memory back to the budget it was charged to.
struct Charged
{
    Charged() = default;
    Charged(const Charged&) = delete;
    Charged& operator=(const Charged&) = delete;

    Budget* budget = nullptr; ///< none for values made outside a rendering
    std::uint64_t charge = 0;
    int depth = 1; ///< levels of containers below and including this one

protected:
    ~Charged()
    {
        if (budget) {
            budget->held -= charge;
        }
    }
};

struct TextCell final : Charged
{
    MarkedText text;
    bool safe = false; ///< HTML by the filters safe and escape: "+" escapes what is put beside it
};

/// Immutable apart from namespaces; copying is cheap. Compares, prints and converts as Python does.
class Value
{
public:
    enum class Kind { Undefined, None, Boolean, Integer, Float, String, Sequence, Mapping, Object };
    using Entry = std::pair<Value, Value>;

    /// Undefined.
    Value() = default;
    [[nodiscard]] static Value undefined(std::string why);
    [[nodiscard]] static Value none();
    [[nodiscard]] static Value boolean(bool value);
    [[nodiscard]] static Value integer(std::int64_t value);
    [[nodiscard]] static Value real(double value);
    [[nodiscard]] static Value string(MarkedText text);
    [[nodiscard]] static Value string(std::string text, Origin origin = Origin::Template);
    [[nodiscard]] static Value list(std::vector<Value> items);
    /// Keys in the order given; a repeated key keeps its place and takes the last value. Keys are
    /// strings.
    [[nodiscard]] static Value object(std::vector<std::pair<std::string, Value>> entries,
                                      Origin keys = Origin::Template);
    explicit Value(std::shared_ptr<const TextCell> cell);
    explicit Value(std::shared_ptr<const Sequence> sequence);
    explicit Value(std::shared_ptr<const Mapping> mapping);
    explicit Value(std::shared_ptr<Object> object);

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(m_data.index()); }
    [[nodiscard]] bool is(Kind kind) const { return this->kind() == kind; }
    [[nodiscard]] bool isUndefined() const { return is(Kind::Undefined); }
    [[nodiscard]] bool isNone() const { return is(Kind::None); }
    [[nodiscard]] bool isString() const { return is(Kind::String); }
    /// Boolean, integer or float.
    [[nodiscard]] bool isNumber() const;
    /// Boolean or integer, as Python's int.
    [[nodiscard]] bool isIntegral() const;

    // Each of these may only be called on a value of that kind.
    [[nodiscard]] bool asBoolean() const { return std::get<bool>(m_data); }
    /// Also of a boolean.
    [[nodiscard]] std::int64_t asInteger() const;
    /// Of any number.
    [[nodiscard]] double asReal() const;
    [[nodiscard]] const MarkedText& asText() const;
    [[nodiscard]] const std::string& asBytes() const { return asText().bytes(); }
    /// Whether a string is HTML (see TextCell::safe).
    [[nodiscard]] bool isSafe() const;
    [[nodiscard]] const Sequence& asSequence() const;
    [[nodiscard]] const Mapping& asMapping() const;
    [[nodiscard]] const std::shared_ptr<Object>& asObject() const;
    /// What to say when an undefined value is used.
    [[nodiscard]] std::string undefinedReason() const;

    [[nodiscard]] bool truthy() const;
    /// As in Python's messages: "str", "dict", …
    [[nodiscard]] std::string typeName() const;
    /// Whether it can be the key of a dict.
    [[nodiscard]] bool hashable() const;
    /// Levels of containers, 0 for a scalar.
    [[nodiscard]] int depth() const;
    /// Whether both are the same object in memory, or equal scalars.
    [[nodiscard]] bool sameAs(const Value& other) const;
    /// The entry of an object by string key; nullptr where there is none or this is no object.
    [[nodiscard]] const Value* find(std::string_view key) const;

private:
    struct UndefinedTag
    {
        std::shared_ptr<const std::string> why;
    };
    struct NoneTag
    {
    };
    std::variant<UndefinedTag, NoneTag, bool, std::int64_t, double, std::shared_ptr<const TextCell>,
                 std::shared_ptr<const Sequence>, std::shared_ptr<const Mapping>,
                 std::shared_ptr<Object>>
        m_data;
};

/// List, tuple and the other things one can walk along.
struct Sequence final : Charged
{
    enum class Flavour {
        List,
        Tuple,
        Group, ///< of the filter groupby: a tuple whose parts are also named grouper and list
        Range,
        Generator, ///< can be walked along once and has no length
        Keys,
        Values,
        Items
    };
    Flavour flavour = Flavour::List;
    std::vector<Value> items;
    std::string name; ///< of a range, as printed
    mutable bool spent = false; ///< of a generator

    /// Has a length and elements by index.
    [[nodiscard]] bool indexable() const;
    [[nodiscard]] bool isListOrTuple() const { return flavour == Flavour::List || isTuple(); }
    [[nodiscard]] bool isTuple() const
    {
        return flavour == Flavour::Tuple || flavour == Flavour::Group;
    }
};

/// A dict; keeps the order of its keys.
struct Mapping final : Charged
{
    std::vector<Value::Entry> entries;
    /// To be called once entries are complete; makes find() fast on large objects.
    void buildIndex();
    [[nodiscard]] const Value* find(std::string_view key) const;

private:
    std::unordered_map<std::string_view, std::size_t> m_index;
};

/// The parts one behind the other.
[[nodiscard]] std::string concat(std::initializer_list<std::string_view> parts);

/// A copy in which every string, keys included, counts as input.
[[nodiscard]] Value markedAsInput(const Value& value);

} // namespace engine::chat::jinja
