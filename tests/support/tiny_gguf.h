// Builds small GGUF files (version 3, no metadata) in memory, byte by byte, right or wrong as a
// test wants them. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace tests {

/// One tensor of a tiny file; `typeNumber` and `data` may contradict the shape.
struct TinyTensor
{
    std::string name;
    std::uint32_t typeNumber;
    std::vector<std::uint64_t> shape;
    std::vector<std::byte> data;
};

// Grows and copies by hand: GCC 12 warns of overflows that are none when vector::insert is inlined
// here.
inline void appendBytes(std::vector<std::byte>& target, const void* bytes, std::size_t size)
{
    if (size > 0) {
        const std::size_t end = target.size();
        target.resize(end + size);
        std::memcpy(target.data() + end, bytes, size);
    }
}

template <typename Number>
void appendNumber(std::vector<std::byte>& target, Number number)
{
    appendBytes(target, &number, sizeof number);
}

/// The bytes of numbers as they lie in a file.
template <typename Number>
[[nodiscard]] std::vector<std::byte> bytesOf(const std::vector<Number>& numbers)
{
    std::vector<std::byte> bytes(numbers.size() * sizeof(Number));
    std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

/// A whole file: header, directory, padding, data, each tensor on a multiple of 32.
[[nodiscard]] inline std::vector<std::byte> tinyGguf(const std::vector<TinyTensor>& tensors)
{
    constexpr std::size_t kAlignment = 32;
    std::vector<std::byte> bytes;
    const auto pad = [](std::vector<std::byte>& target) {
        target.resize((target.size() + kAlignment - 1) / kAlignment * kAlignment);
    };
    appendBytes(bytes, "GGUF", 4);
    appendNumber<std::uint32_t>(bytes, 3);
    appendNumber<std::uint64_t>(bytes, tensors.size());
    appendNumber<std::uint64_t>(bytes, 0);
    std::vector<std::byte> data;
    for (const auto& tensor : tensors) {
        pad(data);
        appendNumber<std::uint64_t>(bytes, tensor.name.size());
        appendBytes(bytes, tensor.name.data(), tensor.name.size());
        appendNumber(bytes, static_cast<std::uint32_t>(tensor.shape.size()));
        for (const auto dimension : tensor.shape) {
            appendNumber(bytes, dimension);
        }
        appendNumber(bytes, tensor.typeNumber);
        appendNumber<std::uint64_t>(bytes, data.size());
        appendBytes(data, tensor.data.data(), tensor.data.size());
    }
    pad(bytes);
    appendBytes(bytes, data.data(), data.size());
    return bytes;
}

} // namespace tests
