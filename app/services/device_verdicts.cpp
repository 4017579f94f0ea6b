#include "app/services/device_verdicts.h"

#include "engine/backend/selftest.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <vector>

namespace app {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostDevices = 64; // more is no cache of ours

/// An absolute path out of the environment.
std::optional<fs::path> folderOf(const char* variable)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value == '/' ? std::optional(fs::path(value)) : std::nullopt;
}

} // namespace

fs::path cacheFolder()
{
    if (const auto cache = folderOf("XDG_CACHE_HOME")) {
        return *cache / "vitrine";
    }
    if (const auto home = folderOf("HOME")) {
        return *home / ".cache" / "vitrine";
    }
    std::error_code ignored;
    return fs::temp_directory_path(ignored) / "vitrine";
}

DeviceVerdicts::DeviceVerdicts(fs::path file)
    : m_file(std::move(file))
    , m_failed(read())
{
}

std::optional<std::string> DeviceVerdicts::find(const engine::backend::DeviceFacts& device) const
{
    const auto found = m_failed.find(engine::backend::deviceIdentity(device));
    return found == m_failed.end() ? std::nullopt : std::optional(found->second);
}

void DeviceVerdicts::keep(const engine::backend::DeviceFacts& device, const std::string& failed)
{
    for (auto& [identity, other] : read()) { // of another process meanwhile
        m_failed.try_emplace(identity, std::move(other));
    }
    m_failed.insert_or_assign(engine::backend::deviceIdentity(device), failed);
    write();
}

void DeviceVerdicts::applyTo(std::vector<engine::backend::DeviceFacts>& devices) const
{
    for (auto& device : devices) {
        device.distrusted = find(device).value_or("");
    }
}

DeviceVerdicts::Table DeviceVerdicts::read() const
{
    Table table;
    std::ifstream in(m_file);
    const auto json = nlohmann::json::parse(in, nullptr, false);
    if (!json.is_object() || !json.contains("edition") || !json.contains("devices")
        || json["edition"] != engine::backend::selfTestEdition() || !json["devices"].is_object()) {
        return table;
    }
    for (const auto& [identity, failed] : json["devices"].items()) {
        if (failed.is_string() && table.size() < kMostDevices) {
            table.emplace(identity, failed.get<std::string>());
        }
    }
    return table;
}

void DeviceVerdicts::write() const
{
    std::error_code ignored;
    fs::create_directories(m_file.parent_path(), ignored);
    const fs::path unfinished = m_file.string() + "." + std::to_string(getpid());
    std::ofstream out(unfinished);
    out << nlohmann::json { { "edition", engine::backend::selfTestEdition() },
                            { "devices", m_failed } }
               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
        << "\n";
    out.close();
    if (out) {
        fs::rename(unfinished, m_file, ignored);
    }
    if (!out || ignored) {
        fs::remove(unfinished, ignored);
    }
}

} // namespace app
