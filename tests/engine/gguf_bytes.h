// Builds GGUF bytes field by field, right or wrong, for the container tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/tensor_type.h"
#include "engine/gguf/value.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace tests {

/// Writes what it is told, in order; nothing is checked or counted.
class GgufBytes
{
public:
    explicit GgufBytes(bool bigEndian = false)
        : m_bigEndian(bigEndian)
    {
    }

    template <typename T>
    GgufBytes& number(T value)
    {
        auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
        if (m_bigEndian) {
            std::ranges::reverse(raw);
        }
        m_bytes.append(raw.data(), raw.size());
        return *this;
    }

    GgufBytes& header(std::uint64_t tensors, std::uint64_t metadata, std::uint32_t version = 3)
    {
        m_bytes += "GGUF";
        return number(version).number(tensors).number(metadata);
    }

    GgufBytes& text(std::string_view value)
    {
        number<std::uint64_t>(value.size());
        m_bytes += value;
        return *this;
    }

    GgufBytes& key(std::string_view name, engine::gguf::ValueType type)
    {
        return text(name).number(static_cast<std::uint32_t>(type));
    }

    GgufBytes& arrayHeader(engine::gguf::ValueType type, std::uint64_t count)
    {
        return number(static_cast<std::uint32_t>(type)).number(count);
    }

    GgufBytes& tensor(std::string_view name, std::initializer_list<std::uint64_t> shape,
                      std::uint32_t type, std::uint64_t offset)
    {
        text(name).number(static_cast<std::uint32_t>(shape.size()));
        for (const std::uint64_t length : shape) {
            number(length);
        }
        return number(type).number(offset);
    }

    GgufBytes& pad(std::uint64_t alignment = 32)
    {
        m_bytes.resize((m_bytes.size() + alignment - 1) / alignment * alignment);
        return *this;
    }

    GgufBytes& fill(std::size_t count, char byte = 'w')
    {
        m_bytes.append(count, byte);
        return *this;
    }

    [[nodiscard]] std::size_t size() const { return m_bytes.size(); }
    [[nodiscard]] const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
    bool m_bigEndian;
};

} // namespace tests
