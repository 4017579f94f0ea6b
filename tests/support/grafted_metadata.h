// Copies of a GGUF file with a metadata entry more.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "tests/support/tiny_gguf.h"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// One entry as it lies in a file: key, type, value.
class MetadataGraft
{
public:
    MetadataGraft& text(std::string_view key, std::string_view value)
    {
        begin(key, 8);
        put(value);
        return *this;
    }
    MetadataGraft& real(std::string_view key, float value)
    {
        begin(key, 6);
        appendNumber(m_bytes, value);
        return *this;
    }
    MetadataGraft& integer(std::string_view key, std::int32_t value)
    {
        begin(key, 5);
        appendNumber(m_bytes, value);
        return *this;
    }

    MetadataGraft& texts(std::string_view key, const std::vector<std::string>& values)
    {
        begin(key, 9);
        appendNumber<std::uint32_t>(m_bytes, 8);
        appendNumber<std::uint64_t>(m_bytes, values.size());
        for (const std::string& value : values) {
            put(value);
        }
        return *this;
    }

    /// Writes `from` with these entries behind its own; tensors stay where they are relative to
    /// each other. False when a file can't be read or written.
    [[nodiscard]] bool write(const std::string& from, const std::string& to) const
    {
        const auto file = engine::gguf::GgufFile::open(from);
        if (!file || (*file)->metadata().empty()) {
            return false;
        }
        const auto all = (*file)->bytes();
        const auto metadataEnd = (*file)->metadata().back().span.end();
        const auto directoryEnd =
            (*file)->tensors().empty() ? metadataEnd : (*file)->tensors().back().entry.end();
        std::vector<std::byte> out;
        appendBytes(out, all.data(), metadataEnd);
        const std::uint64_t count = (*file)->header().metadataCount + m_count;
        std::memcpy(out.data() + kCountOffset, &count, sizeof count);
        appendBytes(out, m_bytes.data(), m_bytes.size());
        appendBytes(out, all.data() + metadataEnd, directoryEnd - metadataEnd);
        const std::size_t alignment = (*file)->header().alignment;
        out.resize((out.size() + alignment - 1) / alignment * alignment);
        appendBytes(out, all.data() + (*file)->dataOffset(), all.size() - (*file)->dataOffset());
        std::ofstream target(to, std::ios::binary);
        target.write(reinterpret_cast<const char*>(out.data()),
                     static_cast<std::streamsize>(out.size()));
        return target.good();
    }

private:
    static constexpr std::size_t kCountOffset = 16;

    void begin(std::string_view key, std::uint32_t type)
    {
        put(key);
        appendNumber(m_bytes, type);
        ++m_count;
    }
    void put(std::string_view text)
    {
        appendNumber<std::uint64_t>(m_bytes, text.size());
        appendBytes(m_bytes, text.data(), text.size());
    }

    std::vector<std::byte> m_bytes;
    std::uint64_t m_count = 0;
};

} // namespace tests
