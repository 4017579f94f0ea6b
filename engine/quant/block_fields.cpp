#include "engine/quant/block_fields.h"

#include "engine/quant/codec.h"
#include "engine/quant/fp4.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace engine::quant {

namespace {

constexpr std::string_view kLevelSymbol = "q";

const BlockLayout* layoutOf(gguf::TensorType type)
{
    const auto* entry = codec(type);
    return entry ? entry->layout : nullptr;
}

template <typename Whole>
std::uint64_t wholeAt(const std::byte* source)
{
    Whole number = 0;
    std::memcpy(&number, source, sizeof number);
    return number;
}

std::uint64_t readBits(const std::byte* block, const BitRuns& bits)
{
    if (const BitRun& run = *bits.begin(); bits.size() == 1 && run.first % 8 == 0) {
        const std::byte* source = block + run.first / 8;
        switch (run.count) { // what scans over whole tensors meet
        case 16:
            return wholeAt<std::uint16_t>(source);
        case 32:
            return wholeAt<std::uint32_t>(source);
        case 64:
            return wholeAt<std::uint64_t>(source);
        default:
            break;
        }
    }
    std::uint64_t raw = 0;
    std::uint32_t done = 0;
    for (const BitRun& run : bits) {
        for (std::uint32_t taken = 0; taken < run.count;) { // byte by byte
            const std::uint32_t at = run.first + taken;
            const std::uint32_t count = std::min(8 - at % 8, run.count - taken);
            const auto byte = std::to_integer<std::uint64_t>(block[at / 8]);
            raw |= (byte >> at % 8 & ((1U << count) - 1U)) << done;
            taken += count;
            done += count;
        }
    }
    return raw;
}

/// `raw`, of `bits` bits, as a number. To float where a decoder calculates with it: a whole number
/// of 64 bits would be rounded twice on the way through a double.
template <typename Real>
Real numberAs(std::uint64_t raw, NumberForm form, std::uint32_t bits)
{
    switch (form) {
    case NumberForm::Unsigned:
        break;
    case NumberForm::Signed: {
        const std::uint32_t unused = 64 - bits;
        return static_cast<Real>(static_cast<std::int64_t>(raw << unused) >> unused);
    }
    case NumberForm::Half:
        return static_cast<Real>(halfToFloat(static_cast<std::uint16_t>(raw)));
    case NumberForm::Bfloat:
        return static_cast<Real>(bfloatToFloat(static_cast<std::uint16_t>(raw)));
    case NumberForm::Float:
        return static_cast<Real>(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
    case NumberForm::Double:
        return static_cast<Real>(std::bit_cast<double>(raw));
    case NumberForm::E8M0:
        return static_cast<Real>(e8m0ToFloat(static_cast<std::uint8_t>(raw)));
    case NumberForm::E4M3:
        return static_cast<Real>(e4m3ToFloat(static_cast<std::uint8_t>(raw)));
    }
    return static_cast<Real>(raw);
}

/// The weights of field `index`.
WeightRange weightsOf(const FieldGroup& group, std::uint32_t index, std::uint32_t blockSize)
{
    const std::uint32_t each = blockSize / group.count;
    return group.weights ? group.weights(index) : WeightRange { index * each, each };
}

/// The field that a weight belongs to.
std::uint32_t fieldOf(const FieldGroup& group, std::uint32_t weight, std::uint32_t blockSize)
{
    if (!group.weights) {
        return weight / (blockSize / group.count);
    }
    std::uint32_t index = 0;
    while (!group.weights(index).contains(weight)) {
        ++index;
        assert(index < group.count);
    }
    return index;
}

/// What the formula has for this field and weight.
float operandValue(const FieldGroup& group, std::uint64_t raw, std::uint32_t bits,
                   const WeightRange& weights, std::uint32_t weight)
{
    if (group.lookup) {
        return group.lookup->value(raw, (weight - weights.first) / weights.step);
    }
    return numberAs<float>(raw, group.form, bits);
}

std::string nameWithIndex(std::string_view name, std::size_t index, std::size_t count)
{
    return count == 1 ? std::string(name) : std::string(name) + "[" + std::to_string(index) + "]";
}

} // namespace

std::string_view fieldKindName(FieldKind kind)
{
    switch (kind) {
    case FieldKind::Number:
        return "number";
    case FieldKind::Scale:
        return "scale";
    case FieldKind::Min:
        return "min";
    case FieldKind::SubScale:
        return "sub-scale";
    case FieldKind::SubMin:
        return "sub-min";
    case FieldKind::Quant:
        return "quant";
    case FieldKind::HighBits:
        return "high bits";
    case FieldKind::Index:
        return "index";
    case FieldKind::Sign:
        return "sign";
    case FieldKind::Sum:
        return "sum";
    case FieldKind::Padding:
        break;
    }
    return "padding";
}

std::span<const BlockMember> blockMembers(gguf::TensorType type)
{
    const auto* layout = layoutOf(type);
    return layout ? layout->members : std::span<const BlockMember>();
}

std::string byteName(gguf::TensorType type, std::size_t offset)
{
    for (const BlockMember& member : blockMembers(type)) {
        if (offset >= member.offset && offset - member.offset < member.size) {
            return nameWithIndex(member.name, (offset - member.offset) / member.elementSize,
                                 member.size / member.elementSize);
        }
    }
    return {};
}

std::vector<BlockField> blockFields(gguf::TensorType type, std::span<const std::byte> block)
{
    std::vector<BlockField> fields;
    const auto* layout = layoutOf(type);
    if (!layout) {
        return fields;
    }
    const auto& info = gguf::tensorTypeInfo(type);
    assert(block.size() == info.typeSize);
    for (const FieldGroup& group : layout->groups) {
        for (std::uint32_t i = 0; i < group.count; ++i) {
            const BitRuns bits = group.bits(i);
            const std::uint64_t raw = readBits(block.data(), bits);
            fields.push_back({ .name = nameWithIndex(group.symbol, i, group.count),
                               .kind = group.kind,
                               .bits = bits,
                               .raw = raw,
                               .value = numberAs<double>(raw, group.form, bits.count()),
                               .weights = weightsOf(group, i, info.blockSize) });
        }
    }
    return fields;
}

WeightRecipe weightRecipe(gguf::TensorType type, std::span<const std::byte> block,
                          std::uint32_t weight)
{
    WeightRecipe recipe;
    const auto* layout = layoutOf(type);
    if (!layout) {
        return recipe;
    }
    const auto& info = gguf::tensorTypeInfo(type);
    assert(block.size() == info.typeSize && weight < info.blockSize);
    recipe.formula = layout->weight;
    recipe.level = layout->level;
    Operand level { .symbol = kLevelSymbol };
    std::uint32_t first = 0; // field of the group
    for (const FieldGroup& group : layout->groups) {
        const std::uint32_t index = fieldOf(group, weight, info.blockSize);
        const BitRuns bits = group.bits(index);
        const auto raw = readBits(block.data(), bits);
        const auto field = static_cast<std::uint16_t>(first + index);
        first += group.count;
        if (group.kind == FieldKind::Padding || group.kind == FieldKind::Sum) {
            continue;
        }
        recipe.operands.push_back({ group.lookup ? group.lookup->symbol : group.symbol,
                                    operandValue(group, raw, bits.count(),
                                                 weightsOf(group, index, info.blockSize), weight),
                                    { field } });
        if (group.kind == FieldKind::Quant || group.kind == FieldKind::HighBits) {
            level.fields.push_back(field);
        }
    }
    if (!layout->level.empty()) {
        level.value = evaluate(layout->level, recipe.operands);
        recipe.operands.push_back(std::move(level));
    }
    recipe.value = evaluate(layout->weight, recipe.operands);
    return recipe;
}

std::string formulaText(gguf::TensorType type)
{
    const auto* layout = layoutOf(type);
    if (!layout) {
        return {};
    }
    std::string text = "w = " + std::string(layout->weight);
    if (!layout->level.empty()) {
        text += ", " + std::string(kLevelSymbol) + " = " + std::string(layout->level);
    }
    return text;
}

double FloatField::read(const std::byte* block) const
{
    return numberAs<double>(readBits(block, bits), form, bits.count());
}

std::vector<FloatField> floatFields(gguf::TensorType type)
{
    std::vector<FloatField> fields;
    const auto* layout = layoutOf(type);
    if (!layout) {
        return fields;
    }
    for (const FieldKind kind :
         { FieldKind::Scale, FieldKind::Min, FieldKind::Sum, FieldKind::Number }) {
        for (const FieldGroup& group : layout->groups) {
            const bool isFloat =
                group.form != NumberForm::Unsigned && group.form != NumberForm::Signed;
            for (std::uint32_t i = 0; group.kind == kind && isFloat && i < group.count; ++i) {
                fields.push_back({ kind, group.bits(i), group.form });
            }
        }
    }
    return fields;
}

} // namespace engine::quant
