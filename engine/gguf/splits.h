// A model as one thing, whether it lies in one file, in several, or in several joined to one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine::gguf {

/// One part of a model.
struct Shard
{
    std::string path;
    std::uint64_t base = 0; ///< where it begins in that file: above 0 only behind another part
    std::uint32_t number = 0; ///< split.no, from 0
    std::shared_ptr<const GgufFile> file; ///< null: missing, unreadable or no part of this model
};

/// A tensor of the whole model. Its offsets count from the base of its shard.
struct SetTensor
{
    const TensorInfo* info = nullptr;
    std::uint32_t shard = 0; ///< index into shards()
};

/// "model-00002-of-00003.gguf" taken apart; part counts from 1.
struct ShardName
{
    std::string prefix; ///< all before "-00002-of-00003.gguf", folder included
    std::uint32_t part = 0;
    std::uint32_t count = 0;

    [[nodiscard]] static std::optional<ShardName> of(const std::string& path);
    /// The path of another part (from 1).
    [[nodiscard]] std::string path(std::uint32_t other) const;
};

/// All parts of the model that a file belongs to, opened; a file of its own is a set of one.
/// Immutable and thread-safe, as the files are, which are valid as long as the set lives.
class SplitFile
{
public:
    /// Opens the file and, where it is a part, its siblings in the same folder. Fails as
    /// GgufFile::open does for the file itself; a missing or broken sibling is a problem.
    [[nodiscard]] static Result<std::shared_ptr<const SplitFile>> open(const std::string& path);
    /// The same for a file that is open already; the set that it was joined from, where it was.
    [[nodiscard]] static std::shared_ptr<const SplitFile> of(std::shared_ptr<const GgufFile> file);

    /// The one that was asked for.
    [[nodiscard]] const std::shared_ptr<const GgufFile>& opened() const { return m_opened; }
    /// In the order of split.no; missing ones have their place.
    [[nodiscard]] std::span<const Shard> shards() const { return m_shards; }
    [[nodiscard]] bool isSplit() const { return m_shards.size() > 1; }
    /// Every part is there.
    [[nodiscard]] bool isComplete() const;
    /// Of all parts, in the order of the parts and of their directories.
    [[nodiscard]] std::span<const SetTensor> tensors() const { return m_tensors; }
    /// Where its data begin in the file of its shard; the largest number where that is none.
    [[nodiscard]] std::uint64_t offsetInFile(const SetTensor& tensor) const;
    /// Some part lies in another file than the one that was asked for.
    [[nodiscard]] bool hasSeveralFiles() const;
    /// The first of that name; null when absent.
    [[nodiscard]] const SetTensor* findTensor(std::string_view name) const;
    /// Of every part, and of the set; offsets count from the beginning of Where::file.
    [[nodiscard]] std::span<const Problem> problems() const { return m_problems; }

private:
    SplitFile() = default;
    void gather();
    void openSiblings(std::uint32_t count);
    void openSibling(const ShardName& name, std::uint32_t part, std::uint32_t count);
    void addMissing(Shard shard, std::uint32_t count, const Error& error);
    void openJoined();
    void listTensors();
    void checkTensorCount();
    void report(Severity severity, ErrorCode code, std::vector<std::string> arguments, Where where);
    void add(Problem problem);
    void takeProblems(const Shard& shard);

    std::shared_ptr<const GgufFile> m_opened;
    std::vector<Shard> m_shards;
    std::vector<SetTensor> m_tensors;
    std::vector<Problem> m_problems;
    std::size_t m_omitted = 0;
    std::unordered_map<std::string_view, std::uint32_t> m_index;
};

} // namespace engine::gguf
