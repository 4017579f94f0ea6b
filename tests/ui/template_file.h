// A small model file with a vocabulary that loads, around a chat template.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/inspector_file.h"

#include <string>
#include <vector>

namespace tests {

/// Tokens of characters, and "<s>", "</s>" and "<|im_start|>", "<|im_end|>" as control tokens. The
/// template is its last entry. Null when it cannot be written.
[[nodiscard]] inline std::shared_ptr<const engine::gguf::GgufFile>
fileWithTemplate(const QString& path, const std::string& source)
{
    engine::gguf::Writer writer(path.toStdString());
    writer.addText("general.architecture", "llama");
    writer.addText("tokenizer.ggml.model", "gpt2");
    writer.addText("tokenizer.ggml.pre", "default");
    std::vector<std::string> tokens { "<s>", "</s>", "<|im_start|>", "<|im_end|>" };
    std::vector<std::int32_t> kinds(tokens.size(), 3);
    for (char each = 'a'; each <= 'z'; ++each) {
        tokens.emplace_back(1, each);
        kinds.push_back(1);
    }
    writer.addTextArray("tokenizer.ggml.tokens", tokens);
    writer.addI32Array("tokenizer.ggml.token_type", kinds);
    writer.addTextArray("tokenizer.ggml.merges", std::vector<std::string> { "a b" });
    writer.addU32("tokenizer.ggml.bos_token_id", 0);
    writer.addU32("tokenizer.ggml.eos_token_id", 1);
    writer.addText("tokenizer.chat_template", source);
    return writer.begin() && writer.finish() ? openFile(path) : nullptr;
}

} // namespace tests
