// vitrine-cli bench --profile: where the time of a test went, by kind of op.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/json_output.h"
#include "engine/backend/backend.h"

#include <string>
#include <vector>

namespace app::cli {

/// The times of one test, all measured rounds together.
class BenchProfile
{
public:
    void add(const std::vector<engine::backend::OpTime>& round);
    [[nodiscard]] bool empty() const { return m_times.empty(); }

    /// A table for people, the longest op first.
    [[nodiscard]] std::string tableText() const;
    /// [{"op","calls","ms","share"}]
    [[nodiscard]] Json json() const;
    /// Lines of "test,op,calls,ms,share".
    [[nodiscard]] std::string csvText(const std::string& test) const;

private:
    [[nodiscard]] std::vector<engine::backend::OpTime> sorted() const;
    [[nodiscard]] double total() const;

    std::vector<engine::backend::OpTime> m_times;
};

} // namespace app::cli
