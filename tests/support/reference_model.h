// The tiny models of the conformance pack with their expected log-probabilities.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/session/session.h"
#include "tests/support/conformance.h"

#include <nlohmann/json.hpp>

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tests {

/// log softmax of one row of logits, in double.
[[nodiscard]] inline std::vector<double> logProbabilities(std::span<const float> logits)
{
    double most = logits[0];
    for (const auto x : logits) {
        most = std::max(most, double(x));
    }
    double sum = 0.0;
    for (const auto x : logits) {
        sum += std::exp(x - most);
    }
    std::vector<double> out;
    out.reserve(logits.size());
    for (const auto x : logits) {
        out.push_back(x - most - std::log(sum));
    }
    return out;
}

/// Largest absolute difference.
[[nodiscard]] inline double largestDifference(const std::vector<double>& a,
                                              const std::vector<double>& b)
{
    double most = a.size() == b.size() ? 0.0 : 1e9;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        const double difference = std::fabs(a[i] - b[i]);
        most = difference <= most ? most : difference; // NaN counts as larger
        if (std::isnan(difference)) {
            return difference;
        }
    }
    return most;
}

/// True where architectures/<name> is there: tests/data has some of the pack only.
[[nodiscard]] inline bool hasReference(const std::string& name)
{
    const auto folder = conformanceDir("architectures");
    return folder && std::filesystem::exists(*folder / name / "model.gguf");
}

/// A session on architectures/<name>/model.gguf with the pack's context.
[[nodiscard]] inline engine::Result<std::unique_ptr<engine::session::Session>>
referenceSession(const std::string& name, engine::session::SessionOptions options = {})
{
    const auto folder = conformanceDir("architectures");
    auto model = engine::model::Model::load((*folder / name / "model.gguf").string());
    if (!model) {
        return tl::unexpected(model.error());
    }
    options.contextLength = 512;
    return engine::session::Session::create(*model, options);
}

/// Loads architectures/<name>/expected.json.
[[nodiscard]] inline nlohmann::ordered_json referenceValues(const std::string& name)
{
    return readJson(*conformanceDir("architectures") / name / "expected.json");
}

} // namespace tests
