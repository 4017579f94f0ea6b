#include "app/cli/tensor_json.h"

#include "app/cli/console.h"

#include <algorithm>

namespace app::cli {

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

} // namespace app::cli
