// A file as JSON: numbers, values of every type, arrays cut or whole, places of problems.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/file_json.h"
#include "tests/engine/gguf_bytes.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace app;
using engine::gguf::GgufFile;
using engine::gguf::SplitFile;
using engine::gguf::ValueType;
using tests::GgufBytes;

namespace {

Json jsonOf(const std::string& bytes, Arrays arrays)
{
    const auto file = GgufFile::parse(std::as_bytes(std::span(bytes)), "j.gguf");
    return file ? fileJson(*SplitFile::of(*file), arrays) : Json();
}

} // namespace

class TestFileJson : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void floatsAreShortAndExact()
    {
        QCOMPARE(floatJson(0.1F).dump(), std::string("0.1"));
        QCOMPARE(floatJson(1e-5F).dump(), std::string("1e-05"));
        QVERIFY(floatJson(std::numeric_limits<float>::infinity()).is_null());
        QVERIFY(floatJson(std::nanf("")).is_null());
        for (const float value : { 0.333333343F, -7.43865967e-3F, 16777217.0F, 1e-45F, 3.4e38F }) {
            QCOMPARE(floatJson(value).get<float>(), value);
        }
    }

    void valuesKeepTheirTypes()
    {
        GgufBytes out;
        out.header(0, 5);
        out.key("u64", ValueType::U64).number(std::numeric_limits<std::uint64_t>::max());
        out.key("i8", ValueType::I8).number<std::int8_t>(-5);
        out.key("bool", ValueType::Bool).number<std::uint8_t>(1);
        out.key("f64", ValueType::F64).number(0.1);
        out.key("nested", ValueType::Array).arrayHeader(ValueType::Array, 1);
        out.arrayHeader(ValueType::String, 2).text("a").text("b");
        const Json json = jsonOf(out.bytes(), Arrays::Beginnings);
        std::string values;
        for (const auto& entry : json["metadata"]) {
            values += entry["value"].dump() + ' ';
        }
        QCOMPARE(values, std::string("18446744073709551615 -5 true 0.1 [[\"a\",\"b\"]] "));
    }

    void arraysAreCutUnlessAskedFor()
    {
        GgufBytes out;
        out.header(0, 1);
        out.key("l", ValueType::Array).arrayHeader(ValueType::U8, 100).fill(100);
        const Json cut = jsonOf(out.bytes(), Arrays::Beginnings)["metadata"][0];
        QCOMPARE(cut["value"].size(), std::size_t(kShownElements));
        QCOMPARE(cut["count"].get<int>(), 100);
        const Json whole = jsonOf(out.bytes(), Arrays::Whole)["metadata"][0];
        QCOMPARE(whole["value"].size(), std::size_t(100));
    }

    void problemsNameOtherFilesOnly()
    {
        const engine::gguf::Problem problem {
            engine::gguf::Severity::Error,
            { engine::ErrorCode::GgufTensorDuplicate, {}, { "part2.gguf", 9, "t" } }
        };
        const Json here = problemJson(problem, "part2.gguf");
        QVERIFY(!here.contains("file"));
        QCOMPARE(here["offset"].get<int>(), 9);
        QCOMPARE(here["subject"].get<std::string>(), std::string("t"));
        const Json elsewhere = problemJson(problem, "part1.gguf");
        QCOMPARE(elsewhere["file"].get<std::string>(), std::string("part2.gguf"));
        const Json bare = problemJson({ problem.severity, { problem.error.code, {}, {} } }, "x");
        QVERIFY(bare["offset"].is_null() && bare["subject"].is_null());
    }

    void unknownTypesHaveNoBits()
    {
        GgufBytes out;
        out.header(1, 0).tensor("t", { 32 }, 4000, 0).pad().fill(8);
        const Json tensor = jsonOf(out.bytes(), Arrays::Beginnings)["tensors"][0];
        QVERIFY(tensor["bpw"].is_null());
        QCOMPARE(tensor["type"].get<std::string>(), std::string("type 4000"));
    }
};

QTEST_APPLESS_MAIN(TestFileJson)
#include "tst_file_json.moc"
