// Zoom and pan: what stays under the pointer, edges, and single bytes of huge files.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/view_transform.h"

#include <QTest>

#include <cmath>

class TestViewTransform : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void fits()
    {
        const ViewTransform view = fitted({ 5000, 20 });
        QVERIFY(view.isFitted());
        QCOMPARE(view.toScreen({ 5000, 20 }).x, 1000.0);
        QCOMPARE(view.toScreen({ 5000, 20 }).y, 100.0);
        QCOMPARE(view.toPlane({ 500, 50 }).x, 2500.0);
    }

    void keepsWhatIsUnderThePointer_data()
    {
        QTest::addColumn<double>("x");
        for (const double x : { 0.0, 1.0, 333.3, 999.0 }) {
            QTest::addRow("%g", x) << x;
        }
    }
    void keepsWhatIsUnderThePointer()
    {
        QFETCH(double, x);
        ViewTransform view = fitted({ 5000, 1 });
        for (const double factor : { 1.2, 7.0, 100.0, 0.5, 0.1 }) {
            const double before = view.toPlane({ x, 0 }).x;
            view.zoomAt({ x, 0 }, factor);
            QVERIFY(std::abs(view.toPlane({ x, 0 }).x - before) < 1e-9 * 5000);
            QVERIFY(!view.isFitted());
        }
    }

    void staysInside()
    {
        ViewTransform view = fitted({ 5000, 20 });
        view.panBy({ -300, 40 });
        QCOMPARE(view.origin().x, 0.0);
        view.zoomAt({ 0, 0 }, 4);
        view.panBy({ 1e9, 1e9 });
        QCOMPARE(view.origin().x, 0.0);
        QCOMPARE(view.origin().y, 0.0);
        view.panBy({ -1e9, -1e9 });
        QCOMPARE(view.toPlane({ 1000, 100 }).x, 5000.0);
        QCOMPARE(view.toPlane({ 1000, 100 }).y, 20.0);
        view.zoomAt({ 500, 50 }, 1e-6);
        QVERIFY(view.isFitted());
        QCOMPARE(view.origin().x, 0.0);
    }

    // An axis that is at its deepest stays while the other goes on.
    void zoomsEachAxisToItsLimit()
    {
        ViewTransform view = fitted({ 5000, 20 });
        view.setLargestScale({ 40, 8 });
        view.zoomAt({ 500, 50 }, 1e6);
        QCOMPARE(view.scale().x, 40.0);
        QCOMPARE(view.scale().y, 8.0);
        ViewTransform tiny = fitted({ 10, 20 });
        tiny.setLargestScale({ 40, 8 });
        tiny.zoomAt({ 500, 50 }, 1e6);
        QCOMPARE(tiny.scale().x, 100.0); // fitted already larger
    }

    // Neighbouring bytes at the end of 500 GB are 40 pixels apart, to a hundredth of a pixel.
    void tellsBytesOf500Gigabytes()
    {
        constexpr double kSize = 500e9;
        ViewTransform view = fitted({ kSize, 1 });
        view.setLargestScale({ 40, 1e9 });
        view.zoomAt({ 1000, 0 }, 1e30);
        QCOMPARE(view.scale().x, 40.0);
        for (int i = 1; i < 25; ++i) {
            const double x = view.toScreen({ kSize - i, 0 }).x;
            QVERIFY2(std::abs(x - (1000 - 40 * i)) < 0.01, qPrintable(QString::number(x, 'f', 4)));
        }
    }

    void showsARange()
    {
        ViewTransform view = fitted({ 5000, 1 });
        view.show({ 2000, 0 }, { 2100, 1 }, 0.5);
        QVERIFY(std::abs(view.toScreen({ 2000, 0 }).x - 250) < 1e-6);
        QVERIFY(std::abs(view.toScreen({ 2100, 0 }).x - 750) < 1e-6);
        view.show({ 0, 0 }, { 100, 1 }, 0.5); // at an edge it cannot be in the middle
        QCOMPARE(view.toScreen({ 0, 0 }).x, 0.0);
        view.show({ 0, 0 }, { 5000, 1 }, 0.5);
        QVERIFY(view.isFitted());
    }

    void revealsWithAsLittleAsNeeded()
    {
        ViewTransform view = fitted({ 5000, 1 });
        view.zoomAt({ 0, 0 }, 5); // 0 … 1000
        view.reveal({ 300, 0 }, { 400, 1 });
        QCOMPARE(view.origin().x, 0.0);
        view.reveal({ 1500, 0 }, { 1600, 1 });
        QVERIFY(std::abs(view.toScreen({ 1600, 0 }).x - 1000) < 1e-6);
        view.reveal({ 100, 0 }, { 4000, 1 }); // larger than the view
        QVERIFY(std::abs(view.origin().x - 100) < 1e-6);
    }

    void keepsTheShownPartWhenTheWindowGrows()
    {
        ViewTransform view = fitted({ 5000, 1 });
        view.zoomAt({ 500, 0 }, 5);
        const double left = view.toPlane({ 0, 0 }).x;
        const double right = view.toPlane({ 1000, 0 }).x;
        view.setViewport({ 1400, 100 });
        QVERIFY(std::abs(view.toPlane({ 0, 0 }).x - left) < 1e-6);
        QVERIFY(std::abs(view.toPlane({ 1400, 0 }).x - right) < 1e-6);
        view.fit();
        view.setViewport({ 300, 100 });
        QVERIFY(view.isFitted());
    }

private:
    static ViewTransform fitted(glm::dvec2 plane)
    {
        ViewTransform view;
        view.setViewport({ 1000, 100 });
        view.setPlane(plane);
        view.fit();
        return view;
    }
};

QTEST_GUILESS_MAIN(TestViewTransform)
#include "tst_view_transform.moc"
