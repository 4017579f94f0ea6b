// Blocks of random bits, as the self-test of devices makes them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/quant/random_blocks.h"

namespace tests {

using engine::quant::putBits;
using engine::quant::randomBlocks;

} // namespace tests
