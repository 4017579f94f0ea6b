// Zeroed memory that costs nothing until it is written, and goes with its owner.
// SPDX-License-Identifier: Apache-2.0
#include "engine/base/lazy_memory.h"

#include <QTest>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <vector>

using engine::LazyMemory;

namespace {

std::size_t pageSize()
{
    return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Pages of the range that are in memory; nothing (-1) where the range is not mapped.
std::ptrdiff_t residentPages(const std::byte* data, std::size_t size)
{
    std::vector<unsigned char> pages((size + pageSize() - 1) / pageSize());
    if (mincore(const_cast<std::byte*>(data), size, pages.data()) != 0) {
        return -1;
    }
    return std::count_if(pages.begin(), pages.end(), [](unsigned char p) { return p & 1U; });
}

} // namespace

class TestLazyMemory : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void isZeroedAndAligned()
    {
        const auto memory = LazyMemory::allocate(100'000);
        QVERIFY(memory.data());
        QCOMPARE(memory.size(), std::size_t(100'000));
        QCOMPARE(reinterpret_cast<std::uintptr_t>(memory.data()) % pageSize(), std::uintptr_t(0));
        QVERIFY(std::all_of(memory.data(), memory.data() + memory.size(),
                            [](std::byte b) { return b == std::byte(0); }));
    }

    void growsByThePage()
    {
        constexpr std::size_t size = 64U << 20U;
        const auto memory = LazyMemory::allocate(size);
        QVERIFY(memory.data());
        QCOMPARE(residentPages(memory.data(), size), std::ptrdiff_t(0));
        memory.data()[5 * pageSize()] = std::byte(1);
        memory.data()[size - 1] = std::byte(2);
        QCOMPARE(residentPages(memory.data(), size), std::ptrdiff_t(2));
    }

    void takesMoreAddressesThanMemory()
    {
        const auto memory = LazyMemory::allocate(std::size_t(1) << 40U);
        if (!memory.data()) {
            QSKIP("the addresses of this process are limited");
        }
        memory.data()[memory.size() - 1] = std::byte(3);
        QCOMPARE(memory.data()[memory.size() - 1], std::byte(3));
    }

    void isEmptyWithoutAddresses()
    {
        const auto memory = LazyMemory::allocate(std::size_t(1) << 62U);
        QVERIFY(!memory.data());
        QCOMPARE(memory.size(), std::size_t(0));
        QVERIFY(!LazyMemory::allocate(0).data());
        QVERIFY(!LazyMemory().data());
    }

    void moves()
    {
        auto first = LazyMemory::allocate(pageSize());
        std::byte* data = first.data();
        data[0] = std::byte(7);
        LazyMemory second(std::move(first));
        QCOMPARE(second.data(), data);
        QCOMPARE(second.data()[0], std::byte(7));
        QCOMPARE(second.size(), pageSize());
        QVERIFY(!first.data()); // moved from: empty by contract
        LazyMemory third;
        third = std::move(second);
        QCOMPARE(third.data(), data);
        QVERIFY(!second.data());
    }

    void freesWhatItHeld()
    {
        const std::byte* gone = nullptr;
        {
            const auto memory = LazyMemory::allocate(pageSize());
            gone = memory.data();
            QCOMPARE(residentPages(gone, pageSize()), std::ptrdiff_t(0));
        }
        QCOMPARE(residentPages(gone, pageSize()), std::ptrdiff_t(-1));
        // assigning over a piece frees it with the temporary
        auto memory = LazyMemory::allocate(pageSize());
        gone = memory.data();
        memory = LazyMemory::allocate(2 * pageSize());
        QCOMPARE(memory.size(), 2 * pageSize());
        QCOMPARE(residentPages(gone, pageSize()), std::ptrdiff_t(-1));
    }
};

QTEST_APPLESS_MAIN(TestLazyMemory)
#include "tst_lazy_memory.moc"
