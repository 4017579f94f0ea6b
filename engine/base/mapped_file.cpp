#include "engine/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

namespace engine {

namespace {

/// One live map, as the signal handler sees it. `begin` is 0 while the slot holds none.
struct MapSlot
{
    std::atomic<bool> taken = false;
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> size = 0; ///< whole pages
    std::atomic<int> fd = -1;
    std::atomic<bool> changed = false;
};

constexpr std::size_t kMaxMaps = 4096;

// The only mutable state of the engine that is shared by all: a signal handler can reach nothing
// else.
std::array<MapSlot, kMaxMaps> mapSlots;
std::atomic<std::size_t> usedSlots = 0; ///< no slot at or above was ever taken
struct sigaction previousAction;
std::uintptr_t pageSize = 4096;

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free);

/// The slot whose map holds `address`. Reads `begin` twice, so that a slot that another thread is
/// handing over from one map to the next is never taken with the begin of one and the size of the
/// other.
MapSlot* slotOf(std::uintptr_t address)
{
    const std::size_t used = usedSlots.load(std::memory_order_acquire);
    for (std::size_t i = 0; i < used; ++i) {
        const std::uintptr_t begin = mapSlots[i].begin.load();
        const std::uintptr_t size = mapSlots[i].size.load();
        if (begin != 0 && address >= begin && address - begin < size
            && mapSlots[i].begin.load() == begin) {
            return &mapSlots[i];
        }
    }
    return nullptr;
}

/// Puts zeros where the file has no bytes any more: up to the end of the map when the file was cut
/// short (one signal instead of one a page), the failing page alone otherwise (a disk error).
bool putZeros(const MapSlot& slot, std::uintptr_t address)
{
    const std::uintptr_t begin = slot.begin.load();
    const std::uintptr_t page = address & ~(pageSize - 1);
    std::uintptr_t length = pageSize;
    struct stat now;
    if (fstat(slot.fd.load(), &now) == 0
        && page - begin >= static_cast<std::uintptr_t>(now.st_size)) {
        length = begin + slot.size.load() - page;
    }
    // The bare call: the libraries of the sanitizers wrap mmap and take it for a write by this
    // thread. All of its arguments are long.
    constexpr long kProtection = PROT_READ;
    constexpr long kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
    return syscall(SYS_mmap, page, length, kProtection, kFlags, -1L, 0L) != -1;
}

void callPrevious(int signal, siginfo_t* info, void* context)
{
    if ((previousAction.sa_flags & SA_SIGINFO) != 0) {
        previousAction.sa_sigaction(signal, info, context);
        return;
    }
    const bool raisedByFault = info->si_code > 0;
    if (previousAction.sa_handler == SIG_IGN && !raisedByFault) {
        return;
    }
    if (previousAction.sa_handler != SIG_DFL && previousAction.sa_handler != SIG_IGN) {
        previousAction.sa_handler(signal);
        return;
    }
    // The default: die of the fault, which repeats after the return, or of the signal, which is
    // sent anew.
    struct sigaction standard = {};
    standard.sa_handler = SIG_DFL;
    sigaction(signal, &standard, nullptr);
    if (!raisedByFault) {
        raise(signal);
    }
}

/// Async-signal-safe: atomics, fstat, mmap and sigaction only.
void onBusError(int signal, siginfo_t* info, void* context)
{
    const int savedErrno = errno;
    if (info->si_code == BUS_ADRERR) {
        const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
        MapSlot* slot = slotOf(address);
        if (slot && putZeros(*slot, address)) {
            slot->changed.store(true);
            errno = savedErrno;
            return;
        }
    }
    callPrevious(signal, info, context);
    errno = savedErrno;
}

void installHandler()
{
    static const bool installed = [] {
        pageSize = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
        struct sigaction ours = {};
        ours.sa_sigaction = onBusError;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
        sigemptyset(&ours.sa_mask);
        // The one before must be known before ours can run.
        return sigaction(SIGBUS, nullptr, &previousAction) == 0
            && sigaction(SIGBUS, &ours, nullptr) == 0;
    }();
    static_cast<void>(installed);
}

MapSlot* takeSlot()
{
    for (std::size_t i = 0; i < kMaxMaps; ++i) {
        if (!mapSlots[i].taken.load(std::memory_order_relaxed)
            && !mapSlots[i].taken.exchange(true)) {
            std::size_t used = usedSlots.load();
            while (used < i + 1 && !usedSlots.compare_exchange_weak(used, i + 1)) { }
            return &mapSlots[i];
        }
    }
    return nullptr;
}

std::string reason(int error)
{
    return std::generic_category().message(error);
}

tl::unexpected<Error> openFailure(int error, const std::string& path)
{
    if (error == ENOENT || error == ENOTDIR) {
        return failure(ErrorCode::FileNotFound, {}, { .file = path });
    }
    return failure(ErrorCode::FileNotReadable, { reason(error) }, { .file = path });
}

/// CAP_FOWNER, which makes a process the owner of every file.
bool ownsEveryFile()
{
    constexpr unsigned kFileOwner = 3;
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;) {
        if (word == "CapEff:") {
            std::uint64_t capabilities = 0;
            status >> std::hex >> capabilities;
            return (capabilities >> kFileOwner & 1U) != 0;
        }
    }
    return false;
}

} // namespace

struct MappedFile::Impl
{
    std::string path;
    int fd = -1;
    struct stat atOpen = {};
    void* map = MAP_FAILED;
    std::size_t size = 0;
    MapSlot* slot = nullptr;

    ~Impl()
    {
        if (slot) {
            slot->begin.store(0); // before the address range can be given to someone else
        }
        if (map != MAP_FAILED) {
            munmap(map, size);
        }
        if (fd >= 0) {
            close(fd);
        }
        if (slot) {
            slot->taken.store(false);
        }
    }
};

Result<std::shared_ptr<const MappedFile>> MappedFile::open(const std::string& path)
{
    const Where where { .file = path };
    auto impl = std::make_unique<Impl>();
    impl->path = path;
    // O_NONBLOCK: a pipe without a writer must not hang us; it means nothing for a regular file.
    impl->fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (impl->fd < 0) {
        const int error = errno;
        struct stat special;
        if (error == ENXIO && stat(path.c_str(), &special) == 0) { // a socket
            return failure(ErrorCode::FileNotRegular, {}, where);
        }
        return openFailure(error, path);
    }
    if (fstat(impl->fd, &impl->atOpen) != 0) {
        return openFailure(errno, path);
    }
    if (S_ISDIR(impl->atOpen.st_mode)) {
        return failure(ErrorCode::FileIsDirectory, {}, where);
    }
    if (!S_ISREG(impl->atOpen.st_mode)) {
        return failure(ErrorCode::FileNotRegular, {}, where);
    }
    if (impl->atOpen.st_size == 0) {
        return failure(ErrorCode::FileEmpty, {}, where);
    }
    installHandler();
    impl->slot = takeSlot();
    if (!impl->slot) {
        return failure(ErrorCode::FileMapFailed, { "too many files are open" }, where);
    }
    impl->size = static_cast<std::size_t>(impl->atOpen.st_size);
    impl->map = mmap(nullptr, impl->size, PROT_READ, MAP_PRIVATE, impl->fd, 0);
    if (impl->map == MAP_FAILED) {
        return failure(ErrorCode::FileMapFailed, { reason(errno) }, where);
    }
    impl->slot->changed.store(false);
    impl->slot->fd.store(impl->fd);
    impl->slot->size.store((impl->size + pageSize - 1) & ~(pageSize - 1));
    impl->slot->begin.store(reinterpret_cast<std::uintptr_t>(impl->map)); // last: now it is live

    std::shared_ptr<MappedFile> file(new MappedFile);
    file->m_impl = std::move(impl);
    return file;
}

MappedFile::~MappedFile() = default;

std::span<const std::byte> MappedFile::bytes() const
{
    return { static_cast<const std::byte*>(m_impl->map), m_impl->size };
}

const std::string& MappedFile::path() const
{
    return m_impl->path;
}

bool MappedFile::changed() const
{
    if (m_impl->slot->changed.load()) {
        return true;
    }
    struct stat now;
    const struct stat& then = m_impl->atOpen;
    return fstat(m_impl->fd, &now) != 0 || now.st_size != then.st_size
        || now.st_mtim.tv_sec != then.st_mtim.tv_sec || now.st_mtim.tv_nsec != then.st_mtim.tv_nsec;
}

bool MappedFile::showsPageCache() const
{
    // The open file, not the path: that may name another one by now.
    const std::string link = "/proc/self/fd/" + std::to_string(m_impl->fd);
    return m_impl->atOpen.st_uid == geteuid()
        || faccessat(AT_FDCWD, link.c_str(), W_OK, AT_EACCESS) == 0 || ownsEveryFile();
}

} // namespace engine
