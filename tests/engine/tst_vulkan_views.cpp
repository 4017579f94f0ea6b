// Buffers and views of lengths that a software device knows apart as few kinds: it compiles shaders
// anew for each. SPDX-License-Identifier: Apache-2.0
#include "engine/backend/vulkan/views.h"
#include "tests/support/device_bench.h"
#include "tests/support/own_device.h"

#include <bit>
#include <cstdlib>

using namespace engine::backend::vulkan;
using tests::OwnDevice;

class TestVulkanViews : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { NEED_DEVICE(); }

    void buffers()
    {
        const OwnDevice own;
        const OwnDevice plain([](auto& facts) { facts.features.subgroups = false; });
        for (const VkDeviceSize bytes : { 16U, 256U, 3840U, 4096U, 65280U, 65536U }) {
            const auto buffer = Buffer::create(own.device, bytes, BufferUse::Device);
            QVERIFY(buffer);
            QCOMPARE((*buffer)->bytes(), bytes);
            if (own.device->readsTexels()) {
                QVERIFY((*buffer)->viewable() >= bytes + kViewSlack);
                QVERIFY(!std::has_single_bit((*buffer)->viewable()));
            }
            const auto other = Buffer::create(plain.device, bytes, BufferUse::Device);
            QVERIFY(other && (*other)->viewable() == bytes);
        }
    }

    /// No more is left out than nobody uses.
    void imports()
    {
        const OwnDevice own;
        const auto page = own.device->facts().importAlignment;
        if (!own.device->facts().features.hostImport || !own.device->readsTexels()) {
            QSKIP("this device imports no memory");
        }
        const std::unique_ptr<void, void (*)(void*)> memory { std::aligned_alloc(page, 4 * page),
                                                              std::free };
        for (std::size_t pages = 1; pages <= 4; ++pages) {
            const std::span bytes { static_cast<const std::byte*>(memory.get()), pages * page };
            const auto some = Buffer::import(own.device, bytes, bytes.size() - 100);
            QVERIFY(some && (*some)->bytes() >= bytes.size() - 100);
            QVERIFY(!std::has_single_bit((*some)->bytes()));
            const auto all = Buffer::import(own.device, bytes, bytes.size());
            QVERIFY(all && (*all)->bytes() == bytes.size());
        }
        QVERIFY(own.instance->validationMessages().empty());
    }

    /// They end in their buffer, and are no longer than the device allows.
    void lengths()
    {
        const OwnDevice own;
        const auto longest = own.device->facts().maxTexels * 8;
        Views views(own.device);
        std::vector<std::unique_ptr<Buffer>> buffers;
        for (const VkDeviceSize bytes : { VkDeviceSize(16), VkDeviceSize(65536), longest }) {
            auto buffer = Buffer::create(own.device, bytes, BufferUse::Device);
            QVERIFY(buffer);
            buffers.push_back(std::move(*buffer));
            QVERIFY(views.get({ buffers.back().get(), 0, bytes }, Format::Halves));
        }
        const auto complaints = own.instance->validationMessages();
        QVERIFY2(complaints.empty(), complaints.empty() ? "" : complaints.front().c_str());
    }
};

QTEST_GUILESS_MAIN(TestVulkanViews)
#include "tst_vulkan_views.moc"
