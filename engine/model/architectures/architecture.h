// The table of architectures this engine runs. A new one: a file that composes ops, and a row in
// registry.cpp. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/model/graph.h"
#include "engine/model/hparams.h"
#include "engine/model/weights.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine::model {

struct Architecture
{
    std::string_view name; ///< general.architecture
    /// Nothing where the metadata describe something this version can run; else the error that
    /// names the key.
    std::optional<Error> (*unsupported)(const gguf::GgufFile& file, const Hparams& hparams);
    void (*bind)(WeightBinder& binder, const Hparams& hparams, Weights& weights);
    Graph (*build)(const Hparams& hparams, const Weights& weights, const RopeParameters& rope);
};

[[nodiscard]] std::span<const Architecture* const> architectures();
[[nodiscard]] const Architecture* architecture(std::string_view name);
/// "llama, …" for messages.
[[nodiscard]] std::string architectureNames();

extern const Architecture kLlama;

} // namespace engine::model
