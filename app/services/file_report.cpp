#include "app/services/file_report.h"

#include "app/services/markdown_cells.h"
#include "app/services/plain_text.h"
#include "engine/gguf/file_type.h"
#include "engine/model/cache_size.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

namespace app {

namespace {

using engine::gguf::GgufFile;
using engine::gguf::Problem;
using engine::gguf::SplitFile;
using engine::gguf::TensorType;
using markdown::code;
using markdown::kMostText;
using markdown::Place;
using markdown::row;
using markdown::valueText;

/// All the weights of one tensor type.
struct TypeSum
{
    std::uint64_t tensors = 0;
    std::uint64_t weights = 0;
    std::uint64_t bytes = 0;
};

std::string bitsText(const TypeSum& sum)
{
    return sum.weights == 0
        ? "–"
        : decimalText(8.0 * static_cast<double>(sum.bytes) / static_cast<double>(sum.weights), 3);
}

class FileReport
{
public:
    FileReport(const SplitFile& set, std::span<const Problem> problems)
        : m_set(set)
        , m_first(set.shards().front().file ? *set.shards().front().file : *set.opened())
        , m_problems(problems)
    {
        for (const auto& tensor : set.tensors()) {
            for (TypeSum* sum : { &m_types[typeText(*tensor.info)], &m_total }) {
                sum->tensors += 1;
                sum->weights += tensor.info->elements;
                sum->bytes += tensor.info->data.size;
            }
        }
    }

    std::string text()
    {
        m_out = "# " + code(fileName(m_set.opened()->path()), kMostText, Place::Line) + "\n\n";
        addFile();
        addParts();
        addMetadata();
        addTensors();
        addCache();
        addProblems();
        return std::move(m_out);
    }

private:
    void addFile()
    {
        const auto& header = m_first.header();
        std::uint64_t size = 0;
        for (const auto& shard : m_set.shards()) {
            // parts of a joined file share its bytes
            size += shard.file && shard.base == 0 ? shard.file->bytes().size() : 0;
        }
        m_out += "| | |\n|---|---|\n";
        m_out += row({ "size", sizeText(size) + " (" + countText(size) + " bytes)" });
        m_out += row({ "format",
                       "GGUF version " + std::to_string(header.version) + ", "
                           + (header.bigEndian ? "big" : "little") + "-endian, alignment "
                           + std::to_string(header.alignment) });
        addText("architecture", "general.architecture");
        addText("name", "general.name");
        addFileType();
        m_out += row({ "weights",
                       countText(m_total.weights) + " in " + countText(m_total.tensors)
                           + " tensors, " + bitsText(m_total) + " bits each on average" });
        m_out += "\n";
    }

    void addText(const std::string& title, std::string_view key)
    {
        const auto* value = m_first.find(key);
        if (const auto text = value ? value->asText() : std::nullopt) {
            m_out += row({ title, code(*text) });
        }
    }

    void addFileType()
    {
        const auto* value = m_first.find("general.file_type");
        const auto number = value ? value->asUnsigned() : std::nullopt;
        if (number) {
            const auto* type = engine::gguf::fileTypeInfo(*number);
            m_out += row({ "file type",
                           std::to_string(*number) + ", "
                               + (type ? std::string(type->name) : "not known") });
        }
    }

    void addParts()
    {
        if (!m_set.isSplit()) {
            return;
        }
        m_out += "## Parts\n\n| Part | File | Size | Tensors |\n|---:|---|---:|---:|\n";
        for (const auto& shard : m_set.shards()) {
            const bool isHere = shard.file != nullptr;
            m_out += row({ std::to_string(shard.number + 1), code(fileName(shard.path)),
                           isHere ? sizeText(shard.file->bytes().size()) : "missing",
                           isHere ? countText(shard.file->tensors().size()) : "" });
        }
        m_out += "\n";
    }

    void addMetadata()
    {
        m_out += "## Metadata\n\n" + countText(m_first.metadata().size()) + " of "
            + countText(m_first.header().metadataCount) + " entries\n\n";
        if (m_first.metadata().empty()) {
            return;
        }
        m_out += "| Offset | Key | Type | Value |\n|---:|---|---|---|\n";
        for (const auto& entry : m_first.metadata()) {
            m_out += row({ countText(entry.span.offset), code(entry.key), typeText(entry.value),
                           valueText(entry.value) });
        }
        m_out += "\n";
    }

    void addTensors()
    {
        m_out += "## Tensors by type\n\n";
        if (m_types.empty()) {
            m_out += "none\n\n";
            return;
        }
        using Entry = std::pair<std::string, TypeSum>;
        std::vector<Entry> types(m_types.begin(), m_types.end());
        std::ranges::stable_sort(types, std::greater<>(),
                                 [](const Entry& entry) { return entry.second.bytes; });
        types.emplace_back("all", m_total);
        m_out += "| Type | Tensors | Weights | Size | Share | Bits per weight |\n"
                 "|---|---:|---:|---:|---:|---:|\n";
        for (const auto& [name, sum] : types) {
            const double share = m_total.bytes == 0
                ? 0
                : 100.0 * static_cast<double>(sum.bytes) / static_cast<double>(m_total.bytes);
            m_out += row({ name, countText(sum.tensors), countText(sum.weights),
                           sizeText(sum.bytes), decimalText(share, 1) + " %", bitsText(sum) });
        }
        m_out += "\n";
    }

    void addCache()
    {
        const auto shape = engine::model::readCacheShape(m_first);
        if (!shape || shape->trainedContext == 0) {
            return; // no language model
        }
        m_out += "## KV cache\n\nFor the trained context of " + countText(shape->trainedContext)
            + " tokens" + (shape->unplacedWindow != 0 ? ", at most" : "") + ": ";
        for (const auto type : { TensorType::F16, TensorType::Q8_0, TensorType::Q4_0 }) {
            m_out += type == TensorType::F16 ? "" : ", ";
            m_out += engine::gguf::tensorTypeInfo(type).name;
            m_out += ' ';
            m_out += sizeText(engine::model::cacheBytes(*shape, shape->trainedContext, type));
        }
        m_out += "\n\n";
    }

    void addProblems()
    {
        m_out += "## Problems\n\n";
        if (m_problems.empty()) {
            m_out += "none\n";
        }
        for (const Problem& problem : m_problems) {
            const auto& where = problem.error.where;
            m_out += "- **" + std::string(severityName(problem.severity)) + "** "
                + std::string(engine::errorSlug(problem.error.code));
            if (isElsewhere(problem, m_set.opened()->path())) {
                m_out += ", in " + code(fileName(where.file), kMostText, Place::Line);
            }
            if (where.offset) {
                m_out += ", at byte " + countText(*where.offset);
            }
            if (!where.subject.empty()) {
                m_out += ", " + code(where.subject, kMostText, Place::Line);
            }
            constexpr std::size_t kMostMessage = 1000;
            m_out += ": " + code(problemMessage(problem), kMostMessage, Place::Line) + "\n";
        }
    }

    const SplitFile& m_set;
    const GgufFile& m_first; ///< the part that has the metadata
    std::span<const Problem> m_problems;
    std::map<std::string, TypeSum> m_types;
    TypeSum m_total;
    std::string m_out;
};

} // namespace

std::string fileReport(const SplitFile& set, std::span<const Problem> problems)
{
    return FileReport(set, problems).text();
}

} // namespace app
