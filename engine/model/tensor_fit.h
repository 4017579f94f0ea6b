// The tensors that the architecture of a file needs, against those that it has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/graph.h"
#include "engine/model/hparams.h"
#include "engine/model/weights.h"

#include <memory>
#include <vector>

namespace engine::model {

struct Composition;

struct TensorFit
{
    /// What the architecture asks for, in its own order (embedding first, then block by block).
    std::vector<ExpectedTensor> expected;
    /// What it has no place for, in the order of the file.
    std::vector<const gguf::TensorInfo*> unused;
    /// MissingTensor, WrongTensorShape, UnsupportedTensorType, MisalignedTensor with the tensor's
    /// name as subject; faults of the architecture's own keys with the key's.
    std::vector<Error> errors;
    /// What a session keeps of every token, and of the whole conversation (recurrent states).
    KvGeometry kv;
    std::uint64_t stateBytes = 0;
    /// What the architecture made of the file, which must outlive it; not to be run where there are
    /// errors.
    std::shared_ptr<const Composition> composition = {};
};

/// `hparams` come from readHparams on the same file.
[[nodiscard]] TensorFit fitTensors(const gguf::GgufFile& file, const Hparams& hparams);

} // namespace engine::model
