#include "engine/session/memory.h"

#include <fstream>
#include <string>

namespace engine::session {

std::uint64_t availableMemory()
{
    std::ifstream info("/proc/meminfo");
    std::string key;
    for (std::uint64_t kib = 0; info >> key >> kib;) {
        if (key == "MemAvailable:") {
            return kib * 1024;
        }
        info.ignore(64, '\n');
    }
    return 4'000'000'000;
}

} // namespace engine::session
