#include "app/services/device_choice.h"

#include "engine/backend/examination.h"
#include "engine/backend/prompt_seconds.h"

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

/// The device, open and trusted. Errors: of openDevice, DeviceUntrusted, Cancelled.
Result<std::shared_ptr<const Backend>> opened(DeviceFacts& facts, DeviceVerdicts& verdicts,
                                              const std::stop_token& stop,
                                              const std::function<void(double)>& testing,
                                              const DeviceSource& source, FirstUse firstUse)
{
    if (firstUse == FirstUse::Trust || facts.kind == engine::backend::DeviceKind::Software
        || verdicts.find(facts)) {
        return source.open(facts.index, engine::backend::namesOf(facts.leftOut));
    }
    const auto open = [&](std::span<const std::string> without) {
        return source.open(facts.index, without);
    };
    const auto tell = [&](double fraction, const std::string& /*op*/) {
        if (testing) {
            testing(fraction);
        }
    };
    auto found = engine::backend::examine(open, facts.features, engine::backend::selfTestCases(),
                                          { engine::backend::AfterFailure::Stop, stop, tell },
                                          engine::backend::promptSeconds(stop));
    if (!found) {
        return tl::unexpected(found.error());
    }
    verdicts.keep(facts, found->verdict);
    facts.leftOut = found->verdict.leftOut;
    facts.distrusted = found->verdict.failed;
    if (!found->device) {
        return engine::failure(ErrorCode::DeviceUntrusted, { facts.name, facts.distrusted });
    }
    return std::move(found->device);
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
                                     const DeviceSource& source, FirstUse firstUse)
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
    auto chosen = chosenDevice(wish, verdicts, std::move(stop), testing, source, firstUse);
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
                                  const DeviceSource& source, FirstUse firstUse)
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
        auto device = opened(*facts, verdicts, stop, testing, source, firstUse);
        if (device) {
            chosen.backend = std::move(*device);
            chosen.id = deviceId(**number);
            chosen.name = deviceName(*all, static_cast<std::size_t>(facts - all->begin()));
            chosen.facts = *facts;
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
