// Bad places for chats: full, locked, damaged, newer, foreign, not writable. Nothing on disk is
// lost, all is said. SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_keeper.h"
#include "app/services/chat_schema.h"
#include "app/services/chat_store.h"
#include "chat_samples.h"

#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>

using app::ChatStore;
using app::ChatSummary;
using app::ErrorMessage;
using tests::bytesOf;
using tests::OtherConnection;
using tests::sampleChat;
using tests::sampleMessage;
using tests::writeBytes;

namespace {

constexpr int kPatience = 20000;
constexpr int kRetryMs = 200;

/// No file grows beyond this size, as on a full disk.
class FileSizeLimit
{
public:
    explicit FileSizeLimit(rlim_t bytes)
    {
        m_handler = std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit { bytes, m_before.rlim_max };
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FileSizeLimit(const FileSizeLimit&) = delete;
    FileSizeLimit& operator=(const FileSizeLimit&) = delete;
    ~FileSizeLimit()
    {
        setrlimit(RLIMIT_FSIZE, &m_before);
        std::signal(SIGXFSZ, m_handler);
    }

private:
    rlimit m_before {};
    sighandler_t m_handler = nullptr;
};

/// Whom permissions do not stop becomes somebody else for a while.
class OrdinaryPerson
{
public:
    OrdinaryPerson()
        : m_before(geteuid())
    {
        if (m_before == 0) {
            (void)seteuid(65534);
        }
    }
    OrdinaryPerson(const OrdinaryPerson&) = delete;
    OrdinaryPerson& operator=(const OrdinaryPerson&) = delete;
    ~OrdinaryPerson() { (void)seteuid(m_before); }

private:
    uid_t m_before;
};

/// A store with what it said.
struct Watched
{
    explicit Watched(const QString& folder)
        : store(folder, nullptr, kRetryMs)
    {
        QObject::connect(&store, &ChatStore::opened, &store,
                         [this](const QList<ChatSummary>& list) { lists << list; });
        QObject::connect(&store, &ChatStore::problemFound, &store,
                         [this](const ErrorMessage& problem) { problems << problem; });
        QObject::connect(&store, &ChatStore::problemSolved, &store, [this] { ++solved; });
        QObject::connect(&store, &ChatStore::chatLoaded, &store,
                         [this](const app::ChatRecord&, const QList<app::MessageRecord>& messages) {
                             loaded << messages;
                         });
        QObject::connect(&store, &ChatStore::chatMissing, &store, [this] { ++missing; });
    }

    [[nodiscard]] QStringList codes() const
    {
        QStringList codes;
        for (const ErrorMessage& problem : problems) {
            codes << problem.code;
        }
        return codes;
    }

    QList<QList<ChatSummary>> lists;
    QList<ErrorMessage> problems;
    QList<QList<app::MessageRecord>> loaded;
    int solved = 0;
    int missing = 0;
    ChatStore store;
};

bool isComplete(const ErrorMessage& problem)
{
    return !problem.what.isEmpty() && !problem.where.isEmpty() && !problem.file.isEmpty()
        && !problem.remedy.isEmpty();
}

void fill(const QString& folder, int messages = 400)
{
    ChatStore store(folder);
    store.saveChat(sampleChat(1, "kept"));
    for (int i = 1; i <= messages; ++i) {
        store.saveMessage(sampleMessage(1, i, i - 1, QString("message %1 ").arg(i).repeated(40)));
    }
}

} // namespace

class TestChatKeeper : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_folder = m_directory->filePath("vitrine");
        m_file = m_folder + "/chats.db";
    }

    void diskFull()
    {
        fill(m_folder, 10);
        Watched watched(m_folder);
        QTRY_COMPARE(watched.lists.size(), 1);
        const QString big(3 << 20, u'b');
        {
            const FileSizeLimit limit(1 << 20);
            watched.store.saveChat(sampleChat(2, "new"));
            watched.store.saveMessage(sampleMessage(2, 21, 0, big));
            QTRY_COMPARE(watched.codes(), QStringList { "chats-disk-full" });
            QVERIFY(isComplete(watched.problems[0]));
            QCOMPARE(watched.store.problem()->code, "chats-disk-full");
            QVERIFY(!watched.store.flush());
            // Seen here all the same, and what is on disk is fine.
            watched.store.loadChat(2);
            watched.store.loadChat(1);
            QTRY_COMPARE(watched.loaded.size(), 2);
            QCOMPARE(watched.loaded[0].constFirst().text, big);
            QCOMPARE(watched.loaded[1].size(), 10);
            QTest::qWait(3 * kRetryMs);
            QCOMPARE(watched.problems.size(), 1);
            QCOMPARE(watched.solved, 0);
        }
        QTRY_COMPARE_WITH_TIMEOUT(watched.solved, 1, kPatience);
        QVERIFY(!watched.store.problem());
        OtherConnection other(m_file);
        QCOMPARE(other.run("SELECT length(text) FROM messages WHERE id = 21").toInt(), 3 << 20);
        QCOMPARE(other.run("SELECT count(*) FROM messages").toInt(), 11);
        QCOMPARE(other.run("PRAGMA integrity_check").toString(), "ok");
    }

    void diskFullFromTheStart()
    {
        QVERIFY(QDir().mkpath(m_folder));
        if (::mount("tmpfs", m_folder.toUtf8().constData(), "tmpfs", 0, "size=64k") != 0) {
            QSKIP("no permission to mount a small disk");
        }
        {
            QVERIFY(writeBytes(m_folder + "/filler", QByteArray(1, 'x')));
            QFile filler(m_folder + "/filler");
            QVERIFY(filler.open(QIODevice::Append | QIODevice::Unbuffered));
            while (filler.write(QByteArray(4096, 'x')) > 0) { }
            filler.close();
            Watched watched(m_folder);
            watched.store.saveChat(sampleChat(1, "t"));
            QTRY_COMPARE(watched.codes(), QStringList { "chats-disk-full" });
            QTRY_COMPARE(watched.lists.size(), 1);
            ::mount("tmpfs", m_folder.toUtf8().constData(), "tmpfs", MS_REMOUNT, "size=8m");
            QTRY_COMPARE_WITH_TIMEOUT(watched.solved, 1, kPatience);
            QCOMPARE(watched.lists.size(), 2);
            QCOMPARE(watched.lists[1].size(), 1);
            OtherConnection other(m_file);
            QCOMPARE(other.run("SELECT title FROM chats").toString(), "t");
        }
        ::umount2(m_folder.toUtf8().constData(), MNT_DETACH);
    }

    void lockedLater()
    {
        Watched watched(m_folder);
        QTRY_COMPARE(watched.lists.size(), 1);
        OtherConnection other(m_file);
        other.run("BEGIN EXCLUSIVE");
        watched.store.saveChat(sampleChat(1, "waits"));
        QTRY_COMPARE_WITH_TIMEOUT(watched.codes(), QStringList { "chats-locked" }, kPatience);
        QVERIFY(isComplete(watched.problems[0]));
        watched.store.loadChat(1);
        QTRY_COMPARE(watched.loaded.size(), 1);
        other.run("COMMIT");
        QTRY_COMPARE_WITH_TIMEOUT(watched.solved, 1, kPatience);
        QCOMPARE(other.run("SELECT title FROM chats").toString(), "waits");
    }

    void lockedAtStart()
    {
        fill(m_folder, 3);
        auto other = std::make_unique<OtherConnection>(m_file);
        other->run("PRAGMA locking_mode = EXCLUSIVE");
        other->run("BEGIN EXCLUSIVE");
        other->run("UPDATE chats SET title = 'theirs'");
        other->run("COMMIT"); // the lock stays
        Watched watched(m_folder);
        watched.store.saveChat(sampleChat(2, "mine"));
        watched.store.loadChat(1);
        QTRY_COMPARE_WITH_TIMEOUT(watched.codes(), QStringList { "chats-locked" }, kPatience);
        QTRY_COMPARE(watched.lists.size(), 1);
        QVERIFY(watched.loaded.isEmpty()); // it waits
        other.reset();
        QTRY_COMPARE_WITH_TIMEOUT(watched.solved, 1, kPatience);
        QCOMPARE(watched.lists.size(), 2);
        QCOMPARE(watched.lists[1].size(), 2);
        QTRY_COMPARE(watched.loaded.size(), 1);
        QCOMPARE(watched.loaded[0].size(), 3);
    }

    void damagedAtStart_data()
    {
        QTest::addColumn<QByteArray>("kind");
        for (const char* kind : { "text", "zeros", "header", "truncated", "table" }) {
            QTest::addRow("%s", kind) << QByteArray(kind);
        }
    }

    void damagedAtStart()
    {
        QFETCH(QByteArray, kind);
        fill(m_folder);
        QByteArray bytes = bytesOf(m_file);
        if (kind == "text") {
            bytes = QByteArray("These are my notes.\n").repeated(1000);
        } else if (kind == "zeros") {
            bytes.fill('\0');
        } else if (kind == "header") {
            bytes.replace(0, 64, QByteArray(64, 'g'));
        } else if (kind == "truncated") {
            bytes.truncate(bytes.size() / 3);
        } else {
            OtherConnection other(m_file);
            other.run("DROP TABLE drafts");
        }
        if (kind != "table") {
            QVERIFY(writeBytes(m_file, bytes));
        } else {
            bytes = bytesOf(m_file);
        }
        {
            Watched watched(m_folder);
            watched.store.saveChat(sampleChat(2, "new"));
            watched.store.loadChat(1);
            QTRY_VERIFY(watched.missing + watched.loaded.size() == 1);
            QVERIFY(watched.store.flush());
            QCOMPARE(watched.codes(), QStringList { "chats-damaged" });
            QVERIFY(isComplete(watched.problems[0]));
            QCOMPARE(watched.store.problem()->code, "chats-damaged");
            QCOMPARE(watched.store.filePath(), m_file);
            const QString aside = watched.problems[0].file;
            QVERIFY(QFileInfo(aside).fileName().startsWith("chats-damaged-2"));
            QCOMPARE(bytesOf(aside), bytes);
        }
        Watched again(m_folder);
        QTRY_COMPARE(again.lists.size(), 1);
        QCOMPARE(again.lists[0].size(), 1);
        QVERIFY(again.problems.isEmpty());
    }

    void damagedFoundLater()
    {
        fill(m_folder);
        {
            // Every page but the first: the list may still be read, the messages can't.
            QByteArray bytes = bytesOf(m_file);
            OtherConnection other(m_file);
            const qint64 root =
                other.run("SELECT rootpage FROM sqlite_master WHERE name = 'messages'")
                    .toLongLong();
            const qint64 page = other.run("PRAGMA page_size").toLongLong();
            bytes.replace((root - 1) * page, page, QByteArray(page, '\x5a'));
            QVERIFY(writeBytes(m_file, bytes));
        }
        Watched watched(m_folder);
        QTRY_COMPARE(watched.lists.size(), 1);
        watched.store.saveChat(sampleChat(2, "held meanwhile"));
        watched.store.saveMessage(sampleMessage(2, 1001, 0, "and this"));
        watched.store.loadChat(1);
        QTRY_COMPARE(watched.missing, 1);
        QCOMPARE(watched.codes(), QStringList { "chats-damaged" });
        QCOMPARE(watched.lists.size(), 2);
        QVERIFY(watched.store.flush());
        OtherConnection other(m_file);
        QCOMPARE(other.run("SELECT text FROM messages").toString(), "and this");
        QCOMPARE(other.run("PRAGMA integrity_check").toString(), "ok");
    }

    void damagedSearchIsMended()
    {
        fill(m_folder, 50);
        Watched watched(m_folder);
        QTRY_COMPARE(watched.lists.size(), 1);
        {
            OtherConnection other(m_file);
            other.run("DELETE FROM message_search_data WHERE id > 10");
        }
        QSignalSpy found(&watched.store, &ChatStore::found);
        watched.store.search("message 49 message");
        QTRY_COMPARE(found.size(), 1);
        QCOMPARE(found[0][1].value<QList<app::ChatHit>>().size(), 1);
        QVERIFY(watched.problems.isEmpty());
    }

    void newerIsLeftAlone_data()
    {
        QTest::addColumn<bool>("inLog");
        QTest::addRow("in the file") << false;
        QTest::addRow("in the log") << true;
    }

    void newerIsLeftAlone()
    {
        QFETCH(bool, inLog);
        fill(m_folder, 5);
        {
            const QString newer =
                QString("PRAGMA user_version = %1").arg(app::kChatSchemaVersion + 1);
            OtherConnection later(m_file);
            if (inLog) { // as a later version that crashed leaves it: copied while it is open
                later.run(newer);
                const QByteArray file = bytesOf(m_file);
                const QByteArray log = bytesOf(m_file + "-wal");
                QVERIFY(!log.isEmpty());
                QVERIFY(writeBytes(m_file + "-copy", file));
                QVERIFY(writeBytes(m_file + "-copy-wal", log));
            } else {
                later.run(newer);
            }
        }
        if (inLog) {
            for (const QString& suffix : { QString(), QString("-wal") }) {
                QFile::remove(m_file + suffix);
                QVERIFY(QFile::rename(m_file + "-copy" + suffix, m_file + suffix));
            }
        }
        const QByteArray bytes = bytesOf(m_file);
        const QByteArray log = bytesOf(m_file + "-wal");
        for (int start = 0; start < 2; ++start) {
            Watched watched(m_folder);
            QTRY_COMPARE(watched.lists.size(), 1);
            QCOMPARE(watched.lists[0].size(), start);
            QCOMPARE(watched.codes(), QStringList { "chats-newer" });
            QVERIFY(isComplete(watched.problems[0]));
            QCOMPARE(watched.store.filePath(), m_folder + "/chats-v1.db");
            watched.store.saveChat(sampleChat(9, "beside"));
            QVERIFY(watched.store.flush());
            QVERIFY(watched.store.problem());
        }
        QCOMPARE(bytesOf(m_file), bytes);
        QCOMPARE(bytesOf(m_file + "-wal"), log);
        QFile::remove(m_file);
        QFile::remove(m_file + "-wal");
        QFile::remove(m_file + "-shm");
        Watched watched(m_folder);
        QTRY_COMPARE(watched.lists.size(), 1);
        QCOMPARE(watched.store.filePath(), m_file);
        QVERIFY(watched.problems.isEmpty());
    }

    void notOurs_data()
    {
        QTest::addColumn<QByteArray>("what");
        for (const char* what : { "application", "tables", "folder", "link", "pipe" }) {
            QTest::addRow("%s", what) << QByteArray(what);
        }
    }

    void notOurs()
    {
        QFETCH(QByteArray, what);
        QVERIFY(QDir().mkpath(m_folder));
        if (what == "folder") {
            QVERIFY(QDir().mkdir(m_file));
        } else if (what == "link") {
            QVERIFY(QFile::link(m_directory->filePath("unplugged/chats.db"), m_file));
        } else if (what == "pipe") {
            QCOMPARE(mkfifo(m_file.toUtf8().constData(), 0600), 0);
        } else {
            OtherConnection theirs(m_file);
            theirs.run("CREATE TABLE bookmarks (url TEXT)");
            if (what == "application") {
                theirs.run("PRAGMA application_id = 77");
            }
        }
        const bool file = QFileInfo(m_file).isFile();
        const QByteArray bytes = file ? bytesOf(m_file) : QByteArray();
        {
            Watched watched(m_folder);
            watched.store.saveChat(sampleChat(1, "beside"));
            QVERIFY(watched.store.flush());
            QTRY_COMPARE(watched.codes(),
                         QStringList { file ? "chats-foreign" : "chats-not-a-file" });
            QVERIFY(isComplete(watched.problems[0]));
            QCOMPARE(watched.store.filePath(), m_folder + "/chats-v1.db");
        }
        QVERIFY(!file || bytesOf(m_file) == bytes);
        Watched watched(m_folder);
        QTRY_COMPARE(watched.lists.size(), 1);
        QCOMPARE(watched.lists[0].size(), 1);
    }

    void aLinkIsFollowed()
    {
        QVERIFY(QDir().mkpath(m_folder));
        QVERIFY(QDir().mkpath(m_directory->filePath("disk")));
        const QString target = m_directory->filePath("disk/mine.db");
        QVERIFY(writeBytes(target, "damaged, not a database at all"));
        QVERIFY(QFile::link(target, m_file));
        Watched watched(m_folder);
        watched.store.saveChat(sampleChat(1, "t"));
        QVERIFY(watched.store.flush());
        QTRY_COMPARE(watched.codes(), QStringList { "chats-damaged" });
        QVERIFY(QFileInfo(m_file).isSymLink());
        QVERIFY(QFileInfo(watched.problems[0].file).path().endsWith("/disk"));
        OtherConnection other(target);
        QCOMPARE(other.run("SELECT title FROM chats").toString(), "t");
    }

    void folderThatCannotBe()
    {
        QVERIFY(writeBytes(m_directory->filePath("blocked"), "x"));
        const QString folder = m_directory->filePath("blocked/vitrine");
        Watched watched(folder);
        watched.store.saveChat(sampleChat(1, "in memory"));
        watched.store.saveMessage(sampleMessage(1, 11, 0, "needle"));
        QTRY_COMPARE(watched.codes(), QStringList { "chats-not-writable" });
        QVERIFY(isComplete(watched.problems[0]));
        QTRY_COMPARE(watched.lists.size(), 1);
        watched.store.loadChat(1);
        QTRY_COMPARE(watched.loaded.size(), 1);
        QSignalSpy found(&watched.store, &ChatStore::found);
        watched.store.search("needle");
        QTRY_COMPARE(found.size(), 1);
        QCOMPARE(found[0][1].value<QList<app::ChatHit>>().size(), 1);
        QVERIFY(!watched.store.flush());
        QVERIFY(QFile::remove(m_directory->filePath("blocked")));
        QTRY_COMPARE_WITH_TIMEOUT(watched.solved, 1, kPatience);
        QCOMPARE(watched.lists.constLast().size(), 1);
        OtherConnection other(folder + "/chats.db");
        QCOMPARE(other.run("SELECT text FROM messages").toString(), "needle");
    }

    void readOnlyFolderCanBeRead_data()
    {
        QTest::addColumn<bool>("fileToo");
        QTest::addRow("folder") << false;
        QTest::addRow("folder and file") << true;
    }

    void readOnlyFolderCanBeRead()
    {
        QFETCH(bool, fileToo);
        const OrdinaryPerson person;
        const QTemporaryDir directory;
        const QString folder = directory.filePath("vitrine");
        fill(folder, 3);
        const QString file = folder + "/chats.db";
        if (fileToo) {
            QVERIFY(QFile::setPermissions(file, QFile::ReadOwner));
        }
        QVERIFY(QFile::setPermissions(folder, QFile::ReadOwner | QFile::ExeOwner));
        {
            Watched watched(folder);
            QTRY_COMPARE(watched.codes(), QStringList { "chats-not-writable" });
            QTRY_COMPARE(watched.lists.size(), 1);
            QCOMPARE(watched.lists[0].size(), 1);
            watched.store.saveMessage(sampleMessage(1, 4, 3, "not written"));
            watched.store.loadChat(1);
            QTRY_COMPARE(watched.loaded.size(), 1);
            QCOMPARE(watched.loaded[0].size(), 4);
            QVERIFY(QFile::setPermissions(folder,
                                          QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
            QVERIFY(QFile::setPermissions(file, QFile::ReadOwner | QFile::WriteOwner));
            QTRY_COMPARE_WITH_TIMEOUT(watched.solved, 1, kPatience);
        }
        OtherConnection other(file);
        QCOMPARE(other.run("SELECT count(*) FROM messages").toInt(), 4);
    }

    void fileThatIsGone()
    {
        Watched watched(m_folder);
        watched.store.saveChat(sampleChat(1, "first"));
        QVERIFY(watched.store.flush());
        QVERIFY(QDir(m_folder).removeRecursively());
        watched.store.saveChat(sampleChat(2, "second"));
        QVERIFY(watched.store.flush());
        OtherConnection other(m_file);
        QCOMPARE(other.run("SELECT title FROM chats").toString(), "second");
    }

    void anotherCopyReplacesTheFile()
    {
        Watched first(m_folder);
        first.store.saveChat(sampleChat(1, "first"));
        QVERIFY(first.store.flush());
        // As the other one does when it finds damage: moved aside under us, and a new one begun.
        QVERIFY(app::moveDamagedAside(m_file));
        Watched second(m_folder);
        second.store.saveChat(sampleChat(2, "second"));
        QVERIFY(second.store.flush());
        first.store.saveChat(sampleChat(3, "third"));
        QVERIFY(first.store.flush());
        second.store.saveChat(sampleChat(4, "fourth"));
        QVERIFY(second.store.flush());
        OtherConnection other(m_file);
        QCOMPARE(other.run("SELECT group_concat(id) FROM chats").toString(), "2,3,4");
        QCOMPARE(other.run("PRAGMA integrity_check").toString(), "ok");
    }

private:
    std::unique_ptr<QTemporaryDir> m_directory;
    QString m_folder;
    QString m_file;
};

QTEST_GUILESS_MAIN(TestChatKeeper)
#include "tst_chat_keeper.moc"
