// Splits a sound GGUF file into parts, as llama-gguf-split does: metadata in the first, tensors in
// order. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/gguf/splits.h"

#include <array>
#include <bit>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

namespace split_detail {

template <typename Number>
void put(std::string& out, Number number)
{
    const auto raw = std::bit_cast<std::array<char, sizeof(Number)>>(number);
    out.append(raw.data(), raw.size());
}

inline void putText(std::string& out, std::string_view text)
{
    put<std::uint64_t>(out, text.size());
    out += text;
}

template <typename Number>
void putKey(std::string& out, std::string_view key, engine::gguf::ValueType type, Number value)
{
    putText(out, key);
    put(out, static_cast<std::uint32_t>(type));
    put(out, value);
}

inline void pad(std::string& out, std::size_t alignment)
{
    out.resize((out.size() + alignment - 1) / alignment * alignment);
}

inline std::string_view view(std::span<const std::byte> bytes)
{
    return { reinterpret_cast<const char*>(bytes.data()), bytes.size() };
}

} // namespace split_detail

/// The bytes of the parts, at least one tensor each; little-endian files only.
[[nodiscard]] inline std::vector<std::string> splitParts(const engine::gguf::GgufFile& whole,
                                                         std::size_t count)
{
    using engine::gguf::ValueType;
    namespace d = split_detail;
    const auto tensors = whole.tensors();
    std::vector<std::string> parts;
    for (std::size_t part = 0; part < count; ++part) {
        const std::size_t first = tensors.size() * part / count;
        const std::size_t end = tensors.size() * (part + 1) / count;
        const std::size_t alignment = part == 0 ? whole.header().alignment : 32;
        std::string out = "GGUF";
        d::put<std::uint32_t>(out, 3);
        d::put<std::uint64_t>(out, end - first);
        d::put<std::uint64_t>(out, 3 + (part == 0 ? whole.metadata().size() : 0));
        if (part == 0) {
            for (const auto& entry : whole.metadata()) {
                out += d::view(whole.bytes().subspan(entry.span.offset, entry.span.size));
            }
        }
        d::putKey(out, "split.no", ValueType::U16, static_cast<std::uint16_t>(part));
        d::putKey(out, "split.count", ValueType::U16, static_cast<std::uint16_t>(count));
        d::putKey(out, "split.tensors.count", ValueType::I32,
                  static_cast<std::int32_t>(tensors.size()));
        std::string data;
        for (const auto& tensor : tensors.subspan(first, end - first)) {
            d::pad(data, alignment);
            d::putText(out, tensor.name);
            d::put(out, tensor.dimensions);
            for (std::uint32_t i = 0; i < tensor.dimensions; ++i) {
                d::put(out, tensor.shape.at(i));
            }
            d::put(out, tensor.typeNumber);
            d::put<std::uint64_t>(out, data.size());
            data += d::view(whole.data(tensor));
        }
        d::pad(data, alignment);
        d::pad(out, alignment);
        parts.push_back(out + data);
    }
    return parts;
}

/// "x-00002-of-00003.gguf"; `part` counts from 1.
[[nodiscard]] inline std::string partPath(const std::string& prefix, std::size_t part,
                                          std::size_t count)
{
    using engine::gguf::ShardName;
    return ShardName { prefix, 0, static_cast<std::uint32_t>(count) }.path(
        static_cast<std::uint32_t>(part));
}

/// Writes the parts beside each other. False when the source cannot be read or they not written.
[[nodiscard]] inline bool splitFile(const std::string& source, const std::string& prefix,
                                    std::size_t count)
{
    const auto whole = engine::gguf::GgufFile::open(source);
    if (!whole) {
        return false;
    }
    bool good = true;
    std::size_t part = 0;
    for (const std::string& bytes : splitParts(**whole, count)) {
        std::ofstream out(partPath(prefix, ++part, count), std::ios::binary);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        good = good && out.good();
    }
    return good;
}

} // namespace tests
