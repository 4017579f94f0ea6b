// The files that chats are kept in: their folder, whose they are, moving a damaged one aside, other
// copies of Vitrine. SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_place.h"

#include "app/services/chat_schema.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFile>
#include <QFileInfo>
#include <QtEndian>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

namespace app {

namespace {

using Kind = ChatFailure::Kind;

constexpr int kMaxNames = 100; ///< of damaged files of one second
constexpr int kPresenceTries = 40;
constexpr std::chrono::milliseconds kPresencePause { 50 };

// The header of SQLite's file format: big-endian numbers at fixed places.
constexpr qsizetype kHeaderSize = 100;
constexpr qsizetype kVersionOffset = 60;
constexpr qsizetype kApplicationOffset = 68;

tl::unexpected<ChatFailure> failed(Kind kind, int error)
{
    return tl::unexpected(ChatFailure { kind, qt_error_string(error) });
}

Kind kindOfError(int error)
{
    return error == ENOSPC || error == EDQUOT ? Kind::Full : Kind::NotWritable;
}

ChatResult<void> makeFolders(const QString& folder)
{
    if (QFileInfo(folder).isDir() || folder.isEmpty()) {
        return {};
    }
    if (const auto above = makeFolders(QFileInfo(folder).path()); !above) {
        return above;
    }
    if (::mkdir(QFile::encodeName(folder).constData(), S_IRWXU) != 0 && errno != EEXIST) {
        const int error = errno;
        return failed(kindOfError(error), error);
    }
    return {};
}

ChatResult<void> checkWritable(const QString& path, int wanted)
{
    if (::faccessat(AT_FDCWD, QFile::encodeName(path).constData(), wanted, AT_EACCESS) != 0) {
        const int error = errno;
        return failed(kindOfError(error), error);
    }
    return {};
}

ChatResult<void> makeFile(const QString& path)
{
    const int file = ::open(QFile::encodeName(path).constData(),
                            O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (file < 0) {
        const int error = errno;
        if (error == EEXIST && QFileInfo(path).isSymLink() && !QFileInfo::exists(path)) {
            return tl::unexpected(ChatFailure {
                Kind::NotAFile,
                QCoreApplication::translate("ChatStore", "it is a link to something missing") });
        }
        return error == EEXIST ? ChatResult<void>() : failed(kindOfError(error), error);
    }
    ::close(file);
    return {};
}

/// Newer and Foreign from the bytes alone: opening a database with SQLite may change it.
ChatResult<void> checkHeader(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return tl::unexpected(ChatFailure { Kind::NotWritable, file.errorString() });
    }
    const QByteArray header = file.read(kHeaderSize);
    if (header.size() < kHeaderSize || !header.startsWith("SQLite format 3")) {
        return {}; // empty or damaged
    }
    const auto application = qFromBigEndian<quint32>(header.constData() + kApplicationOffset);
    const auto version = qFromBigEndian<qint32>(header.constData() + kVersionOffset);
    if (application == kChatApplicationId) {
        return version > kChatSchemaVersion
            ? ChatResult<void>(tl::unexpected(ChatFailure { Kind::Newer, {} }))
            : ChatResult<void>();
    }
    return application != 0 ? ChatResult<void>(tl::unexpected(ChatFailure { Kind::Foreign, {} }))
                            : ChatResult<void>();
}

} // namespace

FileIdentity identityOfFile(const QString& path)
{
    struct stat status
    {
    };
    if (::stat(QFile::encodeName(path).constData(), &status) != 0) {
        return {};
    }
    return { status.st_dev, status.st_ino };
}

ChatResult<void> preparePlace(const QString& path)
{
    const QString folder = QFileInfo(path).path();
    if (const auto made = makeFolders(folder); !made) {
        return made;
    }
    if (const auto may = checkWritable(folder, W_OK | X_OK); !may) {
        return may;
    }
    const QFileInfo there(path);
    if (!there.exists()) {
        return makeFile(path);
    }
    if (!there.isFile()) {
        const QString reason = there.isDir()
            ? QCoreApplication::translate("ChatStore", "it is a folder")
            : QCoreApplication::translate("ChatStore", "it is not a regular file");
        return tl::unexpected(ChatFailure { Kind::NotAFile, reason });
    }
    if (const auto may = checkWritable(path, R_OK | W_OK); !may) {
        return may;
    }
    return checkHeader(path);
}

ChatResult<QString> moveDamagedAside(const QString& path)
{
    const QFileInfo info(path);
    const QString stem = info.path() + u'/' + info.completeBaseName()
        + QDateTime::currentDateTime().toString(QStringLiteral("'-damaged-'yyyyMMdd-HHmmss"));
    QString aside = stem + QStringLiteral(".db");
    for (int i = 2; i < kMaxNames && QFileInfo::exists(aside); ++i) {
        aside = QStringLiteral("%1-%2.db").arg(stem).arg(i);
    }
    // The companions first: a new database must never be begun beside the log of an old one. What
    // cannot be moved but is there stops it.
    for (const char* suffix : { "-wal", "-shm", "" }) {
        const QByteArray from = QFile::encodeName(path) + suffix;
        const QByteArray to = QFile::encodeName(aside) + suffix;
        if (::rename(from.constData(), to.constData()) != 0 && errno != ENOENT) {
            const int error = errno;
            return failed(Kind::NotWritable, error);
        }
    }
    return aside;
}

FolderPresence::~FolderPresence()
{
    if (m_folder >= 0) {
        ::close(m_folder); // and the lock with it
    }
}

bool FolderPresence::enterAlone(const QString& folder)
{
    if (m_folder >= 0) {
        return false;
    }
    m_folder = ::open(QFile::encodeName(folder).constData(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (m_folder < 0 || ::flock(m_folder, LOCK_EX | LOCK_NB) == 0) {
        return true;
    }
    if (errno != EWOULDBLOCK) {
        return true; // no locks in this file system
    }
    stay();
    return false;
}

void FolderPresence::stay()
{
    // Another copy that tidies up holds the lock for a moment.
    for (int i = 0; i < kPresenceTries; ++i) {
        if (m_folder < 0 || ::flock(m_folder, LOCK_SH | LOCK_NB) == 0 || errno != EWOULDBLOCK) {
            return;
        }
        std::this_thread::sleep_for(kPresencePause);
    }
}

} // namespace app
