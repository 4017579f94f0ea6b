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

using engine::backend::DeviceVerdict;

nlohmann::json jsonOf(const DeviceVerdict& verdict)
{
    auto leftOut = nlohmann::json::array();
    for (const auto& [feature, wrong] : verdict.leftOut) {
        leftOut.push_back({ { "feature", feature }, { "wrong", wrong } });
    }
    return { { "failed", verdict.failed }, { "left_out", leftOut } };
}

/// Nothing for anything else than jsonOf gives.
std::optional<DeviceVerdict> verdictOf(const nlohmann::json& json)
{
    const auto text = [](const nlohmann::json& object, const char* key) {
        return object.is_object() && object.contains(key) && object[key].is_string()
            ? std::optional(object[key].get<std::string>())
            : std::nullopt;
    };
    const auto failed = text(json, "failed");
    if (!failed || !json.contains("left_out") || !json["left_out"].is_array()) {
        return std::nullopt;
    }
    DeviceVerdict verdict { *failed, {} };
    for (const auto& entry : json["left_out"]) {
        const auto feature = text(entry, "feature");
        const auto wrong = text(entry, "wrong");
        if (!feature || !wrong) {
            return std::nullopt;
        }
        verdict.leftOut.push_back({ *feature, *wrong });
    }
    return verdict;
}

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
    , m_verdicts(read())
{
}

std::optional<DeviceVerdict> DeviceVerdicts::find(const engine::backend::DeviceFacts& device) const
{
    const auto found = m_verdicts.find(engine::backend::deviceIdentity(device));
    return found == m_verdicts.end() ? std::nullopt : std::optional(found->second);
}

void DeviceVerdicts::keep(const engine::backend::DeviceFacts& device, const DeviceVerdict& verdict)
{
    for (auto& [identity, other] : read()) { // of another process meanwhile
        m_verdicts.try_emplace(identity, std::move(other));
    }
    m_verdicts.insert_or_assign(engine::backend::deviceIdentity(device), verdict);
    write();
}

void DeviceVerdicts::applyTo(std::vector<engine::backend::DeviceFacts>& devices) const
{
    for (auto& device : devices) {
        const auto verdict = find(device).value_or(DeviceVerdict());
        device.distrusted = verdict.failed;
        device.leftOut = verdict.leftOut;
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
    for (const auto& [identity, entry] : json["devices"].items()) {
        if (const auto verdict = verdictOf(entry); verdict && table.size() < kMostDevices) {
            table.emplace(identity, *verdict);
        }
    }
    return table;
}

void DeviceVerdicts::write() const
{
    std::error_code ignored;
    fs::create_directories(m_file.parent_path(), ignored);
    const fs::path unfinished = m_file.string() + "." + std::to_string(getpid());
    auto devices = nlohmann::json::object();
    for (const auto& [identity, verdict] : m_verdicts) {
        devices[identity] = jsonOf(verdict);
    }
    std::ofstream out(unfinished);
    out << nlohmann::json { { "edition", engine::backend::selfTestEdition() },
                            { "devices", devices } }
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
