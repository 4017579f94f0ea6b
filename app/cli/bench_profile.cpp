#include "app/cli/bench_profile.h"

#include "app/cli/console.h"

#include <algorithm>

namespace app::cli {

using engine::backend::OpTime;

void BenchProfile::add(const std::vector<OpTime>& round)
{
    for (const auto& time : round) {
        const auto known = std::find_if(m_times.begin(), m_times.end(),
                                        [&](const OpTime& t) { return t.op == time.op; });
        if (known == m_times.end()) {
            m_times.push_back(time);
        } else {
            known->calls += time.calls;
            known->milliseconds += time.milliseconds;
        }
    }
}

std::string BenchProfile::tableText() const
{
    Table table(
        { { "op" }, { "calls", Align::Right }, { "ms", Align::Right }, { "share", Align::Right } });
    for (const auto& time : sorted()) {
        table.add({ std::string(time.op), countText(time.calls), decimalText(time.milliseconds, 2),
                    decimalText(100.0 * time.milliseconds / total(), 1) + " %" });
    }
    return table.text();
}

Json BenchProfile::json() const
{
    Json rows = Json::array();
    for (const auto& time : sorted()) {
        rows.push_back({ { "op", std::string(time.op) },
                         { "calls", time.calls },
                         { "ms", time.milliseconds },
                         { "share", time.milliseconds / total() } });
    }
    return rows;
}

std::string BenchProfile::csvText(const std::string& test) const
{
    std::string out;
    for (const auto& time : sorted()) {
        out += test + "," + std::string(time.op) + "," + std::to_string(time.calls) + ","
            + decimalText(time.milliseconds, 3) + "," + decimalText(time.milliseconds / total(), 4)
            + "\n";
    }
    return out;
}

std::vector<OpTime> BenchProfile::sorted() const
{
    auto times = m_times;
    std::stable_sort(times.begin(), times.end(), [](const OpTime& a, const OpTime& b) {
        return a.milliseconds > b.milliseconds;
    });
    return times;
}

double BenchProfile::total() const
{
    double sum = 0;
    for (const auto& time : m_times) {
        sum += time.milliseconds;
    }
    return std::max(sum, 1e-9);
}

} // namespace app::cli
