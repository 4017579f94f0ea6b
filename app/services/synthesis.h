// Writes model files of random weights to measure with. No Qt: shared by the window and
// vitrine-cli. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/tensor_type.h"

#include <cstdint>
#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>

namespace app {

/// Sizes of a Llama-like model.
struct SynthesisShape
{
    std::string_view name;
    std::uint32_t blocks;
    std::uint32_t width;
    std::uint32_t heads;
    std::uint32_t headsKv;
    std::uint32_t feedForward;
    bool tiedEmbeddings; ///< the output matrix is the embedding's
};

/// What to write: the same request gives the same bytes on every machine.
struct SynthesisRequest
{
    SynthesisShape shape;
    engine::gguf::TensorType type;
    std::uint64_t seed = 1;
};

struct Synthesized
{
    std::uint64_t bytes = 0; ///< of the file
    double bitsPerWeight = 0; ///< of all tensors together
};

/// `fraction` from 0 to 1.
using SynthesisProgress = std::function<void(double fraction)>;

[[nodiscard]] std::span<const SynthesisShape> synthesisShapes();
/// "135M:Q4_0". Errors: InvalidArgument with the names that there are.
[[nodiscard]] engine::Result<SynthesisRequest> parseSynthesis(std::string_view text);

/// The type that a matrix gets which is to be of `type` and has rows of `rowLength`: `type` where
/// its blocks divide a row, else the nearest smaller-blocked type that does.
[[nodiscard]] engine::gguf::TensorType synthesisTensorType(engine::gguf::TensorType type,
                                                           std::uint64_t rowLength);

/// Streams the file to `path`; needs a few MB of memory whatever its size. A stop request ends it
/// with Cancelled and leaves nothing behind. Errors also: FileWriteFailed (checked against the free
/// space before the first byte).
[[nodiscard]] engine::Result<Synthesized> synthesize(const SynthesisRequest& request,
                                                     const std::string& path,
                                                     std::stop_token stop = {},
                                                     const SynthesisProgress& progress = {});

} // namespace app
