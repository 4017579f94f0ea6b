// Two files and how they differ, as the models of a comparison hold them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/file_diff.h"

#include <memory>

/// Shared, immutable: the entries and tensors of a comparison are numbers in its files.
struct ComparedFiles
{
    std::shared_ptr<const engine::gguf::GgufFile> a;
    std::shared_ptr<const engine::gguf::GgufFile> b;
    engine::gguf::MetadataComparison metadata;
    engine::gguf::TensorComparison tensors;

    [[nodiscard]] bool isSame() const
    {
        return metadata.differences == 0 && tensors.differences == 0;
    }
};
