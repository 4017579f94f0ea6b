#include "engine/text/merge_table.h"

#include <algorithm>

namespace engine::text {

MergeTable::MergeTable(const Vocabulary& vocabulary)
    : m_vocabulary(&vocabulary)
{
}

std::uint64_t MergeTable::read(const gguf::Value& merges)
{
    // Each element takes 8 bytes at least, whatever the count claims.
    const auto count = std::min<std::uint64_t>(merges.count(), merges.elementBytes().size() / 8);
    std::size_t slots = 16;
    while (slots < count * 2) {
        slots *= 2;
    }
    m_slots.assign(slots, Slot {});
    m_extra.reserve(0);
    std::uint64_t useless = 0;
    std::int32_t rank = 0;
    std::string joined;
    auto cursor = merges.elements();
    for (std::uint64_t i = 0; i < count; ++i, ++rank) {
        const auto element = cursor.next();
        const std::string_view text = element ? element->asText().value_or("") : "";
        // The space that parts left from right is never the first character: a merge may begin with
        // one.
        const std::size_t space = text.find(' ', 1);
        if (space == std::string_view::npos || space + 1 == text.size()) {
            ++useless;
            continue;
        }
        const SymbolId left = intern(text.substr(0, space));
        const SymbolId right = intern(text.substr(space + 1));
        const std::uint64_t key = keyOf(left, right);
        Slot& slot = m_slots[place(key)];
        if (slot.key != kFree) {
            continue; // a repeated merge keeps its first rank
        }
        joined.assign(text, 0, space);
        joined.append(text, space + 1);
        SymbolId result = symbol(joined);
        if (result == kNoSymbol) {
            result = intern(m_extraTexts.emplace_back(joined));
        }
        slot = { key, { rank, result } };
    }
    return useless;
}

MergeTable::Merge MergeTable::find(SymbolId left, SymbolId right) const
{
    if (left == kNoSymbol || right == kNoSymbol || m_slots.empty()) {
        return {};
    }
    const Slot& slot = m_slots[place(keyOf(left, right))];
    return slot.key == kFree ? Merge {} : slot.merge;
}

SymbolId MergeTable::symbol(std::string_view text) const
{
    if (const auto token = m_vocabulary->find(text)) {
        return *token;
    }
    const auto extra = m_extra.find(text);
    return extra ? m_vocabulary->size() + *extra : kNoSymbol;
}

SymbolId MergeTable::intern(std::string_view text)
{
    const SymbolId known = symbol(text);
    return known != kNoSymbol ? known : m_vocabulary->size() + m_extra.add(text);
}

std::uint64_t MergeTable::keyOf(SymbolId left, SymbolId right)
{
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(left)) << 32
        | static_cast<std::uint32_t>(right);
}

std::size_t MergeTable::place(std::uint64_t key) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::uint64_t mixed = key * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 29;
    mixed *= 0xBF58476D1CE4E5B9u;
    mixed ^= mixed >> 32;
    std::size_t at = mixed & mask;
    while (m_slots[at].key != kFree && m_slots[at].key != key) {
        at = (at + 1) & mask;
    }
    return at;
}

} // namespace engine::text
