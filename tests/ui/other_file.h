// A file that differs from that of writeInspectorFile in a bit of everything, for comparisons.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/ui/inspector_file.h"

namespace tests {

/// Metadata: general.file_type has another value, general.name is new, tokens 7 and 900 are other
/// ones, tokenizer.ggml.bos_token_id is gone. Tensors: the embedding is F32 in place of F16, the
/// matrix of layer 3 has another block 2, that of layer 5 other lengths, layer 11 is gone, the
/// output is new. False when it cannot be written.
[[nodiscard]] inline bool writeOtherFile(const QString& path)
{
    using engine::gguf::TensorType;
    engine::gguf::Writer writer(path.toStdString());
    writer.addText("general.architecture", "llama");
    writer.addU32("general.file_type", 7);
    writer.addText("general.name", "other");
    writer.addU32("llama.block_count", kLayers);
    std::vector<std::string> tokens;
    std::vector<float> scores;
    std::vector<std::int32_t> kinds;
    for (int token = 0; token < kTokens; ++token) {
        tokens.push_back(
            std::string(token == 7 || token == 900 ? "u" : "t").append(std::to_string(token)));
        scores.push_back(static_cast<float>(-token));
        kinds.push_back(token + 1 == kTokens ? 3 : 1);
    }
    writer.addTextArray("tokenizer.ggml.tokens", tokens);
    writer.addF32Array("tokenizer.ggml.scores", scores);
    writer.addI32Array("tokenizer.ggml.token_type", kinds);
    writer.addU32("tokenizer.ggml.eos_token_id", kTokens - 1);
    writer.addText("tokenizer.chat_template", "{% for m in messages %}\n{{ m }}\n{% endfor %}");
    writer.declareTensor("token_embd.weight", TensorType::F32, { 64, 32 });
    for (int layer = 0; layer < kLayers - 1; ++layer) {
        const std::string name = std::string("blk.").append(std::to_string(layer));
        writer.declareTensor(name + ".attn_norm.weight", TensorType::F32, { 64 });
        writer.declareTensor(name + ".attn_q.weight", TensorType::Q4_0,
                             layer == 5 ? std::vector<std::uint64_t> { 32, 16 }
                                        : std::vector<std::uint64_t> { 64, 8 });
    }
    writer.declareTensor("output.weight", TensorType::F32, { 64 });
    if (!writer.begin()) {
        return false;
    }
    bool good = writer.writeData(std::vector<std::byte>(64 * 32 * 4)).has_value();
    const std::vector<std::byte> norm(64 * 4, std::byte { 0x3f });
    for (int layer = 0; layer < kLayers - 1; ++layer) {
        std::vector<std::byte> matrix(64 * 8 / 32 * 18, std::byte { 0x31 });
        if (layer == 3) {
            matrix[2 * 18 + 4] = std::byte { 0x77 };
        }
        good = good && writer.writeData(norm) && writer.writeData(matrix);
    }
    return good && writer.writeData(norm) && writer.finish();
}

} // namespace tests
