// The table of architectures this engine runs. A new one: a file that composes ops, and a row in
// registry.cpp. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/composer.h"

#include <span>
#include <string>
#include <string_view>

namespace engine::model {

struct Architecture
{
    std::string_view name; ///< general.architecture
    /// Asks for the tensors and writes the graph. Keys that describe what this version can't run
    /// are refused.
    void (*compose)(Composer& composer);
};

[[nodiscard]] std::span<const Architecture> architectures();
/// Null for one that the engine doesn't know.
[[nodiscard]] const Architecture* architecture(std::string_view name);
/// What models of an architecture need that the engine has not; empty for one that nobody tried.
[[nodiscard]] std::string_view missingPart(std::string_view name);
/// "80 others, llama … among them": for messages.
[[nodiscard]] std::string knownArchitectures();

} // namespace engine::model
