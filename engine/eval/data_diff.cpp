#include "engine/eval/data_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>

namespace engine::eval {

namespace {

using gguf::GgufFile;
using gguf::TensorDiff;
using gguf::TensorTypeInfo;
using Bytes = std::span<const std::byte>;

constexpr std::uint64_t kPiece = 256 * 1024; // bytes between two looks at the stop token

/// The data of one tensor in both files.
struct Pair
{
    DataState state = DataState::NotComparable; ///< Unknown: they can be compared
    const TensorTypeInfo* type = nullptr;
    Bytes a;
    Bytes b;
};

Pair pairOf(const GgufFile& a, const GgufFile& b, const TensorDiff& diff)
{
    Pair pair;
    if (!diff.a || !diff.b || diff.isShapeDifferent || diff.isTypeDifferent
        || a.header().bigEndian != b.header().bigEndian) {
        return pair;
    }
    const auto& left = a.tensors()[*diff.a];
    const auto& right = b.tensors()[*diff.b];
    pair.type = left.typeInfo();
    if (pair.type == nullptr || left.data.size != right.data.size) {
        return pair;
    }
    pair.a = a.data(left);
    pair.b = b.data(right);
    pair.state = pair.a.size() == left.data.size && pair.b.size() == right.data.size
        ? DataState::Unknown
        : DataState::Missing;
    return pair;
}

bool isSame(Bytes a, Bytes b)
{
    return a.empty() || std::memcmp(a.data(), b.data(), a.size()) == 0;
}

/// Counts the blocks of a piece that differ.
void countBlocks(Bytes a, Bytes b, std::uint32_t blockSize, std::uint64_t firstBlock,
                 DataDiff& result)
{
    for (std::uint64_t at = 0; at < a.size(); at += blockSize) {
        const std::uint64_t size = std::min<std::uint64_t>(blockSize, a.size() - at);
        if (isSame(a.subspan(at, size), b.subspan(at, size))) {
            continue;
        }
        if (result.different++ == 0) {
            result.first = firstBlock + at / blockSize;
        }
    }
}

} // namespace

std::uint64_t comparableBytes(const GgufFile& a, const GgufFile& b,
                              const gguf::TensorComparison& tensors)
{
    std::uint64_t bytes = 0;
    for (const TensorDiff& diff : tensors.tensors) {
        const Pair pair = pairOf(a, b, diff);
        bytes += pair.state == DataState::Unknown ? pair.a.size() : 0;
    }
    return bytes;
}

Result<std::vector<DataDiff>> compareData(const GgufFile& a, const GgufFile& b,
                                          const gguf::TensorComparison& tensors,
                                          const ScanControl& control)
{
    std::vector<DataDiff> results;
    results.reserve(tensors.tensors.size());
    control.begin(comparableBytes(a, b, tensors));
    for (const TensorDiff& diff : tensors.tensors) {
        const Pair pair = pairOf(a, b, diff);
        DataDiff result { .state = pair.state };
        if (pair.state == DataState::Unknown) {
            const std::uint32_t block = pair.type->typeSize;
            const std::uint64_t step = std::max<std::uint64_t>(1, kPiece / block) * block;
            for (std::uint64_t at = 0; at < pair.a.size(); at += step) {
                if (control.stop.stop_requested()) {
                    return failure(ErrorCode::Cancelled, {}, { .file = a.path() });
                }
                const std::uint64_t size = std::min<std::uint64_t>(step, pair.a.size() - at);
                const Bytes left = pair.a.subspan(at, size);
                const Bytes right = pair.b.subspan(at, size);
                if (!isSame(left, right)) {
                    countBlocks(left, right, block, at / block, result);
                }
                control.advance(size);
            }
            result.blocks = (pair.a.size() + block - 1) / block;
            result.state = result.different > 0 ? DataState::Different : DataState::Same;
        }
        results.push_back(result);
    }
    for (const GgufFile* file : { &a, &b }) {
        if (file->changed()) {
            return failure(ErrorCode::FileChanged, {}, { .file = file->path() });
        }
    }
    return results;
}

} // namespace engine::eval
