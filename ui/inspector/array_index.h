// Random access to the elements of a metadata array, whose texts have lengths of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

/// Immutable; any thread. Holds the file. An eighth of a byte for each element.
class ArrayIndex
{
public:
    using File = std::shared_ptr<const engine::gguf::GgufFile>;

    /// Walks over an array of texts or of arrays once (a few nanoseconds an element); those of
    /// numbers cost nothing. Null where the entry is no array, or when stopped.
    [[nodiscard]] static std::shared_ptr<const ArrayIndex>
    make(const File& file, std::size_t metadata, std::stop_token stop = {});

    [[nodiscard]] std::uint64_t count() const { return m_count; }
    [[nodiscard]] engine::gguf::ValueType elementType() const { return m_elementType; }
    /// Nothing past the end, or where the file was cut short meanwhile.
    [[nodiscard]] std::optional<engine::gguf::Value> at(std::uint64_t index) const;
    /// The element that holds this byte of the file; nothing outside the elements.
    [[nodiscard]] std::optional<std::uint64_t> indexOf(std::uint64_t offset) const;

private:
    ArrayIndex() = default;
    [[nodiscard]] engine::ByteReader reader() const;

    File m_file;
    engine::gguf::ValueType m_elementType = engine::gguf::ValueType::U8;
    std::uint64_t m_count = 0;
    std::uint64_t m_start = 0; ///< of the first element
    std::uint64_t m_end = 0;
    std::vector<std::uint64_t> m_marks; ///< where every 64th element begins
};
