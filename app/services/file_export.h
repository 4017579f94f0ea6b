// Writes parts of a model file to files of their own: metadata, single values, tensors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/latest_task.h"
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <memory>
#include <string>

namespace app {

// All of them: any thread; constant memory; whole or nothing (the old file stays when they fail);
// the result is the number of bytes written. Errors: Cancelled, FileChanged, FileWriteFailed.

/// An object with the file's name, of a set its parts, and a list of entries: key, type, value,
/// offset, size.
[[nodiscard]] engine::Result<std::uint64_t> exportMetadataJson(const engine::gguf::GgufFile& file,
                                                               const std::string& path,
                                                               const TaskControl& control);

/// A report in Markdown, to be attached to a bug report: see fileReport. `file` may be any part of
/// a split model; its contents are diagnosed anew.
[[nodiscard]] engine::Result<std::uint64_t>
exportReport(const std::shared_ptr<const engine::gguf::GgufFile>& file, const std::string& path,
             const TaskControl& control);

/// A text as its own bytes, everything else as JSON.
[[nodiscard]] engine::Result<std::uint64_t> exportValue(const engine::gguf::GgufFile& file,
                                                        const engine::gguf::Value& value,
                                                        const std::string& path,
                                                        const TaskControl& control);

/// The bytes of the weights as they lie in the file. Errors also: TensorDataIncomplete.
[[nodiscard]] engine::Result<std::uint64_t> exportTensorRaw(const engine::gguf::GgufFile& file,
                                                            const engine::gguf::TensorInfo& tensor,
                                                            const std::string& path,
                                                            const TaskControl& control);

/// For numpy.load: plain numbers in their own type, everything else decoded to float32; the
/// slowest dimension first. Errors also: those of engine::eval::decodableTensor.
[[nodiscard]] engine::Result<std::uint64_t> exportTensorNpy(const engine::gguf::GgufFile& file,
                                                            const engine::gguf::TensorInfo& tensor,
                                                            const std::string& path,
                                                            const TaskControl& control);

} // namespace app
