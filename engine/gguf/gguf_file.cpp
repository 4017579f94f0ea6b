#include "engine/gguf/gguf_file.h"

#include "engine/gguf/parser.h"

#include <algorithm>

namespace engine::gguf {

namespace {

/// Lays sections one after the other, filling the space between them.
class SectionList
{
public:
    explicit SectionList(std::uint64_t fileSize)
        : m_fileSize(fileSize)
    {
    }

    /// From where the last one ended up to `end`, clipped to the file; nothing where that is empty.
    void upTo(std::uint64_t end, Section::Kind kind, std::string_view name)
    {
        end = std::min(end, m_fileSize);
        if (end > m_position) {
            m_sections.push_back({ kind, name, { m_position, end - m_position } });
            m_position = end;
        }
    }

    [[nodiscard]] std::vector<Section> take() { return std::move(m_sections); }

private:
    std::uint64_t m_fileSize;
    std::uint64_t m_position = 0;
    std::vector<Section> m_sections;
};

} // namespace

Result<std::shared_ptr<const GgufFile>> GgufFile::open(const std::string& path)
{
    StageClock clock;
    auto map = MappedFile::open(path);
    if (!map) {
        return tl::unexpected(map.error());
    }
    const std::uint64_t mapTime = clock.lap();
    const auto bytes = (*map)->bytes();
    auto file = Parser::run(bytes, path, std::move(*map));
    if (!file) {
        return tl::unexpected(file.error());
    }
    (*file)->m_times.map = mapTime;
    if ((*file)->changed()) {
        (*file)->m_problems.push_back(
            { Severity::Error, { ErrorCode::FileChanged, {}, { .file = path, .offset = 0 } } });
    }
    return std::shared_ptr<const GgufFile>(std::move(*file));
}

Result<std::shared_ptr<const GgufFile>> GgufFile::parse(std::span<const std::byte> bytes,
                                                        std::string name)
{
    auto file = Parser::run(bytes, std::move(name), nullptr);
    if (!file) {
        return tl::unexpected(file.error());
    }
    return std::shared_ptr<const GgufFile>(std::move(*file));
}

bool GgufFile::loads() const
{
    return std::ranges::none_of(m_problems,
                                [](const Problem& p) { return p.severity == Severity::Error; });
}

Result<void> GgufFile::requireSound() const
{
    for (const Problem& problem : m_problems) {
        if (problem.severity == Severity::Error) {
            return tl::unexpected(problem.error);
        }
    }
    return {};
}

const Value* GgufFile::find(std::string_view key) const
{
    const auto found = m_index->keys.find(key);
    return found == m_index->keys.end() ? nullptr : &m_metadata[found->second].value;
}

const TensorInfo* GgufFile::findTensor(std::string_view name) const
{
    const auto found = m_index->tensors.find(name);
    return found == m_index->tensors.end() ? nullptr : &m_tensors[found->second];
}

std::span<const std::byte> GgufFile::data(const TensorInfo& tensor) const
{
    const Part* part = partAt(tensor.entry.offset); // a cut one must not reach into the next
    if (!part || tensor.data.offset > part->span.end()
        || tensor.data.size > part->span.end() - tensor.data.offset) {
        return {};
    }
    return m_bytes.subspan(tensor.data.offset, tensor.data.size);
}

std::vector<Section> GgufFile::sections() const
{
    if (m_set) {
        return sectionsOfParts();
    }
    using Kind = Section::Kind;
    const std::uint64_t fileSize = m_bytes.size();
    SectionList list(fileSize);
    list.upTo(m_header.span.end(), Kind::Header, "header");
    list.upTo(m_metadataEnd, Kind::Metadata, "metadata");
    list.upTo(m_directoryEnd, Kind::Directory, "tensor directory");
    if (!m_complete) {
        list.upTo(fileSize, Kind::Gap, "unread");
        return list.take();
    }
    list.upTo(m_dataOffset, Kind::Padding, "padding");

    std::vector<const TensorInfo*> byOffset;
    for (const TensorInfo& tensor : m_tensors) {
        if (tensor.elements != 0) {
            byOffset.push_back(&tensor);
        }
    }
    std::ranges::stable_sort(byOffset, {}, [](const TensorInfo* t) { return t->data.offset; });
    std::uint64_t padded = m_dataOffset;
    for (std::size_t i = 0; i < byOffset.size(); ++i) {
        const TensorInfo& tensor = *byOffset[i];
        list.upTo(std::min(padded, tensor.data.offset), Kind::Padding, "padding");
        list.upTo(tensor.data.offset, Kind::Gap, "gap");
        // Data of an unknown type reach, for all that is known, to the next tensor.
        const bool last = i + 1 == byOffset.size();
        const std::uint64_t end = tensor.data.size != 0 ? tensor.data.end()
            : last                                      ? fileSize
                                                        : byOffset[i + 1]->data.offset;
        list.upTo(end, Kind::Data, tensor.name);
        padded = std::max(padded, alignedUp(end, m_header.alignment).value_or(end));
    }
    list.upTo(padded, Kind::Padding, "padding");
    list.upTo(fileSize, Kind::Trailing, "past the end");
    return list.take();
}

bool GgufFile::hasSeveralFiles() const
{
    return std::ranges::any_of(m_parts,
                               [this](const Part& part) { return part.path != m_parts[0].path; });
}

const Part* GgufFile::partAt(std::uint64_t offset) const
{
    const auto after = std::ranges::upper_bound(m_parts, offset, {},
                                                [](const Part& part) { return part.span.offset; });
    if (after == m_parts.begin() || offset >= std::prev(after)->span.end()) {
        return nullptr;
    }
    return &*std::prev(after);
}

Where GgufFile::placeOf(std::uint64_t offset, std::string_view subject) const
{
    if (const Part* part = partAt(offset)) {
        return { part->path, part->inFile + (offset - part->span.offset), std::string(subject) };
    }
    // Past the end of a single file it says how far; in a set it would name a wrong byte.
    return { m_path, m_set ? std::nullopt : std::optional(offset), std::string(subject) };
}

std::optional<std::uint64_t> GgufFile::offsetOf(const Where& place) const
{
    if (!place.offset) {
        return std::nullopt;
    }
    for (const Part& part : m_parts) {
        if (part.path == place.file && *place.offset >= part.inFile
            && *place.offset - part.inFile < part.span.size) {
            return part.span.offset + (*place.offset - part.inFile);
        }
    }
    return std::nullopt;
}

const Header& GgufFile::headerOf(const TensorInfo& tensor) const
{
    const Part* part = partAt(tensor.entry.offset);
    return part && part->file ? part->file->header() : m_header;
}

bool GgufFile::changed() const
{
    return m_map && m_map->changed();
}

} // namespace engine::gguf
