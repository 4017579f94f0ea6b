// Sound GGUF files of any size that take no room on the disk: head and directory, then a hole.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/gguf/writer.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tests {

struct SparseTensor
{
    std::string name;
    engine::gguf::TensorType type;
    std::vector<std::uint64_t> shape;
};

/// The tensors of a llama-like model with so many layers, 9 each, and three more; mixed types.
[[nodiscard]] inline std::vector<SparseTensor> layeredTensors(int layers,
                                                              std::uint64_t width = 4096)
{
    using Type = engine::gguf::TensorType;
    std::vector<SparseTensor> tensors { { "token_embd.weight", Type::Q6_K, { width, 8 * width } } };
    for (int i = 0; i < layers; ++i) {
        const std::string at = "blk." + std::to_string(i) + ".";
        const Type down = i % 3 == 0 ? Type::Q6_K : Type::Q4_K;
        tensors.push_back({ at + "attn_norm.weight", Type::F32, { width } });
        tensors.push_back({ at + "attn_q.weight", Type::Q4_K, { width, width } });
        tensors.push_back({ at + "attn_k.weight", Type::Q4_K, { width, width / 4 } });
        tensors.push_back({ at + "attn_v.weight", Type::Q8_0, { width, width / 4 } });
        tensors.push_back({ at + "attn_output.weight", Type::Q5_K, { width, width } });
        tensors.push_back({ at + "ffn_norm.weight", Type::F32, { width } });
        tensors.push_back({ at + "ffn_gate.weight", Type::IQ4_XS, { width, 3 * width } });
        tensors.push_back({ at + "ffn_up.weight", Type::Q4_K, { width, 3 * width } });
        tensors.push_back({ at + "ffn_down.weight", down, { 3 * width, width } });
    }
    tensors.push_back({ "output_norm.weight", Type::F32, { width } });
    tensors.push_back({ "output.weight", Type::F16, { width, 8 * width } });
    return tensors;
}

/// Writes it, sparse where the file system can. The first tensor must have more than 8 MiB.
[[nodiscard]] inline engine::Result<void> writeSparseGguf(const std::string& path,
                                                          const std::vector<SparseTensor>& tensors)
{
    engine::gguf::Writer writer(path);
    writer.addText("general.architecture", "llama");
    writer.addText("general.name", "sparse");
    std::uint64_t size = 0; // at most: a full alignment's padding with each
    for (const SparseTensor& tensor : tensors) {
        writer.declareTensor(tensor.name, tensor.type, tensor.shape);
        std::uint64_t elements = 1;
        for (const std::uint64_t length : tensor.shape) {
            elements *= length;
        }
        const auto& info = engine::gguf::tensorTypeInfo(tensor.type);
        size += elements / info.blockSize * info.typeSize + 32;
    }
    if (auto begun = writer.begin(); !begun) {
        return begun;
    }
    // More than the writer holds back, so that the head is in the file; the rest stays a hole.
    if (auto written = writer.writeData(std::vector<std::byte>(8U << 20U)); !written) {
        return written;
    }
    namespace fs = std::filesystem;
    fs::copy_file(path + ".part", path, fs::copy_options::overwrite_existing);
    fs::resize_file(path, fs::file_size(path) + size);
    const auto file = engine::gguf::GgufFile::open(path);
    if (!file) {
        return tl::unexpected(file.error());
    }
    fs::resize_file(path, (*file)->tensors().back().data.end());
    return {};
}

} // namespace tests
