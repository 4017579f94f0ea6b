// The file that bench measures: a given one, or random weights in a temporary file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/command.h"

#include <string>

namespace app::cli {

/// Removes a temporary file at the latest when it goes away.
class BenchModel
{
public:
    /// What -m or --synthetic ask for.
    [[nodiscard]] static Outcome<BenchModel> open(const Context& context);
    BenchModel(BenchModel&& other) noexcept;
    BenchModel& operator=(BenchModel&&) = delete;
    BenchModel(const BenchModel&) = delete;
    BenchModel& operator=(const BenchModel&) = delete;
    ~BenchModel();

    [[nodiscard]] const std::string& path() const { return m_path; }
    /// Call it once the file is mapped: takes a temporary file's name away, so that even a killed
    /// run leaves nothing.
    void release();

private:
    BenchModel(std::string path, bool temporary);
    std::string m_path;
    bool m_temporary;
};

} // namespace app::cli
