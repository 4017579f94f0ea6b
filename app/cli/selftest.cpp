// vitrine-cli selftest: every op of a device against the plain CPU.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/interrupt.h"
#include "app/cli/json_output.h"
#include "app/cli/model_file.h"
#include "app/services/device_choice.h"
#include "engine/backend/examination.h"
#include "engine/backend/model_cases.h"
#include "engine/backend/prompt_seconds.h"
#include "engine/model/model.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace app::cli {

namespace {

using engine::backend::Backend;
using engine::backend::DeviceFacts;
using engine::backend::DeviceFeatures;
using engine::backend::DeviceWish;
using engine::backend::Examination;
using engine::backend::OpCheck;
using engine::backend::SelfTestCase;
using engine::backend::SelfTestControl;

/// What is tested, whatever earlier tests found; nothing: the CPU's own fast kernels.
Outcome<std::optional<DeviceFacts>> testedDevice(const Arguments& arguments)
{
    const auto text = arguments.text("device");
    const auto wish = text ? engine::backend::parseDeviceWish(*text) : std::nullopt;
    if (!wish) {
        return wrongUsage("--device needs auto, cpu or vulkan[:N]; see vitrine-cli devices");
    }
    if (wish->kind == DeviceWish::Kind::Cpu) {
        return std::nullopt;
    }
    const auto all = engine::backend::devices();
    const auto number = all
        ? engine::backend::chooseDevice(*wish, *all)
        : engine::Result<std::optional<std::uint32_t>>(tl::unexpected(all.error()));
    if (!number) {
        return failed(number.error());
    }
    return *number ? std::optional(*std::ranges::find(*all, **number, &DeviceFacts::index))
                   : std::nullopt;
}

/// Null where none is given.
Outcome<std::shared_ptr<const engine::model::Model>> modelOf(const Context& context)
{
    if (!context.arguments.has("model")) {
        return nullptr;
    }
    const auto path = modelPath(context.arguments);
    if (!path) {
        return tl::unexpected(path.error());
    }
    Progress progress("loading");
    auto model = engine::model::Model::load(
        *path, context.interrupt.token(),
        [&](engine::model::LoadStage, double fraction) { progress.update(fraction); });
    progress.clear();
    if (!model) {
        return failed(model.error(), *path);
    }
    return std::move(*model);
}

/// The CPU has no features to leave out.
engine::Result<Examination> examined(const std::optional<DeviceFacts>& facts,
                                     const std::vector<SelfTestCase>& cases,
                                     const SelfTestControl& control)
{
    const auto open = [&](std::span<const std::string> without) {
        return facts
            ? engine::backend::openDevice(facts->index, {}, without)
            : engine::Result<std::shared_ptr<const Backend>>(std::shared_ptr<const Backend>(
                &engine::backend::cpuBackend(), [](const Backend*) {}));
    };
    const bool isGpu = facts && facts->kind != engine::backend::DeviceKind::Software;
    return engine::backend::examine(
        open, facts ? facts->features : DeviceFeatures(), cases, control,
        isGpu ? engine::backend::promptSeconds(control.stop) : engine::backend::PromptTimer());
}

/// JSON has no infinity.
Json numberJson(double value)
{
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json checkJson(const OpCheck& check)
{
    return { { "op", check.op },
             { "type", check.type },
             { "max_abs", numberJson(check.maxAbs) },
             { "max_rel", numberJson(check.maxRel) },
             { "ok", check.ok } };
}

void printJsonChecks(const Examination& found)
{
    Json json = Json::array();
    for (const auto& [feature, check] : found.cured) {
        json.push_back(checkJson(check));
        json.back()["feature"] = feature;
    }
    for (const auto& check : found.checks) {
        json.push_back(checkJson(check));
    }
    printJson(json);
}

std::string resultText(const OpCheck& check)
{
    return check.ok             ? (check.problem.empty() ? "ok" : "not tested: no room for it")
        : check.problem.empty() ? "WRONG"
                                : "FAILED: " + printable(check.problem);
}

void printTable(const Examination& found)
{
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
    const auto add = [&](const OpCheck& check, const std::string& result) {
        table.add({ check.op, check.type, number(check.maxAbs), number(check.maxRel), result });
    };
    for (const auto& [feature, check] : found.cured) {
        add(check,
            resultText(check) + " with " + std::string(engine::backend::featureWords(feature)));
    }
    for (const auto& check : found.checks) {
        add(check, resultText(check));
    }
    print(table.text());
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto facts = testedDevice(context.arguments);
    if (!facts) {
        return tl::unexpected(facts.error());
    }
    const auto model = modelOf(context);
    if (!model) {
        return tl::unexpected(model.error());
    }
    auto cases = engine::backend::selfTestCases();
    if (*model) {
        const auto& reference =
            *facts ? engine::backend::cpuBackend() : engine::backend::scalarBackend();
        auto own = engine::backend::modelCases((*model)->graph(), reference);
        std::ranges::move(own, std::back_inserter(cases));
    }
    Progress progress("testing");
    const auto tell = [&](double fraction, const std::string& op) {
        progress.update(fraction, op);
    };
    const auto found = examined(
        *facts, cases, { engine::backend::AfterFailure::GoOn, context.interrupt.token(), tell });
    progress.clear();
    if (!found) {
        return failed(found.error());
    }
    if (*facts) {
        DeviceVerdicts().keep(**facts, found->verdict);
    }
    const auto name =
        printable(*facts ? (*facts)->name : engine::backend::cpuBackend().description());
    if (context.json) {
        printJsonChecks(*found);
    } else {
        print(name + "\n");
        printTable(*found);
    }
    for (const auto& [feature, wrong] : found->verdict.leftOut) {
        message(name + " is used without " + std::string(engine::backend::featureWords(feature))
                + (wrong.empty() ? ": it is faster so." : ": " + wrong + " was wrong with them."));
    }
    if (!found->device) {
        const auto wrong = std::ranges::count(found->checks, false, &OpCheck::ok);
        return failed(name + ": " + std::to_string(wrong) + " of "
                      + std::to_string(found->checks.size()) + " cases failed, the first "
                      + found->verdict.failed + "; models do not run on it. Update its driver.");
    }
    return ExitStatus::Done;
}

} // namespace

Command selftestCommand()
{
    return { .name = "selftest",
             .summary = "every op of a device against the plain CPU",
             .usage = "--device D [-m FILE]",
             .details = "Each case computes random and extreme numbers on the device and by plain "
                        "loops on the CPU. max rel\nis the largest difference in units of the "
                        "expected numbers' size. The verdict is kept: a device\nthat fails is not "
                        "used until its driver changes or it passes; where it passes without one "
                        "of its features, it is\nused without that. With a model its own "
                        "ops and sizes are checked besides, and one block of each kind\nwith the "
                        "output as a whole (\"model\"); there the CPU's fast kernels are what is "
                        "right.\n",
             .options = { text("device", "auto|cpu|vulkan[:N]", "what to test; see devices"),
                          modelOption() },
             .run = run };
}

} // namespace app::cli
