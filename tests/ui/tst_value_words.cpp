// Each type of metadata value has its text, under its number.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/words_checks.h"
#include "ui/inspector/value_words.h"

using engine::gguf::ValueType;

class TestValueWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void areComplete()
    {
        for (std::uint32_t number = 0; number <= 12; ++number) {
            const auto type = static_cast<ValueType>(number);
            tests::checkWords(value_words::about(type), value_words::title(type));
        }
        QVERIFY(value_words::about(static_cast<ValueType>(13)).text.isEmpty());
    }

    // Texts stand in a list by number: a few tell that none slipped.
    void standUnderTheirNumber()
    {
        QCOMPARE(value_words::title(ValueType::U64), QString("Value type 10: u64"));
        QVERIFY(value_words::about(ValueType::Bool).text.contains("true"));
        QVERIFY(value_words::about(ValueType::String).text.contains("UTF-8"));
        QVERIFY(value_words::about(ValueType::Array).text.contains("elements"));
        QVERIFY(value_words::about(ValueType::U64).mistake.contains("10 to 12"));
        for (std::uint32_t number = 0; number <= 12; ++number) {
            const auto type = static_cast<ValueType>(number);
            static const char* const kWidths[] = { "", "One byte",   "Two bytes",
                                                   "", "Four bytes", "",
                                                   "", "",           "Eight bytes" };
            QVERIFY(value_words::about(type).text.startsWith(kWidths[valueTypeSize(type)]));
        }
    }
};

QTEST_APPLESS_MAIN(TestValueWords)
#include "tst_value_words.moc"
