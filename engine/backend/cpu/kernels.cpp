#include "engine/backend/cpu/kernels.h"

#include "engine/base/cpu_features.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <vector>

namespace engine::backend::cpu {

namespace {

std::vector<const Kernels*> runnable()
{
    std::vector<const Kernels*> tables { &kScalarKernels };
#if defined(__x86_64__)
    if (cpuFeatures().avx2) {
        tables.push_back(&kAvx2Kernels);
    }
    if (cpuFeatures().avx512) {
        tables.push_back(&kAvx512Kernels);
    }
#endif
    return tables;
}

/// "AVX-512" → "avx512"
std::string plainName(const char* name)
{
    std::string plain;
    for (const char* c = name; *c; ++c) {
        if (std::isalnum(static_cast<unsigned char>(*c))) {
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
        }
    }
    return plain;
}

const Kernels& choose()
{
    const auto tables = runnableKernels();
    if (const char* wanted = std::getenv("VITRINE_CPU")) {
        for (const auto* table : tables) {
            if (plainName(table->name) == wanted) {
                return *table;
            }
        }
    }
    return *tables.back();
}

} // namespace

std::span<const Kernels* const> runnableKernels()
{
    static const auto tables = runnable();
    return tables;
}

const Kernels& kernels()
{
    static const Kernels& chosen = choose();
    return chosen;
}

} // namespace engine::backend::cpu
