// Colours between stops: ends, order, and inks that can be read.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/color_map.h"

#include <QTest>

#include <cmath>

class TestColorMap : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void meetsItsStops()
    {
        const QList<QColor> stops { "#1F4E9E", "#7FB0DE", "#F6F4EF", "#F0A35C", "#A83C0B" };
        for (qsizetype i = 0; i < stops.size(); ++i) {
            QCOMPARE(colorBetween(stops, static_cast<double>(i) / 4).rgb(), stops[i].rgb());
        }
        const ColorMap map(stops);
        QCOMPARE(map.at(0), stops.front().rgb());
        QCOMPARE(map.at(1), stops.back().rgb());
        QCOMPARE(map.at(-3), stops.front().rgb());
        QCOMPARE(map.at(7), stops.back().rgb());
        QCOMPARE(map.at(NAN), map.at(NAN)); // some colour, and no crash
    }

    // In Oklab a mix of black and white is of middle lightness, not of middle code value.
    void mixesEvenly()
    {
        const QColor middle = mixedColor(Qt::black, Qt::white, 0.5);
        QCOMPARE(middle.red(), middle.green());
        QCOMPARE(middle.red(), middle.blue());
        QVERIFY2(std::abs(middle.red() - 99) <= 1, qPrintable(middle.name()));
    }

    void growsLighterStepByStep()
    {
        const ColorMap map({ "#1B3833", "#2E8C7C", "#B4F5E4" });
        int before = -1;
        for (int i = 0; i <= 50; ++i) {
            const int grey = qGray(map.at(i / 50.0));
            QVERIFY(grey >= before);
            before = grey;
        }
    }

    void takesOneStop()
    {
        QCOMPARE(ColorMap({ QColor("#123456") }).at(0.7), QColor("#123456").rgb());
    }

    void writesBlackOnLightAndWhiteOnDark()
    {
        QCOMPARE(inkOn("#F0A35C"), QColor(Qt::black));
        QCOMPARE(inkOn("#1F4E9E"), QColor(Qt::white));
        QCOMPARE(inkOn("#000000"), QColor(Qt::white));
    }
};

QTEST_GUILESS_MAIN(TestColorMap)
#include "tst_color_map.moc"
