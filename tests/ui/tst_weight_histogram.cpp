// Bars, axis and words of a histogram.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/weight_histogram.h"

#include <QLocale>
#include <QSignalSpy>
#include <QTest>

using engine::eval::TensorSummary;

namespace {

/// Four bins from −1 to 3 with 1, 99, 0 and 899 weights; mean 1, deviation 0.5.
TensorSummary summary()
{
    TensorSummary summary;
    summary.statistics = {
        .elements = 1000, .min = -5, .max = 3, .mean = 1, .standardDeviation = 0.5
    };
    summary.histogram = { .low = -1, .high = 3, .counts = { 1, 99, 0, 899 }, .below = 1 };
    return summary;
}

} // namespace

class TestWeightHistogram : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QLocale::setDefault(QLocale::c()); }

    void showsBars()
    {
        WeightHistogram histogram;
        QVERIFY(!histogram.isShown());
        QVERIFY(histogram.heights().isEmpty());
        QCOMPARE(histogram.binText(0), QString());
        QCOMPARE(histogram.zeroAt(), -1.0);
        QSignalSpy changed(&histogram, &WeightHistogram::changed);
        histogram.show(summary());
        QCOMPARE(changed.count(), 1);
        QVERIFY(histogram.isShown());
        QCOMPARE(histogram.heights(), QList<qreal>({ 1, 99, 0, 899 }));
        QCOMPARE(histogram.lowText(), QString("-1"));
        QCOMPARE(histogram.highText(), QString("3"));
        QCOMPARE(histogram.mostText(), QString("899"));
        QCOMPARE(histogram.zeroAt(), 0.25);
        QCOMPARE(histogram.meanAt(), 0.5);
        QCOMPARE(histogram.spreadFrom(), 0.375);
        QCOMPARE(histogram.spreadTo(), 0.625);
        histogram.clear();
        QVERIFY(!histogram.isShown());
    }

    void saysWhatABarStandsFor()
    {
        WeightHistogram histogram;
        histogram.show(summary());
        QCOMPARE(histogram.binText(0), QString("-1 … 0: 1 weight (0.1 %)"));
        QCOMPARE(histogram.binText(3), QString("2 … 3: 899 weights (89.9 %)"));
        QCOMPARE(histogram.binText(4), QString());
        QCOMPARE(histogram.binText(-1), QString());
        QVERIFY(histogram.spoken().contains("4 bars from -1 to 3"));
        QVERIFY(histogram.spoken().contains("899 weights"));
        QCOMPARE(histogram.outsideText(), QString("1 weight lies further out and is not drawn."));
        auto more = summary();
        more.histogram.above = 2;
        histogram.show(more);
        QVERIFY(histogram.outsideText().startsWith("3 weights lie further out"));
        QVERIFY(histogram.outsideText().contains("1 below, 2 above"));
    }

    void logarithms()
    {
        WeightHistogram histogram;
        histogram.show(summary());
        histogram.setLogarithmic(true);
        QCOMPARE(histogram.heights()[1], 2.0); // 1 + 99
        QCOMPARE(histogram.heights()[2], 0.0);
        QVERIFY(histogram.heights()[0] > 0);
        QCOMPARE(histogram.mostText(), QString("899"));
        QVERIFY(histogram.binText(1).contains("99 weights"));
    }

    void oneValue()
    {
        WeightHistogram histogram;
        auto equal = summary();
        equal.statistics.standardDeviation = 0;
        equal.histogram = { .low = 1, .high = 1, .counts = { 1000 } };
        histogram.show(equal);
        QCOMPARE(histogram.binText(0), QString("1: 1,000 weights (100.0 %)").remove(','));
        QCOMPARE(histogram.meanAt(), 0.5);
        QCOMPARE(histogram.zeroAt(), -1.0);
        QCOMPARE(histogram.outsideText(), QString());
    }

    void nothingFinite()
    {
        WeightHistogram histogram;
        auto bad = summary();
        bad.statistics.nans = 1000;
        histogram.show(bad);
        QVERIFY(!histogram.isShown());
    }
};

QTEST_MAIN(TestWeightHistogram)
#include "tst_weight_histogram.moc"
