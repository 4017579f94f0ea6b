// Numbers, tensors and problems in plain English.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/plain_text.h"
#include "tests/engine/gguf_bytes.h"

#include <QTest>

using namespace app;
using engine::gguf::GgufFile;
using engine::gguf::ValueType;

class TestPlainText : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hexIsGroupedByFour()
    {
        QCOMPARE(hexText(0), std::string("0000"));
        QCOMPARE(hexText(0x1A2B), std::string("1a2b"));
        QCOMPARE(hexText(0x12345), std::string("0001 2345"));
        QCOMPARE(hexText(7, 0xFFFFFFFFF), std::string("0000 0000 0007"));
        QCOMPARE(hexText(~std::uint64_t { 0 }), std::string("ffff ffff ffff ffff"));
    }

    void sizesAreSi()
    {
        QCOMPARE(sizeText(0), std::string("0 B"));
        QCOMPARE(sizeText(999), std::string("999 B"));
        QCOMPARE(sizeText(1000), std::string("1.00 kB"));
        QCOMPARE(sizeText(98362432), std::string("98.4 MB"));
        QCOMPARE(sizeText(999'960'000), std::string("1.00 GB"));
        QCOMPARE(countText(0), std::string("0"));
        QCOMPARE(countText(999), std::string("999"));
        QCOMPARE(countText(1234567), std::string("1,234,567"));
    }

    void tensorsAndValues()
    {
        tests::GgufBytes out;
        out.header(5, 2);
        out.key("n", ValueType::U32).number<std::uint32_t>(1);
        out.key("l", ValueType::Array).arrayHeader(ValueType::I8, 2).fill(2);
        out.tensor("known", { 32, 3 }, 8, 0).tensor("scalar", {}, 0, 128);
        out.tensor("former", { 32 }, 31, 160).tensor("foreign", { 32 }, 144, 160);
        out.tensor("unknown", { 32 }, 4000, 160).pad().fill(200);
        const auto file = GgufFile::parse(std::as_bytes(std::span(out.bytes())), "t.gguf");
        QVERIFY(file);
        const auto type = [&](const char* name) { return typeText(*(*file)->findTensor(name)); };
        QCOMPARE(type("known"), std::string("Q8_0"));
        QCOMPARE(type("former"), std::string("Q4_0_4_4"));
        QCOMPARE(type("foreign"), std::string("IQ4_KS of ik_llama.cpp"));
        QCOMPARE(type("unknown"), std::string("type 4000"));
        QCOMPARE(shapeText(*(*file)->findTensor("known")), std::string("32 × 3"));
        QCOMPARE(shapeText(*(*file)->findTensor("scalar")), std::string("scalar"));
        QCOMPARE(typeText(*(*file)->find("n")), std::string("u32"));
        QCOMPARE(typeText(*(*file)->find("l")), std::string("i8[2]"));
    }

    void problems()
    {
        using engine::gguf::Problem;
        const Problem problem {
            engine::gguf::Severity::Warning,
            { engine::ErrorCode::GgufTensorNameLong, { "70" }, { "/a/b.gguf", 7, "name" } }
        };
        QCOMPARE(std::string(severityName(problem.severity)), std::string("warning"));
        QCOMPARE(problemMessage(problem),
                 std::string("The tensor name is 70 bytes long. llama.cpp reads at most 63."));
        QVERIFY(isElsewhere(problem, "/a/c.gguf"));
        QVERIFY(!isElsewhere(problem, "/a/b.gguf"));
        QVERIFY(!isElsewhere({ problem.severity, { problem.error.code, {}, {} } }, "/a/c.gguf"));
        QCOMPARE(fileName("/a/b.gguf"), std::string("b.gguf"));
        QCOMPARE(fileName("b.gguf"), std::string("b.gguf"));
    }
};

QTEST_APPLESS_MAIN(TestPlainText)
#include "tst_plain_text.moc"
