// Treemaps: areas in proportion, everything covered once, shapes near squares.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/squarify.h"

#include <QRandomGenerator>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

class TestSquarify : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void coversExactly_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("sorted");
        QTest::addColumn<QRectF>("area");
        for (const int count : { 1, 2, 3, 9, 100, 1000 }) {
            for (const bool sorted : { true, false }) {
                QTest::addRow("%d wide %d", count, sorted)
                    << count << sorted << QRectF(3, 5, 800, 300);
                QTest::addRow("%d tall %d", count, sorted)
                    << count << sorted << QRectF(0, 0, 10, 999);
            }
        }
    }
    void coversExactly()
    {
        QFETCH(int, count);
        QFETCH(bool, sorted);
        QFETCH(QRectF, area);
        QRandomGenerator random(11);
        std::vector<double> sizes;
        for (int i = 0; i < count; ++i) {
            sizes.push_back(std::pow(2, random.bounded(24))); // bytes of norms beside embeddings
        }
        if (sorted) {
            std::ranges::sort(sizes, std::greater());
        }
        const std::vector<QRectF> rects = squarify(sizes, area);
        QCOMPARE(rects.size(), sizes.size());
        const double sum = std::accumulate(sizes.begin(), sizes.end(), 0.0);
        const double whole = area.width() * area.height();
        double covered = 0;
        for (std::size_t i = 0; i < rects.size(); ++i) {
            const QRectF& rect = rects[i];
            const double own = rect.width() * rect.height();
            QVERIFY(rect.width() >= 0 && rect.height() >= 0);
            QVERIFY2(std::abs(own - sizes[i] / sum * whole) < 1e-6 * whole,
                     qPrintable(QString::number(own)));
            QVERIFY(rect.left() >= area.left() - 1e-9 && rect.right() <= area.right() + 1e-9);
            QVERIFY(rect.top() >= area.top() - 1e-9 && rect.bottom() <= area.bottom() + 1e-9);
            covered += own;
            for (std::size_t j = 0; j < i; ++j) {
                const QRectF both = rect & rects[j];
                QVERIFY(both.width() < 1e-6 || both.height() < 1e-6);
            }
        }
        QVERIFY(std::abs(covered - whole) < 1e-6 * whole);
    }

    // The last parts end where the area does, to the last bit.
    void endsWhereTheAreaEnds()
    {
        QRandomGenerator random(5);
        for (int round = 0; round < 200; ++round) {
            std::vector<double> sizes;
            for (int i = 0; i < 1 + round % 40; ++i) {
                sizes.push_back(random.bounded(1.0) + 0.001);
            }
            const QRectF area(0, 0, 100 + random.bounded(900.0), 100 + random.bounded(400.0));
            const std::vector<QRectF> rects = squarify(sizes, area);
            double right = 0;
            double bottom = 0;
            for (const QRectF& rect : rects) {
                right = std::max(right, rect.right());
                bottom = std::max(bottom, rect.bottom());
            }
            QVERIFY(std::abs(right - area.right()) < 1e-11);
            QVERIFY(std::abs(bottom - area.bottom()) < 1e-11);
        }
    }

    // Every point belongs to one part: no cracks from rounding.
    void leavesNoCrack()
    {
        std::vector<double> sizes(277, 1.0);
        sizes[0] = 40;
        const std::vector<QRectF> rects = squarify(sizes, { 0, 0, 1000, 400 });
        for (double x = 0.5; x < 1000; x += 7.3) {
            for (double y = 0.5; y < 400; y += 3.1) {
                QCOMPARE(std::ranges::count_if(rects,
                                               [&](const QRectF& rect) {
                                                   return x >= rect.left() && x < rect.right()
                                                       && y >= rect.top() && y < rect.bottom();
                                               }),
                         1);
            }
        }
    }

    // The example of the paper.
    void drawsThePapersExample()
    {
        const std::vector<double> sizes { 6, 6, 4, 3, 2, 2, 1 };
        const std::vector<QRectF> rects = squarify(sizes, { 0, 0, 6, 4 });
        QCOMPARE(rects[0], QRectF(0, 0, 3, 2));
        QCOMPARE(rects[1], QRectF(0, 2, 3, 2));
        const auto worst = std::ranges::max(rects, {}, [](const QRectF& rect) {
            return std::max(rect.width() / rect.height(), rect.height() / rect.width());
        });
        QVERIFY(std::max(worst.width() / worst.height(), worst.height() / worst.width()) < 3);
    }

    void givesNothingToNothing()
    {
        QVERIFY(squarify({}, { 0, 0, 10, 10 }).empty());
        const std::vector<double> zeros { 0, 0 };
        QCOMPARE(squarify(zeros, { 0, 0, 10, 10 }), std::vector<QRectF>(2));
        const std::vector<double> mixed { 0, 5, 0 };
        const std::vector<QRectF> rects = squarify(mixed, { 0, 0, 10, 10 });
        QCOMPARE(rects[1], QRectF(0, 0, 10, 10));
        QVERIFY(rects[0].isEmpty() && rects[2].isEmpty());
        QVERIFY(squarify(mixed, {})[1].isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestSquarify)
#include "tst_squarify.moc"
