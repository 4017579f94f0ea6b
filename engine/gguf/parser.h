// Reads a GGUF file from its bytes into a GgufFile; every defect becomes a Problem with its place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/byte_reader.h"
#include "engine/gguf/gguf_file.h"
#include "engine/gguf/value_walk.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace engine::gguf {

/// Where each key and each tensor name stands in its list.
struct GgufFile::Index
{
    std::unordered_map<std::string_view, std::uint32_t> keys;
    std::unordered_map<std::string_view, std::uint32_t> tensors;
};

// Far above any model, and low enough that a hostile file cannot fill the memory with entries.
constexpr std::uint64_t kMaxMetadata = 1U << 16U;
constexpr std::uint64_t kMaxTensors = 1U << 17U;

/// Tells how long the stages of opening take, one after the other.
class StageClock
{
public:
    /// Nanoseconds since the last call, or since it was made.
    std::uint64_t lap()
    {
        const auto now = std::chrono::steady_clock::now();
        const auto passed = std::chrono::duration_cast<std::chrono::nanoseconds>(now - m_last);
        m_last = now;
        return static_cast<std::uint64_t>(passed.count());
    }

private:
    std::chrono::steady_clock::time_point m_last = std::chrono::steady_clock::now();
};

/// One pass over one file: header, metadata, directory, then the checks that need the whole
/// directory.
class Parser
{
public:
    /// Fails only when the header itself is unusable. Memory grows with what was read, never with
    /// what is claimed.
    [[nodiscard]] static Result<std::shared_ptr<GgufFile>>
    run(std::span<const std::byte> bytes, std::string name, std::shared_ptr<const MappedFile> map);

private:
    explicit Parser(std::shared_ptr<GgufFile> file);

    // parser.cpp. A bool result is false where reading has to stop, here and below.
    [[nodiscard]] Result<bool> readHeader();
    void checkCounts();

    // metadata.cpp
    [[nodiscard]] bool readMetadata();
    [[nodiscard]] bool readEntry(std::uint64_t index);
    void addEntry(std::uint64_t index, const MetadataEntry& entry);
    void reportWalk(const ValueWalk& walk, std::uint64_t index, std::string_view key);

    // known_keys.cpp
    void readAlignment();
    void checkSplit();

    // directory.cpp
    [[nodiscard]] bool readDirectory();
    [[nodiscard]] bool readTensor(std::uint64_t index);
    [[nodiscard]] bool readShape(TensorInfo& tensor, std::uint64_t index);
    [[nodiscard]] bool endsInDirectory(std::uint64_t index, std::string_view name);
    void addTensor(const TensorInfo& tensor, std::uint64_t index);
    [[nodiscard]] bool nextIsMetadata();

    // layout_check.cpp: sizes and places of the data
    void placeTensors();
    void placeTensor(TensorInfo& tensor);
    [[nodiscard]] std::optional<std::uint64_t> elementsOf(const TensorInfo& tensor);
    [[nodiscard]] std::optional<std::uint64_t> sizeOf(const TensorInfo& tensor);
    void checkOrder();
    void checkNeighbours(std::span<const TensorInfo* const> byOffset);
    void checkEnd(std::span<const TensorInfo* const> byOffset);
    void checkTrailing(std::uint64_t end);

    void report(Severity severity, ErrorCode code, std::vector<std::string> arguments,
                std::uint64_t offset, std::string_view subject = {});
    void closeProblems();

    std::shared_ptr<GgufFile> m_file;
    std::shared_ptr<GgufFile::Index> m_index;
    ByteReader m_reader;
    bool m_metadataCountPossible = true;
    bool m_tensorCountPossible = true;
    bool m_alignmentKnown = true;
    std::size_t m_errors = 0;
    std::size_t m_mild = 0; // warnings and notes
    std::size_t m_omitted = 0;
};

/// The product of the lengths; nothing where it is no positive 64-bit number.
[[nodiscard]] std::optional<std::uint64_t> elementCount(const TensorInfo& tensor);

/// The next multiple of `alignment`; nothing where that is no 64-bit number.
[[nodiscard]] std::optional<std::uint64_t> alignedUp(std::uint64_t offset, std::uint64_t alignment);

} // namespace engine::gguf
