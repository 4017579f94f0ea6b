// The same weights as other tensor types would hold them: bytes, values, error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/tensor_type.h"

#include <cstddef>
#include <span>
#include <vector>

namespace engine::eval {

/// Some weights in one type, against what they were.
struct StoredWeights
{
    gguf::TensorType type;
    bool isOwn = false; ///< the type that the file has them in
    std::vector<std::byte> bytes;
    std::vector<float> values; ///< what the bytes decode to
    double rmse = 0; ///< root of the mean squared error; NaN or infinite where a value became so
    double maxError = 0; ///< the largest absolute error
};

/// `values` in every type that this engine can encode and whose block size divides their count, the
/// largest first. `ownBytes` are the bytes that they were decoded from, as type `own`: these come
/// back as they are, without an error, whether or not the type can be encoded. A value that is NaN
/// or infinite and stays the same has no error. Pure; for single blocks, not for whole tensors.
[[nodiscard]] std::vector<StoredWeights>
storedAs(std::span<const float> values, gguf::TensorType own, std::span<const std::byte> ownBytes);

} // namespace engine::eval
