// What single metadata keys mean, beyond their bare values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/inspector/array_index.h"

#include <QtCore/QString>

#include <stop_token>
#include <string_view>

namespace metadata {

/// The vocabulary's text array, for ids to be resolved; null where the file has none. Walks the
/// array once; null too when stopped.
[[nodiscard]] std::shared_ptr<const ArrayIndex> vocabulary(const ArrayIndex::File& file,
                                                           std::stop_token stop = {});

/// A remark beside the value: the text of a special token's id, what general.file_type says;
/// empty for most keys.
[[nodiscard]] QString note(const engine::gguf::MetadataEntry& entry, const ArrayIndex* vocabulary);

/// The kind of a token (tokenizer.ggml.token_type): "normal", "control", …
[[nodiscard]] QString tokenKind(std::int64_t number);

} // namespace metadata
