// Fuzzes the doctor: whatever the bytes, contents, parts and cache sizes are looked at without
// harm. SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/joined_file.h"
#include "engine/gguf/splits.h"
#include "engine/model/cache_size.h"
#include "engine/model/verdict.h"

#include <cstdint>
#include <cstdlib>

using namespace engine;

namespace {

volatile std::size_t sink = 0; // keeps the reads alive

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    const auto file = gguf::GgufFile::parse(std::as_bytes(std::span(bytes, size)), "fuzz.gguf");
    if (!file) {
        return 0;
    }
    const auto set = gguf::SplitFile::of(*file);
    for (const auto& tensor : set->tensors()) {
        const auto& shard = set->shards()[tensor.shard];
        if (!shard.file || set->offsetInFile(tensor) < tensor.info->data.offset) {
            std::abort();
        }
        sink = sink + shard.file->data(*tensor.info).size();
    }
    if (const auto joined = gguf::joined(set)) {
        std::uint64_t end = 0;
        for (const auto& section : (*joined)->sections()) {
            if (section.span.offset != end || section.span.size == 0) {
                std::abort();
            }
            end = section.span.end();
        }
        if (end != size) {
            std::abort();
        }
        for (const auto& tensor : (*joined)->tensors()) {
            sink = sink + (*joined)->data(tensor).size();
        }
    }
    const auto verdict = model::diagnose(*file);
    for (const auto& problem : verdict.problems) {
        sink = sink + englishSentence(problem.error).size();
        if (verdict.loads && problem.severity == gguf::Severity::Error) {
            std::abort();
        }
    }
    if (const auto shape = model::readCacheShape(**file)) {
        sink = sink + model::cacheBytes(*shape, shape->trainedContext, gguf::TensorType::Q8_0);
        sink = sink + static_cast<std::size_t>(shape->isUniform());
    }
    return 0;
}
