#include "app/cli/tensor_json.h"

#include "app/cli/console.h"

#include <algorithm>

namespace app::cli {

using engine::gguf::TensorInfo;

Json tensorJson(const TensorInfo& tensor)
{
    Json shape = Json::array();
    for (std::uint32_t i = 0; i < tensor.dimensions; ++i) {
        shape.push_back(tensor.shape[i]);
    }
    const auto* type = tensor.typeInfo();
    return {
        { "name", std::string(tensor.name) }, { "type", typeText(tensor) },
        { "shape", std::move(shape) },        { "offset", tensor.data.offset },
        { "size", tensor.data.size },         { "bpw", type ? Json(type->bitsPerWeight()) : Json() }
    };
}

std::string typeText(const TensorInfo& tensor)
{
    if (const auto* type = tensor.typeInfo()) {
        return std::string(type->name);
    }
    const auto former = engine::gguf::formerTensorTypeName(tensor.typeNumber);
    return former.empty() ? "type " + std::to_string(tensor.typeNumber) : std::string(former);
}

std::string shapeText(const TensorInfo& tensor)
{
    std::string out;
    for (std::uint32_t i = 0; i < tensor.dimensions; ++i) {
        out += (i > 0 ? " × " : "") + std::to_string(tensor.shape[i]);
    }
    return out.empty() ? "scalar" : out;
}

std::string problemTable(std::span<const engine::gguf::Problem> problems, const std::string& file,
                         std::uint64_t fileSize)
{
    if (problems.empty()) {
        return {};
    }
    std::vector<Table::Column> columns {
        { "severity" }, { "code" }, { "offset", Align::Right }, { "subject" }, { "message" }
    };
    const bool namesFiles = std::ranges::any_of(
        problems, [&](const auto& problem) { return isElsewhere(problem, file); });
    if (namesFiles) {
        columns.insert(columns.begin() + 2, { "file" });
    }
    Table table(columns);
    for (const auto& problem : problems) {
        const auto& where = problem.error.where;
        std::vector<std::string> cells { std::string(severityName(problem.severity)),
                                         std::string(engine::errorSlug(problem.error.code)),
                                         where.offset ? hexText(*where.offset, fileSize) : "",
                                         printable(where.subject),
                                         printable(problemMessage(problem)) };
        if (namesFiles) {
            cells.insert(cells.begin() + 2, printable(fileName(where.file)));
        }
        table.add(std::move(cells));
    }
    return table.text();
}

std::string fileName(const std::string& path)
{
    return path.substr(path.find_last_of('/') + 1);
}

} // namespace app::cli
