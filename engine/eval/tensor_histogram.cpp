#include "engine/eval/tensor_histogram.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace engine::eval {

namespace {

class Counter
{
public:
    Counter(float low, float high, std::size_t bins)
        : m_low(low)
        , m_high(high)
        , m_factor(low < high ? static_cast<double>(bins)
                           / (static_cast<double>(high) - static_cast<double>(low))
                              : 0)
        , m_last(low < high ? bins - 1 : 0)
        , m_counts(m_last + 1)
    {
    }

    void add(std::span<const float> values)
    {
        for (const float value : values) {
            if (value >= m_low && value <= m_high) { // not so for NaN
                const double place = (static_cast<double>(value) - m_low) * m_factor;
                ++m_counts[std::min(static_cast<std::size_t>(place), m_last)];
            } else if (std::isfinite(value)) {
                ++(value < m_low ? m_below : m_above);
            }
        }
    }

    [[nodiscard]] TensorHistogram result() const
    {
        return { static_cast<float>(m_low), static_cast<float>(m_high), m_counts, m_below,
                 m_above };
    }

private:
    double m_low;
    double m_high;
    double m_factor;
    std::size_t m_last;
    std::vector<std::uint64_t> m_counts;
    std::uint64_t m_below = 0;
    std::uint64_t m_above = 0;
};

} // namespace

Result<TensorHistogram> tensorHistogram(const gguf::GgufFile& file, const gguf::TensorInfo& tensor,
                                        float low, float high, std::size_t bins,
                                        const ScanControl& control)
{
    assert(std::isfinite(low) && std::isfinite(high) && low <= high && bins > 0);
    Counter counter(low, high, bins);
    return decodableTensor(file, tensor)
        .and_then([&](const DecodableTensor& decodable) {
            return scanValues(file, tensor, decodable, control,
                              [&](std::span<const float> values) { counter.add(values); });
        })
        .map([&] { return counter.result(); });
}

} // namespace engine::eval
