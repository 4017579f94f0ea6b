// Typed, range-checked reading of one architecture's metadata keys.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace engine::model {

/// Names are without the architecture's prefix. Keeps what is wrong, once a key; what can't be read
/// becomes `low` or the fallback, so that reading can go on.
class KeyReader
{
public:
    KeyReader(const gguf::GgufFile& file, const std::string& architecture);

    [[nodiscard]] bool has(const std::string& name) const;
    [[nodiscard]] bool isArray(const std::string& name) const;
    /// Fault: MissingKey.
    std::uint32_t required(const std::string& name, std::uint32_t low, std::uint32_t high);
    std::uint32_t optional(const std::string& name, std::uint32_t fallback, std::uint32_t low,
                           std::uint32_t high);
    /// A scalar, or an array with one item a block (flags count as 0 and 1): `blocks` numbers.
    /// With `blocks` 0 an array of any length gives its own.
    std::vector<std::uint32_t> perBlock(const std::string& name, std::uint32_t blocks,
                                        std::uint32_t fallback, std::uint32_t low,
                                        std::uint32_t high);
    /// As perBlock, for any numbers.
    std::vector<float> numbersPerBlock(const std::string& name, std::uint32_t blocks,
                                       float fallback, float low, float high);
    float number(const std::string& name, float fallback, float low, float high);
    bool flag(const std::string& name, bool fallback);
    /// Empty where absent.
    std::string text(const std::string& name);

    void fail(ErrorCode code, std::vector<std::string> arguments, const std::string& name,
              const gguf::Value* value = nullptr);
    [[nodiscard]] bool sound() const { return m_faults.empty(); }
    [[nodiscard]] std::vector<Error> takeFaults() { return std::move(m_faults); }

private:
    [[nodiscard]] const gguf::Value* find(const std::string& name) const;
    [[nodiscard]] std::string full(const std::string& name) const;
    float number(const std::string& name, const gguf::Value& value, float fallback, float low,
                 float high);
    std::uint32_t integer(const std::string& name, const gguf::Value& value, std::uint32_t low,
                          std::uint32_t high);

    const gguf::GgufFile& m_file;
    std::string m_prefix;
    std::vector<Error> m_faults;
};

} // namespace engine::model
