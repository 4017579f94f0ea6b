#include "engine/eval/block_values.h"

#include "engine/eval/decodable_tensor.h"

#include <algorithm>

namespace engine::eval {

Result<std::uint64_t> blocksPerRow(const gguf::GgufFile& file, const gguf::TensorInfo& tensor)
{
    return decodableTensor(file, tensor).map([](const DecodableTensor& decodable) {
        return decodable.blocksPerRow;
    });
}

Result<BlockValues> blockValues(const gguf::GgufFile& file, const gguf::TensorInfo& tensor,
                                std::uint64_t row, std::uint64_t block, std::uint64_t count)
{
    const auto decodable = decodableTensor(file, tensor);
    if (!decodable) {
        return tl::unexpected(decodable.error());
    }
    const std::uint64_t rows = decodable->rows;
    const std::uint64_t perRow = decodable->blocksPerRow;
    if (decodable->blocks == 0) {
        return failure(ErrorCode::TensorEmpty, {}, placeOf(file, tensor));
    }
    if (row >= rows) {
        return failure(ErrorCode::TensorRowRange,
                       { std::to_string(row), std::to_string(rows), std::to_string(rows - 1) },
                       placeOf(file, tensor));
    }
    if (block >= perRow) {
        return failure(
            ErrorCode::TensorBlockRange,
            { std::to_string(block), std::to_string(perRow), std::to_string(perRow - 1) },
            placeOf(file, tensor));
    }
    const auto& type = *decodable->type;
    count = std::min(count, perRow - block);
    const std::uint64_t start = (row * perRow + block) * type.typeSize;
    BlockValues result;
    result.offset = tensor.data.offset + start;
    result.column = block * type.blockSize;
    result.bytes = decodable->data.subspan(start, count * type.typeSize);
    result.values.resize(count * type.blockSize);
    decodable->codec->decode(result.bytes.data(), result.values.data(), count);
    if (file.changed()) {
        return failure(ErrorCode::FileChanged, {}, placeOf(file, tensor));
    }
    return result;
}

} // namespace engine::eval
