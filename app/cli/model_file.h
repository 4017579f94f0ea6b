// Opening files for the commands that need no running model, with the messages they share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"
#include "app/cli/failure.h"
#include "engine/chat/chat_template.h"
#include "engine/gguf/gguf_file.h"
#include "engine/text/tokenizer.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace app::cli {

/// "-m FILE" of every command that takes a model.
[[nodiscard]] Option modelOption();
/// The path given with -m; wrong usage without one.
[[nodiscard]] Outcome<std::string> modelPath(const Arguments& arguments);

[[nodiscard]] Outcome<std::shared_ptr<const engine::gguf::GgufFile>>
openGguf(const std::string& path);
/// The tokenizer of a file, whatever else the file lacks; its warnings go to standard error. Where
/// the container is broken the message names that defect, since it is the cause.
[[nodiscard]] Outcome<std::shared_ptr<const engine::text::Tokenizer>>
openTokenizer(const std::string& path, const engine::text::TokenizerOptions& options = {});

/// "1,2,3" (also with spaces), each from 0 on.
[[nodiscard]] Outcome<std::vector<engine::text::TokenId>> parseTokens(const std::string& list);

/// The whole of a file, byte for byte.
[[nodiscard]] Outcome<std::string> readWholeFile(const std::string& path);
/// The whole of standard input, byte for byte.
[[nodiscard]] Outcome<std::string> readStandardInput();

/// "file: warning: …" lines on standard error.
void printWarnings(const std::string& path, const std::vector<engine::gguf::Problem>& warnings);

/// Says on standard error which template stands in where the model brings none.
void tellTemplateOrigin(const std::string& path, const engine::chat::ChatTemplate& chatTemplate);

} // namespace app::cli
