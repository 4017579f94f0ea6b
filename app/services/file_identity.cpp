#include "app/services/file_identity.h"

#include "engine/gguf/splits.h"

#include <sys/stat.h>

#include <algorithm>

namespace app {

FileIdentity fileIdentity(const std::string& path)
{
    constexpr std::int64_t kNanoseconds = 1'000'000'000;
    struct stat status = {};
    if (stat(path.c_str(), &status) != 0) {
        return {};
    }
    return { status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
             status.st_mtim.tv_sec * kNanoseconds + status.st_mtim.tv_nsec };
}

std::vector<std::string> partsBeside(const std::string& path)
{
    constexpr std::uint32_t kMostWatched = 1000; // a name may claim a lot
    std::vector<std::string> paths { path };
    const auto name = engine::gguf::ShardName::of(path);
    for (std::uint32_t part = 1; name && part <= std::min(name->count, kMostWatched); ++part) {
        if (part != name->part) {
            paths.push_back(name->path(part));
        }
    }
    return paths;
}

FileIdentities fileIdentities(const std::vector<std::string>& paths)
{
    FileIdentities files;
    for (const std::string& path : paths) {
        files.emplace_back(path, fileIdentity(path));
    }
    return files;
}

bool haveChanged(const FileIdentities& files)
{
    return std::ranges::any_of(
        files, [](const auto& file) { return fileIdentity(file.first) != file.second; });
}

} // namespace app
