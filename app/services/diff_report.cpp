#include "app/services/diff_report.h"

#include "app/services/markdown_cells.h"
#include "app/services/plain_text.h"

#include <algorithm>

namespace app {

namespace {

using engine::eval::DataDiff;
using engine::eval::DataState;
using engine::gguf::DiffState;
using engine::gguf::GgufFile;
using engine::gguf::MetadataComparison;
using engine::gguf::MetadataDiff;
using engine::gguf::TensorComparison;
using engine::gguf::TensorDiff;
using engine::gguf::TensorInfo;
using markdown::code;
using markdown::row;
using markdown::valueText;

constexpr std::size_t kMostRows = 200; // of a table: trackers take 65,536 characters
constexpr auto kNone = "–";

/// "12 of 31"
std::string share(std::uint64_t part, std::uint64_t whole)
{
    return countText(part) + " of " + countText(whole);
}

std::string readText(std::uint64_t read, std::uint64_t claimed)
{
    return read == claimed ? countText(read) : share(read, claimed) + " (unreadable from there)";
}

std::string bitsText(const GgufFile& file)
{
    std::uint64_t bytes = 0;
    std::uint64_t weights = 0;
    for (const TensorInfo& tensor : file.tensors()) {
        if (tensor.typeInfo()) {
            bytes += tensor.data.size;
            weights += tensor.elements;
        }
    }
    return weights == 0
        ? kNone
        : decimalText(8.0 * static_cast<double>(bytes) / static_cast<double>(weights), 3);
}

class DiffReport
{
public:
    DiffReport(const GgufFile& a, const GgufFile& b, const MetadataComparison& metadata,
               const TensorComparison& tensors, std::span<const DataDiff> data)
        : m_a(a)
        , m_b(b)
        , m_metadata(metadata)
        , m_tensors(tensors)
        , m_data(data)
    {
    }

    std::string text()
    {
        addFiles();
        addMetadata();
        addTensors();
        return std::move(m_out);
    }

private:
    template <typename TextOf>
    void addFact(const std::string& title, TextOf textOf)
    {
        m_out += row({ title, textOf(m_a), textOf(m_b) });
    }

    void addFiles()
    {
        m_out = "# Two files compared\n\n| | A | B |\n|---|---|---|\n";
        addFact("file", [](const GgufFile& file) { return code(fileName(file.path())); });
        addFact("size", [](const GgufFile& file) {
            return sizeText(file.bytes().size()) + " (" + countText(file.bytes().size())
                + " bytes)";
        });
        addFact("format", [](const GgufFile& file) {
            return "GGUF version " + std::to_string(file.header().version) + ", "
                + (file.header().bigEndian ? "big" : "little") + "-endian";
        });
        addFact("metadata entries", [](const GgufFile& file) {
            return readText(file.metadata().size(), file.header().metadataCount);
        });
        addFact("tensors", [](const GgufFile& file) {
            return readText(file.tensors().size(), file.header().tensorCount);
        });
        addFact("bits per weight", bitsText);
        m_out += "\n";
    }

    void addMetadata()
    {
        m_out += "## Metadata: " + share(m_metadata.differences, m_metadata.entries.size())
            + " differ\n\n";
        if (m_metadata.differences == 0) {
            return;
        }
        m_out += "| Key | A | B | Remark |\n|---|---|---|---|\n";
        std::size_t rows = 0;
        for (const MetadataDiff& diff : m_metadata.entries) {
            if (diff.state != DiffState::Same && rows++ < kMostRows) {
                addEntry(diff);
            }
        }
        addRest(rows);
    }

    void addEntry(const MetadataDiff& diff)
    {
        const auto* a = diff.a ? &m_a.metadata()[*diff.a] : nullptr;
        const auto* b = diff.b ? &m_b.metadata()[*diff.b] : nullptr;
        const auto cell = [&](const engine::gguf::MetadataEntry* entry) {
            return entry == nullptr ? std::string(kNone)
                                    : typeText(entry->value) + " " + valueText(entry->value);
        };
        std::string remark;
        if (diff.array) {
            constexpr std::size_t kElement = 40;
            const auto element = [](const std::optional<engine::gguf::Value>& value) {
                return value ? code(value->display(kElement)) : "(past the end)";
            };
            remark = countText(diff.array->different) + " elements differ, the first at "
                + countText(diff.array->first) + ": " + element(diff.array->a) + " / "
                + element(diff.array->b);
        } else if (diff.isTypeDifferent) {
            remark = "type differs";
        }
        m_out += row({ code(a ? a->key : b->key), cell(a), cell(b), remark });
    }

    [[nodiscard]] bool differs(std::size_t pair) const
    {
        return m_tensors.tensors[pair].state != DiffState::Same
            || (pair < m_data.size() && m_data[pair].state == DataState::Different);
    }

    void addTensors()
    {
        std::uint64_t different = 0;
        for (std::size_t pair = 0; pair < m_tensors.tensors.size(); ++pair) {
            different += differs(pair) ? 1 : 0;
        }
        m_out += "## Tensors: " + share(different, m_tensors.tensors.size()) + " differ\n\n";
        if (m_data.empty() && !m_tensors.tensors.empty()) {
            m_out += "The weights were not compared.\n\n";
        }
        if (different == 0) {
            return;
        }
        m_out += "| Tensor | A | B | Weights |\n|---|---|---|---|\n";
        std::size_t rows = 0;
        for (std::size_t pair = 0; pair < m_tensors.tensors.size(); ++pair) {
            if (differs(pair) && rows++ < kMostRows) {
                addTensor(m_tensors.tensors[pair],
                          pair < m_data.size() ? m_data[pair] : DataDiff());
            }
        }
        addRest(rows);
    }

    void addTensor(const TensorDiff& diff, const DataDiff& data)
    {
        const auto* a = diff.a ? &m_a.tensors()[*diff.a] : nullptr;
        const auto* b = diff.b ? &m_b.tensors()[*diff.b] : nullptr;
        const auto cell = [](const TensorInfo* tensor) {
            return tensor == nullptr ? std::string(kNone)
                                     : typeText(*tensor) + ", " + shapeText(*tensor) + ", "
                    + sizeText(tensor->data.size);
        };
        const std::string weights = data.state == DataState::Different
            ? share(data.different, data.blocks) + " blocks differ, the first is "
                + countText(data.first)
            : data.state == DataState::Missing ? "not all there"
                                               : kNone;
        m_out += row({ code(a ? a->name : b->name), cell(a), cell(b), weights });
    }

    void addRest(std::size_t rows)
    {
        if (rows > kMostRows) {
            m_out += '\n';
            m_out += countText(rows - kMostRows);
            m_out += " more are not listed.\n";
        }
        m_out += "\n";
    }

    const GgufFile& m_a;
    const GgufFile& m_b;
    const MetadataComparison& m_metadata;
    const TensorComparison& m_tensors;
    std::span<const DataDiff> m_data;
    std::string m_out;
};

} // namespace

std::string diffReport(const GgufFile& a, const GgufFile& b, const MetadataComparison& metadata,
                       const TensorComparison& tensors, std::span<const DataDiff> data)
{
    return DiffReport(a, b, metadata, tensors, data).text();
}

} // namespace app
