#include "engine/eval/tensor_statistics.h"

#include "engine/eval/reductions.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

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
        m_result.elements += values.size();
        if (std::bit_cast<float>(largestMagnitude(values))
            < std::numeric_limits<float>::infinity()) { // nearly always
            addFinite(values);
            return;
        }
        m_finite.clear();
        for (const float value : values) {
            if (std::isfinite(value)) {
                m_finite.push_back(value);
            } else {
                ++(std::isnan(value) ? m_result.nans : m_result.infinities);
            }
        }
        addFinite(m_finite);
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
    void addFinite(std::span<const float> values)
    {
        if (values.empty()) {
            return;
        }
        m_result.zeros +=
            static_cast<std::uint64_t>(std::count(values.begin(), values.end(), 0.0F));
        const auto [low, high] = rangeOf(values);
        m_min = std::min(m_min, low);
        m_max = std::max(m_max, high);
        Moments piece { .count = static_cast<double>(values.size()) };
        piece.mean = sumOf(values) / piece.count;
        piece.squares = squaresAround(values, piece.mean);
        m_moments.merge(piece);
    }

    TensorStatistics m_result;
    std::vector<float> m_finite; // of a piece that has others too
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
