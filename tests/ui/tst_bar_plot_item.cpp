// Bars: their heights around zero, and what is hit.
// SPDX-License-Identifier: Apache-2.0
#include "tests/ui/map_window.h"
#include "ui/inspector/map/bar_plot_item.h"

#include <QSignalSpy>

#include <cmath>

class TestBarPlotItem : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_window = std::make_unique<tests::MapWindow>(
            "BarPlot { width: 400; height: 200; values: [1, -3, 0, 0.5] }");
        QVERIFY2(m_window->item() != nullptr, qPrintable(m_window->error));
        QVERIFY(m_window->show());
    }

    void standsOnZero()
    {
        QCOMPARE(plot().low(), -3.0);
        QCOMPARE(plot().high(), 1.0);
        QCOMPARE(plot().barOf(0).top(), 0.0);
        QCOMPARE(plot().barOf(0).bottom(), 50.0);
        QCOMPARE(plot().barOf(1).top(), 50.0);
        QCOMPARE(plot().barOf(1).bottom(), 200.0);
        QVERIFY(plot().barOf(2).isEmpty());
        QCOMPARE(plot().barOf(3).height(), 25.0);
        QVERIFY(plot().barOf(4).isNull());
        QVERIFY(plot().barOf(-1).isNull());
    }

    // Counts are all above zero: bars from the bottom.
    void standsAtTheBottomForCounts()
    {
        plot().setValues({ 4, 8, 1 });
        QCOMPARE(plot().barOf(0).bottom(), 200.0);
        QCOMPARE(plot().barOf(0).top(), 100.0);
        QCOMPARE(plot().barOf(1).top(), 0.0);
    }

    // What is not zero is seen, however small.
    void showsTheSmallest()
    {
        plot().setValues({ 1000, 1e-9, -1e-9, -1000, 0 });
        QCOMPARE(plot().barOf(1).height(), 1.0);
        QVERIFY(plot().barOf(1).bottom() <= 100.0);
        QCOMPARE(plot().barOf(2).height(), 1.0);
        QVERIFY(plot().barOf(2).top() >= 100.0);
        QCOMPARE(plot().barOf(4).height(), 0.0);
    }

    void fillsItsWidth()
    {
        QList<qreal> values(256, 1.0);
        plot().setValues(values);
        for (int i = 0; i < 256; ++i) {
            QVERIFY(std::abs(plot().columnOf(i).left() - i * 400.0 / 256) < 1e-9);
            QVERIFY(plot().barOf(i).width() >= 1);
        }
        QVERIFY(std::abs(plot().columnOf(255).right() - 400) < 1e-9);
    }

    void picksWhatIsClicked()
    {
        QSignalSpy picked(&plot(), &BarPlotItem::picked);
        QSignalSpy hovered(&plot(), &BarPlotItem::hovered);
        for (int i = 0; i < 4; ++i) {
            m_window->click(plot().columnOf(i).center().x(), 10); // anywhere in its column
            QCOMPARE(picked.last()[0].toInt(), i);
        }
        QTest::mouseMove(&m_window->window, { 150, 10 });
        QTRY_COMPARE(hovered.isEmpty() ? -1 : hovered.last()[0].toInt(), 1);
    }

    void goesByKeyboard()
    {
        QSignalSpy picked(&plot(), &BarPlotItem::picked);
        plot().forceActiveFocus(Qt::TabFocusReason);
        plot().setSelected(1);
        m_window->key(Qt::Key_Right);
        m_window->key(Qt::Key_Return);
        QCOMPARE(picked.last()[0].toInt(), 2);
        m_window->key(Qt::Key_Home);
        m_window->key(Qt::Key_Left);
        m_window->key(Qt::Key_Space);
        QCOMPARE(picked.last()[0].toInt(), 0);
        m_window->key(Qt::Key_End);
        m_window->key(Qt::Key_Enter);
        QCOMPARE(picked.last()[0].toInt(), 3);
        QVERIFY(plot().spoken().contains(QLocale().toString(0.5)));
        m_window->key(Qt::Key_Plus);
        QVERIFY(!plot().isZoomed());
    }

    void survivesOddNumbers()
    {
        plot().setValues({ NAN, INFINITY, -INFINITY });
        QTest::qWait(50);
        QCOMPARE(plot().high(), 0.0);
        plot().setValues({});
        QTest::qWait(50);
        m_window->click(100, 100);
        m_window->key(Qt::Key_Home);
        m_window->key(Qt::Key_Return);
        plot().setValues({ 0, 0 });
        QVERIFY(plot().barOf(0).height() == 0);
    }

private:
    [[nodiscard]] BarPlotItem& plot() const { return m_window->as<BarPlotItem>(); }

    std::unique_ptr<tests::MapWindow> m_window;
};

QTEST_MAIN(TestBarPlotItem)
#include "tst_bar_plot_item.moc"
