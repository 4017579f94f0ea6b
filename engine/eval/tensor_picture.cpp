#include "engine/eval/tensor_picture.h"

#include "engine/eval/reductions.h"
#include "engine/quant/block_fields.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

namespace engine::eval {

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// The first of `length` items that part `index` of `parts` begins with; no overflow.
std::uint64_t edgeOf(std::uint64_t length, std::uint64_t parts, std::uint64_t index)
{
    return length / parts * index + length % parts * index / parts;
}

/// The part's numbers of a row, a piece at a time: decoded weights or block scales.
class RowReader
{
public:
    RowReader(const DecodableTensor& tensor, std::optional<quant::FloatField> scale)
        : m_tensor(tensor)
        , m_scale(scale)
        , m_numbers(kScanPiece)
    {
    }

    /// Numbers that can only be read together: pieces begin and end at multiples of it.
    [[nodiscard]] std::uint64_t grain() const { return m_scale ? 1 : m_tensor.type->blockSize; }

    /// Numbers [first, end) of a row, at most kScanPiece. Both are multiples of grain().
    [[nodiscard]] std::span<const float> read(std::uint64_t row, std::uint64_t first,
                                              std::uint64_t end)
    {
        const std::uint64_t size = m_tensor.type->typeSize;
        const std::uint64_t block = row * m_tensor.blocksPerRow + first / grain();
        const std::byte* source = m_tensor.data.data() + block * size;
        if (m_scale) {
            for (std::uint64_t i = 0; i < end - first; ++i) {
                m_numbers[i] = static_cast<float>(m_scale->read(source + i * size));
            }
        } else {
            m_tensor.codec->decode(source, m_numbers.data(), (end - first) / grain());
        }
        return std::span(m_numbers).first(end - first);
    }

private:
    const DecodableTensor& m_tensor;
    std::optional<quant::FloatField> m_scale;
    std::vector<float> m_numbers;
};

/// The cells of one row of a picture while its numbers come in.
class CellRow
{
public:
    CellRow(CellValue what, const TensorPicture& picture)
        : m_what(what)
        , m_sums(picture.width)
        , m_largest(picture.width)
    {
        for (std::uint32_t x = 0; x <= picture.width; ++x) {
            m_edges.push_back(picture.columnOf(x));
        }
    }

    /// Numbers from column `first` on; those outside of the area are left out.
    void add(std::uint64_t first, std::span<const float> numbers)
    {
        const std::uint64_t end = std::min(first + numbers.size(), m_edges.back());
        std::uint64_t column = std::max(first, m_edges.front());
        auto x = static_cast<std::size_t>(std::ranges::upper_bound(m_edges, column)
                                          - m_edges.begin() - 1);
        for (; column < end; ++x) {
            const std::uint64_t next = std::min(end, m_edges[x + 1]);
            const auto part = numbers.subspan(column - first, next - column);
            if (m_what == CellValue::Mean) {
                m_sums[x] += sumOf(part);
            } else {
                m_largest[x] = std::max(m_largest[x], largestMagnitude(part));
            }
            column = next;
        }
    }

    /// The finished cells of `rows` rows; the next ones begin.
    void finish(std::uint64_t rows, float* cells)
    {
        for (std::size_t x = 0; x < m_sums.size(); ++x) {
            const auto count = static_cast<double>(rows * (m_edges[x + 1] - m_edges[x]));
            const auto cell = m_what == CellValue::Mean ? static_cast<float>(m_sums[x] / count)
                                                        : std::bit_cast<float>(m_largest[x]);
            cells[x] = std::isfinite(cell) ? cell : kNan;
            m_sums[x] = 0;
            m_largest[x] = 0;
        }
    }

private:
    CellValue m_what;
    std::vector<std::uint64_t> m_edges;
    std::vector<double> m_sums;
    std::vector<std::int32_t> m_largest;
};

Result<std::optional<quant::FloatField>> scaleOf(const gguf::GgufFile& file,
                                                 const gguf::TensorInfo& tensor,
                                                 const DecodableTensor& decodable, PictureOf of)
{
    std::optional<quant::FloatField> scale;
    if (of == PictureOf::Scales) {
        const auto fields = quant::floatFields(decodable.type->type);
        if (fields.empty() || fields.front().kind != quant::FieldKind::Scale) {
            return failure(ErrorCode::TensorNoScales, { std::string(decodable.type->name) },
                           placeOf(file, tensor));
        }
        scale = fields.front();
    }
    return scale;
}

PictureArea sizeOf(const DecodableTensor& decodable, PictureOf of)
{
    const std::uint64_t columns = of == PictureOf::Scales
        ? decodable.blocksPerRow
        : decodable.blocksPerRow * decodable.type->blockSize;
    return { 0, decodable.rows, 0, columns };
}

/// Cuts the range [first, first + count) to [0, size).
void cut(std::uint64_t size, std::uint64_t& first, std::uint64_t& count)
{
    first = std::min(first, size);
    count = std::min(count, size - first);
}

TensorPicture emptyPicture(const PictureRequest& request, const PictureArea& whole)
{
    TensorPicture picture { .area = request.area };
    cut(whole.rows, picture.area.firstRow, picture.area.rows);
    cut(whole.columns, picture.area.firstColumn, picture.area.columns);
    picture.width =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(request.width, picture.area.columns));
    picture.height =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(request.height, picture.area.rows));
    if (picture.width == 0 || picture.height == 0) {
        picture.width = 0;
        picture.height = 0;
    }
    picture.cells.resize(static_cast<std::size_t>(picture.width) * picture.height);
    return picture;
}

void findRange(TensorPicture& picture)
{
    float low = std::numeric_limits<float>::infinity();
    float high = -low;
    for (const float cell : picture.cells) {
        if (std::isnan(cell)) {
            ++picture.badCells;
        } else {
            low = std::min(low, cell);
            high = std::max(high, cell);
        }
    }
    if (low <= high) {
        picture.min = low;
        picture.max = high;
    }
}

/// Fills the cells; false where it was stopped.
bool draw(TensorPicture& picture, CellValue what, RowReader& reader, const ScanControl& control)
{
    CellRow cells(what, picture);
    const std::uint64_t grain = reader.grain();
    const std::uint64_t begin = picture.area.firstColumn / grain * grain;
    const std::uint64_t end = picture.area.firstColumn + picture.area.columns;
    const std::uint64_t roundedEnd = (end + grain - 1) / grain * grain; // rows are whole blocks
    control.begin(picture.area.rows);
    for (std::uint32_t y = 0; y < picture.height; ++y) {
        const std::uint64_t lastRow = picture.rowOf(y + 1);
        for (std::uint64_t row = picture.rowOf(y); row < lastRow; ++row) {
            for (std::uint64_t first = begin; first < roundedEnd; first += kScanPiece) {
                if (control.stop.stop_requested()) {
                    return false;
                }
                cells.add(first, reader.read(row, first, std::min(first + kScanPiece, roundedEnd)));
            }
            control.advance(1);
        }
        cells.finish(lastRow - picture.rowOf(y),
                     picture.cells.data() + static_cast<std::size_t>(y) * picture.width);
    }
    return true;
}

} // namespace

std::uint64_t TensorPicture::columnOf(std::uint32_t x) const
{
    return area.firstColumn + edgeOf(area.columns, width, x);
}

std::uint64_t TensorPicture::rowOf(std::uint32_t y) const
{
    return area.firstRow + edgeOf(area.rows, height, y);
}

Result<PictureArea> pictureSize(const gguf::GgufFile& file, const gguf::TensorInfo& tensor,
                                PictureOf of)
{
    return decodableTensor(file, tensor).and_then([&](const DecodableTensor& decodable) {
        return scaleOf(file, tensor, decodable, of).map([&](const auto& /*scale*/) {
            return sizeOf(decodable, of);
        });
    });
}

Result<TensorPicture> tensorPicture(const gguf::GgufFile& file, const gguf::TensorInfo& tensor,
                                    const PictureRequest& request, const ScanControl& control)
{
    const auto decodable = decodableTensor(file, tensor);
    if (!decodable) {
        return tl::unexpected(decodable.error());
    }
    const auto scale = scaleOf(file, tensor, *decodable, request.of);
    if (!scale) {
        return tl::unexpected(scale.error());
    }
    TensorPicture picture = emptyPicture(request, sizeOf(*decodable, request.of));
    RowReader reader(*decodable, *scale);
    if (picture.width > 0 && !draw(picture, request.cell, reader, control)) {
        return failure(ErrorCode::Cancelled, {}, placeOf(file, tensor));
    }
    if (file.changed()) {
        return failure(ErrorCode::FileChanged, {}, placeOf(file, tensor));
    }
    findRange(picture);
    return picture;
}

} // namespace engine::eval
