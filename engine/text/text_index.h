// Finds a text's id fast: an open-addressing hash table over views that live elsewhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

namespace engine::text {

/// Dense ids (0, 1, …) by text. The texts must outlive the index. Filled once, then read from any
/// thread.
///
/// The hash is seeded, so that a hostile vocabulary cannot be written to collide.
class TextIndex
{
public:
    TextIndex()
        : m_seed(std::random_device {}() | 1u)
    {
    }

    /// Room for `count` texts; call once, before the first add.
    void reserve(std::size_t count)
    {
        std::size_t slots = 16;
        while (slots < count * 2) {
            slots *= 2;
        }
        m_slots.assign(slots, Slot {});
        m_texts.reserve(count);
    }

    /// Appends the next id. Where the text is there already (or empty), the id exists but `find`
    /// gives the first; returns the id that `find` will give.
    std::int32_t add(std::string_view text)
    {
        const auto id = static_cast<std::int32_t>(m_texts.size());
        m_texts.push_back(text);
        if (text.empty()) {
            return id;
        }
        if (m_used * 2 >= m_slots.size()) {
            grow();
        }
        const Wanted want = wanted(text, id);
        Slot& slot = m_slots[place(text, want)];
        if (slot.id < 0) {
            slot = want.slot;
            ++m_used;
        }
        return slot.id;
    }

    [[nodiscard]] std::optional<std::int32_t> find(std::string_view text) const
    {
        if (m_slots.empty() || text.empty()) {
            return std::nullopt;
        }
        const Slot& slot = m_slots[place(text, wanted(text))];
        return slot.id < 0 ? std::nullopt : std::optional(slot.id);
    }

    /// Hints that `text` will soon be added or searched: a batch of hints hides the waits for
    /// memory.
    void expect(std::string_view text) const
    {
        if (!m_slots.empty()) {
            __builtin_prefetch(
                &m_slots[static_cast<std::size_t>(hash(text)) & (m_slots.size() - 1)]);
        }
    }

    [[nodiscard]] std::size_t size() const { return m_texts.size(); }
    [[nodiscard]] std::string_view text(std::int32_t id) const
    {
        return m_texts[static_cast<std::size_t>(id)];
    }

private:
    /// Holds enough to tell short texts apart, so that most searches touch one cache line.
    struct Slot
    {
        std::uint64_t head = 0; ///< the first 8 bytes, zeros behind a shorter text
        std::uint32_t tag = 0; ///< 24 bits of the hash, 8 bits of the length
        std::int32_t id = -1;
    };

    /// A slot as `text` would fill it, and where its search begins.
    struct Wanted
    {
        Slot slot;
        std::size_t start;
    };

    [[nodiscard]] static std::uint64_t headOf(std::string_view text)
    {
        std::uint64_t head = 0;
        std::memcpy(&head, text.data(), std::min(text.size(), sizeof head));
        return head;
    }

    [[nodiscard]] Wanted wanted(std::string_view text, std::int32_t id = -1) const
    {
        const std::uint64_t hashed = hash(text);
        const auto length = static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), 255));
        const auto tag = static_cast<std::uint32_t>(hashed >> 40) << 8 | length;
        return { { headOf(text), tag, id }, static_cast<std::size_t>(hashed) };
    }

    [[nodiscard]] std::uint64_t hash(std::string_view text) const
    {
        constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15u;
        std::uint64_t state = m_seed * kMix ^ text.size();
        const auto stir = [&state](std::uint64_t word) {
            const auto product = static_cast<Wide>(state ^ word) * kMix;
            state = static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
        };
        while (text.size() >= 8) {
            std::uint64_t word;
            std::memcpy(&word, text.data(), 8);
            stir(word);
            text.remove_prefix(8);
        }
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), text.size());
        stir(word);
        stir(m_seed);
        return state;
    }

    /// The slot of `text`, or the free one where it belongs.
    [[nodiscard]] std::size_t place(std::string_view text, const Wanted& want) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::size_t at = want.start & mask;
        while (m_slots[at].id >= 0) {
            const Slot& slot = m_slots[at];
            if (slot.head == want.slot.head && slot.tag == want.slot.tag
                && (text.size() <= sizeof slot.head || this->text(slot.id) == text)) {
                break;
            }
            at = (at + 1) & mask;
        }
        return at;
    }

    void grow()
    {
        std::vector<Slot> old(m_slots.empty() ? 16 : m_slots.size() * 2);
        old.swap(m_slots);
        for (const Slot& slot : old) {
            if (slot.id >= 0) {
                m_slots[place(text(slot.id), wanted(text(slot.id)))] = slot;
            }
        }
    }

    __extension__ using Wide = unsigned __int128;

    std::uint64_t m_seed;
    std::size_t m_used = 0;
    std::vector<Slot> m_slots;
    std::vector<std::string_view> m_texts;
};

} // namespace engine::text
