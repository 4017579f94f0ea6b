#include "engine/base/lazy_memory.h"

#include <sys/mman.h>

namespace engine {

LazyMemory LazyMemory::allocate(std::size_t bytes)
{
    LazyMemory memory;
    void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data != MAP_FAILED) {
        // a huge page would make 2 MiB resident with the first byte
        madvise(data, bytes, MADV_NOHUGEPAGE);
        memory.m_data = static_cast<std::byte*>(data);
        memory.m_size = bytes;
    }
    return memory;
}

LazyMemory::~LazyMemory()
{
    if (m_data) {
        munmap(m_data, m_size);
    }
}

} // namespace engine
