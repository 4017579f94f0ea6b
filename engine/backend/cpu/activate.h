// Functions of one number over many.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/backend/cpu/kernels.h"
#include "engine/model/ops.h"

#include <cstddef>

namespace engine::backend::cpu {

/// values = f(values)
void activate(const Kernels& kernels, model::Activation function, float* values, std::size_t n);

} // namespace engine::backend::cpu
