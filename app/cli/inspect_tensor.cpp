#include "app/cli/inspect_tensor.h"

#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/tensor_json.h"
#include "engine/eval/block_values.h"
#include "engine/eval/tensor_statistics.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace app::cli {

namespace {

using engine::eval::BlockValues;
using engine::eval::TensorStatistics;
using engine::gguf::GgufFile;
using engine::gguf::TensorInfo;

/// The tensor, or a failure that offers the nearest name.
Outcome<const TensorInfo*> findTensor(const GgufFile& file, const std::string& name)
{
    if (const auto* tensor = file.findTensor(name)) {
        return tensor;
    }
    std::vector<std::string_view> names;
    for (const auto& tensor : file.tensors()) {
        names.push_back(tensor.name);
    }
    const auto meant = nearestWord(name, names);
    return failed(file.path() + ": there is no tensor " + inQuotes(name)
                  + (meant.empty() ? "; inspect the file without --tensor for their names"
                                   : "; did you mean " + printable(meant) + "?"));
}

Json statisticsJson(const TensorStatistics& statistics)
{
    return { { "elements", statistics.elements },
             { "min", floatJson(statistics.min) },
             { "max", floatJson(statistics.max) },
             { "mean", statistics.mean },
             { "standard_deviation", statistics.standardDeviation },
             { "zeros", statistics.zeros },
             { "nans", statistics.nans },
             { "infinities", statistics.infinities } };
}

std::string shortFloat(double value)
{
    char buffer[32];
    const auto written =
        std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::general, 7);
    return std::string(buffer, written.ptr);
}

void printHead(const GgufFile& file, const TensorInfo& tensor)
{
    print(printable(tensor.name) + ": " + typeText(tensor) + ", " + shapeText(tensor) + ", "
          + sizeText(tensor.data.size) + " at " + hexText(tensor.data.offset, file.bytes().size())
          + "\n");
}

void printStatistics(const TensorStatistics& statistics)
{
    Table table({ { "statistic" }, { "value", Align::Right } });
    table.add({ "elements", countText(statistics.elements) });
    table.add({ "minimum", shortFloat(statistics.min) });
    table.add({ "maximum", shortFloat(statistics.max) });
    table.add({ "mean", shortFloat(statistics.mean) });
    table.add({ "standard deviation", shortFloat(statistics.standardDeviation) });
    table.add({ "zeros", countText(statistics.zeros) });
    table.add({ "NaN", countText(statistics.nans) });
    table.add({ "infinite", countText(statistics.infinities) });
    print("\n");
    print(table.text());
}

std::string hexDump(const BlockValues& block, std::uint64_t fileSize)
{
    constexpr std::size_t kPerLine = 16;
    std::string out;
    for (std::size_t from = 0; from < block.bytes.size(); from += kPerLine) {
        const auto line = block.bytes.subspan(from, std::min(kPerLine, block.bytes.size() - from));
        out += hexText(block.offset + from, fileSize);
        out += ' ';
        for (const std::byte byte : line) {
            out += ' ';
            out += toHex(std::span(&byte, 1));
        }
        out += "\n";
    }
    return out;
}

void printBlock(const BlockValues& block, std::uint64_t row, std::uint64_t fileSize)
{
    print("\nrow " + countText(row) + ", from column " + countText(block.column) + "\n"
          + hexDump(block, fileSize));
    constexpr std::size_t kPerLine = 8;
    Table table(std::vector<Table::Column>(kPerLine, { "", Align::Right }));
    for (std::size_t from = 0; from < block.values.size(); from += kPerLine) {
        std::vector<std::string> cells;
        for (std::size_t i = from; i < std::min(from + kPerLine, block.values.size()); ++i) {
            cells.push_back(shortFloat(block.values[i]));
        }
        table.add(std::move(cells));
    }
    print(table.text().substr(1)); // the titles are empty
}

Json blockJson(const BlockValues& block)
{
    return { { "offset", block.offset },
             { "bytes", toHex(block.bytes) },
             { "fields", Json::array() },
             { "values", floatsJson(block.values) } };
}

Outcome<ExitStatus> showStatistics(const Context& context, const GgufFile& file,
                                   const TensorInfo& tensor)
{
    const auto statistics = engine::eval::tensorStatistics(file, tensor, context.interrupt.token());
    if (!statistics) {
        return failed(statistics.error(), file.path());
    }
    if (context.json) {
        Json json = tensorJson(tensor);
        json["statistics"] = statisticsJson(*statistics);
        printJson({ { "tensor", std::move(json) }, { "blocks", Json::array() } });
    } else {
        printHead(file, tensor);
        printStatistics(*statistics);
    }
    return ExitStatus::Done;
}

Outcome<ExitStatus> showBlocks(const Context& context, const GgufFile& file,
                               const TensorInfo& tensor)
{
    const auto& arguments = context.arguments;
    const auto row = static_cast<std::uint64_t>(arguments.integer("row", 0));
    auto first = static_cast<std::uint64_t>(arguments.integer("block", 0));
    std::uint64_t end = first + 1;
    if (!arguments.has("block")) {
        const auto perRow = engine::eval::blocksPerRow(file, tensor);
        if (!perRow) {
            return failed(perRow.error(), file.path());
        }
        end = std::max<std::uint64_t>(1, *perRow); // an empty row fails below, in words
    }
    Json blocks = Json::array();
    bool hasHead = context.json;
    for (; first < end; ++first) {
        const auto block = engine::eval::blockValues(file, tensor, row, first);
        if (!block) {
            return failed(block.error(), file.path());
        }
        if (!std::exchange(hasHead, true)) {
            printHead(file, tensor);
        }
        if (context.json) {
            blocks.push_back(blockJson(*block));
        } else {
            printBlock(*block, row, file.bytes().size());
        }
    }
    if (context.json) {
        printJson({ { "tensor", tensorJson(tensor) }, { "blocks", std::move(blocks) } });
    }
    return ExitStatus::Done;
}

} // namespace

Outcome<ExitStatus> inspectTensor(const Context& context, const GgufFile& file)
{
    const auto tensor = findTensor(file, context.arguments.text("tensor").value_or(""));
    if (!tensor) {
        return tl::unexpected(tensor.error());
    }
    if (context.arguments.has("row") || context.arguments.has("block")) {
        return showBlocks(context, file, **tensor);
    }
    return showStatistics(context, file, **tensor);
}

} // namespace app::cli
