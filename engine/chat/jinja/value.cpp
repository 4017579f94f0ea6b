#include "engine/chat/jinja/value.h"

#include "engine/chat/jinja/runtime.h"

#include <algorithm>

namespace engine::chat::jinja {

Value Value::undefined(std::string why)
{
    Value out;
    out.m_data = UndefinedTag { std::make_shared<const std::string>(std::move(why)) };
    return out;
}

Value Value::none()
{
    Value out;
    out.m_data = NoneTag {};
    return out;
}

Value Value::boolean(bool value)
{
    Value out;
    out.m_data = value;
    return out;
}

Value Value::integer(std::int64_t value)
{
    Value out;
    out.m_data = value;
    return out;
}

Value Value::real(double value)
{
    Value out;
    out.m_data = value;
    return out;
}

Value Value::string(MarkedText text)
{
    auto cell = std::make_shared<TextCell>();
    cell->text = std::move(text);
    return Value(std::shared_ptr<const TextCell>(std::move(cell)));
}

Value Value::string(std::string text, Origin origin)
{
    return string(MarkedText(std::move(text), origin));
}

Value Value::list(std::vector<Value> items)
{
    auto out = std::make_shared<Sequence>();
    out->items = std::move(items);
    for (const Value& item : out->items) {
        out->depth = std::max(out->depth, item.depth() + 1);
    }
    return Value(std::shared_ptr<const Sequence>(std::move(out)));
}

Value Value::object(std::vector<std::pair<std::string, Value>> entries, Origin keys)
{
    auto out = std::make_shared<Mapping>();
    std::unordered_map<std::string, std::size_t> places;
    for (auto& [key, value] : entries) {
        out->depth = std::max(out->depth, value.depth() + 1);
        const auto [place, isNew] = places.try_emplace(key, out->entries.size());
        if (isNew) {
            out->entries.emplace_back(Value::string(std::move(key), keys), std::move(value));
        } else {
            out->entries[place->second].second = std::move(value);
        }
    }
    out->buildIndex();
    return Value(std::shared_ptr<const Mapping>(std::move(out)));
}

Value::Value(std::shared_ptr<const TextCell> cell)
    : m_data(std::move(cell))
{
}

Value::Value(std::shared_ptr<const Sequence> sequence)
    : m_data(std::move(sequence))
{
}

Value::Value(std::shared_ptr<const Mapping> mapping)
    : m_data(std::move(mapping))
{
}

Value::Value(std::shared_ptr<Object> object)
    : m_data(std::move(object))
{
}

bool Value::isNumber() const
{
    return is(Kind::Boolean) || is(Kind::Integer) || is(Kind::Float);
}

bool Value::isIntegral() const
{
    return is(Kind::Boolean) || is(Kind::Integer);
}

std::int64_t Value::asInteger() const
{
    return is(Kind::Boolean) ? std::int64_t { asBoolean() } : std::get<std::int64_t>(m_data);
}

double Value::asReal() const
{
    return is(Kind::Float) ? std::get<double>(m_data) : static_cast<double>(asInteger());
}

const MarkedText& Value::asText() const
{
    return std::get<std::shared_ptr<const TextCell>>(m_data)->text;
}

bool Value::isSafe() const
{
    return isString() && std::get<std::shared_ptr<const TextCell>>(m_data)->safe;
}

const Sequence& Value::asSequence() const
{
    return *std::get<std::shared_ptr<const Sequence>>(m_data);
}

const Mapping& Value::asMapping() const
{
    return *std::get<std::shared_ptr<const Mapping>>(m_data);
}

const std::shared_ptr<Object>& Value::asObject() const
{
    return std::get<std::shared_ptr<Object>>(m_data);
}

std::string Value::undefinedReason() const
{
    const auto& why = std::get<UndefinedTag>(m_data).why;
    return why ? *why : "the value is undefined";
}

bool Value::truthy() const
{
    switch (kind()) {
    case Kind::Undefined:
    case Kind::None:
        return false;
    case Kind::Boolean:
        return asBoolean();
    case Kind::Integer:
        return asInteger() != 0;
    case Kind::Float:
        return asReal() != 0.0;
    case Kind::String:
        return !asText().empty();
    case Kind::Sequence:
        return asSequence().flavour == Sequence::Flavour::Generator || !asSequence().items.empty();
    case Kind::Mapping:
        return !asMapping().entries.empty();
    case Kind::Object:
        return asObject()->truthy();
    }
    return false;
}

std::string Value::typeName() const
{
    switch (kind()) {
    case Kind::Undefined:
        return "Undefined";
    case Kind::None:
        return "NoneType";
    case Kind::Boolean:
        return "bool";
    case Kind::Integer:
        return "int";
    case Kind::Float:
        return "float";
    case Kind::String:
        return "str";
    case Kind::Sequence:
        switch (asSequence().flavour) {
        case Sequence::Flavour::List:
            return "list";
        case Sequence::Flavour::Tuple:
        case Sequence::Flavour::Group:
            return "tuple";
        case Sequence::Flavour::Range:
            return "range";
        case Sequence::Flavour::Generator:
            return "generator";
        case Sequence::Flavour::Keys:
            return "dict_keys";
        case Sequence::Flavour::Values:
            return "dict_values";
        case Sequence::Flavour::Items:
            return "dict_items";
        }
        return "list";
    case Kind::Mapping:
        return "dict";
    case Kind::Object:
        return asObject()->typeName();
    }
    return {};
}

bool Value::hashable() const
{
    if (is(Kind::Mapping)) {
        return false;
    }
    if (is(Kind::Sequence)) {
        const Sequence& parts = asSequence();
        return parts.flavour != Sequence::Flavour::List
            && (!parts.isTuple()
                || std::all_of(parts.items.begin(), parts.items.end(),
                               [](const Value& part) { return part.hashable(); }));
    }
    return true;
}

int Value::depth() const
{
    switch (kind()) {
    case Kind::Sequence:
        return asSequence().depth;
    case Kind::Mapping:
        return asMapping().depth;
    case Kind::Object:
        return asObject()->depth;
    default:
        return 0;
    }
}

bool Value::sameAs(const Value& other) const
{
    if (kind() != other.kind()) {
        return false;
    }
    switch (kind()) {
    case Kind::Undefined:
    case Kind::None:
        return true;
    case Kind::Boolean:
    case Kind::Integer:
        return asInteger() == other.asInteger();
    case Kind::Float:
        return asReal() == other.asReal();
    case Kind::String: // Python shares equal literals; a template cannot tell more
        return asBytes() == other.asBytes();
    case Kind::Sequence:
        return &asSequence() == &other.asSequence();
    case Kind::Mapping:
        return &asMapping() == &other.asMapping();
    case Kind::Object:
        return asObject() == other.asObject();
    }
    return false;
}

const Value* Value::find(std::string_view key) const
{
    return is(Kind::Mapping) ? asMapping().find(key) : nullptr;
}

bool Sequence::indexable() const
{
    return flavour == Flavour::List || flavour == Flavour::Tuple || flavour == Flavour::Group
        || flavour == Flavour::Range;
}

void Mapping::buildIndex()
{
    constexpr std::size_t kWorthAnIndex = 9;
    m_index.clear();
    if (entries.size() < kWorthAnIndex) {
        return;
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (entries[i].first.isString()) {
            m_index.emplace(entries[i].first.asBytes(), i);
        }
    }
}

const Value* Mapping::find(std::string_view key) const
{
    if (!m_index.empty()) {
        const auto place = m_index.find(key);
        return place == m_index.end() ? nullptr : &entries[place->second].second;
    }
    for (const auto& [name, value] : entries) {
        if (name.isString() && name.asBytes() == key) {
            return &value;
        }
    }
    return nullptr;
}

std::string concat(std::initializer_list<std::string_view> parts)
{
    std::string out;
    for (const std::string_view part : parts) {
        out += part;
    }
    return out;
}

Value markedAsInput(const Value& value)
{
    switch (value.kind()) {
    case Value::Kind::String:
        return Value::string(value.asBytes(), Origin::Input);
    case Value::Kind::Sequence: {
        std::vector<Value> items;
        for (const Value& item : value.asSequence().items) {
            items.push_back(markedAsInput(item));
        }
        return Value::list(std::move(items));
    }
    case Value::Kind::Mapping: {
        std::vector<std::pair<std::string, Value>> entries;
        for (const auto& [key, item] : value.asMapping().entries) {
            if (key.isString()) {
                entries.emplace_back(key.asBytes(), markedAsInput(item));
            }
        }
        return Value::object(std::move(entries), Origin::Input);
    }
    default:
        return value;
    }
}

} // namespace engine::chat::jinja
