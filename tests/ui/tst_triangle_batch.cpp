// Shapes as triangles: areas, edges on pixels, and nothing outside of the clip.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/triangle_batch.h"

#include <QTest>

#include <cmath>
#include <memory>

namespace {

const QRectF kClip(0, 0, 200, 100);

struct Drawn
{
    double area = 0;
    QRectF bounds;
};

Drawn drawn(const TriangleBatch& batch)
{
    const std::unique_ptr<QSGGeometryNode> node(batch.toNode(nullptr));
    const auto* vertices = node->geometry()->vertexDataAsColoredPoint2D();
    Drawn result;
    for (int i = 0; i + 2 < node->geometry()->vertexCount(); i += 3) {
        const auto &a = vertices[i], &b = vertices[i + 1], &c = vertices[i + 2];
        result.area += std::abs((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / 2.0;
        for (const auto& corner : { a, b, c }) {
            const QRectF point(corner.x, corner.y, 1e-9, 1e-9);
            result.bounds = result.bounds.isNull() ? point : result.bounds | point;
        }
    }
    return result;
}

} // namespace

class TestTriangleBatch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void putsEdgesOnPixels()
    {
        TriangleBatch batch(kClip, 1);
        batch.addRect(10.4, 5.6, 20.6, 8.4, Qt::red);
        const Drawn shape = drawn(batch);
        QCOMPARE(shape.bounds.topLeft(), QPointF(10, 6));
        QVERIFY(std::abs(shape.area - 11 * 2) < 1e-6);
        TriangleBatch fine(kClip, 2);
        fine.addRect(10.4, 5.6, 20.6, 8.4, Qt::red);
        QCOMPARE(drawn(fine).bounds.topLeft(), QPointF(10.5, 5.5));
    }

    void clips()
    {
        TriangleBatch batch(kClip, 1);
        batch.addRect(-1e12, -5, 1e12, 30, Qt::red);
        QVERIFY(std::abs(drawn(batch).area - 200 * 30) < 1e-6);
        TriangleBatch outside(kClip, 1);
        outside.addRect(300, 0, 400, 10, Qt::red);
        outside.addRect(10, 10, 10, 20, Qt::red);
        outside.addHatch({ 300, 0, 10, 10 }, 8, Qt::red);
        QCOMPARE(outside.vertexCount(), 0U);
    }

    void framesInside()
    {
        TriangleBatch batch(kClip, 1);
        batch.addFrame({ 10, 10, 50, 20 }, 2, Qt::red);
        const Drawn shape = drawn(batch);
        QVERIFY(std::abs(shape.area - (50 * 20 - 46 * 16)) < 1e-6);
        QVERIFY(QRectF(10, 10, 50.001, 20.001).contains(shape.bounds));
    }

    // Lines cover a quarter, wherever the rectangle is cut, and never leave it.
    void hatchesAQuarter_data()
    {
        QTest::addColumn<QRectF>("rect");
        QTest::newRow("wide") << QRectF(0, 0, 200, 40);
        QTest::newRow("narrow") << QRectF(20, 10, 9, 60);
        QTest::newRow("from far left to far right") << QRectF(-1e9, 10, 2e9, 44);
        QTest::newRow("cut above") << QRectF(30, -20, 100, 60);
    }
    void hatchesAQuarter()
    {
        QFETCH(QRectF, rect);
        TriangleBatch batch(kClip, 1);
        batch.addHatch(rect, 8, Qt::red);
        const QRectF shown = rect & kClip;
        const Drawn shape = drawn(batch);
        const double quarter = shown.width() * shown.height() / 4;
        QVERIFY2(std::abs(shape.area - quarter) < 0.15 * quarter + 16,
                 qPrintable(QString("%1 of %2").arg(shape.area).arg(quarter)));
        QVERIFY(shown.adjusted(-0.01, -0.01, 0.01, 0.01).contains(shape.bounds));
    }

    void takesANodeAgain()
    {
        TriangleBatch batch(kClip, 1);
        batch.addRect(0, 0, 10, 10, Qt::red);
        const std::unique_ptr<QSGGeometryNode> node(batch.toNode(nullptr));
        batch.addTriangle({ 0, 0 }, { 5, 5 }, { 5, 0 }, QColor(255, 0, 0, 128));
        QCOMPARE(batch.toNode(node.get()), node.get());
        QCOMPARE(node->geometry()->vertexCount(), 9);
        const auto& last = node->geometry()->vertexDataAsColoredPoint2D()[8];
        QCOMPARE(last.a, 128);
        QCOMPARE(last.r, 128); // premultiplied
    }
};

QTEST_GUILESS_MAIN(TestTriangleBatch)
#include "tst_triangle_batch.moc"
