// A small model file with a bit of everything, for tests of the inspector.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/gguf/writer.h"

#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace tests {

constexpr int kTokens = 1000;
constexpr int kLayers = 12;

/// Tokens "t0" … "t999" (of which "t999" is the end of a text), 12 layers with an F32 norm and a
/// Q4_0 matrix each, an F16 embedding. False when it cannot be written.
[[nodiscard]] inline bool writeInspectorFile(const QString& path)
{
    using engine::gguf::TensorType;
    engine::gguf::Writer writer(path.toStdString());
    writer.addText("general.architecture", "llama");
    writer.addU32("general.file_type", 2);
    writer.addU32("llama.block_count", kLayers);
    std::vector<std::string> tokens;
    std::vector<float> scores;
    std::vector<std::int32_t> kinds;
    for (int token = 0; token < kTokens; ++token) {
        tokens.push_back(std::string("t").append(std::to_string(token)));
        scores.push_back(static_cast<float>(-token));
        kinds.push_back(token + 1 == kTokens ? 3 : 1);
    }
    writer.addTextArray("tokenizer.ggml.tokens", tokens);
    writer.addF32Array("tokenizer.ggml.scores", scores);
    writer.addI32Array("tokenizer.ggml.token_type", kinds);
    writer.addU32("tokenizer.ggml.eos_token_id", kTokens - 1);
    writer.addU32("tokenizer.ggml.bos_token_id", kTokens + 7); // there is no such token
    writer.addText("tokenizer.chat_template", "{% for m in messages %}\n{{ m }}\n{% endfor %}");
    writer.declareTensor("token_embd.weight", TensorType::F16, { 64, 32 });
    for (int layer = 0; layer < kLayers; ++layer) {
        const std::string name = std::string("blk.").append(std::to_string(layer));
        writer.declareTensor(name + ".attn_norm.weight", TensorType::F32, { 64 });
        writer.declareTensor(name + ".attn_q.weight", TensorType::Q4_0, { 64, 8 });
    }
    if (!writer.begin()) {
        return false;
    }
    const std::vector<std::byte> zeros(64 * 32 * 2);
    bool good = writer.writeData(zeros).has_value();
    for (int layer = 0; layer < kLayers; ++layer) {
        const std::vector<std::byte> norm(64 * 4, std::byte { 0x3f });
        const std::vector<std::byte> matrix(64 * 8 / 32 * 18, std::byte { 0x31 });
        good = good && writer.writeData(norm) && writer.writeData(matrix);
    }
    return good && writer.finish();
}

[[nodiscard]] inline std::shared_ptr<const engine::gguf::GgufFile> openFile(const QString& path)
{
    return engine::gguf::GgufFile::open(path.toStdString()).value_or(nullptr);
}

} // namespace tests
