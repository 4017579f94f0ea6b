#include "engine/eval/bad_numbers.h"

#include "engine/quant/block_fields.h"

#include <algorithm>
#include <cmath>

namespace engine::eval {

namespace {

/// Counts the numbers of one block; true where one is bad.
bool countBlock(const std::byte* block, std::span<const quant::FloatField> fields,
                BadNumbers& found)
{
    bool isBad = false;
    for (const auto& field : fields) {
        const double number = field.read(block);
        if (!std::isfinite(number)) {
            ++(std::isnan(number) ? found.nans : found.infinities);
            isBad = true;
        }
    }
    return isBad;
}

/// The bad field of this block that lies lowest.
BadNumbers::Place placeIn(const std::byte* block, std::span<const quant::FloatField> fields)
{
    BadNumbers::Place place { .offset = UINT64_MAX };
    for (const auto& field : fields) {
        const std::uint64_t offset = field.bits.begin()->first / 8;
        if (!std::isfinite(field.read(block)) && offset < place.offset) {
            place = { .offset = offset, .kind = field.kind };
        }
    }
    return place;
}

} // namespace

Result<BadNumbers> findBadNumbers(const gguf::GgufFile& file, const gguf::TensorInfo& tensor,
                                  const ScanControl& control)
{
    const auto decodable = decodableTensor(file, tensor);
    if (!decodable) {
        return tl::unexpected(decodable.error());
    }
    const auto fields = quant::floatFields(decodable->type->type);
    const std::uint64_t size = decodable->type->typeSize;
    const std::uint64_t blocks = fields.empty() ? 0 : decodable->blocks;
    BadNumbers found;
    control.begin(blocks);
    for (std::uint64_t first = 0; first < blocks; first += kScanPiece) {
        if (control.stop.stop_requested()) {
            return failure(ErrorCode::Cancelled, {}, placeOf(file, tensor));
        }
        const std::uint64_t end = std::min(first + kScanPiece, blocks);
        for (std::uint64_t index = first; index < end; ++index) {
            const std::byte* block = decodable->data.data() + index * size;
            if (countBlock(block, fields, found) && !found.first) {
                found.first = placeIn(block, fields);
                found.first->offset += tensor.data.offset + index * size;
                found.first->row = index / decodable->blocksPerRow;
                found.first->block = index % decodable->blocksPerRow;
            }
        }
        found.looked += (end - first) * fields.size();
        control.advance(end - first);
    }
    if (file.changed()) {
        return failure(ErrorCode::FileChanged, {}, placeOf(file, tensor));
    }
    return found;
}

} // namespace engine::eval
