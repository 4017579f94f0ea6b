// The messages of one chat: a tree, and the branch of it that is shown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/services/chat_records.h"

#include <QHash>
#include <QList>

namespace app {

/// Questions and answers in turn; an edited question and an answer asked for again are siblings of
/// the first one. Messages that are deleted stay (so that it can be undone) but are not seen: what
/// hung on them hangs on the nearest message above. Plain data, used by one thread.
class MessageTree
{
public:
    /// Forgets what was there. `leaf`: the end of the branch to show; when it is not there, the
    /// newest one.
    void reset(const QList<MessageRecord>& messages, MessageId leaf);

    /// The branch that is shown, from its first message to its leaf.
    [[nodiscard]] const QList<MessageId>& path() const { return m_path; }
    [[nodiscard]] MessageId leaf() const { return m_path.isEmpty() ? 0 : m_path.constLast(); }
    [[nodiscard]] bool contains(MessageId id) const { return m_nodes.contains(id); }
    /// `id` must be there.
    [[nodiscard]] const MessageRecord& at(MessageId id) const;
    [[nodiscard]] MessageRecord& edit(MessageId id);
    /// The message above that is not deleted; 0 for the first.
    [[nodiscard]] MessageId parentOf(MessageId id) const;
    /// Messages with the same parent that are not deleted, itself among them, oldest first.
    [[nodiscard]] QList<MessageId> siblings(MessageId id) const;

    /// Adds a message and shows the branch that ends with it.
    void add(const MessageRecord& message);
    /// Shows the branch that goes through `id`, with the newest messages below it.
    void show(MessageId id);
    /// Shows the branch that ends with `leaf`; 0 shows none.
    void showBranchTo(MessageId leaf);

    /// What to delete with a question: itself and all its answers. What follows them stays.
    [[nodiscard]] QList<MessageId> turn(MessageId question) const;
    /// What to delete with an answer that has siblings: itself and all that follows.
    [[nodiscard]] QList<MessageId> below(MessageId answer) const;
    /// Marks messages, and shows what is left of the branch (or, undone, the branch to `leaf`).
    void setDeleted(const QList<MessageId>& ids, bool deleted, MessageId leaf = 0);
    /// Takes a message out for good, with all below it (an answer that never came to be).
    void discard(MessageId id);

private:
    [[nodiscard]] QList<MessageId> childrenOf(MessageId id) const;
    [[nodiscard]] MessageId newestBelow(MessageId id) const;

    QHash<MessageId, MessageRecord> m_nodes;
    QHash<MessageId, QList<MessageId>>
        m_children; ///< by the parent as written, deleted ones too, oldest first
    QList<MessageId> m_path;
};

} // namespace app
