#include "app/cli/build_facts.h"

#include "engine/backend/backend.h"
#include "engine/base/cpu_features.h"

namespace app::cli {

namespace {

#if defined(__clang__)
constexpr const char* kCompiler = "Clang " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* kCompiler = "GCC " __VERSION__;
#else
constexpr const char* kCompiler = "unknown compiler";
#endif

} // namespace

std::string kernelSets()
{
    constexpr std::string_view kDevice = "CPU ";
    std::string description = engine::backend::cpuBackend().description();
    return description.starts_with(kDevice) ? description.substr(kDevice.size()) : description;
}

std::string versionText()
{
    const auto& cpu = engine::cpuFeatures();
    std::string out = "vitrine-cli " VITRINE_VERSION "\n";
    out += std::string("compiler: ") + kCompiler + "\n";
    out += "build type: " VITRINE_BUILD_TYPE "\n";
    out += "processor: " + cpu.name + ", " + std::to_string(cpu.cores)
        + (cpu.cores == 1 ? " core\n" : " cores\n");
    out += "instruction sets in use: " + kernelSets() + "\n";
    out += "backends: cpu, vulkan\n";
    return out;
}

} // namespace app::cli
