#include "app/cli/inspect_tensor.h"

#include "app/cli/console.h"
#include "app/cli/inspect_block.h"
#include "app/cli/interrupt.h"
#include "app/cli/tensor_json.h"
#include "engine/eval/block_values.h"
#include "engine/eval/tensor_statistics.h"

#include <algorithm>
#include <utility>

namespace app::cli {

namespace {

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
    const auto* type = tensor.typeInfo();
    // Plain numbers are blocks of one weight: people get those of a row in one piece.
    const bool inOnePiece = !context.json && type && type->blockSize == 1;
    const std::uint64_t step = inOnePiece ? end - first : 1;
    Json blocks = Json::array();
    bool hasHead = context.json;
    for (; first < end; first += step) {
        const auto block = engine::eval::blockValues(file, tensor, row, first, step);
        if (!block) {
            return failed(block.error(), file.path());
        }
        if (!std::exchange(hasHead, true)) {
            printHead(file, tensor);
        }
        if (context.json) {
            blocks.push_back(blockJson(type->type, *block));
        } else {
            print("\nrow " + countText(row) + ", from column " + countText(block->column) + "\n"
                  + blockText(type->type, *block, file.bytes().size()));
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
