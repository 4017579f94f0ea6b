// Choosing, testing and opening devices that are invented.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/device_choice.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <set>

using namespace engine;
using namespace engine::backend;
using app::chosenDevice;
using app::DeviceVerdicts;

namespace {

/// The CPU under another name; where it fails, it prepares nothing.
class FakeDevice final : public Backend
{
public:
    FakeDevice(bool works, std::atomic<int>& prepared)
        : m_works(works)
        , m_prepared(prepared)
    {
    }
    std::string description() const override { return "a fake"; }
    Result<std::unique_ptr<Runner>> prepare(const model::Graph& graph,
                                            const RunnerOptions& options) const override
    {
        ++m_prepared;
        return m_works ? cpuBackend().prepare(graph, options)
                       : failure(ErrorCode::DeviceFailed, { "vkCreateComputePipelines", "-13" });
    }

private:
    bool m_works;
    std::atomic<int>& m_prepared;
};

DeviceFacts facts(std::uint32_t index, DeviceKind kind)
{
    DeviceFacts out;
    out.index = index;
    out.deviceId = index;
    out.name = "device " + std::to_string(index);
    out.kind = kind;
    return out;
}

using Kind = DeviceWish::Kind;

} // namespace

class TestDeviceChoice : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::filesystem::path m_file;
    std::vector<DeviceFacts> m_devices;
    std::set<std::uint32_t> m_closed; // can't be opened
    std::set<std::uint32_t> m_wrong; // fail their test
    std::string m_cure; // the feature that does it
    std::vector<std::string> m_opened; // without these, at last
    std::atomic<int> m_prepared = 0;
    app::DeviceSource m_source;

private Q_SLOTS:
    void init()
    {
        m_file = m_folder.filePath(QTest::currentTestFunction()).toStdString();
        m_devices = { facts(0, DeviceKind::Integrated), facts(1, DeviceKind::Discrete),
                      facts(2, DeviceKind::Software) };
        m_closed = {};
        m_wrong = {};
        m_cure = {};
        m_prepared = 0;
        m_source.list = [this] { return Result<std::vector<DeviceFacts>>(m_devices); };
        m_source.open =
            [this](std::uint32_t index,
                   std::span<const std::string> without) -> Result<std::shared_ptr<const Backend>> {
            m_opened = { without.begin(), without.end() };
            if (m_closed.contains(index)) {
                return failure(ErrorCode::DeviceFailed, { "vkCreateDevice", "-3" });
            }
            const bool isCured = std::ranges::find(without, m_cure) != without.end();
            return std::make_shared<FakeDevice>(isCured || !m_wrong.contains(index), m_prepared);
        };
    }

    void isTestedOnce()
    {
        DeviceVerdicts verdicts(m_file);
        int told = 0;
        auto chosen = chosenDevice(
            {}, verdicts, {}, [&](double) { ++told; }, m_source);
        QVERIFY(chosen && chosen->backend);
        QCOMPARE(chosen->id, std::string("vulkan:1"));
        QVERIFY(!chosen->passedOver);
        QVERIFY(told > 0 && m_prepared >= told);
        const int before = m_prepared;
        DeviceVerdicts later(m_file);
        chosen = chosenDevice({}, later, {}, {}, m_source);
        QVERIFY(chosen && chosen->backend);
        QCOMPARE(m_prepared.load(), before);
    }

    void aWrongOneIsPassedOver()
    {
        DeviceVerdicts verdicts(m_file);
        m_wrong = { 1 };
        const auto chosen = chosenDevice({}, verdicts, {}, {}, m_source);
        QVERIFY(chosen && chosen->backend);
        QCOMPARE(chosen->id, std::string("vulkan:0"));
        QVERIFY(chosen->passedOver && chosen->passedOver->code == ErrorCode::DeviceUntrusted);
        QVERIFY(chosen->passedOver->arguments[0] == "device 1");
        QVERIFY(!chosen->passedOver->arguments[1].empty()); // the op
        // asked for by number it is refused, without another test
        const int before = m_prepared;
        const auto refused = chosenDevice({ Kind::Number, 1 }, verdicts, {}, {}, m_source);
        QVERIFY(!refused && refused.error().code == ErrorCode::DeviceUntrusted);
        QCOMPARE(m_prepared.load(), before);
    }

    /// What only one feature gets wrong is used without it, also later, and says so.
    void aWrongFeatureIsLeftOut()
    {
        DeviceVerdicts verdicts(m_file);
        m_wrong = { 1 };
        m_cure = "subgroups";
        m_devices[1].features.integerDot = true;
        m_devices[1].features.subgroups = true;
        const auto chosen = chosenDevice({}, verdicts, {}, {}, m_source);
        QVERIFY(chosen && chosen->backend && !chosen->passedOver);
        QCOMPARE(chosen->id, std::string("vulkan:1"));
        const auto verdict = verdicts.find(m_devices[1]);
        QVERIFY(verdict && verdict->failed.empty() && verdict->leftOut.size() == 1);
        QCOMPARE(verdict->leftOut[0].feature, m_cure);
        QVERIFY(!verdict->leftOut[0].wrong.empty());
        const int before = m_prepared;
        DeviceVerdicts later(m_file);
        QVERIFY(chosenDevice({ Kind::Number, 1 }, later, {}, {}, m_source));
        QVERIFY(m_opened == std::vector { m_cure });
        QCOMPARE(m_prepared.load(), before);
        auto all = m_devices;
        later.applyTo(all);
        const auto reason = useReason(all[1], deviceUses(all)[1]);
        QVERIFY2(reason.find("without subgroups") != std::string::npos, reason.c_str());
    }

    void endsWithTheCpu()
    {
        DeviceVerdicts verdicts(m_file);
        m_wrong = { 0 };
        m_closed = { 1 };
        const auto chosen = chosenDevice({}, verdicts, {}, {}, m_source);
        QVERIFY(chosen && !chosen->backend);
        QCOMPARE(chosen->id, std::string("cpu"));
        QVERIFY(chosen->passedOver.has_value());
        // a driver that does not open now may open later
        m_closed = {};
        const auto later = chosenDevice({}, verdicts, {}, {}, m_source);
        QVERIFY(later && later->id == "vulkan:1");
    }

    void whatIsAskedForAndFailsIsAnError()
    {
        DeviceVerdicts verdicts(m_file);
        m_closed = { 1 };
        const auto closed = chosenDevice({ Kind::Number, 1 }, verdicts, {}, {}, m_source);
        QVERIFY(!closed && closed.error().code == ErrorCode::DeviceFailed);
        const auto missing = chosenDevice({ Kind::Number, 9 }, verdicts, {}, {}, m_source);
        QVERIFY(!missing && missing.error().code == ErrorCode::NoSuchDevice);
        m_closed = { 0, 1, 2 };
        const auto none = chosenDevice({ Kind::Vulkan }, verdicts, {}, {}, m_source);
        QVERIFY(!none && none.error().code == ErrorCode::DeviceFailed);
    }

    void keptChoices()
    {
        DeviceVerdicts verdicts(m_file);
        m_devices = { facts(0, DeviceKind::Integrated), facts(1, DeviceKind::Discrete),
                      facts(2, DeviceKind::Discrete) };
        m_devices[2].name = m_devices[1].name; // a pair
        QCOMPARE(app::deviceName(m_devices, 1), std::string("device 1"));
        QCOMPARE(app::deviceName(m_devices, 2), std::string("device 1 #2"));
        const auto id = [&](const char* name) {
            const auto chosen = app::preferredDevice(name, verdicts, {}, {}, m_source);
            return chosen ? chosen->id + (chosen->passedOver ? "!" : "") : "error";
        };
        QCOMPARE(id("cpu"), std::string("cpu"));
        QCOMPARE(id("auto"), std::string("vulkan:1"));
        QCOMPARE(id("device 0"), std::string("vulkan:0"));
        QCOMPARE(id("device 1 #2"), std::string("vulkan:2"));
        QCOMPARE(id("device 7"), std::string("vulkan:1!")); // it is gone
        m_closed = { 0 };
        QCOMPARE(id("device 0"), std::string("cpu!"));
        m_devices.clear();
        QCOMPARE(id("device 0"), std::string("cpu!"));
        QCOMPARE(id("auto"), std::string("cpu"));
    }

    void withoutVulkan()
    {
        DeviceVerdicts verdicts(m_file);
        m_source.list = []() -> Result<std::vector<DeviceFacts>> {
            return failure(ErrorCode::NoVulkan, { "no Vulkan loader was found" });
        };
        const auto automatic = chosenDevice({}, verdicts, {}, {}, m_source);
        QVERIFY(automatic && !automatic->backend && !automatic->passedOver);
        const auto vulkan = chosenDevice({ Kind::Vulkan }, verdicts, {}, {}, m_source);
        QVERIFY(!vulkan && vulkan.error().code == ErrorCode::NoVulkan);
        m_source.list = []() -> Result<std::vector<DeviceFacts>> { qFatal("not asked for"); };
        const auto cpu = chosenDevice({ Kind::Cpu }, verdicts, {}, {}, m_source);
        QVERIFY(cpu && !cpu->backend);
    }

    /// Software is not tested unasked, but a verdict on it counts.
    void software()
    {
        DeviceVerdicts verdicts(m_file);
        m_devices = { m_devices[2] };
        const auto chosen = chosenDevice({ Kind::Vulkan }, verdicts, {}, {}, m_source);
        QVERIFY(chosen && chosen->id == "vulkan:2");
        QCOMPARE(m_prepared.load(), 0);
        verdicts.keep(m_devices[0], { "rope", {} });
        const auto refused = chosenDevice({ Kind::Vulkan }, verdicts, {}, {}, m_source);
        QVERIFY(!refused && refused.error().code == ErrorCode::DeviceUntrusted);
    }

    void aTestIsStopped()
    {
        DeviceVerdicts verdicts(m_file);
        std::stop_source stop;
        const auto stopped = chosenDevice(
            {}, verdicts, stop.get_token(), [&](double) { stop.request_stop(); }, m_source);
        QVERIFY(!stopped && stopped.error().code == ErrorCode::Cancelled);
        QVERIFY(!verdicts.find(m_devices[1])); // next time again
    }
};

QTEST_GUILESS_MAIN(TestDeviceChoice)
#include "tst_device_choice.moc"
