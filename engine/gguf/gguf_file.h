// A GGUF file, opened: header, metadata and tensor directory, every field with its byte span, and
// the problems found. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/mapped_file.h"
#include "engine/base/result.h"
#include "engine/gguf/tensor_type.h"
#include "engine/gguf/value.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine::gguf {

enum class Severity { Error, Warning, Note };

/// Something wrong or odd about a file: the message, its place, and how bad it is.
struct Problem
{
    Severity severity;
    Error error;
};

struct Header
{
    std::uint32_t version = 0;
    std::uint64_t tensorCount = 0; ///< as the file claims
    std::uint64_t metadataCount = 0; ///< as the file claims
    std::uint64_t alignment = 32; ///< general.alignment, or the default
    bool bigEndian = false;
    ByteSpan span; ///< 24 bytes
};

struct MetadataEntry
{
    std::string_view key;
    Value value;
    ByteSpan span; ///< key, type and value
};

struct TensorInfo
{
    std::string_view name;
    std::uint32_t typeNumber = 0; ///< as in the file; may be unknown
    std::uint32_t dimensions = 0; ///< 0 to 4
    std::array<std::uint64_t, 4> shape { 1, 1, 1, 1 }; ///< shape[0] is the row length (fastest)
    std::uint64_t elements = 0;
    std::uint64_t relativeOffset = 0; ///< to the start of the data section, as in the file
    ByteSpan entry; ///< of the directory entry
    ByteSpan data; ///< of the weights, absolute; size 0 when the type is unknown

    /// Nothing for an unknown type number.
    [[nodiscard]] const TensorTypeInfo* typeInfo() const { return tensorTypeInfo(typeNumber); }
    [[nodiscard]] std::uint64_t rows() const { return shape[0] ? elements / shape[0] : 0; }
};

/// A part of the file for maps and tables, in file order and without gaps.
struct Section
{
    enum class Kind { Header, Metadata, Directory, Padding, Data, Gap, Trailing };
    Kind kind;
    std::string_view name; ///< "header", "metadata", "tensor directory", "padding", tensor name,
                           ///< "gap", "past the end"; "unread" (a Gap) for all that follows a
                           ///< defect at which reading had to stop, "between the parts" (a Gap)
    ByteSpan span;
};

class GgufFile;
class SplitFile;

/// One of the files that a model lies in, or one of several that were joined to a file.
struct Part
{
    std::string path;
    ByteSpan span; ///< where it lies in GgufFile::bytes()
    std::uint64_t inFile = 0; ///< where it begins in that file: above 0 only behind another part
    std::uint32_t number = 0; ///< split.no, from 0
    std::shared_ptr<const GgufFile> file; ///< null: the whole of a file that is no set
};

/// How long each stage of opening took, in nanoseconds; of all parts together.
struct LoadTimes
{
    std::uint64_t map = 0; ///< 0 for parsed memory
    std::uint64_t header = 0;
    std::uint64_t metadata = 0;
    std::uint64_t directory = 0;
    std::uint64_t checks = 0; ///< of sizes and places of the tensors

    [[nodiscard]] std::uint64_t total() const
    {
        return map + header + metadata + directory + checks;
    }
};

/// An immutable, parsed view of one file, or of all parts of a split model as of one (joined_file.h
/// makes those: the bytes of the parts follow each other, all offsets count from the first one's
/// beginning, the metadata are the first one's). Opening costs time by metadata and tensor counts
/// only; arrays stay unread spans. Thread-safe after opening. Everything returned is valid as long
/// as the object lives.
class GgufFile
{
public:
    /// Fails when there is nothing to show (missing, empty, no GGUF header). A file that is broken
    /// further in opens with all that lies before the defect and an Error problem that names its
    /// offset.
    [[nodiscard]] static Result<std::shared_ptr<const GgufFile>> open(const std::string& path);
    /// The same on bytes in memory (tests, fuzzing); `name` stands for the path in messages. Bytes
    /// must outlive it.
    [[nodiscard]] static Result<std::shared_ptr<const GgufFile>>
    parse(std::span<const std::byte> bytes, std::string name);

    /// Of a set: that of the part with the metadata.
    [[nodiscard]] const std::string& path() const { return m_path; }
    [[nodiscard]] const Header& header() const { return m_header; }
    [[nodiscard]] std::span<const MetadataEntry> metadata() const { return m_metadata; }
    [[nodiscard]] std::span<const TensorInfo> tensors() const { return m_tensors; }
    [[nodiscard]] std::span<const Problem> problems() const { return m_problems; }
    /// Container and metadata are sound: no problem of severity Error.
    [[nodiscard]] bool loads() const;
    /// The first Error problem, for a caller that needs a sound file.
    [[nodiscard]] Result<void> requireSound() const;

    /// By exact key or name; null when absent. O(1).
    [[nodiscard]] const Value* find(std::string_view key) const;
    [[nodiscard]] const TensorInfo* findTensor(std::string_view name) const;

    [[nodiscard]] std::span<const std::byte> bytes() const { return m_bytes; }
    /// The weights of a tensor, as they lie in the map; empty when out of bounds.
    [[nodiscard]] std::span<const std::byte> data(const TensorInfo& tensor) const;
    /// Start of the data section (after padding). Tensors lie at multiples of header().alignment
    /// from here; where that is below 8, weights may not be aligned for their type.
    [[nodiscard]] std::uint64_t dataOffset() const { return m_dataOffset; }
    [[nodiscard]] std::vector<Section> sections() const;

    /// In the order of their bytes; one, the whole, where the file is no set.
    [[nodiscard]] std::span<const Part> parts() const { return m_parts; }
    /// Null where the file is no set.
    [[nodiscard]] const std::shared_ptr<const SplitFile>& set() const { return m_set; }
    /// Offsets in bytes() and in the files are not the same.
    [[nodiscard]] bool hasSeveralFiles() const;
    /// The part with that byte; null between two of them and past the end.
    [[nodiscard]] const Part* partAt(std::uint64_t offset) const;
    /// A byte as people find it: in the file that holds it, counted from that file's beginning.
    [[nodiscard]] Where placeOf(std::uint64_t offset, std::string_view subject = {}) const;
    /// The other way; nothing for a place without an offset, in another file or outside of a part.
    [[nodiscard]] std::optional<std::uint64_t> offsetOf(const Where& place) const;
    /// Of the part that the tensor lies in.
    [[nodiscard]] const Header& headerOf(const TensorInfo& tensor) const;

    /// See MappedFile::changed; always false for parsed memory.
    [[nodiscard]] bool changed() const;
    [[nodiscard]] const LoadTimes& loadTimes() const { return m_times; }
    /// Null for parsed memory.
    [[nodiscard]] const MappedFile* map() const { return m_map.get(); }

private:
    GgufFile() = default;
    friend class Parser;
    friend class PartJoiner;
    [[nodiscard]] std::vector<Section> sectionsOfParts() const;

    std::string m_path;
    std::shared_ptr<const MappedFile> m_map;
    std::span<const std::byte> m_bytes;
    Header m_header;
    std::vector<MetadataEntry> m_metadata;
    std::vector<TensorInfo> m_tensors;
    std::vector<Problem> m_problems;
    std::uint64_t m_metadataEnd = 0;
    std::uint64_t m_directoryEnd = 0;
    std::uint64_t m_dataOffset = 0;
    std::vector<Part> m_parts;
    std::shared_ptr<const SplitFile> m_set;
    LoadTimes m_times;
    bool m_complete = false; // the directory was read to its end
    struct Index;
    std::shared_ptr<const Index> m_index;
};

} // namespace engine::gguf
