// Numbers, names and geometry of the tensor types.
#include "engine/gguf/tensor_type.h"

#include <QTest>

#include <string>

using namespace engine::gguf;

class TestTensorType : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void knowsTensorTypes()
    {
        QCOMPARE(tensorTypes().size(), std::size_t(35));
        std::uint32_t last = 0;
        for (const TensorTypeInfo& info : tensorTypes()) {
            const auto number = static_cast<std::uint32_t>(info.type);
            QVERIFY(number == 0 || number > last);
            last = number;
            QCOMPARE(tensorTypeInfo(number), &info);
            QCOMPARE(&tensorTypeInfo(info.type), &info);
            QCOMPARE(tensorTypeByName(info.name), info.type);
            QVERIFY(formerTensorTypeName(number).empty());
        }
        QCOMPARE(tensorTypeInfo(TensorType::Q4_K).bitsPerWeight(), 4.5);
        QCOMPARE(tensorTypeInfo(TensorType::IQ3_XXS).bitsPerWeight(), 3.0625);
        QCOMPARE(tensorTypeByName("q4_k"), TensorType::Q4_K);
        QCOMPARE(tensorTypeByName("Q4"), std::nullopt);
        for (const std::uint32_t number :
             { 4U, 5U, 31U, 32U, 33U, 36U, 37U, 38U, 97U, 133U, 144U, 158U, 202U, 399U }) {
            QVERIFY(!tensorTypeInfo(number));
            QVERIFY(!formerTensorTypeName(number).empty());
        }
        QVERIFY(!tensorTypeInfo(43) && !tensorTypeInfo(~0U));
        QVERIFY(formerTensorTypeName(43).empty());
        QVERIFY(formerTensorTypeName(400).empty());
        QCOMPARE(tensorTypeLabel(12), std::string("Q4_K"));
        QCOMPARE(tensorTypeLabel(31), std::string("31 (Q4_0_4_4)"));
        QCOMPARE(tensorTypeLabel(202), std::string("202 (Q4_0_R8 of ik_llama.cpp)"));
        QCOMPARE(tensorTypeLabel(150), std::string("150 (a type of ik_llama.cpp)"));
        QCOMPARE(tensorTypeLabel(43), std::string("43"));
    }
};

QTEST_APPLESS_MAIN(TestTensorType)
#include "tst_tensor_type.moc"
