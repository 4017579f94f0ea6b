// vitrine-cli inspect --block: one block of a tensor as JSON and as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_output.h"
#include "engine/eval/block_values.h"
#include "engine/gguf/tensor_type.h"

#include <cstdint>
#include <string>

namespace app::cli {

/// {"offset", "bytes", "fields": [{"name", "bits", "raw", "value"}], "values"} of CLI.md.
/// "bits" is a list of runs [first, count]: bit 8 n + k is the one of byte n that is worth 2^k.
/// "raw" is the bits of all runs as a whole number, the first run lowest; "value" the number that
/// they stand for (signed, a half, …), null where that is infinite or NaN.
[[nodiscard]] Json blockJson(engine::gguf::TensorType type, const engine::eval::BlockValues& block);

/// Bytes, fields, the formula with the numbers of the first weights, values. Plain numbers have
/// bytes and values alone, and there may be several of them.
[[nodiscard]] std::string blockText(engine::gguf::TensorType type,
                                    const engine::eval::BlockValues& block, std::uint64_t fileSize);

/// With up to seven significant digits.
[[nodiscard]] std::string shortFloat(double value);

} // namespace app::cli
