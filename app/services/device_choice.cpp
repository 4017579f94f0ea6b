#include "app/services/device_choice.h"

#include "engine/backend/selftest.h"

#include <unistd.h>

#include <algorithm>

namespace app {

using engine::Error;
using engine::ErrorCode;
using engine::Result;
using engine::backend::Backend;
using engine::backend::DeviceFacts;
using engine::backend::DeviceWish;

namespace {

/// What the device computes wrongly; empty: nothing. Errors: Cancelled.
Result<std::string> findings(const Backend& device, const std::stop_token& stop,
                             const std::function<void(double)>& testing)
{
    const auto checks = engine::backend::selfTest(device, engine::backend::AfterFailure::Stop, stop,
                                                  [&](double fraction, const std::string& /*op*/) {
                                                      if (testing) {
                                                          testing(fraction);
                                                      }
                                                  });
    if (!checks) {
        return tl::unexpected(checks.error());
    }
    const auto wrong = std::ranges::find(*checks, false, &engine::backend::OpCheck::ok);
    return wrong == checks->end() ? std::string() : wrong->name();
}

/// The device, open and trusted. Errors: of openDevice, DeviceUntrusted, Cancelled.
Result<std::shared_ptr<const Backend>> opened(DeviceFacts& facts, DeviceVerdicts& verdicts,
                                              const std::stop_token& stop,
                                              const std::function<void(double)>& testing,
                                              const DeviceSource& source)
{
    auto device = source.open(facts.index);
    if (!device || facts.kind == engine::backend::DeviceKind::Software || verdicts.find(facts)) {
        return device;
    }
    const auto found = findings(**device, stop, testing);
    if (!found) {
        return tl::unexpected(found.error());
    }
    verdicts.keep(facts, *found);
    if (!found->empty()) {
        facts.distrusted = *found;
        return engine::failure(ErrorCode::DeviceUntrusted, { facts.name, *found });
    }
    return device;
}

} // namespace

std::uint64_t machineMemory()
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageSize = sysconf(_SC_PAGESIZE);
    return pages > 0 && pageSize > 0
        ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageSize)
        : 0;
}

std::string deviceId(std::uint32_t number)
{
    return "vulkan:" + std::to_string(number);
}

std::string deviceName(std::span<const DeviceFacts> all, std::size_t index)
{
    const auto& name = all[index].name;
    const auto before = std::ranges::count(all.first(index), name, &DeviceFacts::name);
    return before == 0 ? name : name + " #" + std::to_string(before + 1);
}

Result<ChosenDevice> preferredDevice(const std::string& name, DeviceVerdicts& verdicts,
                                     std::stop_token stop,
                                     const std::function<void(double)>& testing,
                                     const DeviceSource& source)
{
    DeviceWish wish;
    std::optional<Error> missing;
    if (name == "cpu") {
        wish.kind = DeviceWish::Kind::Cpu;
    } else if (name != "auto") {
        const auto all = source.list();
        missing = all ? Error { ErrorCode::NoSuchDevice, { name, std::to_string(all->size()) }, {} }
                      : all.error();
        for (std::size_t i = 0; all && i < all->size(); ++i) {
            if (deviceName(*all, i) == name) {
                wish = { DeviceWish::Kind::Number, (*all)[i].index };
                missing.reset();
            }
        }
    }
    auto chosen = chosenDevice(wish, verdicts, std::move(stop), testing, source);
    if (!chosen && chosen.error().code != ErrorCode::Cancelled) {
        ChosenDevice cpu;
        cpu.passedOver = chosen.error();
        return cpu;
    }
    if (chosen && missing) {
        chosen->passedOver = missing;
    }
    return chosen;
}

Result<ChosenDevice> chosenDevice(const DeviceWish& wish, DeviceVerdicts& verdicts,
                                  std::stop_token stop, const std::function<void(double)>& testing,
                                  const DeviceSource& source)
{
    ChosenDevice chosen;
    const bool mayBeCpu = wish.kind == DeviceWish::Kind::Auto;
    if (wish.kind == DeviceWish::Kind::Cpu) {
        return chosen;
    }
    auto all = source.list();
    if (!all) {
        return mayBeCpu ? Result<ChosenDevice>(chosen) : tl::unexpected(all.error());
    }
    verdicts.applyTo(*all);
    while (true) {
        const auto number = engine::backend::chooseDevice(wish, *all);
        if (!number) {
            return tl::unexpected(chosen.passedOver ? *chosen.passedOver : number.error());
        }
        if (!*number) {
            return chosen;
        }
        const auto facts = std::ranges::find(*all, **number, &DeviceFacts::index);
        auto device = opened(*facts, verdicts, stop, testing, source);
        if (device) {
            chosen.backend = std::move(*device);
            chosen.id = deviceId(**number);
            return chosen;
        }
        if (device.error().code == ErrorCode::Cancelled) {
            return tl::unexpected(device.error());
        }
        chosen.passedOver = device.error();
        if (facts->distrusted.empty()) {
            facts->unfit = engine::englishSentence(device.error()); // this time
        }
    }
}

} // namespace app
