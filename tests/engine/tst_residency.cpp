// Which pages of a file are in memory: read and dropped ranges, sampling, files of other people.
// SPDX-License-Identifier: Apache-2.0
#include "engine/gguf/gguf_file.h"
#include "engine/gguf/residency.h"

#include <QTemporaryDir>
#include <QTest>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

using namespace engine;
using namespace engine::gguf;

namespace {

constexpr std::uint64_t kPages = 2048;

/// A file on disk whose pages can be dropped from memory and read again.
class PagedFile
{
public:
    explicit PagedFile(const std::string& path)
        : m_page(static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)))
    {
        std::ofstream(path, std::ios::binary) << std::string(kPages * m_page, 'w');
        m_fd = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    }
    ~PagedFile() { close(m_fd); }
    PagedFile(const PagedFile&) = delete;
    PagedFile& operator=(const PagedFile&) = delete;

    /// Drops all pages; the system reads nothing ahead from then on.
    void drop() const
    {
        fsync(m_fd);
        posix_fadvise(m_fd, 0, 0, POSIX_FADV_DONTNEED);
        posix_fadvise(m_fd, 0, 0, POSIX_FADV_RANDOM);
    }
    void read(std::uint64_t firstPage, std::uint64_t pages) const
    {
        std::string bytes(pages * m_page, 0);
        const auto count =
            pread(m_fd, bytes.data(), bytes.size(), static_cast<off_t>(firstPage * m_page));
        QCOMPARE(count, static_cast<ssize_t>(bytes.size()));
    }
    [[nodiscard]] std::uint64_t page() const { return m_page; }

private:
    std::uint64_t m_page;
    int m_fd = -1;
};

std::shared_ptr<const MappedFile> mapped(const std::string& path)
{
    auto file = MappedFile::open(path);
    return file ? *file : nullptr;
}

std::uint64_t residentPages(const Residency& residency, std::size_t first, std::size_t count)
{
    std::uint64_t sum = 0;
    for (std::size_t i = first; i < first + count; ++i) {
        sum += residency.buckets[i].resident;
    }
    return sum;
}

} // namespace

class TestResidency : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;
    [[nodiscard]] std::string path(const char* name) const
    {
        return m_folder.filePath(name).toStdString();
    }

private Q_SLOTS:
    void init() { QVERIFY(m_folder.isValid()); }

    void readRangesAreResident()
    {
        const PagedFile disk(path("pages"));
        const auto file = mapped(path("pages"));
        QVERIFY(file && file->showsPageCache());
        disk.drop();
        const auto empty = measureResidency(*file, { .buckets = 16 });
        QVERIFY(empty && empty->source == ResidencySource::PageCache);
        QCOMPARE(empty->buckets.size(), std::size_t(16));
        QCOMPARE(empty->pages(), kPages);
        QCOMPARE(empty->pageSize, disk.page());
        QVERIFY(!empty->sampled);
        if (empty->residentBytes() > kPages * disk.page() / 2) {
            QSKIP("the file system of the temporary folder keeps its pages in memory (tmpfs)");
        }
        QCOMPARE(empty->residentBytes(), std::uint64_t(0));
        disk.read(0, 128); // the first bucket
        disk.read(5 * 128 + 32, 64); // half of the sixth
        const auto some = measureResidency(*file, { .buckets = 16 });
        QVERIFY(some);
        QCOMPARE(some->buckets[0].resident, std::uint64_t(128));
        QCOMPARE(some->buckets[5].resident, std::uint64_t(64));
        QCOMPARE(some->residentBytes(), 192 * disk.page());
        // as many buckets as pages, however many were asked for
        const auto fine = measureResidency(*file, { .buckets = 100000 });
        QVERIFY(fine);
        QCOMPARE(fine->buckets.size(), std::size_t(kPages));
        QCOMPARE(residentPages(*fine, 5 * 128 + 32, 64), std::uint64_t(64));
        QCOMPARE(residentPages(*fine, 5 * 128, 32), std::uint64_t(0));
    }

    void sampleIsNear()
    {
        const PagedFile disk(path("sampled"));
        const auto file = mapped(path("sampled"));
        QVERIFY(file);
        disk.drop();
        if (const auto all = measureResidency(*file); !all || all->residentBytes() > 0) {
            QSKIP("the file system of the temporary folder keeps its pages in memory (tmpfs)");
        }
        disk.read(0, 1024);
        const auto picture = measureResidency(*file, { .buckets = 4, .maxPages = 512 });
        QVERIFY(picture && picture->sampled);
        QCOMPARE(picture->pages(), kPages);
        QCOMPARE(picture->buckets[0].resident, std::uint64_t(512));
        QCOMPARE(picture->buckets[1].resident, std::uint64_t(512));
        QCOMPARE(picture->buckets[2].resident, std::uint64_t(0));
        QCOMPARE(picture->buckets[3].resident, std::uint64_t(0));
    }

    void ownPagesAreThoseTouched()
    {
        const PagedFile disk(path("own"));
        const auto file = mapped(path("own"));
        QVERIFY(file);
        const ResidencyOptions options { .buckets = 16, .ownPages = true };
        const auto before = measureResidency(*file, options);
        QVERIFY(before);
        if (before->source == ResidencySource::Unavailable) {
            QSKIP("/proc/self/pagemap cannot be read here");
        }
        QVERIFY(before->source == ResidencySource::OwnPages);
        QCOMPARE(before->residentBytes(), std::uint64_t(0));
        unsigned sum = 0;
        for (std::uint64_t page = 0; page < 128; ++page) { // the fourth bucket
            sum += std::to_integer<unsigned>(file->bytes()[(3 * 128 + page) * disk.page()]);
        }
        QCOMPARE(sum, 128U * 'w');
        const auto after = measureResidency(*file, options);
        QVERIFY(after);
        QCOMPARE(after->buckets[3].resident, std::uint64_t(128));
        QCOMPARE(after->buckets[15].resident, std::uint64_t(0));
    }

    // The kernel calls every page of somebody else's file resident; nobody must believe it.
    void filesOfOthersShowOwnPages()
    {
        const auto name = path("others");
        const PagedFile disk(name);
        disk.drop();
        if (geteuid() != 0) {
            QSKIP("only root can play another user");
        }
        QCOMPARE(chmod(m_folder.path().toLocal8Bit().constData(), 0755), 0);
        QCOMPARE(chmod(name.c_str(), 0644), 0);
        const pid_t child = fork();
        if (child == 0) { // another user, who may only read
            // who changes the user may not look at itself any more, unless it says so
            const bool left =
                setgid(65534) == 0 && setuid(65534) == 0 && prctl(PR_SET_DUMPABLE, 1) == 0;
            const auto file = mapped(name);
            const auto picture =
                file ? measureResidency(*file) : Result<Residency>(failure(ErrorCode::Cancelled));
            const bool right = left && picture && !file->showsPageCache()
                && picture->source == ResidencySource::OwnPages && picture->residentBytes() == 0;
            _exit(right ? 0 : 1);
        }
        int status = -1;
        QCOMPARE(waitpid(child, &status, 0), child);
        QVERIFY(WIFEXITED(status));
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void stops()
    {
        const PagedFile disk(path("stopped"));
        const auto file = mapped(path("stopped"));
        QVERIFY(file);
        std::stop_source source;
        source.request_stop();
        const auto picture = measureResidency(*file, {}, source.get_token());
        QVERIFY(!picture && picture.error().code == ErrorCode::Cancelled);
    }

    void memoryHasNoPages()
    {
        const std::string bytes = "GGUF" + std::string("\3\0\0\0", 4) + std::string(16, '\0');
        const auto file = GgufFile::parse(std::as_bytes(std::span(bytes)), "memory");
        QVERIFY(file);
        const auto picture = measureResidency(**file);
        QVERIFY(picture && picture->source == ResidencySource::Unavailable);
        QVERIFY(picture->buckets.empty());
    }

    // A map far larger than the memory costs what its picture costs.
    void hugeFiles()
    {
        const auto name = path("huge");
        std::ofstream(name, std::ios::binary) << 'w';
        if (truncate(name.c_str(), off_t(100) << 30) != 0) {
            QSKIP("the file system of the temporary folder has no sparse files of 100 GB");
        }
        const auto file = mapped(name);
        QVERIFY(file);
        const auto picture = measureResidency(*file);
        QVERIFY(picture);
        QVERIFY(picture->sampled);
        QCOMPARE(picture->buckets.size(), std::size_t(4096));
        QCOMPARE(picture->pages() * picture->pageSize, std::uint64_t(100) << 30);
    }
};

QTEST_APPLESS_MAIN(TestResidency)
#include "tst_residency.moc"
