#include "app/services/file_identity.h"

#include <sys/stat.h>

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

} // namespace app
