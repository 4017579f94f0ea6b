// Decoding formulas: their value step by step in floats, and how they look with numbers.
// SPDX-License-Identifier: Apache-2.0
#include "engine/quant/formula.h"

#include <QtTest>

#include <bit>
#include <cmath>

using namespace engine;

namespace {

const std::vector<quant::Operand> kOperands {
    { "d", 0.1F, {} },  { "dmin", -0.7F, {} },    { "q", 3, {} },         { "m", -0.0F, {} },
    { "nan", NAN, {} }, { "inf", -INFINITY, {} }, { "grid[i]", -25, {} },
};

} // namespace

class TestFormula : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void values_data();
    void values();
    void looks_data();
    void looks();
    void numbers();
};

void TestFormula::values_data()
{
    QTest::addColumn<QString>("formula");
    QTest::addColumn<float>("value");
    const float d = 0.1F;
    const float dmin = -0.7F;
    QTest::newRow("symbol") << "d" << d;
    QTest::newRow("number") << "42" << 42.0F;
    QTest::newRow("longer symbol") << "dmin" << dmin;
    QTest::newRow("product first") << "d + q · dmin" << d + 3 * dmin;
    QTest::newRow("brackets") << "(d + q) · dmin" << (d + 3) * dmin;
    QTest::newRow("from the left") << "d − q − 8" << (d - 3) - 8;
    QTest::newRow("nested") << "d · (q − (8 − q))" << d * (3 - (8 - 3.0F));
    QTest::newRow("rounded at each step") << "d · dmin · q" << (d * dmin) * 3;
    QTest::newRow("decimals") << "0.125 · q − 2.5" << -2.125F;
    QTest::newRow("out of a table") << "(d + grid[i]) · q" << (d - 25) * 3;
    QTest::newRow("negative zero") << "m · q" << -0.0F;
}

void TestFormula::values()
{
    QFETCH(QString, formula);
    QFETCH(float, value);
    const float result = quant::evaluate(formula.toStdString(), kOperands);
    QCOMPARE(std::bit_cast<std::uint32_t>(result), std::bit_cast<std::uint32_t>(value));
}

void TestFormula::looks_data()
{
    QTest::addColumn<QString>("formula");
    QTest::addColumn<QString>("text");
    QTest::newRow("positive") << "d · (q − 8)"
                              << "0.1 · (3 − 8)";
    QTest::newRow("plus a negative one") << "d · q + dmin"
                                         << "0.1 · 3 − 0.7";
    QTest::newRow("minus a negative one") << "q − dmin · q"
                                          << "3 − (−0.7) · 3";
    QTest::newRow("times a negative one") << "q · dmin"
                                          << "3 · (−0.7)";
    QTest::newRow("a negative one first") << "dmin · (dmin + 1)"
                                          << "−0.7 · (−0.7 + 1)";
    QTest::newRow("a negative zero") << "q + m"
                                     << "3 − 0";
    QTest::newRow("out of a table") << "(0.5 + q) · grid[i]"
                                    << "(0.5 + 3) · (−25)";
    QTest::newRow("odd ones") << "nan · q + inf"
                              << "NaN · 3 − ∞";
}

void TestFormula::looks()
{
    QFETCH(QString, formula);
    QFETCH(QString, text);
    QCOMPARE(QString::fromStdString(quant::withNumbers(formula.toStdString(), kOperands, 6)), text);
}

void TestFormula::numbers()
{
    QCOMPARE(quant::numberText(0.0179595947F, 4), std::string("0.01796"));
    QCOMPARE(quant::numberText(-1234.5F, 7), std::string("−1234.5"));
    QCOMPARE(quant::numberText(INFINITY, 4), std::string("∞"));
    QCOMPARE(quant::numberText(-NAN, 4), std::string("NaN"));
}

QTEST_APPLESS_MAIN(TestFormula)
#include "tst_formula.moc"
