#include "engine/eval/bad_numbers.h"

#include "engine/eval/reductions.h"
#include "engine/quant/block_fields.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

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

/// Finds the sound pieces of plain types, nearly all, as fast as they decode.
class QuickLook
{
public:
    explicit QuickLook(const DecodableTensor& tensor)
        : m_tensor(tensor)
        // A float would make an infinity of a large double.
        , m_values(tensor.type->blockSize == 1 && tensor.type->typeSize <= sizeof(float)
                       ? kScanPiece
                       : 0)
    {
    }

    /// True where all numbers of these blocks are finite; false where that is not known.
    [[nodiscard]] bool isSound(const std::byte* first, std::uint64_t blocks)
    {
        if (m_values.empty()) {
            return false;
        }
        m_tensor.codec->decode(first, m_values.data(), blocks);
        return std::isfinite(
            std::bit_cast<float>(largestMagnitude(std::span(m_values).first(blocks))));
    }

private:
    const DecodableTensor& m_tensor;
    std::vector<float> m_values;
};

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
    QuickLook quickLook(*decodable);
    control.begin(blocks);
    for (std::uint64_t first = 0; first < blocks; first += kScanPiece) {
        if (control.stop.stop_requested()) {
            return failure(ErrorCode::Cancelled, {}, placeOf(file, tensor));
        }
        const std::uint64_t end = std::min(first + kScanPiece, blocks);
        const bool isSound = quickLook.isSound(decodable->data.data() + first * size, end - first);
        for (std::uint64_t index = first; index < end && !isSound; ++index) {
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
