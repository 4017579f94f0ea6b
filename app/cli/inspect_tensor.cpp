#include "app/cli/inspect_tensor.h"

#include "app/cli/console.h"
#include "app/cli/inspect_block.h"
#include "app/cli/interrupt.h"
#include "app/cli/tensor_json.h"
#include "engine/eval/bad_numbers.h"
#include "engine/eval/block_values.h"
#include "engine/eval/tensor_histogram.h"
#include "engine/eval/tensor_statistics.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <future>
#include <numeric>
#include <utility>

namespace app::cli {

namespace {

using engine::eval::BadNumbers;
using engine::eval::TensorHistogram;
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

/// All that is said of a whole tensor.
struct Summary
{
    TensorStatistics statistics;
    TensorHistogram histogram;
    BadNumbers bad;
};

/// How far each of the three scans is.
using ScansProgress = std::array<engine::eval::ScanProgress, 3>;

engine::Result<Summary> summaryOf(const GgufFile& file, const TensorInfo& tensor,
                                  const std::stop_token& stop, ScansProgress& progress)
{
    const auto statistics = engine::eval::tensorStatistics(file, tensor, { stop, progress.data() });
    if (!statistics) {
        return tl::unexpected(statistics.error());
    }
    constexpr std::size_t kBins = 64;
    auto histogram = engine::eval::tensorHistogram(file, tensor, statistics->min, statistics->max,
                                                   kBins, { stop, &progress[1] });
    if (!histogram) {
        return tl::unexpected(histogram.error());
    }
    return engine::eval::findBadNumbers(file, tensor, { stop, &progress[2] })
        .map([&](const BadNumbers& bad) {
            return Summary { *statistics, std::move(*histogram), bad };
        });
}

/// The same with a progress line.
engine::Result<Summary> watchedSummaryOf(const GgufFile& file, const TensorInfo& tensor,
                                         const std::stop_token& stop)
{
    constexpr std::chrono::milliseconds kLook { 50 };
    ScansProgress progress;
    auto work =
        std::async(std::launch::async, [&] { return summaryOf(file, tensor, stop, progress); });
    Progress line("reading " + printable(tensor.name));
    while (work.wait_for(kLook) != std::future_status::ready) {
        double sum = 0;
        for (const auto& scan : progress) {
            sum += scan.fraction();
        }
        line.update(sum / static_cast<double>(progress.size()));
    }
    return work.get();
}

Json statisticsJson(const Summary& summary)
{
    const auto& statistics = summary.statistics;
    const auto& first = summary.bad.first;
    return { { "elements", statistics.elements },
             { "min", floatJson(statistics.min) },
             { "max", floatJson(statistics.max) },
             { "mean", statistics.mean },
             { "standard_deviation", statistics.standardDeviation },
             { "zeros", statistics.zeros },
             { "nans", statistics.nans },
             { "infinities", statistics.infinities },
             { "first_bad_offset", first ? Json(first->offset) : Json() },
             { "histogram", summary.histogram.counts } };
}

void printHead(const GgufFile& file, const TensorInfo& tensor)
{
    print(printable(tensor.name) + ": " + typeText(tensor) + ", " + shapeText(tensor) + ", "
          + sizeText(tensor.data.size) + " at " + hexText(tensor.data.offset, file.bytes().size())
          + "\n");
}

std::string statisticsTable(const Summary& summary, std::uint64_t fileSize)
{
    const auto& statistics = summary.statistics;
    Table table({ { "statistic" }, { "value", Align::Right } });
    table.add({ "elements", countText(statistics.elements) });
    table.add({ "minimum", shortFloat(statistics.min) });
    table.add({ "maximum", shortFloat(statistics.max) });
    table.add({ "mean", shortFloat(statistics.mean) });
    table.add({ "standard deviation", shortFloat(statistics.standardDeviation) });
    table.add({ "zeros", countText(statistics.zeros) });
    table.add({ "NaN", countText(statistics.nans) });
    table.add({ "infinite", countText(statistics.infinities) });
    if (const auto& first = summary.bad.first) {
        table.add({ "the first bad number is at", hexText(first->offset, fileSize) });
    }
    return table.text();
}

/// One line for some bins: where they begin, how many values they hold, a bar.
std::string histogramTable(const TensorHistogram& histogram)
{
    constexpr std::size_t kLines = 16;
    constexpr std::size_t kBar = 48;
    const std::size_t perLine = std::max<std::size_t>(1, histogram.counts.size() / kLines);
    std::vector<std::uint64_t> counts;
    for (std::size_t i = 0; i < histogram.counts.size(); i += perLine) {
        counts.push_back(
            std::accumulate(histogram.counts.begin() + static_cast<std::ptrdiff_t>(i),
                            histogram.counts.begin() + static_cast<std::ptrdiff_t>(i + perLine),
                            std::uint64_t { 0 }));
    }
    const double most = static_cast<double>(std::max<std::uint64_t>(1, std::ranges::max(counts)));
    const double width = (static_cast<double>(histogram.high) - static_cast<double>(histogram.low))
        / static_cast<double>(counts.size());
    Table table({ { "from", Align::Right }, { "values", Align::Right }, { "" } });
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const auto size = static_cast<std::size_t>(
            std::ceil(static_cast<double>(kBar * counts[i]) / most)); // one mark for a single value
        std::string bar;
        for (std::size_t mark = 0; mark < size; ++mark) {
            bar += "█";
        }
        const double from = static_cast<double>(histogram.low) + width * static_cast<double>(i);
        table.add({ shortFloat(from), countText(counts[i]), std::move(bar) });
    }
    return table.text();
}

Outcome<ExitStatus> showStatistics(const Context& context, const GgufFile& file,
                                   const TensorInfo& tensor)
{
    const auto summary = watchedSummaryOf(file, tensor, context.interrupt.token());
    if (!summary) {
        return failed(summary.error(), file.path());
    }
    if (context.json) {
        Json json = tensorJson(tensor);
        json["statistics"] = statisticsJson(*summary);
        printJson({ { "tensor", std::move(json) }, { "blocks", Json::array() } });
    } else {
        printHead(file, tensor);
        print("\n");
        print(statisticsTable(*summary, file.bytes().size()));
        print("\n");
        print(histogramTable(summary->histogram));
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
