// All parts of a split model as one GgufFile, in one range of bytes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"

#include <memory>
#include <string>

namespace engine::gguf {

/// The parts of a set that are there, one behind the other: several files each from a page of its
/// own on (see MappedFile::join), in the order of split.no; parts in one file as they lie in it.
/// Nothing is copied or read again. Tensors of all parts, with their offsets moved; metadata and
/// header of the first one, whose tensor count is that of all. Problems name the files of the parts
/// and count there. Where there is only one part, or it was parsed out of memory:
/// SplitFile::opened. Error: FileMapFailed.
[[nodiscard]] Result<std::shared_ptr<const GgufFile>>
joined(const std::shared_ptr<const SplitFile>& set);

/// The model that a file belongs to, as far as it is there: a file of its own as GgufFile::open
/// opens it, else all parts beside it, joined.
[[nodiscard]] Result<std::shared_ptr<const GgufFile>> openJoined(const std::string& path);

} // namespace engine::gguf
