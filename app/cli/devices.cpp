// vitrine-cli devices: what a model can run on.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/build_facts.h"
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "app/services/device_choice.h"
#include "engine/base/cpu_features.h"

#include <algorithm>

namespace app::cli {

namespace {

using engine::backend::DeviceFacts;
using engine::backend::DeviceUse;

/// One line of the list.
struct Row
{
    std::string id;
    std::string name;
    std::string driver;
    std::string type;
    std::uint64_t memory = 0;
    Json features;
    bool usable = true;
    std::string reason;
};

Row cpuRow(bool isDefault)
{
    const auto& cpu = engine::cpuFeatures();
    return { "cpu",
             cpu.name,
             "Vitrine kernels: " + kernelSets(),
             "cpu",
             machineMemory(),
             { { "cores", cpu.cores }, { "avx2", cpu.avx2 }, { "avx512", cpu.avx512 } },
             true,
             isDefault ? "used by default: there is no GPU that could be"
                       : "always there; used when asked for" };
}

Json featuresOf(const DeviceFacts& facts)
{
    const auto& features = facts.features;
    return { { "vulkan", facts.apiVersion },
             { "unified_memory", facts.unified },
             { "subgroup_size", facts.subgroupSize },
             { "subgroups", features.subgroups },
             { "float16", features.float16 },
             { "storage16", features.storage16 },
             { "storage8", features.storage8 },
             { "integer_dot", features.integerDot },
             { "cooperative_matrix", features.cooperativeMatrix },
             { "host_import", features.hostImport },
             { "memory_budget", features.memoryBudget },
             { "timestamps", features.timestamps } };
}

Row deviceRow(const DeviceFacts& facts, DeviceUse use)
{
    return { deviceId(facts.index), facts.name,
             facts.driver,          std::string(engine::backend::deviceKindName(facts.kind)),
             facts.memoryBytes,     featuresOf(facts),
             isUsable(use),         useReason(facts, use) };
}

/// The names of what is there.
std::string featureText(const Json& features)
{
    std::string out;
    for (const auto& [name, value] : features.items()) {
        if (value.is_boolean() && !value.get<bool>()) {
            continue;
        }
        if (!out.empty()) {
            out += ", ";
        }
        out += name;
        if (!value.is_boolean()) {
            out += ' ';
            out += value.is_string() ? value.get<std::string>() : value.dump();
        }
    }
    return out;
}

std::vector<Row> rows()
{
    auto all = engine::backend::devices();
    if (!all) {
        message(engine::englishSentence(all.error()));
        all = std::vector<DeviceFacts>();
    } else if (all->empty()) {
        message("Vulkan is installed, but no driver offers a device.");
    }
    DeviceVerdicts().applyTo(*all);
    const auto uses = engine::backend::deviceUses(*all);
    std::vector<Row> out { cpuRow(std::ranges::find(uses, DeviceUse::Default) == uses.end()) };
    for (std::size_t i = 0; i < all->size(); ++i) {
        out.push_back(deviceRow((*all)[i], uses[i]));
    }
    return out;
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto all = rows();
    if (context.json) {
        Json json = Json::array();
        for (const auto& row : all) {
            json.push_back({ { "id", row.id },
                             { "name", row.name },
                             { "driver", row.driver },
                             { "type", row.type },
                             { "memory", row.memory },
                             { "features", row.features },
                             { "usable", row.usable },
                             { "reason", row.reason } });
        }
        printJson(json);
        return ExitStatus::Done;
    }
    Table table({ { "id" }, { "type" }, { "memory", Align::Right }, { "usable" }, { "name" } });
    for (const auto& row : all) {
        table.add({ row.id, row.type, sizeText(row.memory),
                    (row.usable ? "yes: " : "no: ") + printable(row.reason), printable(row.name) });
    }
    print(table.text());
    for (const auto& row : all) {
        print("\n" + row.id + ": " + printable(row.driver) + "\n  "
              + printable(featureText(row.features)) + "\n");
    }
    return ExitStatus::Done;
}

} // namespace

Command devicesCommand()
{
    return { .name = "devices",
             .summary = "what models can run on here",
             .usage = "",
             .details = "A GPU is used by default; its memory is what it has of its own. The id is "
                        "what --device takes.\n",
             .run = run };
}

} // namespace app::cli
