// The heat map: what it asks for, what is hit, and the numbers it tells.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/map_window.h"
#include "ui/inspector/map/heat_map_item.h"

#include <QSignalSpy>

#include <cmath>

class TestHeatMapItem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<tests::MapWindow>("HeatMap { width: 400; height: 200 }");
        QVERIFY2(m_window->item() != nullptr, qPrintable(m_window->error));
        QVERIFY(m_window->show());
        map().setColumns(4000);
        map().setRows(1000);
    }

    // First everything in as many cells as there are pixels, then parts of it until every number
    // has its own cell, then nothing more.
    void asksForWhatItShows()
    {
        QSignalSpy needs(&map(), &HeatMapItem::needsRegion);
        QVERIFY(needs.wait(1000));
        QCOMPARE(needs.last(), QVariantList({ 0.0, 0.0, 4000.0, 1000.0, 400, 200 }));
        answer(needs.last());
        QVERIFY(!needs.wait(200)); // fine enough
        m_window->wheel(200, 100, 480);
        QVERIFY(needs.wait(1000));
        const QVariantList asked = needs.last();
        const QRectF area(asked[0].toDouble(), asked[1].toDouble(), asked[2].toDouble(),
                          asked[3].toDouble());
        QVERIFY(area.width() < 4000 && area.contains(QPointF(2000, 500)));
        QVERIFY(asked[4].toInt() > 400 && asked[4].toInt() < 600); // with a margin
        answer(asked);
        QVERIFY(!needs.wait(200));
        for (int i = 0; i < 30; ++i) {
            m_window->wheel(200, 100, 240);
        }
        QVERIFY(needs.wait(1000));
        QCOMPARE(needs.last()[2].toDouble(), needs.last()[4].toDouble());
        QCOMPARE(needs.last()[3].toDouble(), needs.last()[5].toDouble());
        answer(needs.last());
        QVERIFY(!needs.wait(200));
    }

    void tellsNumbers()
    {
        answerAll();
        QSignalSpy hovered(&map(), &HeatMapItem::hovered);
        map().showCell(321, 1234);
        QVERIFY(map().rectOf(321, 1234).width() >= 40);
        QTRY_VERIFY(map().grid().isExact());
        const QPointF middle = map().rectOf(321, 1234).center();
        QTest::mouseMove(&m_window->window, { 20, 20 });
        QTest::mouseMove(&m_window->window, middle.toPoint());
        QTRY_COMPARE(hovered.isEmpty() ? -1 : hovered.last()[0].toDouble(), 321.0);
        QCOMPARE(hovered.last()[1].toDouble(), 1234.0);
        QCOMPARE(hovered.last()[2].toFloat(), numberAt(1234, 321));
    }

    void picksNumbers()
    {
        answerAll();
        QSignalSpy picked(&map(), &HeatMapItem::picked);
        map().showCell(999, 3999); // the last one, at the edges
        const QPointF middle = map().rectOf(999, 3999).center();
        QVERIFY(QRectF(0, 0, 400, 200).contains(middle));
        m_window->click(middle.x(), middle.y());
        QCOMPARE(picked.last(), QVariantList({ 999.0, 3999.0 }));
        QCOMPARE(map().selectedRow(), 999.0);
        QCOMPARE(map().selectedColumn(), 3999.0);
    }

    // Cell by cell as they are drawn: ten columns at once when all is in view, one when zoomed in.
    void goesByKeyboard()
    {
        answerAll();
        QTRY_VERIFY(!map().grid().isEmpty());
        map().forceActiveFocus(Qt::TabFocusReason);
        QSignalSpy picked(&map(), &HeatMapItem::picked);
        m_window->key(Qt::Key_Home);
        m_window->key(Qt::Key_Right);
        m_window->key(Qt::Key_Down);
        m_window->key(Qt::Key_Return);
        QCOMPARE(picked.last(), QVariantList({ 5.0, 10.0 }));
        map().showCell(5, 10);
        QTRY_VERIFY(map().grid().isExact());
        m_window->key(Qt::Key_Right);
        m_window->key(Qt::Key_Up);
        m_window->key(Qt::Key_Space);
        QCOMPARE(picked.last(), QVariantList({ 4.0, 11.0 }));
        QVERIFY(map().spoken().contains(QLocale().toString(numberAt(11, 4), 'g', 6)));
        m_window->key(Qt::Key_End);
        m_window->key(Qt::Key_Return);
        QCOMPARE(picked.last(), QVariantList({ 4.0, 3999.0 }));
        QVERIFY(QRectF(-1, -1, 402, 202).contains(map().rectOf(4, 3999)));
    }

    void opensAndFitsByDoubleClick()
    {
        QTest::mouseDClick(&m_window->window, Qt::LeftButton, {}, { 200, 100 });
        QVERIFY(map().rectOf(500, 2000).width() >= 40);
        QTest::mouseDClick(&m_window->window, Qt::LeftButton, {}, { 200, 100 });
        QVERIFY(!map().isZoomed());
    }

    void takesTheRangeThatItIsGiven()
    {
        answerAll();
        QTRY_VERIFY(map().shownHigh() > 0);
        QCOMPARE(map().shownLow(), -map().shownHigh());
        map().setLow(-3);
        map().setHigh(5);
        QCOMPARE(map().shownLow(), -3.0);
        QCOMPARE(map().shownHigh(), 5.0);
        map().setHigh(-3);
        QCOMPARE(map().shownLow(), -map().shownHigh());
    }

    void dropsTheNumbersOfAnother()
    {
        answerAll();
        QTRY_VERIFY(!map().grid().isEmpty());
        QSignalSpy needs(&map(), &HeatMapItem::needsRegion);
        map().showCell(321, 1234);
        map().setSource("another");
        QVERIFY(!map().isZoomed());
        QVERIFY(needs.wait(1000)); // the same again
        QCOMPARE(needs.last()[2].toDouble(), 4000.0);
    }

    // Numbers that are none, and a grid of something else, do no harm.
    void survivesOddGrids()
    {
        map().setGrid({ { 0, 0, 4000, 1000 }, 2, 1, std::make_shared<std::vector<float>>(2, NAN) });
        QTest::qWait(50);
        QCOMPARE(map().shownHigh(), 0.0);
        map().setGrid(
            { { -50, 900, 1e6, 1e6 }, 3, 3, std::make_shared<std::vector<float>>(9, 1.0F) });
        QTest::qWait(50);
        map().setGrid({ { 0, 0, 4000, 1000 }, 2, 5, std::make_shared<std::vector<float>>(2) });
        QTest::qWait(50);
        map().setColumns(0);
        m_window->click(100, 30);
        m_window->key(Qt::Key_Right);
        QCOMPARE(map().selectedRow(), -1.0);
    }

private:
    [[nodiscard]] HeatMapItem& map() const { return m_window->as<HeatMapItem>(); }

    static float numberAt(double column, double row)
    {
        return static_cast<float>(std::sin(column * 0.7) * std::cos(row * 0.3));
    }
    void answer(const QVariantList& asked)
    {
        const QRectF area(asked[0].toDouble(), asked[1].toDouble(), asked[2].toDouble(),
                          asked[3].toDouble());
        const int width = asked[4].toInt();
        const int height = asked[5].toInt();
        auto cells = std::make_shared<std::vector<float>>();
        for (int y = 0; y < height; ++y) {
            for (int x = 0; x < width; ++x) {
                cells->push_back(numberAt(std::floor(area.x() + x * area.width() / width),
                                          std::floor(area.y() + y * area.height() / height)));
            }
        }
        map().setGrid({ area, width, height, cells });
    }
    void answerAll()
    {
        connect(&map(), &HeatMapItem::needsRegion, this,
                [this](qreal x, qreal y, qreal w, qreal h, int cellsX, int cellsY) {
                    answer({ x, y, w, h, cellsX, cellsY });
                });
    }

    std::unique_ptr<tests::MapWindow> m_window;
};

QTEST_MAIN(TestHeatMapItem)
#include "tst_heat_map_item.moc"
