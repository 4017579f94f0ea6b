// The fields of blocks against their bytes and against the codec: every type, the blocks of the
// conformance pack and random ones. SPDX-License-Identifier: Apache-2.0
#include "engine/quant/block_fields.h"
#include "engine/quant/blocks_iq.h"
#include "engine/quant/codec.h"
#include "tests/support/conformance.h"
#include "tests/support/quantization.h"

#include <QtTest>

#include <nlohmann/json.hpp>

#include <bit>
#include <random>
#include <set>

using namespace engine;
using gguf::TensorType;
using quant::BlockField;
using quant::FieldKind;

namespace {

using Bytes = std::vector<std::byte>;

bool sameFloat(float a, float b)
{
    if (std::isnan(a) || std::isnan(b)) {
        return std::isnan(a) && std::isnan(b);
    }
    return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

/// The blocks of the conformance pack for this type; none where the pack has none.
std::vector<Bytes> conformanceBlocks(const gguf::TensorTypeInfo& info)
{
    std::vector<Bytes> blocks;
    const auto folder = tests::conformanceDir("quantization");
    const auto file = std::string(info.name) + ".json";
    if (!folder || !std::filesystem::exists(*folder / file)) {
        return blocks;
    }
    const auto json = tests::readJson(*folder / file);
    for (const char* part : { "dequantize", "quantize" }) {
        for (const auto& entry : json[part]) {
            const auto bytes = tests::fromHex(entry["hex"].get<std::string>());
            for (std::size_t at = 0; at + info.typeSize <= bytes.size(); at += info.typeSize) {
                blocks.emplace_back(bytes.begin() + std::ptrdiff_t(at),
                                    bytes.begin() + std::ptrdiff_t(at + info.typeSize));
            }
        }
    }
    return blocks;
}

std::vector<Bytes> allBlocks(const gguf::TensorTypeInfo& info)
{
    auto blocks = conformanceBlocks(info);
    blocks.emplace_back(info.typeSize, std::byte { 0 });
    blocks.emplace_back(info.typeSize, std::byte { 0xff });
    std::mt19937 random(11);
    for (int i = 0; i < 64; ++i) {
        Bytes block(info.typeSize);
        for (auto& byte : block) {
            byte = static_cast<std::byte>(random());
        }
        blocks.push_back(std::move(block));
    }
    return blocks;
}

/// The bytes that the raw numbers of the fields make; empty where a bit is set twice or not at all.
Bytes assembled(const std::vector<BlockField>& fields, std::size_t size)
{
    Bytes bytes(size);
    std::vector<int> owners(8 * size);
    for (const BlockField& field : fields) {
        std::uint32_t place = 0;
        for (const auto& run : field.bits) {
            for (std::uint32_t bit = run.first; bit < run.first + run.count; ++bit, ++place) {
                if (bit >= owners.size()) {
                    return {};
                }
                ++owners[bit];
                bytes[bit / 8] |= static_cast<std::byte>((field.raw >> place & 1U) << bit % 8);
            }
        }
        if (place < 64 && field.raw >> place) {
            return {}; // a raw number wider than its bits
        }
    }
    const bool once = std::all_of(owners.begin(), owners.end(), [](int n) { return n == 1; });
    return once ? bytes : Bytes();
}

const BlockField* fieldNamed(const std::vector<BlockField>& fields, const std::string& name)
{
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const BlockField& field) { return field.name == name; });
    return found == fields.end() ? nullptr : &*found;
}

void everyType()
{
    QTest::addColumn<unsigned>("type");
    for (const auto& codec : quant::codecs()) {
        QTest::newRow(std::string(gguf::tensorTypeInfo(codec.type).name).c_str())
            << static_cast<unsigned>(codec.type);
    }
}

} // namespace

class TestBlockFields : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyBitOnce_data() { everyType(); }
    void everyBitOnce();
    void recipesAreTheCodec_data() { everyType(); }
    void recipesAreTheCodec();
    void recipesNameTheirFields_data() { everyType(); }
    void recipesNameTheirFields();
    void membersFillTheBlock_data() { everyType(); }
    void membersFillTheBlock();
    void conformanceIsThere();
    void namesOfQ4_1();
    void spreadBits();
    void sumsOfActivations();
    void patternsAndSigns();
    void digitsOfBase3();
    void formulas();
    void numbersThatCanBeNan();
    void typesWithoutCodec();
};

void TestBlockFields::everyBitOnce()
{
    QFETCH(unsigned, type);
    const auto& info = *gguf::tensorTypeInfo(type);
    for (const Bytes& block : allBlocks(info)) {
        const auto fields = quant::blockFields(info.type, block);
        QVERIFY(assembled(fields, block.size()) == block);
        std::set<std::string> names;
        for (const BlockField& field : fields) {
            QVERIFY2(names.insert(field.name).second, field.name.c_str());
            QVERIFY(field.weights.count > 0);
            QVERIFY(field.weights.last() < info.blockSize);
        }
    }
}

void TestBlockFields::recipesAreTheCodec()
{
    QFETCH(unsigned, type);
    const auto& info = *gguf::tensorTypeInfo(type);
    std::vector<float> values(info.blockSize);
    for (const Bytes& block : allBlocks(info)) {
        quant::codec(info.type)->decode(block.data(), values.data(), 1);
        for (std::uint32_t weight = 0; weight < info.blockSize; ++weight) {
            const auto recipe = quant::weightRecipe(info.type, block, weight);
            QVERIFY2(sameFloat(recipe.value, values[weight]),
                     qPrintable(QString("weight %1: %2, not %3")
                                    .arg(weight)
                                    .arg(double(recipe.value))
                                    .arg(double(values[weight]))));
            // What is shown calculates to it.
            QVERIFY(sameFloat(quant::evaluate(recipe.formula, recipe.operands), values[weight]));
        }
    }
}

void TestBlockFields::recipesNameTheirFields()
{
    QFETCH(unsigned, type);
    const auto& info = *gguf::tensorTypeInfo(type);
    const Bytes block = allBlocks(info).back();
    const auto fields = quant::blockFields(info.type, block);
    for (std::uint32_t weight = 0; weight < info.blockSize; ++weight) {
        const auto recipe = quant::weightRecipe(info.type, block, weight);
        std::set<std::size_t> used;
        for (const auto& operand : recipe.operands) {
            QVERIFY(!operand.fields.empty());
            for (const auto index : operand.fields) {
                QVERIFY(index < fields.size());
                used.insert(index);
            }
            if (operand.fields.size() == 1) {
                const BlockField& field = fields[operand.fields[0]];
                const auto bracket = operand.symbol.find('['); // "grid[i]": out of a table
                const bool isNumber = bracket == std::string_view::npos;
                QVERIFY(!isNumber || sameFloat(static_cast<float>(field.value), operand.value)
                        || info.type == TensorType::I64); // rounded twice
                const auto symbol = isNumber
                    ? operand.symbol
                    : operand.symbol.substr(bracket + 1, operand.symbol.size() - bracket - 2);
                QVERIFY(field.name.starts_with(symbol));
            }
        }
        for (std::size_t i = 0; i < fields.size(); ++i) { // the way back
            const bool takesPart =
                fields[i].weights.contains(weight) && fields[i].kind != FieldKind::Sum;
            QCOMPARE(used.count(i) == 1, takesPart);
        }
    }
}

void TestBlockFields::membersFillTheBlock()
{
    QFETCH(unsigned, type);
    const auto& info = *gguf::tensorTypeInfo(type);
    std::size_t end = 0;
    for (const auto& member : quant::blockMembers(info.type)) {
        QCOMPARE(member.offset, end);
        QCOMPARE(member.size % member.elementSize, std::size_t { 0 });
        end += member.size;
    }
    QCOMPARE(end, std::size_t { info.typeSize });
}

void TestBlockFields::conformanceIsThere()
{
    if (!tests::conformanceDir("quantization")) {
        QSKIP(tests::missing("quantization").c_str());
    }
    for (const auto& codec : quant::codecs()) {
        const auto& info = gguf::tensorTypeInfo(codec.type);
        const bool isPlain =
            info.blockSize == 1 && info.type != TensorType::F16 && info.type != TensorType::BF16;
        // ggml writes none of these, so the pack has none.
        const bool isOfActivations = info.type == TensorType::Q8_1 || info.type == TensorType::Q8_K;
        QCOMPARE(conformanceBlocks(info).size() >= 32, !isPlain && !isOfActivations);
    }
}

void TestBlockFields::namesOfQ4_1()
{
    quant::BlockQ4_1 raw {};
    raw.scale = quant::floatToHalf(0.5F);
    raw.min = quant::floatToHalf(-3);
    raw.quants[3] = 0xf2;
    const auto block = std::as_bytes(std::span(&raw, 1));
    const auto fields = quant::blockFields(TensorType::Q4_1, block);
    QCOMPARE(fields.size(), std::size_t { 34 });
    QCOMPARE(fields[0].name, std::string("d"));
    QCOMPARE(fields[0].kind, FieldKind::Scale);
    QCOMPARE(fields[0].raw, std::uint64_t { 0x3800 });
    QCOMPARE(fields[0].value, 0.5);
    QCOMPARE(fields[0].weights.count, 32U);
    QCOMPARE(fields[1].name, std::string("m"));
    QCOMPARE(fields[1].kind, FieldKind::Min);
    QCOMPARE(fields[1].value, -3.0);
    const auto* low = fieldNamed(fields, "q[3]");
    const auto* high = fieldNamed(fields, "q[19]");
    QVERIFY(low && high);
    QCOMPARE(low->raw, std::uint64_t { 2 });
    QCOMPARE(high->raw, std::uint64_t { 15 });
    QVERIFY(*low->bits.begin() == (quant::BitRun { 56, 4 }));
    QVERIFY(*high->bits.begin() == (quant::BitRun { 60, 4 }));
    QVERIFY(high->bits.touches(7) && !high->bits.touches(6) && !high->bits.touches(8));
    QCOMPARE(quant::byteName(TensorType::Q4_1, 1), std::string("d"));
    QCOMPARE(quant::byteName(TensorType::Q4_1, 2), std::string("m"));
    QCOMPARE(quant::byteName(TensorType::Q4_1, 7), std::string("qs[3]"));
    QCOMPARE(quant::byteName(TensorType::Q4_1, 20), std::string());
    const auto recipe = quant::weightRecipe(TensorType::Q4_1, block, 19);
    QCOMPARE(quant::withNumbers(recipe.formula, recipe.operands, 4), std::string("0.5 · 15 − 3"));
    QCOMPARE(recipe.value, 4.5F);
}

void TestBlockFields::spreadBits()
{
    // A sub-scale of Q4_K from 2 + 4 bits: 0b10'1101 of group 5.
    quant::BlockQ4_K raw {};
    raw.scales[9] = 0x0d;
    raw.scales[1] = 0x80;
    const auto fields = quant::blockFields(TensorType::Q4_K, std::as_bytes(std::span(&raw, 1)));
    const auto* scale = fieldNamed(fields, "sc[5]");
    QVERIFY(scale);
    QCOMPARE(scale->kind, FieldKind::SubScale);
    QCOMPARE(scale->raw, std::uint64_t { 0b101101 });
    QCOMPARE(scale->bits.size(), std::size_t { 2 });
    QCOMPARE(scale->weights.first, 160U);
    QCOMPARE(scale->weights.count, 32U);
    // Levels of Q5_0 from a nibble and a bit of the word.
    quant::BlockQ5_0 five {};
    five.scale = quant::floatToHalf(2);
    five.quants[4] = 0x90;
    five.highBits[2] = 0x10; // weight 20
    const auto recipe =
        quant::weightRecipe(TensorType::Q5_0, std::as_bytes(std::span(&five, 1)), 20);
    QCOMPARE(quant::withNumbers(recipe.level, recipe.operands, 4), std::string("9 + 16 · 1"));
    QCOMPARE(quant::withNumbers(recipe.formula, recipe.operands, 4), std::string("2 · (25 − 16)"));
    QCOMPARE(recipe.value, 18.0F);
}

void TestBlockFields::sumsOfActivations()
{
    quant::BlockQ8_K raw {};
    raw.sums[2] = -300;
    const auto fields = quant::blockFields(TensorType::Q8_K, std::as_bytes(std::span(&raw, 1)));
    QCOMPARE(fields.size(), std::size_t { 1 + 256 + 16 });
    const auto* sum = fieldNamed(fields, "s[2]");
    QVERIFY(sum);
    QCOMPARE(sum->kind, FieldKind::Sum);
    QCOMPARE(sum->value, -300.0);
    QCOMPARE(sum->weights.first, 32U);
    QCOMPARE(sum->weights.count, 16U);
    QCOMPARE(quant::byteName(TensorType::Q8_K, 4 + 256 + 5), std::string("bsums[2]"));
    quant::BlockQ8_1 single {};
    single.sum = quant::floatToHalf(2.5F);
    const auto of32 = quant::blockFields(TensorType::Q8_1, std::as_bytes(std::span(&single, 1)));
    QCOMPARE(of32.size(), std::size_t { 34 });
    QCOMPARE(of32[1].name, std::string("s"));
    QCOMPARE(of32[1].value, 2.5);
    QCOMPARE(of32[1].weights.count, 32U);
}

void TestBlockFields::patternsAndSigns()
{
    quant::BlockIQ2_XXS raw {};
    raw.scale = quant::floatToHalf(2);
    raw.words[2] = 0x0000'0200; // group 1: pattern 2 for its weights 8 to 15
    raw.words[3] = 0xf000'0000U | 0b000'0101U << 7U; // of those the first and third are negative
    const auto block = std::as_bytes(std::span(&raw, 1));
    const auto fields = quant::blockFields(TensorType::IQ2_XXS, block);
    QCOMPARE(fields.size(), std::size_t { 1 + 8 + 32 + 32 });
    const auto* index = fieldNamed(fields, "i[5]");
    const auto* signs = fieldNamed(fields, "s[5]");
    QVERIFY(index && signs);
    QCOMPARE(index->kind, FieldKind::Index);
    QCOMPARE(index->raw, std::uint64_t { 2 });
    QCOMPARE(index->weights.first, 40U);
    QCOMPARE(index->weights.count, 8U);
    QCOMPARE(signs->kind, FieldKind::Sign);
    QCOMPARE(signs->raw, std::uint64_t { 5 });
    // pattern 2 of the codebook: 25, 25 and six times 8
    const auto recipe = quant::weightRecipe(TensorType::IQ2_XXS, block, 40);
    QCOMPARE(quant::withNumbers(recipe.formula, recipe.operands, 4),
             std::string("2 · (0.5 + 15) · 0.25 · 25 · (−1)"));
    QCOMPARE(recipe.value, -193.75F);
    QCOMPARE(quant::weightRecipe(TensorType::IQ2_XXS, block, 42).value, -62.0F);
    QCOMPARE(quant::weightRecipe(TensorType::IQ2_XXS, block, 47).value, 62.0F);
    // the spread scale of IQ1_M: 0x3c00 is 1
    quant::BlockIQ1_M spread {};
    spread.scales[2] = 0xc000;
    spread.scales[3] = 0x3000;
    const auto of8 = quant::blockFields(TensorType::IQ1_M, std::as_bytes(std::span(&spread, 1)));
    QCOMPARE(of8[0].name, std::string("d"));
    QCOMPARE(of8[0].value, 1.0);
    QCOMPARE(of8[0].bits.size(), std::size_t { 4 });
}

void TestBlockFields::digitsOfBase3()
{
    quant::BlockTQ1_0 raw {};
    raw.scale = quant::floatToHalf(0.5F);
    raw.quants[33] = 0xff; // 22222 in base 3
    raw.highBits[1] = 0x60; // 0.375 = 0.1010…
    const auto block = std::as_bytes(std::span(&raw, 1));
    const auto fields = quant::blockFields(TensorType::TQ1_0, block);
    QCOMPARE(fields.size(), std::size_t { 1 + 52 });
    const auto* of16 = fieldNamed(fields, "t[33]");
    QVERIFY(of16);
    QCOMPARE(of16->weights.first, 161U);
    QCOMPARE(of16->weights.step, 16U);
    QCOMPARE(of16->weights.last(), 225U);
    for (const std::uint32_t weight : { 161U, 177U, 193U, 209U, 225U }) {
        QCOMPARE(quant::weightRecipe(TensorType::TQ1_0, block, weight).value, 0.5F);
    }
    const auto valueAt = [&](std::uint32_t weight) {
        return quant::weightRecipe(TensorType::TQ1_0, block, weight).value;
    };
    QCOMPARE(valueAt(241), 0.0F);
    QCOMPARE(valueAt(245), -0.5F);
    QCOMPARE(valueAt(249), 0.0F);
    QCOMPARE(valueAt(253), -0.5F);
}

void TestBlockFields::formulas()
{
    QCOMPARE(quant::formulaText(TensorType::IQ3_S),
             std::string("w = d · (2 · sc + 1) · grid[i] · (1 − 2 · s)"));
    QCOMPARE(quant::formulaText(TensorType::MXFP4), std::string("w = d · value[q]"));
    QCOMPARE(quant::fieldKindName(FieldKind::Index), std::string_view("index"));
    QCOMPARE(quant::fieldKindName(FieldKind::Sign), std::string_view("sign"));
    QCOMPARE(quant::formulaText(TensorType::F16), std::string("w = x"));
    QCOMPARE(quant::formulaText(TensorType::Q4_1), std::string("w = d · q + m"));
    QCOMPARE(quant::formulaText(TensorType::Q5_0),
             std::string("w = d · (q − 16), q = lo + 16 · hi"));
    QCOMPARE(quant::formulaText(TensorType::Q4_K), std::string("w = d · sc · q − dmin · m"));
    QCOMPARE(quant::formulaText(TensorType::Q8_1), std::string("w = d · q"));
    QCOMPARE(quant::formulaText(TensorType::Q8_K), std::string("w = d · q"));
    QCOMPARE(quant::fieldKindName(FieldKind::HighBits), std::string_view("high bits"));
    QCOMPARE(quant::fieldKindName(FieldKind::Sum), std::string_view("sum"));
}

void TestBlockFields::numbersThatCanBeNan()
{
    std::mt19937 random(3);
    for (const auto& codec : quant::codecs()) {
        const auto& info = gguf::tensorTypeInfo(codec.type);
        const auto floats = quant::floatFields(codec.type);
        const bool isWhole = info.blockSize == 1 && info.name.starts_with("I");
        QCOMPARE(floats.empty(), isWhole);
        Bytes block(info.typeSize);
        std::generate(block.begin(), block.end(), [&] { return static_cast<std::byte>(random()); });
        const auto fields = quant::blockFields(codec.type, block);
        std::size_t seen = 0;
        for (const BlockField& field : fields) {
            const bool isFloatSum = field.kind == FieldKind::Sum && codec.type == TensorType::Q8_1;
            if (field.kind == FieldKind::Scale || field.kind == FieldKind::Min || isFloatSum
                || (field.kind == FieldKind::Number && !isWhole)) {
                QCOMPARE(floats.at(seen).kind, field.kind);
                QVERIFY(sameFloat(float(floats.at(seen).read(block.data())), float(field.value)));
                ++seen;
            }
        }
        QCOMPARE(seen, floats.size());
    }
}

void TestBlockFields::typesWithoutCodec()
{
    constexpr auto kRemoved = static_cast<TensorType>(4);
    const Bytes block(66);
    QVERIFY(quant::blockFields(kRemoved, block).empty());
    QVERIFY(quant::blockMembers(kRemoved).empty());
    QVERIFY(quant::weightRecipe(kRemoved, block, 0).operands.empty());
    QVERIFY(quant::formulaText(kRemoved).empty());
    QVERIFY(quant::floatFields(kRemoved).empty());
}

QTEST_APPLESS_MAIN(TestBlockFields)
#include "tst_block_fields.moc"
