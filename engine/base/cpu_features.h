// What this processor can do, asked once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace engine {

struct CpuFeatures
{
    bool avx2 = false; ///< AVX2, FMA and F16C together
    bool avx512 = false; ///< AVX-512 F, BW, DQ, VL and VNNI together
    int cores = 1; ///< logical processors this process may use
    std::string name; ///< brand string, e.g. "Intel(R) Xeon(R) Processor"
};

/// The features of the machine the process runs on; operating-system support for the registers
/// included.
[[nodiscard]] const CpuFeatures& cpuFeatures();

} // namespace engine
