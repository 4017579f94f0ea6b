// Finds a text's id fast: an open-addressing hash table over views that live elsewhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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
        const std::uint64_t hashed = hash(text);
        Slot& slot = m_slots[place(text, hashed)];
        if (slot.id < 0) {
            slot = { static_cast<std::uint32_t>(hashed >> 32), id };
            ++m_used;
        }
        return slot.id;
    }

    [[nodiscard]] std::optional<std::int32_t> find(std::string_view text) const
    {
        if (m_slots.empty() || text.empty()) {
            return std::nullopt;
        }
        const Slot& slot = m_slots[place(text, hash(text))];
        return slot.id < 0 ? std::nullopt : std::optional(slot.id);
    }

    [[nodiscard]] std::size_t size() const { return m_texts.size(); }
    [[nodiscard]] std::string_view text(std::int32_t id) const
    {
        return m_texts[static_cast<std::size_t>(id)];
    }

private:
    struct Slot
    {
        std::uint32_t tag = 0;
        std::int32_t id = -1;
    };

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
    [[nodiscard]] std::size_t place(std::string_view text, std::uint64_t hashed) const
    {
        const std::size_t mask = m_slots.size() - 1;
        const auto tag = static_cast<std::uint32_t>(hashed >> 32);
        std::size_t at = hashed & mask;
        while (m_slots[at].id >= 0
               && (m_slots[at].tag != tag || this->text(m_slots[at].id) != text)) {
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
                m_slots[place(text(slot.id), hash(text(slot.id)))] = slot;
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
