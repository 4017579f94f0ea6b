// Maps of files that are missing, odd, cut short, overwritten or replaced while they are read.
#include "engine/base/mapped_file.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using engine::ErrorCode;
using engine::MappedFile;

namespace {

constexpr std::size_t kPage = 4096;

volatile sig_atomic_t foreignFaults = 0;

/// What a program might have installed before us: makes the page readable, counts, goes on.
void foreignHandler(int /*signal*/, siginfo_t* info, void* /*context*/)
{
    foreignFaults = foreignFaults + 1;
    if (info->si_code > 0) {
        auto address = reinterpret_cast<std::uintptr_t>(info->si_addr) & ~(kPage - 1);
        mmap(reinterpret_cast<void*>(address), kPage, PROT_READ,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    }
}

std::size_t countNonZero(std::span<const std::byte> bytes)
{
    std::size_t count = 0;
    for (const std::byte b : bytes) {
        count += b != std::byte(0) ? 1 : 0;
    }
    return count;
}

} // namespace

class TestMappedFile : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    int m_statusByDefault = 0;

    std::string pathOf(const char* name) const { return m_folder.filePath(name).toStdString(); }

    std::string write(const char* name, std::size_t size, char fill = 'x') const
    {
        QFile file(m_folder.filePath(name));
        if (!file.open(QIODevice::WriteOnly)
            || file.write(QByteArray(static_cast<qsizetype>(size), fill))
                != static_cast<qint64>(size)) {
            qFatal("cannot write %s", name);
        }
        return pathOf(name);
    }

    static ErrorCode codeOf(const std::string& path)
    {
        const auto file = MappedFile::open(path);
        if (file) {
            qFatal("%s was mapped", path.c_str());
        }
        if (file.error().where.file != path) {
            qFatal("the error does not name the file");
        }
        return file.error().code;
    }

    /// How a process ends that has a map of ours, no other handler, and a fault in a map of its
    /// own. Has to run before this process installs the handler.
    int faultWithoutHandler() const
    {
        const auto ours = write("child-ours", kPage);
        const auto path = write("child-foreign", kPage);
        const pid_t child = fork();
        if (child == 0) {
            const rlimit noCore = { 0, 0 };
            setrlimit(RLIMIT_CORE, &noCore);
            std::signal(SIGBUS, SIG_DFL);
            const auto file = MappedFile::open(ours);
            const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
            void* map = mmap(nullptr, kPage, PROT_READ, MAP_PRIVATE, fd, 0);
            if (!file || map == MAP_FAILED || truncate(ours.c_str(), 0) != 0
                || truncate(path.c_str(), 0) != 0 || (*file)->bytes()[0] != std::byte(0)) {
                _exit(2);
            }
            _exit(*static_cast<const volatile char*>(map)); // must not get this far
        }
        int status = 0;
        return waitpid(child, &status, 0) == child ? status : 0;
    }

private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_statusByDefault = faultWithoutHandler();
        // Before the first map, so that ours is chained to it.
        struct sigaction foreign = {};
        foreign.sa_sigaction = foreignHandler;
        foreign.sa_flags = SA_SIGINFO;
        QCOMPARE(sigaction(SIGBUS, &foreign, nullptr), 0);
    }

    void mapsAWholeFile()
    {
        const auto path = write("whole", 3 * kPage + 7);
        const auto file = MappedFile::open(path);
        QVERIFY(file.has_value());
        QCOMPARE((*file)->bytes().size(), 3 * kPage + 7);
        QCOMPARE(countNonZero((*file)->bytes()), 3 * kPage + 7);
        QCOMPARE((*file)->path(), path);
        QVERIFY(!(*file)->changed());
    }

    void namesWhatCannotBeMapped()
    {
        QCOMPARE(codeOf(pathOf("missing")), ErrorCode::FileNotFound);
        QCOMPARE(codeOf(""), ErrorCode::FileNotFound);
        QCOMPARE(codeOf(write("plain", 1) + "/below"), ErrorCode::FileNotFound);
        QCOMPARE(codeOf(m_folder.path().toStdString()), ErrorCode::FileIsDirectory);
        QCOMPARE(codeOf(write("empty", 0)), ErrorCode::FileEmpty);
        QCOMPARE(codeOf("/dev/null"), ErrorCode::FileNotRegular);
        QCOMPARE(codeOf(std::string(5000, 'a')), ErrorCode::FileNotReadable);
    }

    void doesNotWaitForAPipe()
    {
        const auto path = pathOf("pipe");
        QCOMPARE(mkfifo(path.c_str(), 0600), 0);
        QCOMPARE(codeOf(path), ErrorCode::FileNotRegular);
    }

    void refusesASocket()
    {
        const auto path = pathOf("socket");
        sockaddr_un address = {};
        address.sun_family = AF_UNIX;
        QVERIFY(path.size() < sizeof(address.sun_path));
        path.copy(address.sun_path, path.size());
        const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
        QCOMPARE(bind(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)), 0);
        QCOMPARE(codeOf(path), ErrorCode::FileNotRegular);
        ::close(fd);
    }

    void reportsMissingPermission()
    {
        const auto path = write("secret", 10);
        QCOMPARE(chmod(m_folder.path().toLocal8Bit().constData(), 0755), 0);
        QCOMPARE(chmod(path.c_str(), 0), 0);
        const bool root = geteuid() == 0;
        if (root) { // whom no permission stops
            QCOMPARE(seteuid(65534), 0);
        }
        const auto file = MappedFile::open(path);
        if (root) {
            QCOMPARE(seteuid(0), 0);
        }
        QVERIFY(!file.has_value());
        QCOMPARE(file.error().code, ErrorCode::FileNotReadable);
        QVERIFY(!file.error().arguments.at(0).empty());
    }

    void survivesTruncation_data()
    {
        QTest::addColumn<qulonglong>("kept");
        QTest::newRow("to nothing") << 0ULL;
        QTest::newRow("to whole pages") << 2ULL * kPage;
        QTest::newRow("inside a page") << 2ULL * kPage + 100;
    }

    void survivesTruncation()
    {
        QFETCH(qulonglong, kept);
        constexpr std::size_t kSize = 64 * kPage + 50;
        const auto path = write("cut", kSize);
        const auto file = MappedFile::open(path);
        QVERIFY(file.has_value());
        const auto bytes = (*file)->bytes();
        QCOMPARE(bytes[0], std::byte('x'));
        QVERIFY(!(*file)->changed());

        QCOMPARE(truncate(path.c_str(), static_cast<off_t>(kept)), 0);
        QVERIFY((*file)->changed()); // before any read
        const auto before = foreignFaults;
        QCOMPARE(countNonZero(bytes), static_cast<std::size_t>(kept));
        QCOMPARE(foreignFaults, before); // ours took the fault, not the one it is chained to
        QVERIFY((*file)->changed());

        // Even when the file comes back as it was, the reads gave zeros: it stays changed.
        QCOMPARE(truncate(path.c_str(), static_cast<off_t>(kSize)), 0);
        QVERIFY((*file)->changed());
        QCOMPARE(countNonZero(bytes), static_cast<std::size_t>(kept));
    }

    void survivesAReadFromTheBackForward()
    {
        constexpr std::size_t kPages = 40;
        const auto path = write("backward", kPages * kPage);
        const auto file = MappedFile::open(path);
        QVERIFY(file.has_value());
        QCOMPARE(truncate(path.c_str(), 0), 0);
        for (std::size_t page = kPages; page-- > 0;) {
            QCOMPARE((*file)->bytes()[page * kPage + 17], std::byte(0));
        }
        QVERIFY((*file)->changed());
    }

    void noticesOverwriting()
    {
        const auto path = write("overwritten", 5 * kPage);
        const auto file = MappedFile::open(path);
        QVERIFY(file.has_value());
        QTest::qSleep(20); // a modification time of its own
        write("overwritten", 5 * kPage, 'y'); // truncates first
        QVERIFY((*file)->changed());
        std::size_t seen = 0;
        for (const std::byte b : (*file)->bytes()) {
            seen += b == std::byte('y') || b == std::byte('x') ? 1 : 0;
        }
        QCOMPARE(seen, 5 * kPage);
    }

    void keepsTheOldFileWhenReplaced()
    {
        const auto path = write("replaced", 5 * kPage);
        const auto file = MappedFile::open(path);
        QVERIFY(file.has_value());
        const auto other = write("replacement", 10, 'z');
        QCOMPARE(std::rename(other.c_str(), path.c_str()), 0);
        QCOMPARE(countNonZero((*file)->bytes()), 5 * kPage);
        QCOMPARE((*file)->bytes()[0], std::byte('x'));
        QVERIFY(!(*file)->changed());
        QVERIFY(std::filesystem::remove(path));
        QCOMPARE((*file)->bytes()[4 * kPage], std::byte('x'));
    }

    void knowsManyMapsApart()
    {
        constexpr int kFiles = 300;
        std::vector<std::shared_ptr<const MappedFile>> files;
        std::vector<std::string> paths;
        for (int i = 0; i < kFiles; ++i) {
            paths.push_back(write(("many" + std::to_string(i)).c_str(), 3 * kPage));
            auto file = MappedFile::open(paths.back());
            QVERIFY(file.has_value());
            files.push_back(*file);
        }
        for (int i = 0; i < kFiles; i += 3) {
            files[static_cast<std::size_t>(i)].reset(); // slots to be taken anew
        }
        for (int i = 0; i < kFiles; i += 3) {
            files[static_cast<std::size_t>(i)] =
                MappedFile::open(paths[static_cast<std::size_t>(i)]).value();
        }
        for (int i = 1; i < kFiles; i += 2) {
            QCOMPARE(truncate(paths[static_cast<std::size_t>(i)].c_str(), 0), 0);
        }
        for (int i = 0; i < kFiles; ++i) {
            const auto& file = files[static_cast<std::size_t>(i)];
            QCOMPARE(countNonZero(file->bytes()), i % 2 == 1 ? 0U : 3 * kPage);
            QCOMPARE(file->changed(), i % 2 == 1);
        }
    }

    void survivesInManyThreads()
    {
        constexpr std::size_t kPages = 256;
        const auto path = write("threads", kPages * kPage);
        const auto file = MappedFile::open(path);
        QVERIFY(file.has_value());
        std::atomic<bool> stop = false;
        std::atomic<std::size_t> strange = 0;
        std::vector<std::thread> readers;
        for (int t = 0; t < 4; ++t) {
            readers.emplace_back([&] {
                do {
                    for (std::size_t i = 0; i < kPages * kPage; i += 512) {
                        const std::byte b = (*file)->bytes()[i];
                        strange += b != std::byte('x') && b != std::byte(0) ? 1 : 0;
                    }
                } while (!stop);
            });
        }
        // Meanwhile other maps come and go in the table that the signal handler walks.
        std::thread churn([&] {
            const auto other = write("churn", 2 * kPage);
            while (!stop) {
                const auto map = MappedFile::open(other);
                strange += !map || (*map)->bytes()[kPage] != std::byte('x') ? 1 : 0;
            }
        });
        for (std::size_t left = kPages; left-- > 0;) {
            if (truncate(path.c_str(), static_cast<off_t>(left * kPage)) != 0) {
                ++strange;
            }
            if (left % 16 == 0) {
                QTest::qSleep(1);
            }
        }
        stop = true;
        for (auto& reader : readers) {
            reader.join();
        }
        churn.join();
        QCOMPARE(strange.load(), std::size_t(0));
        QCOMPARE(countNonZero((*file)->bytes()), std::size_t(0));
        QVERIFY((*file)->changed());
    }

    // Several files in one range, each from a page of its own on; one of them is cut short.
    void joinsFiles()
    {
        std::vector<std::shared_ptr<const MappedFile>> files;
        const std::vector<std::size_t> sizes { kPage + 1, kPage, 3 * kPage, 5 };
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const std::string name = std::string("part").append(std::to_string(i));
            const auto file =
                MappedFile::open(write(name.c_str(), sizes[i], static_cast<char>('a' + i)));
            QVERIFY(file);
            QCOMPARE((*file)->starts().size(), std::size_t { 1 });
            files.push_back(*file);
        }
        const auto joined = MappedFile::join(files);
        QVERIFY(joined && !(*joined)->changed());
        files.clear(); // it keeps what it needs
        const auto bytes = (*joined)->bytes();
        const auto starts = (*joined)->starts();
        const std::vector<std::size_t> expected { 0, 2 * kPage, 3 * kPage, 6 * kPage };
        QVERIFY(std::ranges::equal(starts, expected));
        QCOMPARE(bytes.size(), 6 * kPage + 5);
        QCOMPARE((*joined)->path(), pathOf("part0"));
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            const auto part = bytes.subspan(starts[i], sizes[i]);
            QVERIFY(std::ranges::all_of(
                part, [i](std::byte each) { return each == std::byte('a' + i); }));
        }
        QCOMPARE(countNonZero(bytes), kPage + 1 + kPage + 3 * kPage + 5);
        std::filesystem::resize_file(pathOf("part2"), kPage);
        QVERIFY((*joined)->changed());
        QCOMPARE(countNonZero(bytes), kPage + 1 + kPage + kPage + 5);
    }

    void handsForeignFaultsOn()
    {
        const auto ours = MappedFile::open(write("ours", kPage)); // the handler is installed
        QVERIFY(ours.has_value());
        const auto path = write("foreign", 2 * kPage);
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
        void* map = mmap(nullptr, 2 * kPage, PROT_READ, MAP_PRIVATE, fd, 0);
        QVERIFY(map != MAP_FAILED);
        QCOMPARE(truncate(path.c_str(), 0), 0);
        const auto before = foreignFaults;
        const volatile auto* bytes = static_cast<const volatile char*>(map);
        QCOMPARE(bytes[kPage], '\0');
        QCOMPARE(foreignFaults, before + 1);
        QCOMPARE(raise(SIGBUS), 0); // sent, not a fault
        QCOMPARE(foreignFaults, before + 2);
        QVERIFY(!(*ours)->changed());
        munmap(map, 2 * kPage);
        ::close(fd);
    }

    void stillDiesOfForeignFaultsByDefault()
    {
        QVERIFY(WIFSIGNALED(m_statusByDefault));
        QCOMPARE(WTERMSIG(m_statusByDefault), SIGBUS);
    }
};

QTEST_APPLESS_MAIN(TestMappedFile)
#include "tst_mapped_file.moc"
