// The self-test of a device: every op and tensor type against the CPU's plain loops.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/backend.h"
#include "engine/base/result.h"

#include <functional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace engine::backend {

/// One case: an op on numbers of one kind.
struct OpCheck
{
    std::string op; ///< as in a profile: "linear"
    std::string type; ///< of the weights ("Q4_0"), or which form of the op ("window")
    double maxAbs = 0; ///< largest difference; infinite for NaN where a number belongs
    double maxRel = 0; ///< the same in units of the expected numbers' size
    bool ok = false;
    std::string problem; ///< why it could not be run; with `ok`: it has no room there

    /// "linear with Q4_0"
    [[nodiscard]] std::string name() const { return type.empty() ? op : op + " with " + type; }
};

/// What is done once a case fails.
enum class AfterFailure { GoOn, Stop };

/// How a test goes on.
struct SelfTestControl
{
    AfterFailure afterFailure = AfterFailure::GoOn;
    std::stop_token stop;
    /// The fraction done and the op that comes next; called on the caller's thread.
    std::function<void(double, const std::string&)> progress;
};

struct SelfTestCase;

/// One check a case, in their order; after a failure that stops, those up to it. `devices`: the
/// same one, opened several times: each takes cases on a thread of its own, since drivers compile
/// for most of the time. Errors: Cancelled.
[[nodiscard]] Result<std::vector<OpCheck>> selfTest(std::span<const Backend* const> devices,
                                                    std::span<const SelfTestCase> cases,
                                                    const SelfTestControl& control);

/// All cases of selfTestCases.
[[nodiscard]] Result<std::vector<OpCheck>> selfTest(const Backend& device,
                                                    const SelfTestControl& control = {});

/// Changes when shaders or cases do: a verdict is worth nothing for another edition.
[[nodiscard]] std::string selfTestEdition();

} // namespace engine::backend
