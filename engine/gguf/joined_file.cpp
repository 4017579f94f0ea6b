#include "engine/gguf/joined_file.h"

#include "engine/gguf/parser.h"
#include "engine/gguf/splits.h"

#include <algorithm>
#include <limits>

namespace engine::gguf {

namespace {

/// A place in a part, in the range of all. Hostile offsets may lie anywhere; none may turn up in
/// another part.
std::uint64_t moved(std::uint64_t offset, const Part& part)
{
    return offset < part.span.size ? part.span.offset + offset
                                   : std::numeric_limits<std::uint64_t>::max();
}

} // namespace

/// Makes one file of the parts of a set.
class PartJoiner
{
public:
    explicit PartJoiner(std::shared_ptr<const SplitFile> set)
        : m_file(new GgufFile)
    {
        m_file->m_set = std::move(set);
    }

    Result<std::shared_ptr<const GgufFile>> run()
    {
        StageClock clock;
        if (auto mapped = placeParts(); !mapped) {
            return tl::unexpected(mapped.error());
        }
        m_file->m_times.map = clock.lap();
        for (const Part& part : m_file->m_parts) {
            addTensors(part);
            addTimes(part.file->loadTimes());
        }
        takeMetadata();
        const auto problems = m_file->m_set->problems();
        m_file->m_problems.assign(problems.begin(), problems.end());
        return std::shared_ptr<const GgufFile>(std::move(m_file));
    }

private:
    /// Where each part lies, and the bytes of all.
    Result<void> placeParts()
    {
        const SplitFile& set = *m_file->m_set;
        for (const Shard& shard : set.shards()) {
            if (shard.file) {
                const std::uint64_t size = shard.file->bytes().size();
                m_file->m_parts.push_back(
                    { shard.path, { shard.base, size }, shard.base, shard.number, shard.file });
            }
        }
        m_first = m_file->m_parts.front().file;
        if (set.hasSeveralFiles()) {
            return mapParts();
        }
        m_file->m_map = set.opened()->m_map;
        m_file->m_bytes = set.opened()->m_bytes;
        auto& parts = m_file->m_parts;
        std::ranges::sort(parts, {}, &Part::inFile);
        for (std::size_t i = 0; i + 1 < parts.size(); ++i) { // each was read to the end of all
            parts[i].span.size = parts[i + 1].inFile - parts[i].inFile;
        }
        return {};
    }

    Result<void> mapParts()
    {
        std::vector<std::shared_ptr<const MappedFile>> maps;
        for (const Part& part : m_file->m_parts) {
            maps.push_back(part.file->m_map);
        }
        auto map = MappedFile::join(std::move(maps));
        if (!map) {
            return tl::unexpected(map.error());
        }
        m_file->m_map = std::move(*map);
        m_file->m_bytes = m_file->m_map->bytes();
        for (std::size_t i = 0; i < m_file->m_parts.size(); ++i) {
            m_file->m_parts[i].span.offset = m_file->m_map->starts()[i];
        }
        return {};
    }

    void addTensors(const Part& part)
    {
        for (TensorInfo tensor : part.file->tensors()) {
            tensor.entry.offset = moved(tensor.entry.offset, part);
            tensor.data.offset = moved(tensor.data.offset, part);
            m_index->tensors.emplace(tensor.name,
                                     static_cast<std::uint32_t>(m_file->m_tensors.size()));
            m_file->m_tensors.push_back(tensor);
        }
    }

    void addTimes(const LoadTimes& times)
    {
        LoadTimes& sum = m_file->m_times;
        sum.map += times.map;
        sum.header += times.header;
        sum.metadata += times.metadata;
        sum.directory += times.directory;
        sum.checks += times.checks;
    }

    /// The first part's, read through the range of all.
    void takeMetadata()
    {
        const Part& part = *std::ranges::find(m_file->m_parts, m_first, &Part::file);
        const std::uint64_t base = part.span.offset;
        m_file->m_path = part.path;
        m_file->m_header = m_first->header();
        m_file->m_header.span.offset += base;
        m_file->m_header.tensorCount = m_file->m_tensors.size();
        m_file->m_metadataEnd = m_first->m_metadataEnd + base;
        m_file->m_directoryEnd = m_first->m_directoryEnd + base;
        m_file->m_dataOffset = m_first->m_dataOffset + base;
        m_file->m_complete = m_first->m_complete;
        const auto endian =
            m_first->header().bigEndian ? ByteReader::Endian::Big : ByteReader::Endian::Little;
        for (MetadataEntry entry : m_first->metadata()) {
            const ByteSpan span = entry.value.span();
            entry.value = Value(entry.value.type(), m_file->m_bytes,
                                { span.offset + base, span.size }, endian);
            entry.span.offset += base;
            m_index->keys.emplace(entry.key, static_cast<std::uint32_t>(m_file->m_metadata.size()));
            m_file->m_metadata.push_back(entry);
        }
        m_file->m_index = m_index;
    }

    std::shared_ptr<GgufFile> m_file;
    std::shared_ptr<const GgufFile> m_first; ///< the part with the metadata
    std::shared_ptr<GgufFile::Index> m_index = std::make_shared<GgufFile::Index>();
};

Result<std::shared_ptr<const GgufFile>> joined(const std::shared_ptr<const SplitFile>& set)
{
    const auto isThere = [](const Shard& shard) { return shard.file != nullptr; };
    const bool isMapped = std::ranges::all_of(set->shards(), [](const Shard& shard) {
        return !shard.file || shard.base > 0 || shard.file->map() != nullptr;
    });
    if (std::ranges::count_if(set->shards(), isThere) < 2
        || (set->hasSeveralFiles() && !isMapped)) {
        return set->opened();
    }
    return PartJoiner(set).run();
}

Result<std::shared_ptr<const GgufFile>> openJoined(const std::string& path)
{
    const auto set = SplitFile::open(path);
    if (!set) {
        return tl::unexpected(set.error());
    }
    return joined(*set);
}

std::vector<Section> GgufFile::sectionsOfParts() const
{
    std::vector<Section> sections;
    std::uint64_t end = 0;
    for (const Part& part : m_parts) {
        if (part.span.offset > end) {
            sections.push_back(
                { Section::Kind::Gap, "between the parts", { end, part.span.offset - end } });
        }
        for (Section section : part.file->sections()) {
            if (section.span.offset < part.span.size) { // what follows is the next part
                section.span.size =
                    std::min(section.span.size, part.span.size - section.span.offset);
                section.span.offset += part.span.offset;
                sections.push_back(section);
            }
        }
        end = part.span.end();
    }
    return sections;
}

} // namespace engine::gguf
