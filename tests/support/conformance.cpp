#include "tests/support/conformance.h"

#include <QByteArray>

#include <nlohmann/json.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace tests {

namespace fs = std::filesystem;

fs::path dataDir()
{
    return fs::path(VITRINE_SOURCE_DIR) / "tests" / "data";
}

std::optional<fs::path> conformanceDir(const std::string& folder)
{
    const char* given = std::getenv("VITRINE_CONFORMANCE_DIR");
    const fs::path pack = given && *given
        ? fs::path(given)
        : fs::path(VITRINE_SOURCE_DIR) / ".." / "shared" / "conformance";
    std::error_code ignored;
    for (const auto& root : { pack, dataDir() }) {
        if (fs::is_directory(root / folder, ignored)) {
            return root / folder;
        }
    }
    return std::nullopt;
}

std::string missing(const std::string& folder)
{
    return "conformance folder '" + folder + "' is absent (set VITRINE_CONFORMANCE_DIR)";
}

bool fullRun()
{
    const char* full = std::getenv("VITRINE_TEST_FULL");
    return full && std::string_view(full) == "1";
}

std::string readFile(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

nlohmann::ordered_json readJson(const fs::path& file)
{
    return nlohmann::ordered_json::parse(readFile(file), nullptr, false);
}

std::string fromBase64(const std::string& text)
{
    return QByteArray::fromBase64(QByteArray::fromStdString(text)).toStdString();
}

std::optional<fs::path> demoModel()
{
    const char* data = std::getenv("XDG_DATA_HOME");
    const char* home = std::getenv("HOME");
    const fs::path base =
        data && *data ? fs::path(data) : fs::path(home ? home : "") / ".local/share";
    const auto model = base / "vitrine/models/SmolLM2-135M-Instruct.Q4_1.gguf";
    std::error_code ignored;
    return fs::exists(model, ignored) ? std::optional(model) : std::nullopt;
}

} // namespace tests
