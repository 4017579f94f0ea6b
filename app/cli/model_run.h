// Options and steps that the commands which run a model share: loading, a session, the sampler.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"
#include "app/cli/json_output.h"
#include "engine/model/model.h"
#include "engine/session/generate.h"
#include "engine/session/session.h"

#include <memory>
#include <string>
#include <vector>

namespace app::cli {

/// --device, --threads, --ctx, --cache-type, --layers, --activations.
[[nodiscard]] std::vector<Option> runOptions();
/// --temp, --top-k, … --stop, --ignore-eos, -n.
[[nodiscard]] std::vector<Option> samplingOptions();
/// Tables one behind the other.
[[nodiscard]] std::vector<Option> joinedOptions(std::vector<std::vector<Option>> tables);

/// Wants that this build cannot meet (a cache type) fail with a line that says what there is. The
/// device is chosen by loadModel.
[[nodiscard]] Outcome<engine::session::SessionOptions>
sessionOptions(const Arguments& arguments, engine::session::CacheType cacheType);
[[nodiscard]] engine::session::GenerateOptions generateOptions(const Arguments& arguments);

/// A model with a session on it.
struct Running
{
    std::shared_ptr<const engine::model::Model> model;
    std::unique_ptr<engine::session::Session> session;
    double loadMs = 0; ///< of both together
    std::string device = "cpu"; ///< what it was loaded on: "vulkan:0"
    bool saidFallback = false;

    /// The CPU once the device failed.
    [[nodiscard]] std::string deviceNow() const { return session->fallback() ? "cpu" : device; }
};

/// Once, on standard error: the device failed, and the CPU works in its place.
void tellFallback(Running& running);

/// Loads with a progress line onto the device that --device asks for; the model's warnings go to
/// standard error.
[[nodiscard]] Outcome<Running> loadModel(const Context& context, const std::string& path,
                                         const engine::session::SessionOptions& options);

/// The JSON of `generate` and `chat`.
[[nodiscard]] Json generatedJson(const engine::session::Generated& generated, double loadMs);
/// One line of speeds and the finish reason.
[[nodiscard]] std::string timingsText(const engine::session::Generated& generated);
/// Streams the answer to standard output unless JSON is wanted, with a progress line while the
/// prompt is read.
[[nodiscard]] Outcome<engine::session::Generated>
streamAnswer(const Context& context, Running& running,
             std::span<const engine::text::TokenId> prompt,
             const engine::session::GenerateOptions& options);

} // namespace app::cli
