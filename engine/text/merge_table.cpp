#include "engine/text/merge_table.h"

#include <algorithm>
#include <random>

namespace engine::text {

namespace {

constexpr std::size_t kBatch = 64;

} // namespace

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
    std::vector<Entry> batch;
    batch.reserve(kBatch);
    std::string buffer;
    const auto finish = [&] {
        // Three passes, so that the waits for memory of a whole batch overlap.
        for (Entry& entry : batch) {
            entry.left = intern(entry.text.substr(0, entry.space));
            entry.right = intern(entry.text.substr(entry.space + 1));
            __builtin_prefetch(&m_slots[startOf(keyOf(entry.left, entry.right))]);
        }
        for (const Entry& entry : batch) {
            add(entry, buffer);
        }
        batch.clear();
    };
    auto cursor = merges.elements();
    for (std::uint64_t i = 0; i < count; ++i) {
        const auto element = cursor.next();
        const std::string_view text = element ? element->asText().value_or("") : "";
        // A merge may begin with a space, so the one that parts its halves is never the first byte.
        const std::size_t space = text.find(' ', 1);
        if (space == std::string_view::npos || space + 1 == text.size()) {
            ++useless;
            continue;
        }
        m_vocabulary->expect(text.substr(0, space));
        m_vocabulary->expect(text.substr(space + 1));
        batch.push_back({ text, space, static_cast<std::int32_t>(i), kNoSymbol, kNoSymbol });
        if (batch.size() == kBatch) {
            finish();
        }
    }
    finish();
    return useless;
}

void MergeTable::add(const Entry& entry, std::string& buffer)
{
    const std::uint64_t key = keyOf(entry.left, entry.right);
    Slot& slot = m_slots[place(key)];
    if (slot.key != kFree) {
        return; // a repeated merge keeps its first rank
    }
    buffer.assign(entry.text, 0, entry.space);
    buffer.append(entry.text, entry.space + 1);
    // Merges mostly come in the order of the tokens they make: the next token is tried before a
    // search.
    SymbolId result = m_next;
    if (m_vocabulary->text(m_next) != buffer) {
        result = symbol(buffer);
    }
    if (result == kNoSymbol) {
        result = intern(m_extraTexts.emplace_back(buffer));
    }
    slot = { key, { entry.rank, result } };
    m_next = m_vocabulary->hasRepeats() ? kNoToken : result + 1;
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

std::size_t MergeTable::startOf(std::uint64_t key) const
{
    std::uint64_t mixed = (key ^ m_seed) * 0x9E3779B97F4A7C15u;
    mixed ^= mixed >> 29;
    mixed *= 0xBF58476D1CE4E5B9u;
    mixed ^= mixed >> 32;
    return mixed & (m_slots.size() - 1);
}

std::size_t MergeTable::place(std::uint64_t key) const
{
    const std::size_t mask = m_slots.size() - 1;
    std::size_t at = startOf(key);
    while (m_slots[at].key != kFree && m_slots[at].key != key) {
        at = (at + 1) & mask;
    }
    return at;
}

} // namespace engine::text
