// Level of detail: few bars, none of them out of order, and no section lost.
// SPDX-License-Identifier: Apache-2.0
#include "ui/inspector/map/strip_bars.h"

#include <QRandomGenerator>
#include <QTest>

#include <cmath>

using engine::gguf::Section;

namespace {

constexpr double kWidth = 800;

StripLayout mixedLayout(int count, StripScale scale)
{
    QRandomGenerator random(7);
    std::vector<StripSection> sections;
    std::uint64_t offset = 0;
    for (int i = 0; i < count; ++i) {
        const std::uint64_t size = 1ULL << random.bounded(30);
        sections.push_back(
            { .section = { Section::Kind::Data, "t", { offset, size } }, .tensor = i });
        offset += size;
    }
    return { std::move(sections), scale };
}

ViewTransform viewOf(const StripLayout& layout)
{
    ViewTransform view;
    view.setViewport({ kWidth, 40 });
    view.setPlane({ layout.length(), 1 });
    view.fit();
    return view;
}

} // namespace

class TestStripBars : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void losesNothing_data()
    {
        QTest::addColumn<int>("count");
        QTest::addColumn<StripScale>("scale");
        QTest::addColumn<double>("zoom");
        for (const double zoom : { 1.0, 3.7, 100.0, 1e5 }) {
            for (const int count : { 1, 5, 3000 }) {
                QTest::addRow("%d to scale, × %g", count, zoom)
                    << count << StripScale::ToScale << zoom;
                QTest::addRow("%d logarithmic, × %g", count, zoom)
                    << count << StripScale::Logarithmic << zoom;
            }
        }
    }
    void losesNothing()
    {
        QFETCH(int, count);
        QFETCH(StripScale, scale);
        QFETCH(double, zoom);
        const StripLayout layout = mixedLayout(count, scale);
        ViewTransform view = viewOf(layout);
        view.zoomAt({ 431, 0 }, zoom);
        const std::vector<StripBar> bars = stripBars(layout, view);
        QVERIFY(!bars.empty());
        QVERIFY(bars.front().left <= 1e-6);
        QVERIFY(bars.back().right >= kWidth - 1e-6);
        std::uint64_t bytes = 0;
        for (std::size_t i = 0; i < bars.size(); ++i) {
            if (i > 0) {
                QCOMPARE(bars[i].first, bars[i - 1].last + 1);
                QVERIFY(std::abs(bars[i].left - bars[i - 1].right) < 1e-6);
            }
            QVERIFY(bars[i].left <= bars[i].right);
            for (std::size_t s = bars[i].first; s <= bars[i].last; ++s) {
                bytes += layout.sections()[s].section.span.size;
            }
        }
        const auto& first = layout.sections()[bars.front().first];
        const auto& last = layout.sections()[bars.back().last];
        QCOMPARE(bytes, last.section.span.end() - first.section.span.offset);
    }

    // A merged bar never leaves its column, and there are at most two bars a column.
    void mergesWithinAColumn()
    {
        const StripLayout layout = mixedLayout(20000, StripScale::Logarithmic);
        const std::vector<StripBar> bars = stripBars(layout, viewOf(layout));
        QVERIFY(bars.size() <= 2 * kWidth);
        QVERIFY(bars.size() >= kWidth / 2);
        for (const StripBar& bar : bars) {
            QVERIFY(!bar.isMerged() || std::ceil(bar.right) - std::floor(bar.left) <= 1);
        }
    }

    void keepsFinerColumnsOnFinerScreens()
    {
        const StripLayout layout = mixedLayout(20000, StripScale::Logarithmic);
        const ViewTransform view = viewOf(layout);
        QVERIFY(stripBars(layout, view, 0.5).size() > 1.5 * stripBars(layout, view, 1).size());
    }

    void isEmptyWithoutSections() { QVERIFY(stripBars({}, viewOf({})).empty()); }
};

QTEST_GUILESS_MAIN(TestStripBars)
#include "tst_strip_bars.moc"
