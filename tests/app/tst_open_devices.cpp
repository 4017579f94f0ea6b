// Devices that are given again while somebody uses them. SPDX-License-Identifier: Apache-2.0
#include "app/services/open_devices.h"
#include "tests/support/fake_card.h"

#include <QTest>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

using Device = std::shared_ptr<const engine::backend::Backend>;

class TestOpenDevices : public QObject
{
    Q_OBJECT

    tests::DeviceScript m_script;
    std::shared_ptr<app::OpenDevices> m_devices;
    app::DeviceSource m_source;

    [[nodiscard]] Device open(const std::vector<std::string>& without = {}) const
    {
        return m_source.list() ? m_source.open(0, without).value_or(nullptr) : nullptr;
    }

private Q_SLOTS:
    void init()
    {
        m_script = {};
        m_devices = std::make_shared<app::OpenDevices>(tests::fakeCard(m_script));
        m_source = app::OpenDevices::sourceOf(m_devices);
    }

    void givenAgainWhileItIsUsed()
    {
        auto first = open();
        QVERIFY(first && open() == first);
        QCOMPARE(m_script.openings, 1);
        first.reset();
        first = open();
        QVERIFY(first);
        QCOMPARE(m_script.openings, 2);
    }

    void otherFeaturesAreAnotherDevice()
    {
        const auto all = open();
        const auto some = open({ "subgroups" });
        QVERIFY(all != some);
        QVERIFY(open() == all && open({ "subgroups" }) == some);
        QCOMPARE(m_script.openings, 2);
    }

    void forgotten()
    {
        const auto first = open();
        QVERIFY(!m_devices->forget(first.get())); // nobody had it before
        const auto second = open();
        QVERIFY(second != first && open() == second);
        QVERIFY(m_devices->forget(second.get()));
        QVERIFY(!m_devices->forget(second.get()));
        QVERIFY(open() != second);
    }

    /// What can't be opened is tried again.
    void failures()
    {
        auto source = tests::fakeCard(m_script);
        bool fails = true;
        source.open = [&, real = source.open](std::uint32_t number,
                                              std::span<const std::string> without) {
            return fails ? engine::Result<Device>(
                       engine::failure(engine::ErrorCode::DeviceFailed, { "vkCreateDevice", "-3" }))
                         : real(number, without);
        };
        m_source =
            app::OpenDevices::sourceOf(std::make_shared<app::OpenDevices>(std::move(source)));
        QVERIFY(!open());
        fails = false;
        const auto device = open();
        QVERIFY(device && open() == device);
    }

    /// Several that ask while it is being opened get the same one.
    void askedForAtOnce()
    {
        auto source = tests::fakeCard(m_script);
        source.open = [real = source.open](std::uint32_t number,
                                           std::span<const std::string> without) {
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
            return real(number, without);
        };
        m_source =
            app::OpenDevices::sourceOf(std::make_shared<app::OpenDevices>(std::move(source)));
        std::vector<Device> got(4);
        {
            std::vector<std::jthread> threads;
            for (auto& device : got) {
                threads.emplace_back([&] { device = open(); });
            }
        }
        QVERIFY(got[0]);
        QVERIFY(std::ranges::all_of(got, [&](const auto& device) { return device == got[0]; }));
        QCOMPARE(m_script.openings, 1);
    }
};

QTEST_GUILESS_MAIN(TestOpenDevices)
#include "tst_open_devices.moc"
