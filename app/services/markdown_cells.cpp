#include "app/services/markdown_cells.h"

#include "app/services/plain_text.h"
#include "engine/gguf/printable.h"

#include <algorithm>
#include <cstdint>

namespace app::markdown {

using engine::gguf::Value;
using engine::gguf::ValueType;

namespace {

constexpr std::uint64_t kMostElements = 8;

} // namespace

std::string code(std::string_view bytes, std::size_t most, Place place)
{
    const std::string text = engine::gguf::printable(bytes, most);
    std::size_t longest = 0; // run of backticks: the fence must be longer
    std::size_t run = 0;
    std::string body;
    for (const char c : text) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
        body += c == '|' && place == Place::Table ? "\\|" : std::string(1, c);
    }
    if (body.empty()) {
        return "(empty)";
    }
    const std::string fence(longest + 1, '`');
    const std::string space = longest > 0 || body.front() == ' ' || body.back() == ' ' ? " " : "";
    return fence + space + body + space + fence;
}

std::string row(std::initializer_list<std::string> cells)
{
    std::string out = "|";
    for (const std::string& cell : cells) {
        out += ' ' + cell + " |";
    }
    return out + '\n';
}

std::string valueText(const Value& value)
{
    if (const auto text = value.asText()) {
        std::string out = code(*text);
        if (text->size() > kMostText) {
            out += " (" + countText(text->size()) + " bytes)";
        }
        return out;
    }
    if (value.type() != ValueType::Array) {
        return code(value.display());
    }
    std::string list;
    auto cursor = value.elements();
    for (std::uint64_t i = 0; i < kMostElements; ++i) {
        const auto element = cursor.next();
        if (!element) {
            break;
        }
        list += i > 0 ? ", " : "";
        list += element->display(kMostText / kMostElements);
    }
    std::string out = code("[" + list + "]", 2 * kMostText);
    if (value.count() > kMostElements) {
        out += " … " + countText(value.count()) + " in all";
    }
    return out;
}

} // namespace app::markdown
