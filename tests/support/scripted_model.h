// A model whose answers a test writes down: the next token is looked up by the last one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/writer.h"
#include "engine/model/model.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tests {

/// One token of a scripted vocabulary.
struct ScriptedToken
{
    std::string text;
    engine::text::TokenKind kind = engine::text::TokenKind::Normal;
};

/// Which token follows which, each by far the likeliest (probability 1 - 1e-7 or so); tokens
/// without a successor are followed by token 0.
using Script = std::map<engine::text::TokenId, engine::text::TokenId>;

/// Writes a llama of one block whose matrices are zero, with unit vectors as embeddings, so that
/// the last token alone decides: its column of the output matrix names the next one.
class ScriptedModel
{
public:
    /// At most `kWidth` tokens; token 1 is BOS, token 2 EOS.
    [[nodiscard]] static engine::Result<std::shared_ptr<const engine::model::Model>>
    make(const std::string& path, const std::vector<ScriptedToken>& tokens, const Script& script)
    {
        engine::gguf::Writer writer(path);
        addMetadata(writer, tokens);
        const std::vector<float> zeros(kWidth * kWidth, 0.0F);
        const std::vector<float> ones(kWidth, 1.0F);
        auto embedding = zeros;
        auto output = zeros;
        for (std::size_t i = 0; i < kWidth; ++i) {
            embedding[i * kWidth + i] = 1.0F;
            // the norm makes √width of the one
            const auto next = script.find(static_cast<engine::text::TokenId>(i));
            const auto row = next == script.end() ? 0U : static_cast<std::size_t>(next->second);
            output[row * kWidth + i] = 20.0F / std::sqrt(float(kWidth));
        }
        struct Tensor
        {
            std::string name;
            const std::vector<float>* values;
        };
        std::vector<Tensor> tensors { { "token_embd.weight", &embedding },
                                      { "output_norm.weight", &ones },
                                      { "output.weight", &output },
                                      { "blk.0.attn_norm.weight", &ones },
                                      { "blk.0.ffn_norm.weight", &ones } };
        for (const auto* name :
             { "attn_q", "attn_k", "attn_v", "attn_output", "ffn_gate", "ffn_up", "ffn_down" }) {
            tensors.push_back({ std::string("blk.0.") + name + ".weight", &zeros });
        }
        for (const auto& tensor : tensors) {
            std::vector<std::uint64_t> shape { kWidth };
            if (tensor.values->size() > kWidth) {
                shape.push_back(kWidth);
            }
            writer.declareTensor(tensor.name, engine::gguf::TensorType::F32, shape);
        }
        if (auto begun = writer.begin(); !begun) {
            return tl::unexpected(begun.error());
        }
        for (const auto& tensor : tensors) {
            if (auto written = writer.writeData(std::as_bytes(std::span(*tensor.values)));
                !written) {
                return tl::unexpected(written.error());
            }
        }
        if (auto finished = writer.finish(); !finished) {
            return tl::unexpected(finished.error());
        }
        return engine::model::Model::load(path);
    }

    static constexpr std::size_t kWidth = 32;

private:
    static void addMetadata(engine::gguf::Writer& writer, const std::vector<ScriptedToken>& tokens)
    {
        writer.addText("general.architecture", "llama");
        writer.addU32("llama.block_count", 1);
        writer.addU32("llama.context_length", 256);
        writer.addU32("llama.embedding_length", kWidth);
        writer.addU32("llama.feed_forward_length", kWidth);
        writer.addU32("llama.attention.head_count", 2);
        std::vector<std::string> texts;
        std::vector<std::int32_t> kinds;
        for (const auto& token : tokens) {
            texts.push_back(token.text);
            kinds.push_back(static_cast<std::int32_t>(token.kind));
        }
        const std::vector<float> scores(tokens.size(), 0.0F);
        writer.addText("tokenizer.ggml.model", "llama");
        writer.addTextArray("tokenizer.ggml.tokens", texts);
        writer.addI32Array("tokenizer.ggml.token_type", kinds);
        writer.addF32Array("tokenizer.ggml.scores", scores);
        writer.addU32("tokenizer.ggml.bos_token_id", 1);
        writer.addU32("tokenizer.ggml.eos_token_id", 2);
    }
};

} // namespace tests
