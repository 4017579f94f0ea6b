#include "engine/text/stored_templates.h"

#include <algorithm>

namespace engine::text {

namespace {

constexpr std::string_view kDefault = "default";
constexpr std::string_view kTools = "tool_use";

} // namespace

StoredTemplates StoredTemplates::of(const gguf::GgufFile& file)
{
    StoredTemplates stored;
    for (const auto& entry : file.metadata()) {
        std::string_view key = entry.key;
        const auto source = entry.value.asText();
        if (!source || !key.starts_with(kKey)) {
            continue;
        }
        key.remove_prefix(kKey.size());
        if (key.empty()) {
            stored.own = stored.own ? stored.own : source; // the first of a repeated key counts
        } else if (key.front() == '.' && key.size() > 1) {
            stored.named.push_back({ key.substr(1), *source });
        }
    }
    if (!stored.own && !stored.named.empty()) {
        const auto found = stored.find(kDefault);
        stored.own = found ? *found : stored.named.front().source;
    }
    return stored;
}

std::optional<std::string_view> StoredTemplates::find(std::string_view name) const
{
    const auto found = std::ranges::find(named, name, &Named::name);
    if (found != named.end()) {
        return found->source;
    }
    return name == kDefault ? own : std::nullopt;
}

std::optional<std::string_view> StoredTemplates::forTools() const
{
    const auto tools = find(kTools);
    return tools ? tools : own;
}

} // namespace engine::text
