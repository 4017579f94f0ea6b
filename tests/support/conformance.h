// Where tests find their material: tests/data in the clone, the conformance pack beside it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace tests {

/// tests/data of this source tree.
[[nodiscard]] std::filesystem::path dataDir();

/// A folder of the conformance pack ("tokenizers", "templates", …): from VITRINE_CONFORMANCE_DIR,
/// else
/// ../shared/conformance, else tests/data; nothing where none has it. Callers QSKIP with
/// `missing(folder)`.
[[nodiscard]] std::optional<std::filesystem::path> conformanceDir(const std::string& folder);
[[nodiscard]] std::string missing(const std::string& folder);

/// True in tests/full.sh (VITRINE_TEST_FULL=1): run every case instead of a sample.
[[nodiscard]] bool fullRun();

/// Parses a JSON file; an empty discarded value where it cannot. Callers include
/// nlohmann/json.hpp.
[[nodiscard]] nlohmann::ordered_json readJson(const std::filesystem::path& file);
[[nodiscard]] std::string readFile(const std::filesystem::path& file);
[[nodiscard]] std::string fromBase64(const std::string& text);

/// SmolLM2's demo model where run.sh keeps it; nothing where it was never fetched.
[[nodiscard]] std::optional<std::filesystem::path> demoModel();

} // namespace tests
