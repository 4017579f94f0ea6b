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

/// Where tiny models lie: the pack's folder, which may be absent or a part, and our own.
[[nodiscard]] inline std::vector<std::filesystem::path> referenceFolders()
{
    std::vector<std::filesystem::path> folders { dataDir() / "architectures-more" };
    if (const auto pack = conformanceDir("architectures")) {
        folders.push_back(*pack);
    }
    return folders;
}

/// The folder of this model; empty where it is not there.
[[nodiscard]] inline std::filesystem::path referenceFolder(const std::string& name)
{
    for (const auto& folder : referenceFolders()) {
        if (std::filesystem::exists(folder / name / "model.gguf")) {
            return folder / name;
        }
    }
    return {};
}

/// True where the model is there: tests/data has some of the pack only.
[[nodiscard]] inline bool hasReference(const std::string& name)
{
    return !referenceFolder(name).empty();
}

/// Loads <name>/model.gguf.
[[nodiscard]] inline engine::Result<std::shared_ptr<const engine::model::Model>>
referenceModel(const std::string& name)
{
    return engine::model::Model::load((referenceFolder(name) / "model.gguf").string());
}

/// A session on <name>/model.gguf with the pack's context.
[[nodiscard]] inline engine::Result<std::unique_ptr<engine::session::Session>>
referenceSession(const std::string& name, engine::session::SessionOptions options = {})
{
    auto model = referenceModel(name);
    if (!model) {
        return tl::unexpected(model.error());
    }
    options.contextLength = 512;
    return engine::session::Session::create(*model, options);
}

/// Loads <name>/expected.json.
[[nodiscard]] inline nlohmann::ordered_json referenceValues(const std::string& name)
{
    return readJson(referenceFolder(name) / "expected.json");
}

} // namespace tests
