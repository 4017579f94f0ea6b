// The doctor: everything that is wrong with a file, from its container to its contents.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace engine::model {

struct Verdict
{
    bool opens = false; ///< something can be shown
    bool loads = false; ///< container and metadata are sound: no problem of severity Error
    bool runs = false; ///< this engine can answer with it
    /// The first thing that keeps it from running, as loading would say it.
    std::optional<Error> obstacle;
    /// All of them, container first, each with its place and what to do; a note says why a sound
    /// file doesn't run.
    std::vector<gguf::Problem> problems;
};

struct DiagnoseOptions
{
    /// On request: reads the weights themselves (NaN scales; engine/eval has such scans) and adds
    /// what it finds. Runs last, on a sound model with all its parts; takes as long as reading the
    /// file takes.
    std::function<void(const gguf::GgufFile& file, std::vector<gguf::Problem>& problems)> scan;
};

/// Looks at a file and, where it is one part of a model, at the parts beside it: together they are
/// one model. Takes time by its metadata, not by its weights.
[[nodiscard]] Verdict diagnose(const std::shared_ptr<const gguf::GgufFile>& file,
                               const DiagnoseOptions& options = {});
/// Opens `path` and diagnoses it; what cannot be opened has that error as its only problem.
[[nodiscard]] Verdict examine(const std::string& path, const DiagnoseOptions& options = {});

} // namespace engine::model
