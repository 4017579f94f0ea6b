// Fuzzes the GGUF parser: whatever the bytes, it opens or refuses, and all that it shows can be
// read. SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <cstdlib>

using namespace engine;
using namespace engine::gguf;

namespace {

volatile std::size_t sink = 0; // keeps the reads alive

void touch(const Value& value, int depth)
{
    sink = sink + value.display().size() + value.elementBytes().size();
    sink = sink + static_cast<std::size_t>(value.asNumber().has_value())
        + value.asText().value_or("").size();
    auto cursor = value.elements();
    for (std::uint64_t i = 0; i < value.count(); ++i) {
        const auto element = cursor.next();
        if (!element) {
            std::abort(); // the parser has walked all of them
        }
        if (depth < 8) {
            touch(*element, depth + 1);
        }
    }
}

void touch(const GgufFile& file)
{
    for (const MetadataEntry& entry : file.metadata()) {
        if (!file.find(entry.key) || entry.span.end() > file.bytes().size()) {
            std::abort();
        }
        touch(entry.value, 0);
    }
    for (const TensorInfo& tensor : file.tensors()) {
        const auto data = file.data(tensor);
        if (!file.findTensor(tensor.name) || (file.loads() && data.size() != tensor.data.size)) {
            std::abort();
        }
        for (const std::byte b : data) {
            sink = sink + std::to_integer<std::size_t>(b);
        }
        sink = sink + tensor.rows();
    }
    std::uint64_t at = 0;
    for (const Section& section : file.sections()) {
        if (section.span.offset != at || section.span.size == 0) {
            std::abort(); // they cover the file without holes
        }
        at = section.span.end();
        sink = sink + section.name.size();
    }
    if (at != file.bytes().size() || file.loads() != file.requireSound().has_value()) {
        std::abort();
    }
    for (const Problem& problem : file.problems()) {
        sink = sink + englishSentence(problem.error).size();
    }
}

} // namespace

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer looks for this name
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    const auto file = GgufFile::parse(std::as_bytes(std::span(bytes, size)), "fuzz.gguf");
    if (file) {
        touch(**file);
    } else {
        sink = sink + englishSentence(file.error()).size();
    }
    return 0;
}
