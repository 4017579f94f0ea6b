#include "engine/eval/tensor_statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace engine::eval {

namespace {

/// Mean and squared deviations of a set; two sets merge without the cancellation that sums of
/// squares suffer from.
struct Moments
{
    double count = 0;
    double mean = 0;
    double squares = 0; // of the deviations from the mean

    void merge(const Moments& other)
    {
        if (other.count == 0) {
            return;
        }
        const double total = count + other.count;
        const double shift = other.mean - mean;
        mean += shift * (other.count / total);
        squares += other.squares + shift * shift * (count * other.count / total);
        count = total;
    }
};

/// Collects the values of one tensor, a piece at a time.
class Gatherer
{
public:
    void add(std::span<const float> values)
    {
        Moments piece;
        double sum = 0;
        for (const float value : values) {
            if (!std::isfinite(value)) {
                ++(std::isnan(value) ? m_result.nans : m_result.infinities);
                continue;
            }
            m_result.zeros += value == 0 ? 1 : 0;
            m_min = std::min(m_min, value);
            m_max = std::max(m_max, value);
            sum += static_cast<double>(value);
            piece.count += 1;
        }
        m_result.elements += values.size();
        if (piece.count == 0) {
            return;
        }
        piece.mean = sum / piece.count;
        for (const float value : values) {
            if (std::isfinite(value)) {
                const double deviation = static_cast<double>(value) - piece.mean;
                piece.squares += deviation * deviation;
            }
        }
        m_moments.merge(piece);
    }

    [[nodiscard]] TensorStatistics result() const
    {
        TensorStatistics result = m_result;
        if (m_moments.count > 0) {
            result.min = m_min;
            result.max = m_max;
            result.mean = m_moments.mean;
            result.standardDeviation = std::sqrt(m_moments.squares / m_moments.count);
        }
        return result;
    }

private:
    TensorStatistics m_result;
    Moments m_moments;
    float m_min = std::numeric_limits<float>::infinity();
    float m_max = -std::numeric_limits<float>::infinity();
};

} // namespace

Result<TensorStatistics> tensorStatistics(const gguf::GgufFile& file,
                                          const gguf::TensorInfo& tensor,
                                          const ScanControl& control)
{
    Gatherer gatherer;
    return decodableTensor(file, tensor)
        .and_then([&](const DecodableTensor& decodable) {
            return scanValues(file, tensor, decodable, control,
                              [&](std::span<const float> values) { gatherer.add(values); });
        })
        .map([&] { return gatherer.result(); });
}

} // namespace engine::eval
