// Choosing a device out of lists that no machine has.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/devices.h"
#include "engine/backend/vulkan/device.h"
#include "engine/backend/vulkan/fitness.h"

#include <QTest>

#include <set>

using namespace engine;
using namespace engine::backend;

namespace {

DeviceFacts facts(std::uint32_t index, DeviceKind kind, std::uint64_t memory = 0)
{
    DeviceFacts out;
    out.index = index;
    out.name = "device " + std::to_string(index);
    out.kind = kind;
    out.memoryBytes = memory;
    return out;
}

DeviceFacts unfit(DeviceFacts device)
{
    device.unfit = "its driver knows only Vulkan 1.0.2; 1.1 is needed";
    return device;
}

DeviceFacts distrusted(DeviceFacts device)
{
    device.distrusted = "linear with Q4_0";
    return device;
}

using Devices = std::vector<DeviceFacts>;
constexpr int kCpu = -1;

/// The number, kCpu or the error's slug.
QString chosen(const char* wish, const Devices& all)
{
    const auto found = chooseDevice(*parseDeviceWish(wish), all);
    return !found ? QString::fromStdString(std::string(errorSlug(found.error().code)))
                  : QString::number(*found ? int(**found) : kCpu);
}

} // namespace

Q_DECLARE_METATYPE(Devices)

class TestDevices : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wishes()
    {
        using Kind = DeviceWish::Kind;
        QCOMPARE(parseDeviceWish("auto"), DeviceWish { Kind::Auto });
        QCOMPARE(parseDeviceWish("cpu"), DeviceWish { Kind::Cpu });
        QCOMPARE(parseDeviceWish("vulkan"), DeviceWish { Kind::Vulkan });
        QCOMPARE(parseDeviceWish("vulkan:12"), (DeviceWish { Kind::Number, 12 }));
        for (const char* wrong : { "", "CPU", "gpu", "vulkan:", "vulkan:-1", "vulkan:1x", "vulkan1",
                                   "vulkan: 1", "vulkan:99999999999" }) {
            QVERIFY2(!parseDeviceWish(wrong), wrong);
        }
    }

    void choice_data()
    {
        QTest::addColumn<Devices>("all");
        QTest::addColumn<QString>("automatic");
        QTest::addColumn<QString>("vulkan");
        const auto row = [](const char* name, const Devices& all, const char* automatic,
                            const char* vulkan) {
            QTest::newRow(name) << all << automatic << vulkan;
        };
        const auto discrete = facts(0, DeviceKind::Discrete, 8);
        const auto software = facts(1, DeviceKind::Software, 1000);
        row("none", {}, "-1", "no-vulkan");
        row("software alone", { software }, "-1", "1");
        row("integrated first",
            { facts(0, DeviceKind::Integrated, 64), software, facts(2, DeviceKind::Discrete, 8) },
            "2", "2");
        row("software first", { facts(0, DeviceKind::Software), facts(1, DeviceKind::Other) }, "1",
            "1");
        row("virtual and other", { facts(0, DeviceKind::Other), facts(1, DeviceKind::Virtual) },
            "1", "1");
        row("the larger",
            { discrete, facts(1, DeviceKind::Discrete, 24), facts(2, DeviceKind::Discrete, 24) },
            "1", "1");
        row("unfit discrete", { unfit(discrete), facts(1, DeviceKind::Integrated) }, "1", "1");
        row("distrusted discrete", { distrusted(discrete), software }, "-1", "1");
        row("all unfit", { unfit(discrete) }, "-1", "device-unfit");
        row("all distrusted", { distrusted(discrete), unfit(software) }, "-1", "device-untrusted");
    }
    void choice()
    {
        QFETCH(Devices, all);
        QFETCH(QString, automatic);
        QFETCH(QString, vulkan);
        QCOMPARE(chosen("auto", all), automatic);
        QCOMPARE(chosen("vulkan", all), vulkan);
        QCOMPARE(chosen("cpu", all), "-1");
    }

    void byNumber()
    {
        const Devices all { facts(0, DeviceKind::Discrete), facts(1, DeviceKind::Software),
                            unfit(facts(2, DeviceKind::Other)),
                            distrusted(facts(3, DeviceKind::Integrated)) };
        QCOMPARE(chosen("vulkan:0", all), "0");
        QCOMPARE(chosen("vulkan:1", all), "1");
        QCOMPARE(chosen("vulkan:2", all), "device-unfit");
        QCOMPARE(chosen("vulkan:3", all), "device-untrusted");
        QCOMPARE(chosen("vulkan:4", all), "no-such-device");
        const auto sentence =
            englishSentence(chooseDevice({ DeviceWish::Kind::Number, 3 }, all).error());
        QVERIFY2(sentence.find("linear with Q4_0") != std::string::npos, sentence.c_str());
    }

    void eachSaysWhy()
    {
        const Devices all { facts(0, DeviceKind::Integrated), facts(1, DeviceKind::Discrete),
                            facts(2, DeviceKind::Software), unfit(facts(3, DeviceKind::Discrete)),
                            distrusted(facts(4, DeviceKind::Discrete)) };
        const auto uses = deviceUses(all);
        const std::vector<DeviceUse> expected { DeviceUse::Spare, DeviceUse::Default,
                                                DeviceUse::Software, DeviceUse::Unfit,
                                                DeviceUse::Distrusted };
        QVERIFY(uses == expected);
        std::set<std::string> reasons;
        for (std::size_t i = 0; i < all.size(); ++i) {
            reasons.insert(useReason(all[i], uses[i]));
        }
        QCOMPARE(reasons.size(), all.size());
        QVERIFY(useReason(all[3], uses[3]).find("1.1 is needed") != std::string::npos);
        QVERIFY(useReason(all[4], uses[4]).find("linear with Q4_0") != std::string::npos);
        QVERIFY(isUsable(uses[2]) && !isUsable(uses[3]) && !isUsable(uses[4]));
    }

    void identityChangesWithTheDriver()
    {
        auto device = facts(0, DeviceKind::Discrete);
        std::set<std::string> seen { deviceIdentity(device) };
        device.driverVersion = 1;
        seen.insert(deviceIdentity(device));
        device.cacheUuid[15] = 1;
        seen.insert(deviceIdentity(device));
        device.vendorId = 0x10DE;
        seen.insert(deviceIdentity(device));
        device.deviceId = 7;
        seen.insert(deviceIdentity(device));
        QCOMPARE(seen.size(), 5U);
        device.index = 3; // its number may change with other devices
        QVERIFY(seen.contains(deviceIdentity(device)));
    }

    /// Whatever this machine has.
    void thisMachine()
    {
        const auto all = devices();
        if (!all) {
            QVERIFY(all.error().code == ErrorCode::NoVulkan);
            QSKIP("this machine has no Vulkan loader");
        }
        for (std::size_t i = 0; i < all->size(); ++i) {
            QCOMPARE((*all)[i].index, i);
            QVERIFY(!(*all)[i].name.empty());
        }
        QVERIFY(openDevice(static_cast<std::uint32_t>(all->size())).error().code
                == ErrorCode::NoSuchDevice);
    }

    /// Drivers that lack what is needed are refused, with the reason.
    void unfitDrivers()
    {
        VkPhysicalDeviceProperties properties {};
        properties.apiVersion = VK_MAKE_API_VERSION(0, 1, 1, 0);
        properties.limits.maxPerStageDescriptorStorageBuffers = 16;
        properties.limits.maxDescriptorSetStorageBuffers = 24;
        QVERIFY(vulkan::unfitReason(properties).empty());
        properties.limits.maxPerStageDescriptorStorageBuffers = 4; // the least there may be
        QVERIFY(vulkan::unfitReason(properties).find("only 4 buffers") != std::string::npos);
        properties.limits.maxPerStageDescriptorStorageBuffers = 16;
        properties.limits.maxDescriptorSetStorageBuffers = 9;
        QVERIFY(vulkan::unfitReason(properties).find("only 9 buffers") != std::string::npos);
        properties.limits.maxDescriptorSetStorageBuffers = 24;
        properties.apiVersion = VK_MAKE_API_VERSION(0, 1, 0, 65);
        const auto reason = vulkan::unfitReason(properties);
        QVERIFY(reason.find("1.0.65") != std::string::npos);

        DeviceFacts old = facts(0, DeviceKind::Discrete);
        old.unfit = reason;
        const auto opened = vulkan::Device::open({}, VK_NULL_HANDLE, old);
        QVERIFY(!opened && opened.error().code == ErrorCode::DeviceUnfit);
        QVERIFY(englishSentence(opened.error()).find(reason) != std::string::npos);
    }

    void featuresLeftOut()
    {
        auto device = facts(0, DeviceKind::Discrete);
        device.leftOut = { { "dot", "linear with Q8_0" }, { "matrix", {} } };
        const auto reason = useReason(device, DeviceUse::Default);
        QVERIFY2(reason.starts_with("used by default"), reason.c_str());
        QVERIFY(reason.find("without integer dot products, with which it computes linear with "
                            "Q8_0 wrongly")
                != std::string::npos);
        QVERIFY(reason.ends_with("without cooperative matrices, with which it is slower"));
        QVERIFY(useReason(device, DeviceUse::Unfit).find("without") == std::string::npos);
        QVERIFY(namesOf(device.leftOut) == (std::vector<std::string> { "dot", "matrix" }));
    }
};

QTEST_GUILESS_MAIN(TestDevices)
#include "tst_devices.moc"
