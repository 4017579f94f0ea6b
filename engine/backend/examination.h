// Finds out how a device can be trusted: with all its features, without some, or not at all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/devices.h"
#include "engine/backend/selftest.h"
#include "engine/backend/selftest_cases.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine::backend {

/// Opens a device whose features of these names (see NamedFeature) stay unused.
using DeviceOpener =
    std::function<Result<std::shared_ptr<const Backend>>(std::span<const std::string> without)>;

/// How long a prompt takes on a device, in any unit; nothing: nobody knows.
using PromptTimer = std::function<std::optional<double>(const Backend&)>;

/// How a device is used.
struct DeviceVerdict
{
    std::string failed; ///< what is wrong whatever is left out; empty: it can be used
    std::vector<LeftOut> leftOut; ///< so it computes rightly and fast
    bool operator==(const DeviceVerdict&) const = default;
};

struct Examination
{
    /// What was wrong with a feature that is left out.
    struct Cured
    {
        std::string feature;
        OpCheck check;
    };
    std::shared_ptr<const Backend> device; ///< as it can be used; null: it can't
    DeviceVerdict verdict;
    std::vector<OpCheck> checks; ///< of the last test of all cases
    std::vector<Cured> cured;
};

/// Tests a device. Where it fails, the feature is looked for without which the case that failed
/// passes, and all is tested again without that; a case that fails only at times is cured by
/// nothing. `features`: what it has. Once it computes rightly, features that choose how prompts are
/// multiplied are left out where `timer` says that it is much faster without them: drivers report
/// some that the hardware has not; then all is tested again. No timer: they stay. Errors: of the
/// first opening, Cancelled.
[[nodiscard]] Result<Examination> examine(const DeviceOpener& open, const DeviceFeatures& features,
                                          std::span<const SelfTestCase> cases,
                                          const SelfTestControl& control,
                                          const PromptTimer& timer = {});

} // namespace engine::backend
