// Finds out how a device can be trusted: with all its features, without some, or not at all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/devices.h"
#include "engine/backend/selftest.h"
#include "engine/backend/selftest_cases.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace engine::backend {

/// Opens a device whose features of these names (see NamedFeature) stay unused.
using DeviceOpener =
    std::function<Result<std::shared_ptr<const Backend>>(std::span<const std::string> without)>;

/// What a device computes wrongly.
struct DeviceVerdict
{
    std::string failed; ///< whatever is left out; empty: it can be used
    std::vector<LeftOut> leftOut; ///< so it computes rightly
    bool operator==(const DeviceVerdict&) const = default;
};

struct Examination
{
    std::shared_ptr<const Backend> device; ///< as it can be used; null: it can't
    DeviceVerdict verdict;
    std::vector<OpCheck> checks; ///< of the last test of all cases
    std::vector<OpCheck> cured; ///< what was wrong with the features that are left out, in order
};

/// Tests a device. Where it fails, the feature is looked for without which the case that failed
/// passes, and all is tested again without that; a case that fails only at times is cured by
/// nothing. `features`: what it has. Errors: of the first opening, Cancelled.
[[nodiscard]] Result<Examination> examine(const DeviceOpener& open, const DeviceFeatures& features,
                                          std::span<const SelfTestCase> cases,
                                          const SelfTestControl& control);

} // namespace engine::backend
