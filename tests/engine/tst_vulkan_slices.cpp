// Pieces of a dispatch: every workgroup is in one of them, and they are about alike.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/slices.h"

#include <QTest>

#include <algorithm>
#include <set>
#include <tuple>

using engine::backend::vulkan::Groups;
using engine::backend::vulkan::slices;

class TestVulkanSlices : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void cover_data()
    {
        QTest::addColumn<unsigned>("x");
        QTest::addColumn<unsigned>("y");
        QTest::addColumn<unsigned>("z");
        QTest::addColumn<unsigned>("count");
        QTest::addColumn<unsigned>("slices");
        QTest::newRow("none asked for") << 7U << 3U << 2U << 0U << 1U;
        QTest::newRow("whole") << 7U << 3U << 2U << 1U << 1U;
        QTest::newRow("along x") << 100U << 3U << 2U << 9U << 9U;
        QTest::newRow("along y") << 2U << 32U << 1U << 5U << 5U;
        QTest::newRow("along z") << 1U << 1U << 8U << 8U << 8U;
        QTest::newRow("along two axes") << 8U << 5U << 1U << 16U << 16U;
        QTest::newRow("a few more") << 8U << 5U << 1U << 9U << 16U;
        QTest::newRow("as many as there are") << 4U << 3U << 2U << 24U << 24U;
        QTest::newRow("more than there are") << 4U << 3U << 2U << UINT32_MAX << 24U;
    }
    void cover()
    {
        QFETCH(unsigned, x);
        QFETCH(unsigned, y);
        QFETCH(unsigned, z);
        QFETCH(unsigned, count);
        QFETCH(unsigned, slices);
        const auto all = engine::backend::vulkan::slices({ x, y, z }, count);
        QCOMPARE(all.size(), std::size_t(slices));
        std::set<std::tuple<unsigned, unsigned, unsigned>> seen;
        std::size_t groups = 0;
        std::size_t least = SIZE_MAX;
        std::size_t most = 0;
        for (const auto& [first, part] : all) {
            const auto size = std::size_t(part.x) * part.y * part.z;
            groups += size;
            least = std::min(least, size);
            most = std::max(most, size);
            for (unsigned i = 0; i < size; ++i) {
                seen.emplace(first.x + i % part.x, first.y + i / part.x % part.y,
                             first.z + i / part.x / part.y);
            }
        }
        QCOMPARE(groups, std::size_t(x) * y * z);
        QCOMPARE(seen.size(), groups);
        QVERIFY(std::ranges::all_of(seen, [&](const auto& at) {
            return std::get<0>(at) < x && std::get<1>(at) < y && std::get<2>(at) < z;
        }));
        QVERIFY(least > 0 && most <= 2 * least);
    }
};

QTEST_GUILESS_MAIN(TestVulkanSlices)
#include "tst_vulkan_slices.moc"
