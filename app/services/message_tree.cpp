#include "app/services/message_tree.h"

#include <QSet>

#include <algorithm>
#include <utility>

namespace app {

void MessageTree::reset(const QList<MessageRecord>& messages, MessageId leaf)
{
    m_nodes.clear();
    m_children.clear();
    m_path.clear();
    QList<MessageRecord> sorted = messages;
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const MessageRecord& left, const MessageRecord& right) {
                         return left.created < right.created;
                     });
    for (const MessageRecord& message : std::as_const(sorted)) {
        m_nodes.insert(message.id, message);
    }
    // A parent that is lost, or a message that is its own ancestor (a damaged file), must not hide
    // the rest.
    QSet<MessageId> sound; // these lead to the top
    for (const MessageRecord& message : std::as_const(sorted)) {
        QSet<MessageId> trail;
        for (MessageId id = message.id; id != 0 && !sound.contains(id);) {
            MessageRecord& node = m_nodes[id];
            if (trail.contains(id) || !m_nodes.contains(node.parent)) {
                node.parent = 0;
            }
            trail.insert(id);
            id = node.parent;
        }
        sound.unite(trail);
        m_children[m_nodes[message.id].parent].append(message.id);
    }
    const bool known = m_nodes.contains(leaf) && !m_nodes.value(leaf).deleted;
    showBranchTo(known ? leaf : newestBelow(0));
}

const MessageRecord& MessageTree::at(MessageId id) const
{
    const auto found = m_nodes.constFind(id);
    Q_ASSERT(found != m_nodes.constEnd());
    return *found;
}

MessageRecord& MessageTree::edit(MessageId id)
{
    const auto found = m_nodes.find(id);
    Q_ASSERT(found != m_nodes.end());
    return *found;
}

MessageId MessageTree::parentOf(MessageId id) const
{
    MessageId above = at(id).parent;
    while (above != 0 && at(above).deleted) {
        above = at(above).parent;
    }
    return above;
}

QList<MessageId> MessageTree::childrenOf(MessageId id) const
{
    // What hangs on a deleted child is seen in its place.
    QList<MessageId> seen;
    QList<MessageId> open = m_children.value(id);
    while (!open.isEmpty()) {
        const MessageId child = open.takeFirst();
        if (at(child).deleted) {
            open += m_children.value(child);
        } else {
            seen.append(child);
        }
    }
    std::stable_sort(seen.begin(), seen.end(), [this](MessageId left, MessageId right) {
        return at(left).created < at(right).created;
    });
    return seen;
}

QList<MessageId> MessageTree::siblings(MessageId id) const
{
    QList<MessageId> all = childrenOf(parentOf(id));
    // After a turn was deleted, a question may lie beside an answer: only its like are its
    // alternatives.
    const auto role = at(id).role;
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](MessageId other) { return at(other).role != role; }),
              all.end());
    return all;
}

void MessageTree::add(const MessageRecord& message)
{
    Q_ASSERT(!m_nodes.contains(message.id));
    Q_ASSERT(message.parent == 0 || m_nodes.contains(message.parent));
    m_nodes.insert(message.id, message);
    m_children[message.parent].append(message.id);
    showBranchTo(message.id);
}

void MessageTree::show(MessageId id)
{
    showBranchTo(newestBelow(id));
}

QList<MessageId> MessageTree::turn(MessageId question) const
{
    QList<MessageId> ids { question };
    for (const MessageId child : childrenOf(question)) {
        if (at(child).role == MessageRecord::Role::Assistant) {
            ids.append(child);
        }
    }
    return ids;
}

QList<MessageId> MessageTree::below(MessageId answer) const
{
    QList<MessageId> ids { answer };
    for (qsizetype next = 0; next < ids.size(); ++next) {
        ids += childrenOf(ids.at(next));
    }
    return ids;
}

void MessageTree::setDeleted(const QList<MessageId>& ids, bool deleted, MessageId leaf)
{
    const QList<MessageId> before = m_path;
    for (const MessageId id : ids) {
        edit(id).deleted = deleted;
    }
    if (leaf != 0 && m_nodes.contains(leaf) && !at(leaf).deleted) {
        showBranchTo(leaf);
        return;
    }
    // The last message of the old branch that is left; below it the newest, which may be a
    // sibling's.
    for (auto id = before.crbegin(); id != before.crend(); ++id) {
        if (!at(*id).deleted) {
            showBranchTo(*id == before.constLast() ? *id : newestBelow(*id));
            return;
        }
    }
    showBranchTo(newestBelow(0));
}

void MessageTree::discard(MessageId id)
{
    const MessageId above = parentOf(id);
    QList<MessageId> gone { id };
    for (qsizetype next = 0; next < gone.size(); ++next) {
        gone += m_children.value(gone.at(next));
    }
    m_children[at(id).parent].removeAll(id);
    for (const MessageId each : std::as_const(gone)) {
        m_nodes.remove(each);
        m_children.remove(each);
    }
    if (m_path.contains(id)) {
        showBranchTo(newestBelow(above));
    }
}

void MessageTree::showBranchTo(MessageId leaf)
{
    m_path.clear();
    for (MessageId id = leaf; id != 0; id = parentOf(id)) {
        m_path.prepend(id);
    }
}

MessageId MessageTree::newestBelow(MessageId id) const
{
    for (;;) {
        const QList<MessageId> children = childrenOf(id);
        if (children.isEmpty()) {
            return id;
        }
        id = children.constLast();
    }
}

} // namespace app
