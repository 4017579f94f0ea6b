#include "engine/eval/decodable_tensor.h"

namespace engine::eval {

Where placeOf(const gguf::GgufFile& file, const gguf::TensorInfo& tensor)
{
    return file.placeOf(tensor.data.offset, tensor.name);
}

Result<DecodableTensor> decodableTensor(const gguf::GgufFile& file, const gguf::TensorInfo& tensor)
{
    if (file.headerOf(tensor).bigEndian) {
        return failure(ErrorCode::GgufBigEndian, {}, placeOf(file, tensor));
    }
    const auto* type = tensor.typeInfo();
    const auto* codec = type ? quant::codec(type->type) : nullptr;
    if (!codec) {
        return failure(ErrorCode::TensorNotDecodable, { gguf::tensorTypeLabel(tensor.typeNumber) },
                       placeOf(file, tensor));
    }
    const std::uint64_t rowLength = tensor.shape[0];
    if (rowLength % type->blockSize != 0) {
        return failure(
            ErrorCode::GgufTensorRow,
            { std::to_string(rowLength), std::to_string(type->blockSize), std::string(type->name) },
            placeOf(file, tensor));
    }
    const std::uint64_t blocks = tensor.elements / type->blockSize;
    const auto data = file.data(tensor);
    // By division, since blocks × size of a hostile shape may not fit a number.
    if (data.size() % type->typeSize != 0 || data.size() / type->typeSize != blocks) {
        return failure(ErrorCode::TensorDataIncomplete, {}, placeOf(file, tensor));
    }
    return DecodableTensor {
        type, codec, data, blocks, rowLength / type->blockSize, tensor.rows()
    };
}

} // namespace engine::eval
