#include "engine/eval/tensor_summary.h"

#include <algorithm>
#include <utility>

namespace engine::eval {

namespace {

constexpr double kStatisticsShare = 0.5; // of the time; both scans mostly decode

struct Range
{
    float low;
    float high;
};

Range rangeOf(const TensorStatistics& statistics)
{
    const double reach = kSummaryReach * statistics.standardDeviation;
    const Range range {
        static_cast<float>(std::max<double>(statistics.min, statistics.mean - reach)),
        static_cast<float>(std::min<double>(statistics.max, statistics.mean + reach)),
    };
    // Equal values, whose mean was rounded.
    return range.low <= range.high ? range : Range { statistics.min, statistics.max };
}

} // namespace

Result<TensorSummary> tensorSummary(const gguf::GgufFile& file, const gguf::TensorInfo& tensor,
                                    const ScanControl& control)
{
    control.beginPart(0, kStatisticsShare);
    const auto statistics = tensorStatistics(file, tensor, control);
    if (!statistics) {
        return tl::unexpected(statistics.error());
    }
    control.beginPart(kStatisticsShare, 1);
    const Range range = rangeOf(*statistics);
    return tensorHistogram(file, tensor, range.low, range.high, kSummaryBins, control)
        .map([&](TensorHistogram histogram) {
            return TensorSummary { *statistics, std::move(histogram) };
        });
}

} // namespace engine::eval
