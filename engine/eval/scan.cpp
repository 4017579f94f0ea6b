#include "engine/eval/scan.h"

#include <algorithm>
#include <vector>

namespace engine::eval {

Result<void> scanValues(const gguf::GgufFile& file, const gguf::TensorInfo& tensor,
                        const DecodableTensor& decodable, const ScanControl& control,
                        const std::function<void(std::span<const float>)>& visit)
{
    const auto& type = *decodable.type;
    const std::uint64_t pieceBlocks = kScanPiece / type.blockSize;
    std::vector<float> values(kScanPiece);
    control.begin(decodable.blocks);
    for (std::uint64_t first = 0; first < decodable.blocks; first += pieceBlocks) {
        if (control.stop.stop_requested()) {
            return failure(ErrorCode::Cancelled, {}, placeOf(file, tensor));
        }
        const std::uint64_t blocks = std::min(pieceBlocks, decodable.blocks - first);
        decodable.codec->decode(decodable.data.data() + first * type.typeSize, values.data(),
                                blocks);
        visit(std::span(values).first(blocks * type.blockSize));
        control.advance(blocks);
    }
    if (file.changed()) {
        return failure(ErrorCode::FileChanged, {}, placeOf(file, tensor));
    }
    return {};
}

} // namespace engine::eval
