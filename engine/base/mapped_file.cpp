#include "engine/base/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
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

std::size_t wholePages(std::size_t size)
{
    return (size + pageSize - 1) & ~(pageSize - 1);
}

constexpr auto kTooMany = "too many files are open";
constexpr std::size_t kLargestMap = std::size_t { 1 } << 62U; // so that sums of pages fit

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
    std::vector<MapSlot*> slots; ///< one a file
    std::vector<std::size_t> starts { 0 };
    std::vector<std::shared_ptr<const MappedFile>> joined; ///< empty for a file of its own

    /// From now on the signal handler knows a file in the map. False when too many are open.
    bool guard(std::byte* begin, std::size_t length, int file);

    ~Impl()
    {
        for (MapSlot* slot : slots) {
            slot->begin.store(0); // before the address range can be given to someone else
        }
        if (map != MAP_FAILED) {
            munmap(map, size);
        }
        if (fd >= 0) {
            close(fd);
        }
        for (MapSlot* slot : slots) {
            slot->taken.store(false);
        }
    }
};

bool MappedFile::Impl::guard(std::byte* begin, std::size_t length, int file)
{
    MapSlot* slot = takeSlot();
    if (!slot) {
        return false;
    }
    slots.push_back(slot);
    slot->changed.store(false);
    slot->fd.store(file);
    slot->size.store(wholePages(length));
    slot->begin.store(reinterpret_cast<std::uintptr_t>(begin)); // last: now it is live
    return true;
}

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
    impl->size = static_cast<std::size_t>(impl->atOpen.st_size);
    impl->map = mmap(nullptr, impl->size, PROT_READ, MAP_PRIVATE, impl->fd, 0);
    if (impl->map == MAP_FAILED) {
        return failure(ErrorCode::FileMapFailed, { reason(errno) }, where);
    }
    if (!impl->guard(static_cast<std::byte*>(impl->map), impl->size, impl->fd)) {
        return failure(ErrorCode::FileMapFailed, { kTooMany }, where);
    }
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->m_impl = std::move(impl);
    return file;
}

Result<std::shared_ptr<const MappedFile>>
MappedFile::join(std::vector<std::shared_ptr<const MappedFile>> files)
{
    auto impl = std::make_unique<Impl>();
    impl->path = files.front()->path();
    const Where where { .file = impl->path };
    impl->starts.clear();
    for (const auto& file : files) {
        impl->starts.push_back(wholePages(impl->size));
        if (__builtin_add_overflow(impl->starts.back(), file->bytes().size(), &impl->size)
            || impl->size > kLargestMap) {
            return failure(ErrorCode::FileMapFailed, { reason(EFBIG) }, where);
        }
    }
    // The range first, of which no page can be touched; then each file into its place.
    impl->map =
        mmap(nullptr, impl->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (impl->map == MAP_FAILED) {
        return failure(ErrorCode::FileMapFailed, { reason(errno) }, where);
    }
    for (std::size_t i = 0; i < files.size(); ++i) {
        auto* const begin = static_cast<std::byte*>(impl->map) + impl->starts[i];
        const std::size_t length = files[i]->bytes().size();
        const int fd = files[i]->m_impl->fd;
        if (mmap(begin, length, PROT_READ, MAP_PRIVATE | MAP_FIXED, fd, 0) == MAP_FAILED) {
            return failure(ErrorCode::FileMapFailed, { reason(errno) },
                           { .file = files[i]->path() });
        }
        if (!impl->guard(begin, length, fd)) {
            return failure(ErrorCode::FileMapFailed, { kTooMany }, where);
        }
    }
    impl->joined = std::move(files);
    std::shared_ptr<MappedFile> file(new MappedFile);
    file->m_impl = std::move(impl);
    return file;
}

MappedFile::~MappedFile() = default;

std::span<const std::byte> MappedFile::bytes() const
{
    return { static_cast<const std::byte*>(m_impl->map), m_impl->size };
}

std::span<const std::size_t> MappedFile::starts() const
{
    return m_impl->starts;
}

const std::string& MappedFile::path() const
{
    return m_impl->path;
}

bool MappedFile::changed() const
{
    const auto isHit = [](const MapSlot* slot) { return slot->changed.load(); };
    if (std::ranges::any_of(m_impl->slots, isHit)) {
        return true;
    }
    if (!m_impl->joined.empty()) {
        return std::ranges::any_of(m_impl->joined,
                                   [](const auto& file) { return file->changed(); });
    }
    struct stat now;
    const struct stat& then = m_impl->atOpen;
    return fstat(m_impl->fd, &now) != 0 || now.st_size != then.st_size
        || now.st_mtim.tv_sec != then.st_mtim.tv_sec || now.st_mtim.tv_nsec != then.st_mtim.tv_nsec;
}

bool MappedFile::showsPageCache() const
{
    if (!m_impl->joined.empty()) {
        return std::ranges::all_of(m_impl->joined,
                                   [](const auto& file) { return file->showsPageCache(); });
    }
    // The open file, not the path: that may name another one by now.
    const std::string link = "/proc/self/fd/" + std::to_string(m_impl->fd);
    return m_impl->atOpen.st_uid == geteuid()
        || faccessat(AT_FDCWD, link.c_str(), W_OK, AT_EACCESS) == 0 || ownsEveryFile();
}

} // namespace engine
