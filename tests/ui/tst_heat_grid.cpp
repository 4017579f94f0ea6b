// Grids of numbers: which cell is where, and which colours suit.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/heat_grid.h"

#include <QTest>

#include <cmath>

namespace {

HeatGrid gridOf(std::vector<float> cells, int width, const QRectF& area)
{
    const auto height = static_cast<int>(cells.size()) / width;
    return { area, width, height, std::make_shared<const std::vector<float>>(std::move(cells)) };
}

} // namespace

class TestHeatGrid : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsCells()
    {
        // Columns 10 … 14 in two cells, rows 20 … 21 in two.
        const HeatGrid grid = gridOf({ 1, 2, 3, 4 }, 2, { 10, 20, 4, 2 });
        QVERIFY(!grid.isEmpty());
        QVERIFY(!grid.isExact());
        QCOMPARE(grid.over(10, 20), 1.0F);
        QCOMPARE(grid.over(11.9, 20.5), 1.0F);
        QCOMPARE(grid.over(12, 20), 2.0F);
        QCOMPARE(grid.over(13.99, 21.99), 4.0F);
        QVERIFY(!grid.over(14, 20));
        QVERIFY(!grid.over(9.9, 20));
        QVERIFY(!grid.over(10, 22));
        QVERIFY(gridOf({ 1, 2, 3, 4 }, 2, { 10, 20, 2, 2 }).isExact());
    }

    void isEmptyWithoutEnoughCells()
    {
        QVERIFY(HeatGrid().isEmpty());
        HeatGrid grid = gridOf({ 1, 2, 3, 4 }, 2, { 0, 0, 2, 2 });
        grid.height = 3;
        QVERIFY(grid.isEmpty());
        QVERIFY(!grid.over(0, 0));
        QCOMPARE(suitedRange(grid, true), HeatRange());
    }

    // A single outlier among thousands does not take the colours from all others.
    void leavesOutExtremes()
    {
        std::vector<float> cells(10000);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            cells[i] = static_cast<float>(i % 200) / 100 - 1; // −1 … 0.99
        }
        cells[77] = 500;
        cells[78] = NAN;
        cells[79] = -INFINITY;
        const HeatGrid grid = gridOf(cells, 100, { 0, 0, 100, 100 });
        const HeatRange around = suitedRange(grid, true);
        QCOMPARE(around.low, -around.high);
        QVERIFY(around.high > 0.97 && around.high <= 1.001);
        const HeatRange from = suitedRange(grid, false);
        QVERIFY(from.low >= -1 && from.low < -0.97);
        QVERIFY(from.high > 0.97 && from.high < 1);
    }

    void hasNoRangeWithoutNumbers()
    {
        QCOMPARE(suitedRange(gridOf({ NAN, NAN }, 2, { 0, 0, 2, 1 }), true), HeatRange());
    }
};

QTEST_GUILESS_MAIN(TestHeatGrid)
#include "tst_heat_grid.moc"
