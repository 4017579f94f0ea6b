// vitrine-cli inspect: what lies in a GGUF file.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/inspect_tensor.h"
#include "app/cli/json_output.h"
#include "app/cli/tensor_json.h"
#include "engine/gguf/splits.h"

#include <limits>

namespace app::cli {

namespace {

using engine::gguf::GgufFile;
using engine::gguf::Section;
using engine::gguf::SplitFile;
using engine::gguf::Value;
using engine::gguf::ValueType;

/// Everything from the first weight to the last as one row; gaps and what lies behind keep rows of
/// their own.
std::string sectionTable(const GgufFile& file)
{
    Table table({ { "offset", Align::Right }, { "size", Align::Right }, { "section" } });
    const auto largest = file.bytes().size();
    std::optional<engine::gguf::ByteSpan> weights;
    std::size_t weightCount = 0;
    const auto addRow = [&](engine::gguf::ByteSpan span, std::string name) {
        table.add({ hexText(span.offset, largest), sizeText(span.size), std::move(name) });
    };
    const auto addWeights = [&] {
        if (weights) {
            addRow(*weights, "weights of " + countText(weightCount) + " tensors");
        }
        weights.reset();
        weightCount = 0;
    };
    for (const auto& section : file.sections()) {
        const bool isWeight = section.kind == Section::Kind::Data;
        if (isWeight || (section.kind == Section::Kind::Padding && weights)) {
            if (!weights) {
                weights = section.span;
            }
            weights->size = section.span.end() - weights->offset;
            weightCount += isWeight ? 1 : 0;
            continue;
        }
        addWeights();
        addRow(section.span, printable(section.name));
    }
    addWeights();
    return table.text();
}

std::string valueText(const Value& value, bool full)
{
    if (value.type() == ValueType::Array) {
        const Json list = valueJson(value, full ? value.count() : kShownElements);
        std::string text = list.dump(-1, ' ', false, Json::error_handler_t::replace);
        if (list.size() < value.count()) {
            text.back() = ',';
            text += " … " + countText(value.count()) + " in all]";
        }
        return printable(text);
    }
    constexpr std::size_t kShownText = 120;
    return printable(value.display(full ? std::numeric_limits<std::size_t>::max() : kShownText));
}

std::string metadataTable(const GgufFile& file, bool full)
{
    Table table({ { "offset", Align::Right }, { "type" }, { "key" }, { "value" } });
    for (const auto& entry : file.metadata()) {
        table.add({ hexText(entry.span.offset, file.bytes().size()), typeText(entry.value),
                    printable(entry.key), valueText(entry.value, full) });
    }
    return table.text();
}

std::string tensorTable(const SplitFile& set)
{
    std::vector<Table::Column> columns { { "offset", Align::Right },
                                         { "size", Align::Right },
                                         { "type" },
                                         { "bits/weight", Align::Right },
                                         { "shape" },
                                         { "tensor" } };
    const bool namesFiles = set.hasSeveralFiles();
    if (namesFiles) {
        columns.push_back({ "file" });
    }
    Table table(columns);
    for (const auto& tensor : set.tensors()) {
        const auto& info = *tensor.info;
        const auto* type = info.typeInfo();
        const auto& shard = set.shards()[tensor.shard];
        std::vector<std::string> cells { hexText(set.offsetInFile(tensor),
                                                 shard.base + shard.file->bytes().size()),
                                         sizeText(info.data.size),
                                         typeText(info),
                                         type ? decimalText(type->bitsPerWeight(), 2) : "",
                                         shapeText(info),
                                         printable(info.name) };
        if (namesFiles) {
            cells.push_back(printable(fileName(shard.path)));
        }
        table.add(std::move(cells));
    }
    return table.text();
}

std::string tensorCounts(const SplitFile& set)
{
    std::uint64_t claimed = 0;
    for (const auto& shard : set.shards()) {
        claimed += shard.file ? shard.file->header().tensorCount : 0;
    }
    std::string counts = countText(set.tensors().size()) + " of " + countText(claimed);
    if (set.isSplit()) {
        counts += ", in " + countText(set.shards().size()) + " parts";
    }
    return counts;
}

void printFile(const SplitFile& set, bool full)
{
    const GgufFile& file = *set.opened();
    const auto& header = file.header();
    print(printable(file.path()) + ": GGUF version " + std::to_string(header.version) + ", "
          + (header.bigEndian ? "big" : "little") + "-endian, alignment "
          + std::to_string(header.alignment) + ", " + sizeText(file.bytes().size()) + " ("
          + countText(file.bytes().size()) + " bytes)\n");
    print("\nSECTIONS\n" + sectionTable(file));
    print("\nMETADATA: " + countText(file.metadata().size()) + " of "
          + countText(header.metadataCount) + "\n");
    print(file.metadata().empty() ? "" : metadataTable(file, full));
    print("\nTENSORS: " + tensorCounts(set) + "\n");
    print(set.tensors().empty() ? "" : tensorTable(set));
    print("\nPROBLEMS: " + (set.problems().empty() ? "none" : countText(set.problems().size()))
          + "\n");
    print(problemTable(set.problems(), file.path(), file.bytes().size()));
}

/// The part that holds the tensor; the file itself where none does.
const GgufFile& partWith(const SplitFile& set, std::string_view tensor)
{
    const auto* found = set.findTensor(tensor);
    return found ? *set.shards()[found->shard].file : *set.opened();
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto& arguments = context.arguments;
    if (!arguments.has("tensor") && (arguments.has("row") || arguments.has("block"))) {
        return wrongUsage("--row and --block need --tensor NAME");
    }
    const auto& path = arguments.positionals()[0];
    const auto set = SplitFile::open(path);
    if (!set) {
        return failed(set.error(), path);
    }
    if (const auto tensor = arguments.text("tensor")) {
        return inspectTensor(context, partWith(**set, *tensor));
    }
    const bool full = arguments.has("full");
    if (context.json) {
        printJson(fileJson(**set, full ? Arrays::Whole : Arrays::Beginnings));
    } else {
        printFile(**set, full);
    }
    return ExitStatus::Done;
}

} // namespace

Command inspectCommand()
{
    constexpr double kMost = 9e15;
    return {
        .name = "inspect",
        .summary = "header, metadata, tensors and problems of a file, or one tensor of it",
        .usage = "FILE [--tensor NAME [--row R] [--block B]]",
        .details =
            "A damaged file is shown as far as it can be read; its problems are listed.\n"
            "Of a split model, any part shows the tensors of all.\n"
            "With --tensor alone: statistics of the tensor, and how its values are spread from\n"
            "the smallest to the largest (64 bins in JSON). With --row: the blocks of that row\n"
            "(rows are counted through all dimensions above the first); with --block: one block\n"
            "of the row (row 0 unless given).\n"
            "A block comes with its fields. In JSON, bits is a list of [first, count] (bit\n"
            "8 n + k is the one of byte n that is worth 2^k), raw the bits of all of these as\n"
            "a number, the first ones lowest, and value the number that they stand for.\n",
        .options = { flag("full", "whole arrays and texts, not their beginnings"),
                     text("tensor", "NAME", "one tensor"),
                     integer("row", "R", "a row of it, from 0", 0, kMost),
                     integer("block", "B", "a block of the row, from 0", 0, kMost) },
        .leastPositionals = 1,
        .mostPositionals = 1,
        .run = run
    };
}

} // namespace app::cli
