// The files that chats are kept in: their folder, whose they are, moving a damaged one aside, other
// copies of Vitrine. SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_sql.h"

#include <QString>

namespace app {

/// What identifies a file whatever its name; two zeros: none.
struct FileIdentity
{
    quint64 device = 0;
    quint64 inode = 0;

    friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

[[nodiscard]] FileIdentity identityOfFile(const QString& path);

/// Makes the folders (for this person alone) and, where there is no file yet, an empty one. A
/// failure says why nothing can be written there; NotAFile and, by the first bytes, Newer and
/// Foreign are told without touching it.
[[nodiscard]] ChatResult<void> preparePlace(const QString& path);

/// Renames the file with its companions -wal and -shm, whether or not it is open; returns the new
/// path.
[[nodiscard]] ChatResult<QString> moveDamagedAside(const QString& path);

/// Tells copies of Vitrine that use the same folder of each other; a copy that ends is forgotten by
/// the system.
class FolderPresence
{
public:
    FolderPresence() = default;
    FolderPresence(const FolderPresence&) = delete;
    FolderPresence& operator=(const FolderPresence&) = delete;
    ~FolderPresence();

    /// Enters; true when no other copy is there. It counts as alone until `stay`, and others wait
    /// for that.
    [[nodiscard]] bool enterAlone(const QString& folder);
    /// Lets others in.
    void stay();

private:
    int m_folder = -1;
};

} // namespace app
