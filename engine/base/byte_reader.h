// The only way to read numbers and strings out of file bytes: bounds-checked, both endians.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace engine {

/// A cursor over bytes. Every read checks the bounds and returns nothing (leaving the cursor) past
/// the end.
class ByteReader
{
public:
    enum class Endian { Little, Big };

    explicit ByteReader(std::span<const std::byte> bytes, Endian endian = Endian::Little);

    [[nodiscard]] std::uint64_t position() const { return m_position; }
    [[nodiscard]] std::uint64_t remaining() const { return m_bytes.size() - m_position; }
    /// False (and no move) when `offset` is past the end.
    [[nodiscard]] bool seek(std::uint64_t offset);
    [[nodiscard]] bool skip(std::uint64_t count);

    /// One arithmetic value (integers, float, double), unaligned.
    template <typename T>
    [[nodiscard]] std::optional<T> read();
    /// `size` bytes as text, not checked for UTF-8; a view into the file.
    [[nodiscard]] std::optional<std::string_view> readText(std::uint64_t size);

private:
    std::span<const std::byte> m_bytes;
    std::uint64_t m_position = 0;
    Endian m_endian;
};

} // namespace engine
