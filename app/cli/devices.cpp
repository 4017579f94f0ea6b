// vitrine-cli devices: what a model can run on.
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/build_facts.h"
#include "app/cli/command.h"
#include "app/cli/console.h"
#include "app/cli/json_output.h"
#include "engine/base/cpu_features.h"

#include <unistd.h>

namespace app::cli {

namespace {

std::uint64_t physicalMemory()
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long pageSize = sysconf(_SC_PAGESIZE);
    return pages > 0 && pageSize > 0
        ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(pageSize)
        : 0;
}

Outcome<ExitStatus> run(const Context& context)
{
    const auto& cpu = engine::cpuFeatures();
    const std::string driver = "Vitrine kernels: " + kernelSets();
    const std::string reason = "always there; the only kind of device in this version";
    if (context.json) {
        printJson(Json::array(
            { { { "id", "cpu" },
                { "name", cpu.name },
                { "driver", driver },
                { "type", "cpu" },
                { "memory", physicalMemory() },
                { "features",
                  { { "cores", cpu.cores }, { "avx2", cpu.avx2 }, { "avx512", cpu.avx512 } } },
                { "usable", true },
                { "reason", reason } } }));
        return ExitStatus::Done;
    }
    Table table({ { "id" },
                  { "name" },
                  { "driver" },
                  { "memory", Align::Right },
                  { "cores", Align::Right },
                  { "usable" } });
    table.add({ "cpu", printable(cpu.name), driver, sizeText(physicalMemory()),
                std::to_string(cpu.cores), "yes: " + reason });
    print(table.text());
    return ExitStatus::Done;
}

} // namespace

Command devicesCommand()
{
    return { .name = "devices",
             .summary = "what models can run on here",
             .usage = "",
             .details = "",
             .run = run };
}

} // namespace app::cli
