#include "app/cli/inspect_block.h"

#include "app/cli/console.h"
#include "engine/quant/block_fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace app::cli {

namespace {

using engine::eval::BlockValues;
using engine::gguf::TensorType;
using engine::quant::BlockField;

constexpr std::uint32_t kShownRecipes = 4;

/// The shortest decimal, for numbers that a float holds as well.
Json numberJson(double value)
{
    if (!std::isfinite(value)) {
        return nullptr;
    }
    const auto narrow = static_cast<float>(value);
    return static_cast<double>(narrow) == value ? floatJson(narrow) : Json(value);
}

Json fieldJson(const BlockField& field)
{
    Json bits = Json::array();
    for (const auto& run : field.bits) {
        bits.push_back({ run.first, run.count });
    }
    return { { "name", field.name },
             { "bits", std::move(bits) },
             { "raw", field.raw },
             { "value", numberJson(field.value) } };
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

/// "72–75, 14–15"
std::string bitsText(const BlockField& field)
{
    std::string text;
    for (const auto& run : field.bits) {
        text += text.empty() ? "" : ", ";
        text += std::to_string(run.first);
        text += run.count > 1 ? "–" + std::to_string(run.first + run.count - 1) : "";
    }
    return text;
}

/// "0x2a8d"
std::string rawText(std::uint64_t raw)
{
    char buffer[16];
    const auto written = std::to_chars(buffer, buffer + sizeof(buffer), raw, 16);
    return "0x" + std::string(buffer, written.ptr);
}

/// The bytes that hold the field, by name: "scales[9], scales[1]".
std::string bytesText(TensorType type, const BlockField& field)
{
    std::string text;
    const auto add = [&](const std::string& name) {
        text += text.empty() ? "" : ", ";
        text += name;
    };
    for (const auto& run : field.bits) {
        const auto first = engine::quant::byteName(type, run.first / 8);
        const auto last = engine::quant::byteName(type, (run.first + run.count - 1) / 8);
        add(first);
        if (last != first) {
            add(last);
        }
    }
    return text;
}

bool isOfOneWeight(const BlockField& field)
{
    return field.weights.count == 1;
}

/// One row each for scales and minima of the block and its groups.
std::string fieldTable(TensorType type, std::span<const BlockField> fields)
{
    Table table({ { "field" },
                  { "kind" },
                  { "in" },
                  { "bits" },
                  { "raw", Align::Right },
                  { "value", Align::Right } });
    for (const BlockField& field : fields) {
        if (!isOfOneWeight(field)) {
            table.add({ field.name, std::string(engine::quant::fieldKindName(field.kind)),
                        bytesText(type, field), bitsText(field), rawText(field.raw),
                        shortFloat(field.value) });
        }
    }
    return table.text();
}

/// The fields of single weights, 16 in a row.
std::string quantTable(std::span<const BlockField> fields)
{
    constexpr std::size_t kPerLine = 16;
    std::vector<Table::Column> columns { { "quants" } };
    columns.resize(1 + kPerLine, { "", Align::Right });
    Table table(std::move(columns));
    std::vector<std::string> cells;
    const auto flush = [&] {
        if (!cells.empty()) {
            table.add(std::exchange(cells, {}));
        }
    };
    for (const BlockField& field : fields) {
        if (!isOfOneWeight(field)) {
            continue;
        }
        if (field.weights.first % kPerLine == 0) {
            flush();
            cells.push_back(field.name);
        }
        cells.push_back(shortFloat(field.value));
    }
    flush();
    return table.text();
}

/// "w[3] = d · q + m = 0.01796 · 3 − 0.1307 = −0.07682"
std::string recipeLines(TensorType type, const BlockValues& block)
{
    constexpr int kDigits = 7;
    std::string text = engine::quant::formulaText(type) + "\n";
    for (std::uint32_t i = 0; i < kShownRecipes; ++i) {
        const auto recipe = engine::quant::weightRecipe(type, block.bytes, i);
        text += "w[" + std::to_string(i)
            + "] = " + engine::quant::withNumbers(recipe.formula, recipe.operands, kDigits) + " = "
            + engine::quant::numberText(recipe.value, kDigits);
        if (!recipe.level.empty()) {
            text += ", q = " + engine::quant::withNumbers(recipe.level, recipe.operands, kDigits);
        }
        text += "\n";
    }
    return text;
}

std::string valueTable(const BlockValues& block)
{
    constexpr std::size_t kPerLine = 8;
    Table table(std::vector<Table::Column>(kPerLine, { "", Align::Right }));
    for (std::size_t from = 0; from < block.values.size(); from += kPerLine) {
        std::vector<std::string> cells;
        for (std::size_t i = from; i < std::min(from + kPerLine, block.values.size()); ++i) {
            cells.push_back(shortFloat(block.values[i]));
        }
        table.add(std::move(cells));
    }
    return table.text().substr(1); // the titles are empty
}

} // namespace

Json blockJson(TensorType type, const BlockValues& block)
{
    Json fields = Json::array();
    for (const BlockField& field : engine::quant::blockFields(type, block.bytes)) {
        fields.push_back(fieldJson(field));
    }
    return { { "offset", block.offset },
             { "bytes", toHex(block.bytes) },
             { "fields", std::move(fields) },
             { "values", floatsJson(block.values) } };
}

std::string blockText(TensorType type, const BlockValues& block, std::uint64_t fileSize)
{
    const std::string bytes = hexDump(block, fileSize);
    if (engine::gguf::tensorTypeInfo(type).blockSize == 1) {
        return bytes + valueTable(block);
    }
    const auto fields = engine::quant::blockFields(type, block.bytes);
    const bool hasQuants = std::ranges::any_of(fields, isOfOneWeight);
    return bytes + "\n" + fieldTable(type, fields) + "\n"
        + (hasQuants ? quantTable(fields) + "\n" : std::string()) + recipeLines(type, block)
        + "\nvalues\n" + valueTable(block);
}

std::string shortFloat(double value)
{
    char buffer[32];
    const auto written =
        std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::general, 7);
    return { buffer, written.ptr };
}

} // namespace app::cli
