// Facts of this build and of the machine it runs on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace app::cli {

/// The instruction sets that the CPU kernels use on this machine: "AVX-512", "AVX2", "scalar".
[[nodiscard]] std::string kernelSets();
/// Version, compiler, build type, processor: the lines of `--version`.
[[nodiscard]] std::string versionText();

} // namespace app::cli
