#include "engine/chat/jinja/methods.h"

#include "engine/chat/jinja/format.h"
#include "engine/chat/jinja/operators.h"
#include "engine/chat/jinja/registry.h"
#include "engine/chat/jinja/text_operations.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace engine::chat::jinja {

namespace {

using Kind = Value::Kind;

/// A method together with the value it belongs to.
class BoundMethod final : public Object
{
public:
    BoundMethod(Value self, FilterBody body)
        : m_self(std::move(self))
        , m_body(body)
    {
        depth = m_self.depth() + 1;
    }
    [[nodiscard]] std::string typeName() const override { return "builtin_function_or_method"; }
    [[nodiscard]] bool callable() const override { return true; }
    [[nodiscard]] Value call(Runtime& runtime, const Arguments& arguments) override
    {
        return m_body(runtime, m_self, arguments);
    }

private:
    Value m_self;
    FilterBody m_body;
};

using TextChange = MarkedText (*)(const MarkedText&);

/// Work done character by character costs more than copying.
void countCharacters(Runtime& runtime, const MarkedText& text)
{
    constexpr std::size_t kCharactersPerStep = 8;
    runtime.step(text.size() / kCharactersPerStep);
}

template <TextChange change>
Value changeText(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound none(runtime, "the method", arguments, {});
    countCharacters(runtime, self.asText());
    return runtime.textLike(self, change(self.asText()));
}

template <Sides sides>
Value strip(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "strip", arguments, { "chars" });
    const bool given = bound[0] && !bound[0]->isNone();
    countCharacters(runtime, self.asText());
    return runtime.text(stripped(self.asText(), given ? &bound.text(0) : nullptr, sides));
}

template <From from>
Value splitMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "split", arguments, { "sep", "maxsplit" });
    const bool given = bound[0] && !bound[0]->isNone();
    return runtime.list(toValues(runtime,
                                 split(runtime, self.asText(), given ? &bound.text(0) : nullptr,
                                       bound.integer(1, -1), from)));
}

Value splitLinesMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "splitlines", arguments, { "keepends" });
    return runtime.list(toValues(
        runtime,
        splitLines(runtime, self.asText(), bound.flag(0) ? LineEnds::Keep : LineEnds::Drop)));
}

Value replaceMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "replace", arguments, { "old", "new", "count" }, 2);
    return runtime.text(
        replaced(runtime, self.asText(), bound.text(0), bound.text(1), bound.integer(2, -1)));
}

/// The bytes between two character indices as Python reads them; nothing where the range is empty.
struct ByteRange
{
    std::size_t begin;
    std::size_t end;
    bool possible;
};

ByteRange characterRange(const MarkedText& text, const Bound& bound, std::size_t first)
{
    const auto length = static_cast<std::int64_t>(characterCount(text.bytes()));
    const auto index = [&](std::size_t i, std::int64_t fallback) {
        const bool given = bound[i] && !bound[i]->isNone();
        std::int64_t at = given ? bound.integer(i, 0) : fallback;
        at = at < 0 ? std::max<std::int64_t>(at, -length) + length : at;
        return at;
    };
    const std::int64_t begin = index(first, 0);
    const std::int64_t end = std::min(index(first + 1, length), length);
    if (begin > length || begin > end) {
        return { 0, 0, false };
    }
    return { skipCharacters(text, 0, begin), skipCharacters(text, 0, end), true };
}

template <bool atStart>
Value affixMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, atStart ? "startswith" : "endswith", arguments,
                      { "prefix", "start", "end" }, 1);
    const ByteRange range = characterRange(self.asText(), bound, 1);
    const std::string_view part =
        std::string_view(self.asBytes()).substr(range.begin, range.end - range.begin);
    const auto matches = [&](const Value& affix) {
        if (!affix.isString()) {
            runtime.fail("startswith and endswith need a string or a tuple of strings, not a "
                         + affix.typeName());
        }
        return range.possible
            && (atStart ? part.starts_with(affix.asBytes()) : part.ends_with(affix.asBytes()));
    };
    const Value& affix = *bound[0];
    if (affix.is(Kind::Sequence) && affix.asSequence().isTuple()) {
        const auto& items = affix.asSequence().items;
        return Value::boolean(std::any_of(items.begin(), items.end(), matches));
    }
    return Value::boolean(matches(affix));
}

enum class Search { Find, FindLast, Index, IndexLast };

template <Search search>
Value findMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    constexpr bool last = search == Search::FindLast || search == Search::IndexLast;
    const Bound bound(runtime, "find", arguments, { "sub", "start", "end" }, 1);
    runtime.checkText(self.asText().size());
    const ByteRange range = characterRange(self.asText(), bound, 1);
    const std::string_view part =
        std::string_view(self.asBytes()).substr(range.begin, range.end - range.begin);
    const std::size_t found = !range.possible ? std::string_view::npos
        : last                                ? part.rfind(bound.text(0).bytes())
                                              : part.find(bound.text(0).bytes());
    if (found == std::string_view::npos) {
        if (search == Search::Index || search == Search::IndexLast) {
            runtime.fail("substring not found");
        }
        return Value::integer(-1);
    }
    const std::string_view before = std::string_view(self.asBytes()).substr(0, range.begin + found);
    return Value::integer(static_cast<std::int64_t>(characterCount(before)));
}

Value countMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "count", arguments, { "sub", "start", "end" }, 1);
    runtime.checkText(self.asText().size());
    const ByteRange range = characterRange(self.asText(), bound, 1);
    const MarkedText part = self.asText().slice(range.begin, range.end);
    const std::string& what = bound.text(0).bytes();
    if (!range.possible) {
        return Value::integer(0);
    }
    if (what.empty()) {
        return Value::integer(static_cast<std::int64_t>(characterCount(part.bytes())) + 1);
    }
    std::int64_t count = 0;
    for (std::size_t at = part.bytes().find(what); at != std::string::npos;
         at = part.bytes().find(what, at + what.size())) {
        ++count;
    }
    return Value::integer(count);
}

Value joinMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "join", arguments, { "iterable" }, 1);
    MarkedText out;
    bool first = true;
    for (const Value& item : itemsOf(runtime, *bound[0])) {
        if (!item.isString()) {
            runtime.fail("join() needs strings, found a " + item.typeName());
        }
        if (!first) {
            out.append(self.asText());
        }
        first = false;
        out.append(item.asText());
        if (out.size() > runtime.limits().textBytes) {
            runtime.checkText(out.size());
        }
    }
    return runtime.text(std::move(out));
}

Value formatMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    return braceFormat(runtime, self.asText(), arguments);
}

Value formatMapMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "format_map", arguments, { "mapping" }, 1);
    Arguments named;
    if (bound[0]->is(Kind::Mapping)) {
        for (const auto& [key, value] : bound[0]->asMapping().entries) {
            if (key.isString()) {
                named.keywords.emplace_back(key.asBytes(), value);
            }
        }
    }
    return braceFormat(runtime, self.asText(), named);
}

/// Whether all characters have one of the classes, and there is at least one.
template <std::uint16_t mask>
Value allOfClass(Runtime& runtime, const Value& self, const Arguments&)
{
    countCharacters(runtime, self.asText());
    const std::u32string text = toCharacters(self.asBytes());
    return Value::boolean(!text.empty() && std::all_of(text.begin(), text.end(), [](char32_t c) {
        return hasClass(c, mask);
    }));
}

template <std::uint16_t wanted>
Value allOfCase(Runtime& runtime, const Value& self, const Arguments&)
{
    countCharacters(runtime, self.asText());
    const std::u32string text = toCharacters(self.asBytes());
    constexpr std::uint16_t other = kCased & ~wanted;
    return Value::boolean(
        std::any_of(text.begin(), text.end(), [](char32_t c) { return hasClass(c, wanted); })
        && std::none_of(text.begin(), text.end(), [](char32_t c) { return hasClass(c, other); }));
}

Value isTitleMethod(Runtime& runtime, const Value& self, const Arguments&)
{
    countCharacters(runtime, self.asText());
    bool found = false;
    bool afterLetter = false;
    for (const char32_t c : toCharacters(self.asBytes())) {
        const bool capital = hasClass(c, kUpper | kTitle);
        if ((capital && afterLetter) || (hasClass(c, kLower) && !afterLetter)) {
            return Value::boolean(false);
        }
        afterLetter = hasClass(c, kCased);
        found = found || afterLetter;
    }
    return Value::boolean(found);
}

Value isAsciiMethod(Runtime&, const Value& self, const Arguments&)
{
    return Value::boolean(isAscii(self.asBytes()));
}

template <bool prefix>
Value removeAffix(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, prefix ? "removeprefix" : "removesuffix", arguments, { "affix" }, 1);
    const std::string& affix = bound.text(0).bytes();
    const MarkedText& text = self.asText();
    const bool found = prefix ? text.bytes().starts_with(affix) : text.bytes().ends_with(affix);
    if (!found) {
        return self;
    }
    return runtime.text(prefix ? text.slice(affix.size(), text.size())
                               : text.slice(0, text.size() - affix.size()));
}

template <Align align>
Value padMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "center", arguments, { "width", "fillchar" }, 1);
    return runtime.text(
        padded(runtime, self.asText(), bound.integer(0, 0), bound.textOr(1, " "), align));
}

Value zfillMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "zfill", arguments, { "width" }, 1);
    const MarkedText& text = self.asText();
    const bool isSigned = !text.empty() && (text.bytes()[0] == '-' || text.bytes()[0] == '+');
    const std::size_t sign = isSigned ? 1 : 0;
    const std::int64_t width = bound.integer(0, 0);
    MarkedText out = text.slice(0, sign);
    out.append(padded(runtime, text.slice(sign, text.size()),
                      width > 0 ? width - static_cast<std::int64_t>(sign) : 0, MarkedText("0"),
                      Align::Right));
    return runtime.text(std::move(out));
}

template <From from>
Value partitionMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "partition", arguments, { "sep" }, 1);
    const MarkedText& text = self.asText();
    const MarkedText& separator = bound.text(0);
    if (separator.empty()) {
        runtime.fail("empty separator");
    }
    runtime.checkText(text.size());
    const std::size_t found = from == From::Left ? text.bytes().find(separator.bytes())
                                                 : text.bytes().rfind(separator.bytes());
    std::vector<MarkedText> parts(3);
    if (found == std::string::npos) {
        parts[from == From::Left ? 0 : 2] = text;
    } else {
        parts[0] = text.slice(0, found);
        parts[1] = text.slice(found, found + separator.size());
        parts[2] = text.slice(found + separator.size(), text.size());
    }
    return runtime.tuple(toValues(runtime, std::move(parts)));
}

Value expandTabsMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "expandtabs", arguments, { "tabsize" });
    const std::int64_t size = std::clamp<std::int64_t>(bound.integer(0, 8), 0, 1 << 16);
    MarkedText out;
    std::int64_t column = 0;
    for (std::size_t i = 0; i < self.asText().size();) {
        const std::size_t begin = i;
        const char32_t c = nextCharacter(self.asBytes(), i);
        if (c != '\t') {
            out.append(self.asText(), begin, i);
            column = c == '\n' || c == '\r' ? 0 : column + 1;
            continue;
        }
        const std::int64_t fill = size > 0 ? size - column % size : 0;
        out.append(std::string(static_cast<std::size_t>(fill), ' '), self.asText().originAt(begin));
        column += fill;
        runtime.step();
        if (out.size() > runtime.limits().textBytes) {
            runtime.checkText(out.size());
        }
    }
    return runtime.text(std::move(out));
}

Value keysMethod(Runtime& runtime, const Value& self, const Arguments&)
{
    return runtime.sequence(Sequence::Flavour::Keys, itemsOf(runtime, self));
}

Value valuesMethod(Runtime& runtime, const Value& self, const Arguments&)
{
    std::vector<Value> out;
    for (const auto& entry : self.asMapping().entries) {
        out.push_back(entry.second);
    }
    return runtime.sequence(Sequence::Flavour::Values, std::move(out));
}

Value itemsMethod(Runtime& runtime, const Value& self, const Arguments&)
{
    std::vector<Value> out;
    for (const auto& [key, value] : self.asMapping().entries) {
        out.push_back(runtime.tuple({ key, value }));
    }
    return runtime.sequence(Sequence::Flavour::Items, std::move(out));
}

Value getMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "get", arguments, { "key", "default" }, 1);
    const Value* const found = findEntry(runtime, self.asMapping(), *bound[0]);
    return found ? *found : bound.get(1);
}

Value copyMethod(Runtime&, const Value& self, const Arguments&)
{
    return self; // nothing can change it
}

Value listIndexMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "index", arguments, { "value", "start", "stop" }, 1);
    const auto& items = self.asSequence().items;
    const auto length = static_cast<std::int64_t>(items.size());
    const auto index = [&](std::size_t i, std::int64_t fallback) {
        const std::int64_t at = bound.integer(i, fallback);
        return at < 0 ? std::max<std::int64_t>(at, -length) + length : std::min(at, length);
    };
    for (std::int64_t i = index(1, 0); i < index(2, length); ++i) {
        if (equal(runtime, items[static_cast<std::size_t>(i)], *bound[0])) {
            return Value::integer(i);
        }
    }
    runtime.fail("the value is not in the list");
}

Value listCountMethod(Runtime& runtime, const Value& self, const Arguments& arguments)
{
    const Bound bound(runtime, "count", arguments, { "value" }, 1);
    const auto& items = self.asSequence().items;
    return Value::integer(std::count_if(items.begin(), items.end(), [&](const Value& item) {
        return equal(runtime, item, *bound[0]);
    }));
}

Value isIntegerMethod(Runtime&, const Value& self, const Arguments&)
{
    return Value::boolean(std::isfinite(self.asReal())
                          && std::floor(self.asReal()) == self.asReal());
}

constexpr auto kTextMethods = std::to_array<FilterEntry>({
    { "capitalize", changeText<capitalizedText> },
    { "casefold", changeText<foldedCaseText> },
    { "center", padMethod<Align::Center> },
    { "count", countMethod },
    { "endswith", affixMethod<false> },
    { "expandtabs", expandTabsMethod },
    { "find", findMethod<Search::Find> },
    { "format", formatMethod },
    { "format_map", formatMapMethod },
    { "index", findMethod<Search::Index> },
    { "isalnum", allOfClass<kAlphanumeric> },
    { "isalpha", allOfClass<kAlpha> },
    { "isascii", isAsciiMethod },
    { "isdecimal", allOfClass<kDecimal> },
    { "isdigit", allOfClass<kDecimal | kDigit> },
    { "islower", allOfCase<kLower> },
    { "isnumeric", allOfClass<kDecimal | kDigit | kNumeric> },
    { "isspace", allOfClass<kSpace> },
    { "istitle", isTitleMethod },
    { "isupper", allOfCase<kUpper> },
    { "join", joinMethod },
    { "ljust", padMethod<Align::Left> },
    { "lower", changeText<lowerText> },
    { "lstrip", strip<Sides::Left> },
    { "partition", partitionMethod<From::Left> },
    { "removeprefix", removeAffix<true> },
    { "removesuffix", removeAffix<false> },
    { "replace", replaceMethod },
    { "rfind", findMethod<Search::FindLast> },
    { "rindex", findMethod<Search::IndexLast> },
    { "rjust", padMethod<Align::Right> },
    { "rpartition", partitionMethod<From::Right> },
    { "rsplit", splitMethod<From::Right> },
    { "rstrip", strip<Sides::Right> },
    { "split", splitMethod<From::Left> },
    { "splitlines", splitLinesMethod },
    { "startswith", affixMethod<true> },
    { "strip", strip<Sides::Both> },
    { "swapcase", changeText<swappedCaseText> },
    { "title", changeText<titleText> },
    { "upper", changeText<upperText> },
    { "zfill", zfillMethod },
});

constexpr auto kMappingMethods = std::to_array<FilterEntry>({
    { "copy", copyMethod },
    { "get", getMethod },
    { "items", itemsMethod },
    { "keys", keysMethod },
    { "values", valuesMethod },
});

constexpr auto kListMethods = std::to_array<FilterEntry>({
    { "copy", copyMethod },
    { "count", listCountMethod },
    { "index", listIndexMethod },
});

constexpr auto kFloatMethods = std::to_array<FilterEntry>({ { "is_integer", isIntegerMethod } });

constexpr auto kChangingMethods =
    std::to_array<std::string_view>({ "append", "clear", "extend", "insert", "pop", "popitem",
                                      "remove", "reverse", "setdefault", "sort", "update" });

std::span<const FilterEntry> methodsOf(const Value& value)
{
    switch (value.kind()) {
    case Kind::String:
        return kTextMethods;
    case Kind::Mapping:
        return kMappingMethods;
    case Kind::Sequence:
        return value.asSequence().indexable() ? std::span<const FilterEntry>(kListMethods)
                                              : std::span<const FilterEntry>();
    case Kind::Float:
        return kFloatMethods;
    default:
        return {};
    }
}

} // namespace

Value methodOf(Runtime& runtime, const Value& value, const std::string& name)
{
    for (const FilterEntry& entry : methodsOf(value)) {
        if (entry.name == name) {
            return Value(std::shared_ptr<Object>(
                runtime.adopt(std::make_shared<BoundMethod>(value, entry.body), 0)));
        }
    }
    if (value.is(Kind::Sequence) && value.asSequence().flavour == Sequence::Flavour::Group) {
        const auto& parts = value.asSequence().items;
        if (name == "grouper" || name == "list") {
            return parts[name == "grouper" ? 0 : 1];
        }
    }
    const std::string type = value.typeName();
    const bool isList =
        value.is(Kind::Sequence) && value.asSequence().flavour == Sequence::Flavour::List;
    const bool changes = (isList || value.is(Kind::Mapping))
        && std::find(kChangingMethods.begin(), kChangingMethods.end(), name)
            != kChangingMethods.end();
    if (changes) {
        return Value::undefined("access to attribute '" + name + "' of '" + type
                                + "' object is unsafe");
    }
    return Value::undefined("'" + type + " object' has no attribute '" + name + "'");
}

} // namespace engine::chat::jinja
