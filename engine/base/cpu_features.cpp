#include "engine/base/cpu_features.h"

#include <sched.h>

#include <fstream>
#include <thread>

namespace engine {

namespace {

std::string processorName()
{
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);) {
        if (line.starts_with("model name")) {
            const auto colon = line.find(": ");
            return colon == std::string::npos ? std::string() : line.substr(colon + 2);
        }
    }
    return "CPU";
}

int usableCores()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return CPU_COUNT(&set);
    }
    const auto n = std::thread::hardware_concurrency();
    return n > 0 ? static_cast<int>(n) : 1;
}

CpuFeatures detect()
{
    CpuFeatures f;
    f.cores = usableCores();
    f.name = processorName();
#if defined(__x86_64__)
    __builtin_cpu_init();
    f.avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")
        && __builtin_cpu_supports("f16c");
    f.avx512 = f.avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
        && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")
        && __builtin_cpu_supports("avx512vnni");
#endif
    return f;
}

} // namespace

const CpuFeatures& cpuFeatures()
{
    static const CpuFeatures features = detect();
    return features;
}

} // namespace engine
