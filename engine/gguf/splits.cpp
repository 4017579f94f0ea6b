#include "engine/gguf/splits.h"

#include "engine/gguf/printable.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace engine::gguf {

namespace {

constexpr std::uint32_t kMaxShards = 9999; // far above any model; bounds what a count can cost
constexpr std::size_t kMaxListedMissing = 50;
constexpr std::size_t kMaxListedProblems = 2000; // twice what a single file lists
constexpr std::string_view kCountKey = "split.count";
constexpr std::string_view kNumberKey = "split.no";
constexpr std::string_view kTensorsKey = "split.tensors.count";

std::uint64_t unsignedOf(const GgufFile& file, std::string_view key, std::uint64_t fallback)
{
    const Value* value = file.find(key);
    return value ? value->asUnsigned().value_or(fallback) : fallback;
}

/// As the names of parts have it: "00002".
std::string fiveDigits(std::uint32_t number)
{
    std::string digits = std::to_string(number);
    return digits.size() < 5 ? std::string(5 - digits.size(), '0') + digits : digits;
}

std::string fileName(const std::string& path)
{
    return path.substr(path.find_last_of('/') + 1);
}

std::optional<std::uint64_t> offsetOf(const GgufFile& file, std::string_view key)
{
    const Value* value = file.find(key);
    return value ? std::optional(value->span().offset) : std::nullopt;
}

/// An offset counted from the beginning of a part, in its file. Hostile ones may lie anywhere.
std::uint64_t placed(std::uint64_t offset, std::uint64_t base)
{
    std::uint64_t out = 0;
    return __builtin_add_overflow(offset, base, &out) ? std::numeric_limits<std::uint64_t>::max()
                                                      : out;
}

/// Where another file was joined to the end of this one; counted from its beginning.
std::optional<std::uint64_t> joint(const GgufFile& file)
{
    for (const Problem& problem : file.problems()) {
        if (problem.error.code == ErrorCode::GgufJoined) {
            return problem.error.where.offset;
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<ShardName> ShardName::of(const std::string& path)
{
    // -00001-of-00003.gguf, counted from the end: prefixes hold whatever they like
    constexpr std::string_view kEnding = ".gguf";
    constexpr std::string_view kMiddle = "-of-";
    constexpr std::size_t kDigits = 5;
    constexpr std::size_t kTail = 1 + kDigits + kMiddle.size() + kDigits + kEnding.size();
    if (path.size() < kTail || !path.ends_with(kEnding)) {
        return std::nullopt;
    }
    const std::string_view tail = std::string_view(path).substr(path.size() - kTail);
    const auto number = [&](std::size_t at) -> std::uint32_t {
        std::uint32_t value = 0;
        const auto [end, error] =
            std::from_chars(tail.data() + at, tail.data() + at + kDigits, value);
        return error == std::errc() && end == tail.data() + at + kDigits ? value : 0;
    };
    ShardName name { path.substr(0, path.size() - kTail), number(1),
                     number(1 + kDigits + kMiddle.size()) };
    if (tail[0] != '-' || tail.substr(1 + kDigits, kMiddle.size()) != kMiddle || name.part == 0
        || name.part > name.count) {
        return std::nullopt;
    }
    return name;
}

std::string ShardName::path(std::uint32_t other) const
{
    return prefix + '-' + fiveDigits(other) + "-of-" + fiveDigits(count) + ".gguf";
}

Result<std::shared_ptr<const SplitFile>> SplitFile::open(const std::string& path)
{
    auto file = GgufFile::open(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    return of(std::move(*file));
}

std::shared_ptr<const SplitFile> SplitFile::of(std::shared_ptr<const GgufFile> file)
{
    if (file->set()) {
        return file->set();
    }
    std::shared_ptr<SplitFile> set(new SplitFile);
    set->m_opened = std::move(file);
    set->gather();
    return set;
}

bool SplitFile::isComplete() const
{
    return std::ranges::all_of(m_shards, [](const Shard& shard) { return shard.file != nullptr; });
}

std::uint64_t SplitFile::offsetInFile(const SetTensor& tensor) const
{
    return placed(tensor.info->data.offset, m_shards[tensor.shard].base);
}

bool SplitFile::hasSeveralFiles() const
{
    return std::ranges::any_of(m_shards,
                               [&](const Shard& shard) { return shard.path != m_opened->path(); });
}

const SetTensor* SplitFile::findTensor(std::string_view name) const
{
    const auto found = m_index.find(name);
    return found == m_index.end() ? nullptr : &m_tensors[found->second];
}

void SplitFile::gather()
{
    const std::uint64_t count = unsignedOf(*m_opened, kCountKey, 1);
    const std::uint64_t number = unsignedOf(*m_opened, kNumberKey, 0);
    const bool isPart = count > 1 && count <= kMaxShards && number < count;
    m_shards.push_back(
        { m_opened->path(), 0, isPart ? static_cast<std::uint32_t>(number) : 0, m_opened });
    if (joint(*m_opened)) {
        openJoined();
    } else if (isPart) {
        openSiblings(static_cast<std::uint32_t>(count));
    }
    std::ranges::stable_sort(m_shards, {}, &Shard::number);
    for (const Shard& shard : m_shards) {
        takeProblems(shard);
    }
    listTensors();
    checkTensorCount();
    if (m_omitted > 0) {
        m_problems.push_back({ Severity::Note,
                               { ErrorCode::GgufProblemsOmitted,
                                 { std::to_string(m_omitted) },
                                 { .file = m_opened->path() } } });
    }
}

void SplitFile::openSiblings(std::uint32_t count)
{
    const std::string& path = m_opened->path();
    const std::uint32_t part = m_shards[0].number + 1;
    const auto name = ShardName::of(path);
    if (!name || name->count != count) {
        report(Severity::Error, ErrorCode::GgufShardName,
               { std::to_string(part), fiveDigits(part), fiveDigits(count) },
               { path, offsetOf(*m_opened, kCountKey), std::string(kCountKey) });
        return;
    }
    for (std::uint32_t other = 1; other <= count; ++other) {
        if (other != name->part) {
            openSibling(*name, other, count);
        }
    }
    if (name->part != part) {
        report(Severity::Warning, ErrorCode::GgufShardNumber,
               { std::to_string(name->part), std::to_string(name->count), std::to_string(part),
                 std::to_string(count) },
               { path, offsetOf(*m_opened, kNumberKey), std::string(kNumberKey) });
    }
}

/// Takes the file of that name for the part that it says it is.
void SplitFile::openSibling(const ShardName& name, std::uint32_t part, std::uint32_t count)
{
    Shard shard { name.path(part), 0, part - 1, nullptr };
    auto file = GgufFile::open(shard.path);
    if (!file) {
        addMissing(std::move(shard), count, file.error());
        return;
    }
    const std::uint64_t storedCount = unsignedOf(**file, kCountKey, 1);
    const std::uint64_t storedNumber = unsignedOf(**file, kNumberKey, count);
    const bool isTaken = std::ranges::any_of(
        m_shards, [&](const Shard& s) { return s.file && s.number == storedNumber; });
    if (storedCount != count || storedNumber >= count || isTaken) {
        std::string reason = storedCount < 2 || storedNumber >= storedCount
            ? "it is no part of a split model"
            : "it says part " + std::to_string(storedNumber + 1) + " of "
                + std::to_string(storedCount);
        report(Severity::Error, ErrorCode::GgufShardForeign,
               { std::to_string(part), std::to_string(count), std::move(reason) },
               { shard.path, offsetOf(**file, kNumberKey), std::string(kNumberKey) });
        m_shards.push_back(std::move(shard));
        return;
    }
    if (storedNumber != shard.number) {
        report(Severity::Warning, ErrorCode::GgufShardNumber,
               { std::to_string(part), std::to_string(count), std::to_string(storedNumber + 1),
                 std::to_string(count) },
               { shard.path, offsetOf(**file, kNumberKey), std::string(kNumberKey) });
        shard.number = static_cast<std::uint32_t>(storedNumber);
    }
    shard.file = std::move(*file);
    m_shards.push_back(std::move(shard));
}

void SplitFile::addMissing(Shard shard, std::uint32_t count, const Error& error)
{
    const auto missing = static_cast<std::size_t>(
        std::ranges::count_if(m_shards, [](const Shard& s) { return s.file == nullptr; }));
    if (missing >= kMaxListedMissing) {
        ++m_omitted;
    } else if (error.code == ErrorCode::FileNotFound) {
        report(Severity::Error, ErrorCode::GgufShardMissing,
               { std::to_string(shard.number + 1), std::to_string(count),
                 printable(fileName(shard.path)) },
               { m_opened->path(), offsetOf(*m_opened, kCountKey), std::string(kCountKey) });
    } else {
        add({ Severity::Error, error });
    }
    m_shards.push_back(std::move(shard));
}

/// Parts that lie one behind the other in the file.
void SplitFile::openJoined()
{
    while (const auto next = joint(*m_shards.back().file)) {
        const std::uint64_t base = m_shards.back().base + *next;
        auto file = GgufFile::parse(m_opened->bytes().subspan(base), m_opened->path());
        if (!file || m_shards.size() >= kMaxShards) {
            return; // the joint itself has been reported
        }
        m_shards.push_back({ m_opened->path(), base,
                             static_cast<std::uint32_t>(std::min<std::uint64_t>(
                                 unsignedOf(**file, kNumberKey, m_shards.size()), kMaxShards)),
                             std::move(*file) });
    }
}

void SplitFile::listTensors()
{
    for (std::uint32_t i = 0; i < m_shards.size(); ++i) {
        if (!m_shards[i].file) {
            continue;
        }
        for (const TensorInfo& tensor : m_shards[i].file->tensors()) {
            const auto [found, isNew] =
                m_index.emplace(tensor.name, static_cast<std::uint32_t>(m_tensors.size()));
            // within one file the parser has said it
            if (!isNew && m_tensors[found->second].shard != i) {
                report(Severity::Error, ErrorCode::GgufTensorDuplicate, {},
                       { m_shards[i].path, m_shards[i].base + tensor.entry.offset,
                         printable(tensor.name) });
            }
            m_tensors.push_back({ &tensor, i });
        }
    }
}

void SplitFile::checkTensorCount()
{
    const GgufFile& first = m_shards[0].file ? *m_shards[0].file : *m_opened;
    const std::uint64_t claimed = unsignedOf(first, kTensorsKey, m_tensors.size());
    if (isSplit() && isComplete() && claimed != m_tensors.size()) {
        report(Severity::Error, ErrorCode::GgufShardTensors,
               { std::to_string(m_tensors.size()), std::to_string(claimed) },
               { first.path(), offsetOf(first, kTensorsKey), std::string(kTensorsKey) });
    }
}

void SplitFile::report(Severity severity, ErrorCode code, std::vector<std::string> arguments,
                       Where where)
{
    add({ severity, { code, std::move(arguments), std::move(where) } });
}

void SplitFile::add(Problem problem)
{
    if (m_problems.size() >= kMaxListedProblems) {
        ++m_omitted;
        return;
    }
    m_problems.push_back(std::move(problem));
}

void SplitFile::takeProblems(const Shard& shard)
{
    if (!shard.file) {
        return;
    }
    const bool wholeSet = isSplit() && isComplete();
    for (Problem problem : shard.file->problems()) {
        // "one part alone has only some of the tensors": not while all of them are here
        if (wholeSet && problem.error.code == ErrorCode::GgufSplitPart) {
            continue;
        }
        if (auto& offset = problem.error.where.offset) {
            offset = placed(*offset, shard.base);
        }
        add(std::move(problem));
    }
}

} // namespace engine::gguf
