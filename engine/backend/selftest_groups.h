// The groups that the cases of the self-test come from.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/selftest_cases.h"

#include <functional>
#include <vector>

namespace engine::backend {

using SelfTestList = std::vector<SelfTestCase>;
using SelfTestBuild = std::function<void(OpGraph&)>;

/// The same in dispatches of few workgroups.
[[nodiscard]] SelfTestBuild inSubmissions(const SelfTestBuild& build);

// What multiplies with weights or looks them up, of every type
void addLookups(SelfTestList& cases);
void addProducts(SelfTestList& cases);
void addExperts(SelfTestList& cases);

// What computes with activations alone
void addElementwise(SelfTestList& cases);
void addNorms(SelfTestList& cases);
void addPieces(SelfTestList& cases);

// What depends on the position, or on what earlier tokens left
void addRopes(SelfTestList& cases);
void addAttention(SelfTestList& cases);
void addStates(SelfTestList& cases);

} // namespace engine::backend
