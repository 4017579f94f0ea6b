// What goes wrong with the file of the chats, in words.
// SPDX-License-Identifier: Apache-2.0
#include "app/services/chat_problems.h"

#include "app/services/chat_store.h"

#include <QFileInfo>

namespace app {

namespace {

using Kind = ChatFailure::Kind;

ErrorMessage problemWith(const QString& path, const char* code)
{
    ErrorMessage message;
    message.code = QLatin1String(code);
    message.file = path;
    message.where = path;
    return message;
}

QString withReason(const QString& sentence, const QString& reason)
{
    return reason.isEmpty() ? sentence : ChatStore::tr("%1 (%2)").arg(sentence, reason);
}

} // namespace

ErrorMessage unwrittenProblem(const ChatFailure& failure, const QString& path)
{
    ErrorMessage message;
    switch (failure.kind) {
    case Kind::Locked:
        message = problemWith(path, "chats-locked");
        message.what = ChatStore::tr("Another program holds the file of the chats. What is new is "
                                     "kept in memory only.");
        message.remedy = ChatStore::tr("Close the other program. Vitrine tries again by itself.");
        return message;
    case Kind::Full:
        message = problemWith(path, "chats-disk-full");
        message.what = ChatStore::tr("There is no space to keep the chats. What is new is kept in "
                                     "memory only.");
        message.remedy = ChatStore::tr("Free some space before you close Vitrine. It tries again "
                                       "by itself.");
        return message;
    case Kind::NotWritable:
        message = problemWith(path, "chats-not-writable");
        message.what = ChatStore::tr("The chats cannot be written (%1). What is new is kept in "
                                     "memory only.")
                           .arg(failure.reason);
        message.remedy = ChatStore::tr("Check the permissions of the folder before you close "
                                       "Vitrine. It tries again by itself.");
        return message;
    case Kind::Damaged:
    case Kind::DamagedSearch:
        message = problemWith(path, "chats-damaged-in-use");
        message.what = ChatStore::tr("The file of the chats is damaged again and again. What is "
                                     "new is kept in memory only.");
        message.remedy = ChatStore::tr("Check the disk.");
        return message;
    case Kind::Newer:
    case Kind::Foreign:
    case Kind::NotAFile:
    case Kind::Other:
        break;
    }
    message = problemWith(path, "chats-not-kept");
    message.what = withReason(
        ChatStore::tr("The chats cannot be kept. What is new is in memory only."), failure.reason);
    message.remedy = ChatStore::tr("Check the folder and the disk. Vitrine tries again by itself.");
    return message;
}

ErrorMessage damagedProblem(const QString& path, const QString& aside)
{
    ErrorMessage message = problemWith(path, "chats-damaged");
    message.what = ChatStore::tr("The file of the chats was damaged. A new one is begun.");
    message.where = aside;
    message.file = aside;
    message.remedy =
        ChatStore::tr("The damaged one is kept as %1.").arg(QFileInfo(aside).fileName());
    return message;
}

ErrorMessage insteadProblem(const ChatFailure& failure, const QString& path, const QString& instead)
{
    const QString name = QFileInfo(instead).fileName();
    if (failure.kind == Kind::Newer) {
        ErrorMessage message = problemWith(path, "chats-newer");
        message.what = ChatStore::tr("The chats were written by a later version of Vitrine. They "
                                     "are left alone; %1 is used meanwhile.")
                           .arg(name);
        message.remedy = ChatStore::tr("Use the later version to see them.");
        return message;
    }
    ErrorMessage message =
        problemWith(path, failure.kind == Kind::Foreign ? "chats-foreign" : "chats-not-a-file");
    const QString what = failure.kind == Kind::Foreign
        ? ChatStore::tr("In the place of the chats is the database of another program")
        : ChatStore::tr("In the place of the chats is no file");
    message.what = ChatStore::tr("%1. It is left alone; %2 is used instead.")
                       .arg(withReason(what, failure.reason), name);
    message.remedy = ChatStore::tr("Move it elsewhere and start Vitrine again.");
    return message;
}

} // namespace app
