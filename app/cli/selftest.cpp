// vitrine-cli selftest: every op of a device against the plain CPU.
// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/selftest.h"

#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/services/device_choice.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace app::cli {

namespace {

using engine::backend::DeviceFacts;
using engine::backend::DeviceWish;
using engine::backend::OpCheck;

/// A device to test, whatever earlier tests found; no facts: the CPU's own fast kernels.
struct Tested
{
    std::shared_ptr<const engine::backend::Backend> backend;
    std::optional<DeviceFacts> facts;

    [[nodiscard]] const engine::backend::Backend& device() const
    {
        return backend ? *backend : engine::backend::cpuBackend();
    }
};

Outcome<Tested> testedDevice(const Arguments& arguments)
{
    const auto text = arguments.text("device");
    const auto wish = text ? engine::backend::parseDeviceWish(*text) : std::nullopt;
    if (!wish) {
        return wrongUsage("--device needs auto, cpu or vulkan[:N]; see vitrine-cli devices");
    }
    Tested tested;
    if (wish->kind == DeviceWish::Kind::Cpu) {
        return tested;
    }
    const auto all = engine::backend::devices();
    const auto number = all
        ? engine::backend::chooseDevice(*wish, *all)
        : engine::Result<std::optional<std::uint32_t>>(tl::unexpected(all.error()));
    if (!number) {
        return failed(number.error());
    }
    if (!*number) {
        return tested;
    }
    auto device = engine::backend::openDevice(**number);
    if (!device) {
        return failed(device.error());
    }
    tested.backend = std::move(*device);
    tested.facts = *std::ranges::find(*all, **number, &DeviceFacts::index);
    return tested;
}

/// JSON has no infinity.
Json numberJson(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

void printChecks(const Context& context, const Tested& tested, const std::vector<OpCheck>& checks)
{
    if (context.json) {
        Json json = Json::array();
        for (const auto& check : checks) {
            json.push_back({ { "op", check.op },
                             { "type", check.type },
                             { "max_abs", numberJson(check.maxAbs) },
                             { "max_rel", numberJson(check.maxRel) },
                             { "ok", check.ok } });
        }
        printJson(json);
        return;
    }
    const auto number = [](double value) {
        char text[32];
        std::snprintf(text, sizeof text, "%.2e", value);
        return std::string(text);
    };
    Table table({ { "op" },
                  { "type" },
                  { "max abs", Align::Right },
                  { "max rel", Align::Right },
                  { "result" } });
    for (const auto& check : checks) {
        table.add({ check.op, check.type, number(check.maxAbs), number(check.maxRel),
                    check.ok                    ? "ok"
                        : check.problem.empty() ? "WRONG"
                                                : "FAILED: " + printable(check.problem) });
    }
    print(printable(tested.device().description()) + "\n" + table.text());
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto tested = testedDevice(context.arguments);
    if (!tested) {
        return tl::unexpected(tested.error());
    }
    Progress progress("testing");
    const auto checks = engine::backend::selfTest(
        tested->device(), engine::backend::AfterFailure::GoOn, context.interrupt.token(),
        [&](double fraction, const std::string& op) { progress.update(fraction, op); });
    progress.clear();
    if (!checks) {
        return failed(checks.error());
    }
    const auto wrong = std::ranges::count(*checks, false, &OpCheck::ok);
    const auto first = std::ranges::find(*checks, false, &OpCheck::ok);
    if (tested->facts) {
        DeviceVerdicts().keep(*tested->facts, wrong > 0 ? first->name() : "");
    }
    printChecks(context, *tested, *checks);
    if (wrong > 0) {
        return failed(tested->device().description() + ": " + std::to_string(wrong) + " of "
                      + std::to_string(checks->size()) + " cases failed, the first " + first->name()
                      + "; models do not run on it. Update its driver.");
    }
    return ExitStatus::Done;
}

} // namespace

Command selftestCommand()
{
    return { .name = "selftest",
             .summary = "every op of a device against the plain CPU",
             .usage = "--device D",
             .details = "Each case computes random and extreme numbers on the device and by plain "
                        "loops on the CPU. max rel\nis the largest difference in units of the "
                        "expected numbers' size. The verdict is kept: a device\nthat fails is not "
                        "used until its driver changes or it passes.\n",
             .options = { text("device", "auto|cpu|vulkan[:N]", "what to test; see devices") },
             .run = run };
}

} // namespace app::cli
