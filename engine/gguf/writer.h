// Writes GGUF version 3 files: metadata first, then tensor data streamed tensor by tensor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/tensor_type.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::gguf {

/// Order of calls: add*, declareTensor*, begin, writeData (once a tensor, in declared order, in
/// pieces), finish. Writes to `path + ".part"` and renames at the end, so that a full disk or a
/// cancel never leaves half a file under the final name; the destructor removes an unfinished part.
class Writer
{
public:
    explicit Writer(std::string path, std::uint32_t alignment = 32);
    ~Writer();
    Writer(const Writer&) = delete;
    Writer& operator=(const Writer&) = delete;

    void addText(std::string_view key, std::string_view value);
    void addU32(std::string_view key, std::uint32_t value);
    void addI32(std::string_view key, std::int32_t value);
    void addU64(std::string_view key, std::uint64_t value);
    void addF32(std::string_view key, float value);
    void addBool(std::string_view key, bool value);
    void addTextArray(std::string_view key, std::span<const std::string> values);
    void addI32Array(std::string_view key, std::span<const std::int32_t> values);
    void addF32Array(std::string_view key, std::span<const float> values);

    /// shape[0] is the row length; must be whole blocks.
    void declareTensor(std::string_view name, TensorType type, std::vector<std::uint64_t> shape);

    [[nodiscard]] Result<void> begin();
    /// Appends to the current tensor; moves on (with padding) when it is full.
    [[nodiscard]] Result<void> writeData(std::span<const std::byte> bytes);
    /// Bytes of the finished file.
    [[nodiscard]] Result<std::uint64_t> finish();

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::gguf
