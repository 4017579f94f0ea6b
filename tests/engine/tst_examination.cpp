// Which features of a device are left out so that it computes rightly.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/examination.h"
#include "engine/backend/prompt_seconds.h"
#include "engine/backend/vulkan/device.h"
#include "tests/support/device_bench.h"
#include "tests/support/spoiled_backend.h"

#include <QTest>

#include <algorithm>
#include <atomic>
#include <map>

using namespace engine;
using namespace engine::backend;

namespace {

using Names = std::vector<std::string>;

void spoil(std::span<float> values)
{
    values.back() += 1.0F;
}

bool has(std::span<const std::string> names, const char* name)
{
    return std::ranges::find(names, name) != names.end();
}

/// What is wrong with a device, by the op: nothing at all, or while a function says so.
struct Fault
{
    std::string op;
    std::function<bool(std::span<const std::string> without)> isThere;
};

/// Wrong in one op after the other: each relays to the next.
std::shared_ptr<const Backend> deviceWith(std::span<const Fault> faults,
                                          std::span<const std::string> without)
{
    std::shared_ptr<const Backend> device;
    for (const auto& fault : faults) {
        if (fault.isThere(without)) {
            device = std::make_shared<tests::SpoiledBackend>(fault.op, spoil, std::move(device));
        }
    }
    return device ? device : std::make_shared<tests::SpoiledBackend>("nothing", spoil);
}

std::vector<SelfTestCase> someCases()
{
    std::vector<SelfTestCase> cases;
    for (auto& test : selfTestCases()) {
        if (test.op == "rope" || test.op == "rms_norm" || test.op == "add") {
            cases.push_back(std::move(test));
        }
    }
    return cases;
}

} // namespace

class TestExamination : public QObject
{
    Q_OBJECT

    std::vector<SelfTestCase> m_cases = someCases();
    DeviceFeatures m_features {
        .subgroups = true, .float16 = true, .integerDot = true, .hostImport = true
    };
    std::atomic<int> m_opened = 0;

    Result<Examination> examined(const std::vector<Fault>& faults)
    {
        return examine(
            [&](std::span<const std::string> without) -> Result<std::shared_ptr<const Backend>> {
                ++m_opened;
                return deviceWith(faults, without);
            },
            m_features, m_cases, {});
    }
    /// What is left out, in order, of a device that takes so long without features; -1: no time.
    using Seconds = std::function<double(const Names& without)>;
    Names slowOf(const Seconds& seconds, const std::vector<Fault>& faults = {})
    {
        std::map<const Backend*, Names> opened;
        const auto open =
            [&](std::span<const std::string> without) -> Result<std::shared_ptr<const Backend>> {
            auto device = deviceWith(faults, without);
            opened[device.get()] = Names(without.begin(), without.end());
            return device;
        };
        const auto timer = [&](const Backend& device) {
            const auto time = seconds(opened.at(&device));
            return time < 0 ? std::nullopt : std::optional(time);
        };
        const auto found = examine(open, m_features, m_cases, {}, timer);
        if (!found || !found->device
            || opened.at(found->device.get()) != namesOf(found->verdict.leftOut)) {
            return { "not as it is used" };
        }
        m_found = *found;
        return namesOf(found->verdict.leftOut);
    }
    Examination m_found;
    static Fault with(const char* op, const char* feature)
    {
        return { op, [feature](std::span<const std::string> without) {
                    return !has(without, feature);
                } };
    }

private Q_SLOTS:
    void aRightOne()
    {
        const auto found = examined({});
        QVERIFY(found && found->device);
        QVERIFY(found->verdict == DeviceVerdict());
        QCOMPARE(found->checks.size(), m_cases.size());
        QVERIFY(std::ranges::all_of(found->checks, &OpCheck::ok));
    }

    void oneFeature()
    {
        const auto found = examined({ with("rope", "subgroups") });
        QVERIFY(found && found->device && found->verdict.failed.empty());
        QCOMPARE(found->verdict.leftOut.size(), std::size_t(1));
        QCOMPARE(found->verdict.leftOut[0].feature, std::string("subgroups"));
        QVERIFY(found->verdict.leftOut[0].wrong.starts_with("rope with "));
        QVERIFY(std::ranges::all_of(found->checks, &OpCheck::ok));
        QVERIFY(found->cured.size() == 1 && !found->cured[0].check.ok);
        QCOMPARE(found->cured[0].feature, std::string("subgroups"));
    }

    void twoFeatures()
    {
        const auto found = examined({ with("rope", "dot"), with("rms_norm", "import") });
        QVERIFY(found && found->device);
        const auto names = namesOf(found->verdict.leftOut);
        QCOMPARE(names.size(), std::size_t(2));
        QVERIFY(has(names, "dot") && has(names, "import"));
    }

    /// Each alone spoils it.
    void severalTogether()
    {
        const auto found = examined({ { "rope", [](std::span<const std::string> without) {
                                           return !has(without, "dot") || !has(without, "float16");
                                       } } });
        QVERIFY(found && found->device);
        const auto names = namesOf(found->verdict.leftOut);
        QVERIFY(has(names, "dot") && has(names, "float16"));
    }

    void wrongWhateverIsLeftOut()
    {
        const auto found = examined({ { "rope", [](auto /*without*/) { return true; } } });
        QVERIFY(found && !found->device);
        QVERIFY(found->verdict.failed.starts_with("rope with "));
        QVERIFY(found->verdict.leftOut.empty());
        QVERIFY(!std::ranges::all_of(found->checks, &OpCheck::ok));
    }

    /// Whatever is left out then, it may come again.
    void wrongAtTimes()
    {
        int times = 0;
        const auto found = examined({ { "rope", [&](auto /*without*/) { return times++ == 0; } } });
        QVERIFY(found && !found->device);
        QVERIFY(!found->verdict.failed.empty());
    }

    void whatIsNotThereIsNotLeftOut()
    {
        m_features.integerDot = false;
        const auto found = examined({ with("rope", "dot") });
        m_features.integerDot = true;
        QVERIFY(found && !found->device && found->verdict.leftOut.empty());
    }

    void slowFeatures()
    {
        m_features.cooperativeMatrix = true;
        const auto is = [](const Names& without, const char* name) { return !has(without, name); };
        // a little faster is not enough, and slower is no reason at all
        QVERIFY(slowOf([&](const auto& without) { return is(without, "matrix") ? 10 : 8.5; })
                == Names());
        QVERIFY(slowOf([&](const auto& without) { return is(without, "matrix") ? 1 : 9; })
                == Names());
        QVERIFY(slowOf([&](const auto& without) { return is(without, "matrix") ? 10 : 5; })
                == Names { "matrix" });
        QVERIFY(m_found.verdict.leftOut[0].wrong.empty() && m_found.cured.empty());
        // each is asked for with what the ones before it brought
        QVERIFY(slowOf([&](const auto& without) {
                    return is(without, "matrix") ? 10
                        : is(without, "dot")     ? 5
                        : is(without, "float16") ? 4.5
                                                 : 2;
                })
                == (Names { "matrix" }));
        QVERIFY(slowOf([&](const auto& without) {
                    return is(without, "matrix") ? 10
                        : is(without, "dot")     ? 5
                        : is(without, "float16") ? 3
                                                 : 2;
                })
                == (Names { "matrix", "dot", "float16" }));
        QVERIFY(slowOf([](const auto&) { return -1; }) == Names());
        m_features.cooperativeMatrix = false;
        QVERIFY(slowOf([&](const auto& without) { return is(without, "matrix") ? 10 : 5; })
                == Names());
    }

    /// The shaders that come instead are tested too.
    void fastButWrong()
    {
        const Fault fault { "rope", [](auto without) {
                               return has(without, "dot") && !has(without, "float16");
                           } };
        const auto names =
            slowOf([](const auto& without) { return has(without, "dot") ? 1 : 10; }, { fault });
        QVERIFY(names == (Names { "dot", "float16" }));
        QVERIFY(!m_found.verdict.leftOut[1].wrong.empty());
        QVERIFY(m_found.cured.size() == 1 && m_found.cured[0].feature == "float16");
    }

    void timesPrompts()
    {
        NEED_DEVICE();
        const auto seconds = promptSeconds()(*tests::testDevice());
        QVERIFY(seconds && *seconds > 1e-6);
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(!promptSeconds(stop.get_token())(*tests::testDevice()));
    }

    void cannotBeOpened()
    {
        const auto never = [](auto /*without*/) -> Result<std::shared_ptr<const Backend>> {
            return failure(ErrorCode::DeviceFailed, { "vkCreateDevice", "-3" });
        };
        const auto found = examine(never, m_features, m_cases, {});
        QVERIFY(!found && found.error().code == ErrorCode::DeviceFailed);
    }

    void isStopped()
    {
        std::stop_source stop;
        const auto open = [&](std::span<const std::string> without) {
            if (!without.empty()) {
                stop.request_stop(); // while the feature is looked for
            }
            const std::vector faults { with("rope", "import") };
            return Result<std::shared_ptr<const Backend>>(deviceWith(faults, without));
        };
        const auto found =
            examine(open, m_features, m_cases, { AfterFailure::GoOn, stop.get_token(), {} });
        QVERIFY(!found && found.error().code == ErrorCode::Cancelled);
    }

    /// The real device without a feature runs other shaders, and they are right.
    void aRealDevice()
    {
        NEED_DEVICE();
        const auto all = devices();
        QVERIFY(all && !all->empty());
        const auto fit = std::ranges::find(*all, std::string(), &DeviceFacts::unfit);
        if (!fit->features.subgroups) {
            QSKIP("this device has no subgroups that could be left out");
        }
        const auto open =
            [&](std::span<const std::string> without) -> Result<std::shared_ptr<const Backend>> {
            auto device = openDevice(fit->index, {}, without);
            if (!device || has(without, "subgroups")) {
                return device;
            }
            return std::make_shared<tests::SpoiledBackend>("rms_norm", spoil, *device);
        };
        const auto norm = std::ranges::find(m_cases, std::string("rms_norm"), &SelfTestCase::op);
        const auto found = examine(open, { .subgroups = true }, std::span(&*norm, 1), {});
        QVERIFY(found && found->device);
        QVERIFY(namesOf(found->verdict.leftOut) == Names { "subgroups" });

        const auto instance = vulkan::Instance::open();
        QVERIFY(instance);
        const auto physical = (*instance)->physicalDevices()[fit->index];
        const Names without { "subgroups" };
        const auto plain = vulkan::Device::open(*instance, physical, *fit, without);
        QVERIFY(plain && (*plain)->variant() == vulkan::ShaderVariant::Plain);
        QVERIFY(!(*plain)->facts().features.subgroups);
    }
};

QTEST_GUILESS_MAIN(TestExamination)
#include "tst_examination.moc"
